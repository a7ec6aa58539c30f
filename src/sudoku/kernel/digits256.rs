//! Digits to candidates and back with AVX2.
//!
//! In pieces that fit those in which others write and read: a processor hands a store on to a load only when the load
//! lies within it.

use super::cells::{ALL, Cells};
use std::arch::x86_64::*;

/// As [`Cells::load`].
#[inline]
#[target_feature(enable = "avx2")]
pub fn load(cells: &mut Cells, digits: &[u8; 81]) {
    let low_bytes = table(std::array::from_fn(|digit| candidates(digit) as u8));
    let high_bytes = table(std::array::from_fn(|digit| (candidates(digit) >> 8) as u8));
    let (sixteens, _) = digits.as_chunks::<16>();
    for (from, to) in sixteens.iter().zip(cells.0.as_chunks_mut::<16>().0) {
        // SAFETY: 16 bytes are read from an array of as many.
        let digits = unsafe { _mm_loadu_si128(from.as_ptr().cast()) };
        let low = _mm_shuffle_epi8(low_bytes, digits);
        let high = _mm_shuffle_epi8(high_bytes, digits);
        // SAFETY: twice 16 bytes are written to an array of 32.
        unsafe {
            _mm_storeu_si128(to.as_mut_ptr().cast(), _mm_unpacklo_epi8(low, high));
            _mm_storeu_si128(to.as_mut_ptr().add(8).cast(), _mm_unpackhi_epi8(low, high));
        }
    }
    cells.0[80] = candidates(usize::from(digits[80]));
}

/// As [`Cells::digits`].
#[inline]
#[target_feature(enable = "avx2")]
pub fn digits(cells: &Cells, out: &mut [u8; 81]) -> bool {
    // The upper half of a single bit's product with this has another lower nibble for each bit but the ninth, whose upper
    // bit is set (a de Bruijn sequence): the table, which gives 0 for such, counts down from nine.
    let spread = _mm256_set1_epi16(0x9a00_u16 as i16);
    let below_nine = _mm256_broadcastsi128_si256(table([8, 7, 6, 3, 5, 0, 2, 0, 0, 4, 0, 0, 0, 1, 0, 0]));
    let (mut several, mut none) = (_mm256_setzero_si256(), _mm256_setzero_si256());
    let mut half = |sixteen: &[u16; 16]| {
        // SAFETY: 32 bytes are read from an array of as many.
        let x = unsafe { _mm256_loadu_si256(sixteen.as_ptr().cast()) };
        let less = _mm256_add_epi16(x, _mm256_set1_epi16(-1));
        several = _mm256_or_si256(several, _mm256_and_si256(x, less));
        none = _mm256_or_si256(none, less);
        _mm256_mulhi_epu16(x, spread)
    };
    // Packing works on halves: so the quarters in this order.
    let pack = |a, b| _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packus_epi16(a, b));
    let to_digits = |spread| _mm256_sub_epi8(_mm256_set1_epi8(9), _mm256_shuffle_epi8(below_nine, spread));
    let (sixteens, _) = cells.0.as_chunks::<16>();
    let (to, _) = out.as_chunks_mut::<16>();
    for i in [0, 2] {
        let digits = to_digits(pack(half(&sixteens[i]), half(&sixteens[i + 1])));
        // SAFETY: twice 16 bytes are written to an array of as many.
        unsafe {
            _mm_storeu_si128(to[i].as_mut_ptr().cast(), _mm256_castsi256_si128(digits));
            _mm_storeu_si128(to[i + 1].as_mut_ptr().cast(), _mm256_extracti128_si256::<1>(digits));
        }
    }
    let last = half(&sixteens[4]);
    let digits = to_digits(pack(last, last));
    // SAFETY: 16 bytes are written to an array of as many.
    unsafe { _mm_storeu_si128(to[4].as_mut_ptr().cast(), _mm256_castsi256_si128(digits)) };
    let x = cells.0[80];
    out[80] = x.trailing_zeros() as u8 + 1;
    let wrong = _mm256_or_si256(several, _mm256_and_si256(none, _mm256_set1_epi16(i16::MIN)));
    _mm256_testz_si256(wrong, wrong) == 1 && x.is_power_of_two()
}

/// What a cell with this digit, or none, can take.
const fn candidates(digit: usize) -> u16 {
    match digit {
        0 => ALL,
        1..=9 => 1 << (digit - 1),
        _ => 0,
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn table(bytes: [u8; 16]) -> __m128i {
    // SAFETY: 16 bytes are read from an array of as many.
    unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
}

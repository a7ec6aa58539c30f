//! The choice of a guess in AVX2: the cells that `heaviest` says, a puzzle in three registers of bytes.

use super::cells::Cells;
use super::heaviest::{Conflicts, PEER_BYTES, WEIGHED};
use std::arch::x86_64::*;

/// For each digit the weights of the cells that can take it, 32 cells a register.
type Scales = [[__m256i; 3]; 9];

/// As `heaviest::heaviest`.
#[inline]
#[target_feature(enable = "avx2,bmi1,lzcnt,popcnt")]
pub fn heaviest(cells: &Cells, conflicts: &Conflicts) -> Option<usize> {
    let mut scales = [[_mm256_setzero_si256(); 3]; 9];
    let mut pairs = weigh_digits(cells, &mut scales);
    let first = pairs.count().min(8);
    if first == 0 {
        return None;
    }
    let (lack, cell) = heaviest_of_eight(cells, &scales, conflicts, &mut pairs, first);
    let then = pairs.count().min(WEIGHED as u32 - 8);
    if then == 0 {
        return Some(cell);
    }
    let (less, other) = heaviest_of_eight(cells, &scales, conflicts, &mut pairs, then);
    Some(if less < lack { other } else { cell })
}

/// As `heaviest::first`.
#[inline]
#[target_feature(enable = "avx2,bmi1,popcnt")]
pub fn first(cells: &Cells) -> Option<usize> {
    let zero = _mm256_setzero_si256();
    let (sixteens, _) = cells.0.as_chunks::<16>();
    let is_pair = |i: usize| {
        let a = without_lowest(load_words(&sixteens[i]));
        _mm256_andnot_si256(_mm256_cmpeq_epi16(a, zero), _mm256_cmpeq_epi16(without_lowest(a), zero))
    };
    let pairs = |i: usize| {
        let both = _mm256_packs_epi16(is_pair(2 * i), is_pair(2 * i + 1));
        _mm256_movemask_epi8(_mm256_permute4x64_epi64::<0b11_01_10_00>(both)) as u32
    };
    let mut pairs = Pairs(u64::from(pairs(0)) | u64::from(pairs(1)) << 32, pairs(2));
    (pairs.count() != 0).then(|| pairs.take())
}

/// As `Vector::limit`.
#[inline]
#[target_feature(enable = "avx2,bmi1")]
pub fn limit(cells: &mut Cells, cell: usize, candidates: u16) {
    let single = candidates & candidates.wrapping_sub(1) == 0;
    let struck = _mm256_set1_epi16(if single { candidates as i16 } else { 0 });
    let (sixteens, _) = cells.0.as_chunks_mut::<16>();
    let (peers, _) = PEER_BYTES.0[cell].as_chunks::<16>();
    for (words, peers) in sixteens.iter_mut().zip(peers) {
        // SAFETY: 16 bytes are read from an array of as many.
        let peers = _mm256_cvtepi8_epi16(unsafe { _mm_loadu_si128(peers.as_ptr().cast()) });
        let left = _mm256_andnot_si256(_mm256_and_si256(struck, peers), load_words(words));
        // SAFETY: 32 bytes are written to an array of as many.
        unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), left) };
    }
    cells.0[cell] = candidates;
}

/// Of the next up to eight pairs the one that weighs most, and how far below 255 that is.
#[inline]
#[target_feature(enable = "avx2,bmi1,lzcnt,popcnt")]
fn heaviest_of_eight(
    cells: &Cells,
    scales: &Scales,
    conflicts: &Conflicts,
    pairs: &mut Pairs,
    count: u32,
) -> (u32, usize) {
    let mut sums = _mm256_setzero_si256();
    let (mut list, mut met) = (0, 0);
    for _ in 0..count {
        let cell = pairs.take();
        let x = cells.0[cell];
        list = list << 8 | cell as u64;
        met = met << 8 | u64::from(conflicts[cell]);
        let (a, b) = (&scales[x.trailing_zeros() as usize & 15], &scales[15 & !x.leading_zeros() as usize]);
        let (thirds, _) = PEER_BYTES.0[cell].as_chunks::<32>();
        let part = |i: usize| _mm256_and_si256(_mm256_or_si256(a[i], b[i]), load(&thirds[i]));
        let sum = _mm256_add_epi8(_mm256_add_epi8(part(0), part(1)), part(2));
        let sum = _mm256_sad_epu8(sum, _mm256_setzero_si256());
        sums = _mm256_add_epi64(_mm256_slli_epi64::<8>(sums), sum);
    }
    let sums = _mm_add_epi64(_mm256_castsi256_si128(sums), _mm256_extracti128_si256::<1>(sums));
    let sums = _mm_cvtsi128_si64(_mm_add_epi64(sums, _mm_unpackhi_epi64(sums, sums))) as u64;
    // The first pair to byte 0.
    let order = |bytes: u64| _mm_cvtsi64_si128((bytes << (64 - 8 * count)).swap_bytes() as i64);
    let (sums, met) = (order(sums), order(met));
    let sums = _mm_adds_epu8(sums, _mm_adds_epu8(met, met));
    let lack = _mm_cvtepu8_epi16(_mm_xor_si128(sums, _mm_set1_epi8(-1)));
    let best = _mm_cvtsi128_si32(_mm_minpos_epu16(lack)) as u32;
    (best & 0xffff, (list >> (8 * (count - 1 - (best >> 16)))) as usize & 0x7f)
}

/// The cells with two candidates that are left to be weighed: those below 64, and the rest.
#[derive(Clone, Copy)]
struct Pairs(u64, u32);

impl Pairs {
    #[inline]
    #[target_feature(enable = "popcnt")]
    fn count(self) -> u32 {
        self.0.count_ones() + self.1.count_ones()
    }

    /// The first one.
    #[inline]
    #[target_feature(enable = "bmi1")]
    fn take(&mut self) -> usize {
        let Pairs(low, rest) = *self;
        if low != 0 {
            *self = Pairs(low & (low - 1), rest);
            low.trailing_zeros() as usize
        } else {
            *self = Pairs(0, rest & rest.wrapping_sub(1));
            64 + (rest.trailing_zeros() as usize & 31)
        }
    }
}

/// Fills the scales; the cells with two candidates.
#[inline]
#[target_feature(enable = "avx2")]
fn weigh_digits(cells: &Cells, scales: &mut Scales) -> Pairs {
    let mut pairs = [0; 3];
    let (sixteens, _) = cells.0.as_chunks::<16>();
    for i in 0..3 {
        let (x, y) = (load_words(&sixteens[2 * i]), load_words(&sixteens[2 * i + 1]));
        let low = bytes(low_digits(x), low_digits(y));
        let high = bytes(_mm256_srli_epi16::<7>(x), _mm256_srli_epi16::<7>(y));
        let weight = bytes(weights(x), weights(y));
        pairs[i] = _mm256_movemask_epi8(_mm256_cmpgt_epi8(weight, _mm256_set1_epi8(4))) as u32;
        for (d, scale) in scales.iter_mut().enumerate() {
            let (digits, bit) = if d < 7 { (low, 1 << d) } else { (high, 1 << (d - 7)) };
            scale[i] = _mm256_sign_epi8(weight, _mm256_and_si256(digits, _mm256_set1_epi8(bit)));
        }
    }
    Pairs(u64::from(pairs[0]) | u64::from(pairs[1]) << 32, pairs[2])
}

#[inline]
#[target_feature(enable = "avx2")]
fn low_digits(x: __m256i) -> __m256i {
    _mm256_and_si256(x, _mm256_set1_epi16(0x7f))
}

#[inline]
#[target_feature(enable = "avx2")]
fn weights(x: __m256i) -> __m256i {
    let zero = _mm256_setzero_si256();
    // Without its lowest one, two and three candidates.
    let a = without_lowest(x);
    let b = without_lowest(a);
    let c = without_lowest(b);
    let few = _mm256_and_si256(_mm256_cmpeq_epi16(c, zero), _mm256_set1_epi16(1));
    let pair = _mm256_and_si256(_mm256_cmpeq_epi16(b, zero), _mm256_set1_epi16(3));
    let weight = _mm256_add_epi16(_mm256_add_epi16(few, pair), _mm256_set1_epi16(1));
    _mm256_andnot_si256(_mm256_cmpeq_epi16(a, zero), weight)
}

#[inline]
#[target_feature(enable = "avx2")]
fn without_lowest(x: __m256i) -> __m256i {
    _mm256_and_si256(x, _mm256_add_epi16(x, _mm256_set1_epi16(-1)))
}

/// 32 words, each below 256, as bytes.
#[inline]
#[target_feature(enable = "avx2")]
fn bytes(x: __m256i, y: __m256i) -> __m256i {
    _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packus_epi16(x, y))
}

#[inline]
#[target_feature(enable = "avx2")]
fn load(bytes: &[u8; 32]) -> __m256i {
    // SAFETY: 32 bytes are read from an array of as many.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn load_words(words: &[u16; 16]) -> __m256i {
    // SAFETY: 32 bytes are read from an array of as many.
    unsafe { _mm256_loadu_si256(words.as_ptr().cast()) }
}

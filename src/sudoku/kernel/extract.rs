//! Taking one lane out of the registers: 81 words, a register apart.
//!
//! Each word is fetched by a load that repeats 32 bits over a register, which costs no shuffle; blends then pick each word's
//! place. Words go in pairs: an even cell's word is the lower half of what is loaded at its address, an odd cell's the
//! upper half of what is loaded two bytes before.

use super::cells::Cells;
use std::arch::asm;
use std::arch::x86_64::*;

/// Lane `lane` of 81 registers of `LANES` words each.
#[inline]
#[target_feature(enable = "avx2")]
pub fn extract<const LANES: usize>(words: &[[u16; LANES]; 81], lane: usize, out: &mut Cells) {
    let flat = words.as_flattened();
    let lane = lane % LANES;
    let (sixteens, _) = out.0.as_chunks_mut::<16>();
    for (g, sixteen) in sixteens.iter_mut().take(5).enumerate() {
        let even = |i: usize| repeat(flat, (16 * g + 2 * i) * LANES + lane);
        let odd = |i: usize| repeat(flat, (16 * g + 2 * i + 1) * LANES + lane - 1);
        let even = [even(0), even(1), even(2), even(3), even(4), even(5), even(6), even(7)];
        let odd = [odd(0), odd(1), odd(2), odd(3), odd(4), odd(5), odd(6), odd(7)];
        let pairs = _mm256_blend_epi16::<0b1010_1010>(assemble(even), assemble(odd));
        // SAFETY: 32 bytes are written to an array of as many.
        unsafe { _mm256_storeu_si256(sixteen.as_mut_ptr().cast(), pairs) };
    }
    out.0[80] = words[80][lane];
}

/// The words at `at` and `at + 1`, over and over.
#[inline]
#[target_feature(enable = "avx2")]
fn repeat(words: &[u16], at: usize) -> __m256i {
    debug_assert!(at + 1 < words.len());
    // SAFETY: callers stay below the last word.
    _mm256_set1_epi32(unsafe { words.as_ptr().add(at).cast::<i32>().read_unaligned() })
}

/// Dword i of register i.
#[inline]
#[target_feature(enable = "avx2")]
fn assemble(x: [__m256i; 8]) -> __m256i {
    let low = blend::<0b0000_1100>(blend::<0b0000_0010>(x[0], x[1]), blend::<0b0000_1000>(x[2], x[3]));
    let high = blend::<0b1100_0000>(blend::<0b0010_0000>(x[4], x[5]), blend::<0b1000_0000>(x[6], x[7]));
    blend::<0b1111_0000>(low, high)
}

/// The dwords of `b` that `B` names, else those of `a`.
///
/// In assembly, since LLVM turns blends of repeated words into insertions, which take the one port that shuffles.
#[inline]
#[target_feature(enable = "avx2")]
fn blend<const B: i32>(a: __m256i, b: __m256i) -> __m256i {
    let blended;
    // SAFETY: registers only.
    unsafe {
        asm!(
            "vpblendd {blended}, {a}, {b}, {imm}",
            a = in(ymm_reg) a, b = in(ymm_reg) b, blended = lateout(ymm_reg) blended, imm = const B,
            options(pure, nomem, nostack, preserves_flags)
        );
    }
    blended
}

//! The choice of a guess in AVX-512: what `heaviest` says, eight cells at a time.
//!
//! Each cell becomes a word of candidates and, above bit 9, weight. For a cell to be weighed its twenty peers are
//! gathered by permutation, tested for a shared digit, and their weights summed.

use super::cells::Cells;
use super::heaviest::Conflicts;
use crate::sudoku::geometry::PEERS;
use std::arch::x86_64::*;

/// Aligned as registers are.
#[repr(C, align(64))]
struct Aligned<T>(T);

/// For each cell the places of its peers, then places that hold nothing; those from 64 on count in the third register.
static PLACES: Aligned<[[u16; 32]; 81]> = Aligned({
    let mut places = [[95; 32]; 81];
    let mut cell = 0;
    while cell < 81 {
        let mut i = 0;
        while i < 20 {
            places[cell][i] = PEERS[cell][i] as u16;
            i += 1;
        }
        cell += 1;
    }
    places
});

/// Which of a cell's places are in the third register.
static THIRD: [u32; 81] = {
    let mut masks = [0; 81];
    let mut cell = 0;
    while cell < 81 {
        let mut i = 0;
        while i < 32 {
            if PLACES.0[cell][i] >= 64 {
                masks[cell] |= 1 << i;
            }
            i += 1;
        }
        cell += 1;
    }
    masks
};

/// The weight of a cell by its number of candidates, above bit 9.
static WEIGHTS: Aligned<[u16; 32]> = Aligned({
    let mut weights = [1 << 9; 32];
    weights[0] = 0;
    weights[1] = 0;
    weights[2] = 5 << 9;
    weights[3] = 2 << 9;
    weights
});

static COUNT_UP: [u8; 96] = {
    let mut up = [0; 96];
    let mut i = 0;
    while i < 96 {
        up[i] = i as u8;
        i += 1;
    }
    up
};

/// 32 words from an aligned place.
#[inline]
#[target_feature(enable = "avx512f")]
fn load(words: &[u16; 32]) -> __m512i {
    // SAFETY: 64 bytes are read from an array of as many.
    unsafe { _mm512_loadu_si512(words.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn load_bytes(bytes: &[u8; 64]) -> __m512i {
    // SAFETY: 64 bytes are read from an array of as many.
    unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx")]
fn load_half(bytes: &[u8; 32]) -> __m256i {
    // SAFETY: 32 bytes are read from an array of as many.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}

/// The three registers of a puzzle and their counts of candidates.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512bitalg")]
fn count(cells: &Cells) -> ([__m512i; 3], [__m512i; 3]) {
    let (thirds, _) = cells.0.as_chunks::<32>();
    let c = [load(&thirds[0]), load(&thirds[1]), load(&thirds[2])];
    (c, [_mm512_popcnt_epi16(c[0]), _mm512_popcnt_epi16(c[1]), _mm512_popcnt_epi16(c[2])])
}

/// The cells with two candidates: those below 64, and the rest.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn pairs(counts: &[__m512i; 3]) -> (u64, u32) {
    let two = _mm512_set1_epi16(2);
    let pairs = |i: usize| _mm512_cmpeq_epi16_mask(counts[i], two);
    (u64::from(pairs(0)) | u64::from(pairs(1)) << 32, pairs(2))
}

/// The first cell with two candidates.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512bitalg,bmi1")]
pub fn first(cells: &Cells) -> Option<usize> {
    match pairs(&count(cells).1) {
        (0, 0) => None,
        (0, rest) => Some(64 + rest.trailing_zeros() as usize),
        (low, _) => Some(low.trailing_zeros() as usize),
    }
}

/// As `heaviest`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,avx512bitalg,bmi1,bmi2,popcnt")]
pub fn heaviest(cells: &Cells, conflicts: &Conflicts) -> Option<usize> {
    let (c, counts) = count(cells);
    let (low, rest) = pairs(&counts);
    if low == 0 && rest == 0 {
        return None;
    }
    let weights = load(&WEIGHTS.0);
    let weighed = |i: usize| _mm512_or_si512(c[i], _mm512_permutexvar_epi16(counts[i], weights));
    let weighed = [weighed(0), weighed(1), weighed(2)];
    let (list, found) = first_sixteen(low, rest);
    let [first, second] = [list as u64, (list >> 64) as u64];
    let best = heaviest_of_eight(cells, &weighed, conflicts, first, found);
    let best =
        if found > 8 { best.min(heaviest_of_eight(cells, &weighed, conflicts, second, found - 8) | 8) } else { best };
    Some((list >> (8 * (best & 15))) as u8 as usize)
}

/// Sixteen cells of a set, a byte each, and how many there are in all.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,popcnt")]
fn first_sixteen(low: u64, rest: u32) -> (u128, u32) {
    let bytes = |x: __m128i| (_mm_cvtsi128_si64(x) as u64, _mm_extract_epi64::<1>(x) as u64);
    let join = |(a, b): (u64, u64)| u128::from(a) | u128::from(b) << 64;
    let up = load_bytes(COUNT_UP.first_chunk().expect("96 bytes"));
    let first = join(bytes(_mm512_castsi512_si128(_mm512_maskz_compress_epi8(low, up))));
    let up = load_half(COUNT_UP.last_chunk().expect("96 bytes"));
    let then = join(bytes(_mm256_castsi256_si128(_mm256_maskz_compress_epi8(rest, up))));
    let n = low.count_ones();
    (first | if n < 16 { then << (8 * n) } else { 0 }, n + rest.count_ones())
}

/// Of up to eight cells, a byte each: 16 times 255 less the most weight, plus its place.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
fn heaviest_of_eight(cells: &Cells, weighed: &[__m512i; 3], conflicts: &Conflicts, list: u64, count: u32) -> u32 {
    let mut sums = _mm512_setzero_si512();
    macro_rules! add {
        ($($j:literal)*) => {$({
            let cell = usize::from((list >> (8 * $j)) as u8);
            let shared = _mm512_set1_epi16(cells.0[cell] as i16);
            let places = load(&PLACES.0[cell]);
            let low = _mm512_permutex2var_epi16(weighed[0], places, weighed[1]);
            let peers = _mm512_mask_permutexvar_epi16(low, THIRD[cell], places, weighed[2]);
            let sharing = _mm512_test_epi16_mask(peers, shared);
            let weights = _mm512_maskz_srli_epi16::<9>(sharing, peers);
            // Byte j of each quarter of 16 bytes: at most 20 peers of weight 5.
            let sum = _mm512_sad_epu8(weights, _mm512_setzero_si512());
            sums = _mm512_add_epi64(sums, _mm512_slli_epi64::<{ 8 * $j }>(sum));
        })*};
    }
    add!(0 1 2 3 4 5 6 7);
    let sums = _mm256_add_epi64(_mm512_castsi512_si256(sums), _mm512_extracti64x4_epi64::<1>(sums));
    let sums = _mm_add_epi64(_mm256_castsi256_si128(sums), _mm256_extracti128_si256::<1>(sums));
    let sums = _mm_add_epi64(sums, _mm_unpackhi_epi64(sums, sums));
    let met = _mm512_permutex2var_epi8(
        load_bytes(conflicts.first_chunk().expect("96 bytes")),
        _mm512_castsi128_si512(_mm_cvtsi64_si128(list as i64)),
        _mm512_castsi256_si512(load_half(conflicts.last_chunk().expect("96 bytes"))),
    );
    let met = _mm512_castsi512_si128(met);
    let sums = _mm_adds_epu8(sums, _mm_adds_epu8(met, met));
    let lack = _mm_sub_epi16(_mm_set1_epi16(255), _mm_cvtepu8_epi16(sums));
    let none = !0u32 << count.min(8);
    let lack = _mm_mask_mov_epi16(lack, none as u8, _mm_set1_epi16(0x7ff));
    let best = _mm_cvtsi128_si32(_mm_minpos_epu16(lack)) as u32;
    (best & 0xffff) << 4 | best >> 16
}

/// The peers of each cell, in each register of a puzzle.
static PEER_MASKS: [[u32; 3]; 81] = {
    let mut masks = [[0; 3]; 81];
    let mut cell = 0;
    while cell < 81 {
        let mut i = 0;
        while i < 20 {
            let peer = PEERS[cell][i] as usize;
            masks[cell][peer / 32] |= 1 << (peer % 32);
            i += 1;
        }
        cell += 1;
    }
    masks
};

/// As `Vector::limit`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub fn limit(cells: &mut Cells, cell: usize, candidates: u16) {
    let (thirds, _) = cells.0.as_chunks_mut::<32>();
    let left = _mm512_set1_epi16(candidates as i16);
    let single = candidates & candidates.wrapping_sub(1) == 0;
    let struck = _mm512_maskz_mov_epi16(if single { u32::MAX } else { 0 }, left);
    for (i, third) in thirds.iter_mut().enumerate() {
        let x = _mm512_andnot_si512(_mm512_maskz_mov_epi16(PEER_MASKS[cell][i], struck), load(third));
        let own = if cell / 32 == i { 1 << (cell % 32) } else { 0 };
        let x = _mm512_mask_mov_epi16(x, own, left);
        // SAFETY: 64 bytes are written to an array of as many.
        unsafe { _mm512_storeu_si512(third.as_mut_ptr().cast(), x) };
    }
}

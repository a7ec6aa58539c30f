//! [`Avx512`]: 32 lanes in a register, for Ice Lake, Zen 4 and later.

use super::cells::Cells;
use super::extract::extract;
use super::heaviest::Conflicts;
use super::vector::{LaneSet, Vector};
use super::weigh512;
use std::arch::asm;
use std::arch::x86_64::*;

/// 32 lanes.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Avx512(__m512i);

/// Evidence that this machine has AVX-512 with the extensions used here. Only [`Proof::detect`] makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof(());

impl Proof {
    /// Looks at the machine.
    pub fn detect() -> Option<Proof> {
        let has = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512cd")
            && is_x86_feature_detected!("avx512vbmi")
            && is_x86_feature_detected!("avx512vbmi2")
            && is_x86_feature_detected!("avx512bitalg")
            && is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        has.then_some(Proof(()))
    }
}

/// An expression of AVX-512 intrinsics that touch no memory.
macro_rules! avx512 {
    ($e:expr) => {
        // SAFETY: a `Proof` or a value made from one is at hand, so the machine has the instructions.
        unsafe { $e }
    };
}

/// The bytes of staged lane `from[lane]`, for each lane that takes one.
#[derive(Clone, Copy, Debug)]
pub struct Route {
    taking: __mmask64,
    bytes: __m512i,
}

impl Vector for Avx512 {
    type Proof = Proof;
    type Route = Route;
    const LANES: usize = 32;
    const ROUTES: bool = true;
    const TRIPLES: bool = true;

    #[inline(always)]
    fn enter<R>(_: Proof, work: impl FnOnce() -> R) -> R {
        #[target_feature(
            enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512cd,avx512vbmi,avx512vbmi2,avx512bitalg,avx2,bmi1,bmi2,lzcnt,popcnt"
        )]
        fn inside<R>(work: impl FnOnce() -> R) -> R {
            work()
        }
        avx512!(inside(work))
    }
    #[inline(always)]
    fn splat(_: Proof, value: u16) -> Self {
        avx512!(Avx512(_mm512_set1_epi16(value as i16)))
    }
    #[inline(always)]
    fn and(self, b: Self) -> Self {
        avx512!(Avx512(_mm512_and_si512(self.0, b.0)))
    }
    #[inline(always)]
    fn and3(self, b: Self, c: Self) -> Self {
        avx512!(Avx512(_mm512_ternarylogic_epi32::<0b1000_0000>(self.0, b.0, c.0)))
    }
    #[inline(always)]
    fn or(self, b: Self) -> Self {
        avx512!(Avx512(_mm512_or_si512(self.0, b.0)))
    }
    #[inline(always)]
    fn or3(self, b: Self, c: Self) -> Self {
        avx512!(Avx512(_mm512_ternarylogic_epi32::<0b1111_1110>(self.0, b.0, c.0)))
    }
    #[inline(always)]
    fn majority(self, b: Self, c: Self) -> Self {
        avx512!(Avx512(_mm512_ternarylogic_epi32::<0b1110_1000>(self.0, b.0, c.0)))
    }
    #[inline(always)]
    fn without(self, b: Self) -> Self {
        avx512!(Avx512(_mm512_andnot_si512(b.0, self.0)))
    }
    #[inline(always)]
    fn strike_but(self, strike: Self, keep: Self) -> Self {
        avx512!(Avx512(_mm512_ternarylogic_epi32::<0b1011_0000>(self.0, strike.0, keep.0)))
    }
    #[inline(always)]
    fn or_both(self, b: Self, c: Self) -> Self {
        avx512!(Avx512(_mm512_ternarylogic_epi32::<0b1111_1000>(self.0, b.0, c.0)))
    }
    #[inline(always)]
    fn plus(self, b: Self) -> Self {
        avx512!(Avx512(_mm512_add_epi16(self.0, b.0)))
    }
    #[inline(always)]
    fn single(self) -> (Self, Self) {
        let (single, less) = avx512!(single(self.0));
        (Avx512(single), Avx512(less))
    }
    #[inline(always)]
    fn prefer(self, of: Self) -> Self {
        avx512!({
            let both = _mm512_test_epi16_mask(self.0, of.0);
            Avx512(_mm512_mask_mov_epi16(self.0, both, _mm512_and_si512(self.0, of.0)))
        })
    }
    #[inline(always)]
    fn at_most_three(self) -> Self {
        avx512!({
            let few = _mm512_cmple_epu16_mask(_mm512_popcnt_epi16(self.0), _mm512_set1_epi16(3));
            Avx512(_mm512_maskz_mov_epi16(few, self.0))
        })
    }
    #[inline(always)]
    fn equal(self, b: Self) -> LaneSet {
        avx512!(_mm512_cmpeq_epi16_mask(self.0, b.0))
    }
    #[inline(always)]
    fn nonzero(self) -> LaneSet {
        avx512!(_mm512_test_epi16_mask(self.0, self.0))
    }
    #[inline(always)]
    fn negative(self) -> LaneSet {
        avx512!(_mm512_movepi16_mask(self.0))
    }
    #[inline(always)]
    fn plan(_: Proof, taking: LaneSet, from: &[u8; 32]) -> Route {
        // SAFETY: 32 bytes are read from an array of 32; the proof is at hand.
        let from = unsafe { _mm256_loadu_si256(from.as_ptr().cast()) };
        avx512!({
            // Lane n of the staging is bytes 2n and 2n + 1.
            let low = _mm512_slli_epi16::<1>(_mm512_cvtepu8_epi16(from));
            let high = _mm512_slli_epi16::<8>(_mm512_add_epi16(low, _mm512_set1_epi16(1)));
            let taking = _mm512_movepi8_mask(_mm512_movm_epi16(taking));
            Route { taking, bytes: _mm512_or_si512(low, high) }
        })
    }
    #[inline(always)]
    fn route(self, route: &Route, staged: &Self) -> Self {
        avx512!(Avx512(_mm512_mask_permutexvar_epi8(self.0, route.taking, route.bytes, staged.0)))
    }
    #[inline(always)]
    fn lane(&self, lane: usize) -> u16 {
        self.as_array()[lane]
    }
    #[inline(always)]
    fn lane_mut(&mut self, lane: usize) -> &mut u16 {
        // SAFETY: a register is 32 lanes of 16 bits, every pattern of which is valid, both ways.
        let lanes = unsafe { &mut *std::ptr::from_mut(self).cast::<[u16; 32]>() };
        &mut lanes[lane]
    }
    #[inline(always)]
    fn gather(puzzles: &[&Cells], out: &mut [Self; 81]) {
        let empty = &Cells::NONE;
        let puzzle = |i: usize| puzzles.get(i).copied().unwrap_or(empty);
        for block in 0..3 {
            let quarter = |q: usize| eight_by_eight(std::array::from_fn(|i| load(puzzle(8 * q + i), block)));
            let [a, b, c, d] = [quarter(0), quarter(1), quarter(2), quarter(3)];
            for i in 0..8 {
                let cells = four_by_four([a[i], b[i], c[i], d[i]]);
                for (k, x) in cells.into_iter().enumerate() {
                    if let Some(to) = out.get_mut(32 * block + 8 * k + i) {
                        *to = Avx512(x);
                    }
                }
            }
        }
    }
    #[inline(always)]
    fn extract(lanes: &[Self; 81], lane: usize, out: &mut Cells) {
        // SAFETY: registers of 32 lanes of 16 bits, every pattern of which is valid.
        let words = unsafe { &*std::ptr::from_ref(lanes).cast::<[[u16; 32]; 81]>() };
        avx512!(extract(words, lane, out));
    }
    #[inline(always)]
    fn heaviest(cells: &Cells, conflicts: &Conflicts) -> Option<usize> {
        avx512!(weigh512::heaviest(cells, conflicts))
    }
    #[inline(always)]
    fn limit(cells: &mut Cells, cell: usize, candidates: u16) {
        avx512!(weigh512::limit(cells, cell, candidates));
    }
    #[inline(always)]
    fn first(cells: &Cells) -> Option<usize> {
        avx512!(weigh512::first(cells))
    }
}

impl Avx512 {
    #[inline(always)]
    fn as_array(&self) -> &[u16; 32] {
        // SAFETY: a register is 32 lanes of 16 bits, every pattern of which is valid.
        unsafe { &*std::ptr::from_ref(self).cast() }
    }
}

/// Cells 32 * block and following of a puzzle.
#[inline(always)]
fn load(cells: &Cells, block: usize) -> __m512i {
    let block: &[u16; 32] = &cells.0.as_chunks().0[block];
    // SAFETY: 64 bytes are read from an array of as many, aligned to 64 since `Cells` is.
    unsafe { _mm512_load_si512(block.as_ptr().cast()) }
}

/// In each quarter of eight registers: turns rows of eight lanes into columns.
#[inline(always)]
fn eight_by_eight(a: [__m512i; 8]) -> [__m512i; 8] {
    avx512!({
        let pairs = |i: usize| (_mm512_unpacklo_epi16(a[i], a[i + 1]), _mm512_unpackhi_epi16(a[i], a[i + 1]));
        let [b0, b1, b2, b3] = [pairs(0), pairs(2), pairs(4), pairs(6)];
        let fours = |x, y| (_mm512_unpacklo_epi32(x, y), _mm512_unpackhi_epi32(x, y));
        let ((c0, c1), (c2, c3)) = (fours(b0.0, b1.0), fours(b0.1, b1.1));
        let ((d0, d1), (d2, d3)) = (fours(b2.0, b3.0), fours(b2.1, b3.1));
        let eights = |x, y| [_mm512_unpacklo_epi64(x, y), _mm512_unpackhi_epi64(x, y)];
        let [e0, e1] = eights(c0, d0);
        let [e2, e3] = eights(c1, d1);
        let [e4, e5] = eights(c2, d2);
        let [e6, e7] = eights(c3, d3);
        [e0, e1, e2, e3, e4, e5, e6, e7]
    })
}

/// Turns four rows of quarters into columns.
#[inline(always)]
fn four_by_four(a: [__m512i; 4]) -> [__m512i; 4] {
    avx512!({
        let (low, high) = (_mm512_shuffle_i32x4::<0x44>(a[0], a[1]), _mm512_shuffle_i32x4::<0xee>(a[0], a[1]));
        let (low2, high2) = (_mm512_shuffle_i32x4::<0x44>(a[2], a[3]), _mm512_shuffle_i32x4::<0xee>(a[2], a[3]));
        [
            _mm512_shuffle_i32x4::<0x88>(low, low2),
            _mm512_shuffle_i32x4::<0xdd>(low, low2),
            _mm512_shuffle_i32x4::<0x88>(high, high2),
            _mm512_shuffle_i32x4::<0xdd>(high, high2),
        ]
    })
}

/// Lanes with at most one bit, others 0; and `x - 1`.
#[inline]
#[target_feature(enable = "avx512bw")]
fn single(x: __m512i) -> (__m512i, __m512i) {
    let less = _mm512_add_epi16(x, _mm512_set1_epi16(-1));
    let single;
    // In assembly, since LLVM turns `x & (x - 1) == 0` into a count of bits and a comparison, which cost more.
    // SAFETY: registers only.
    unsafe {
        asm!(
            "vptestnmw {k}, {x}, {less}",
            "vmovdqu16 {single}{{{k}}}{{z}}, {x}",
            k = out(kreg) _, x = in(zmm_reg) x, less = in(zmm_reg) less, single = lateout(zmm_reg) single,
            options(pure, nomem, nostack, preserves_flags)
        );
    }
    (single, less)
}

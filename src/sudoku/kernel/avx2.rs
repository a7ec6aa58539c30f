//! [`Avx2`]: 16 lanes in a register, for Haswell, Zen and later.

use super::cells::Cells;
use super::digits256;
use super::extract::extract;
use super::heaviest::Conflicts;
use super::vector::{LaneSet, Vector};
use super::weigh256;
use std::arch::x86_64::*;

/// 16 lanes.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Avx2(__m256i);

/// Evidence that this machine has AVX2 and what came with it. Only [`Proof::detect`] makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof(());

impl Proof {
    /// Looks at the machine.
    pub fn detect() -> Option<Proof> {
        let has = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        has.then_some(Proof(()))
    }
}

/// An expression of AVX2 intrinsics that touch no memory.
macro_rules! avx2 {
    ($e:expr) => {
        // SAFETY: a `Proof` or a value made from one is at hand, so the machine has the instructions.
        unsafe { $e }
    };
}

/// For each lane which bytes of the staged lanes 0-7 and 8-15 it takes (none where negative), and which lanes take any.
#[derive(Clone, Copy, Debug)]
pub struct Route {
    low: __m256i,
    high: __m256i,
    taking: __m256i,
}

impl Vector for Avx2 {
    type Proof = Proof;
    type Route = Route;
    const LANES: usize = 16;
    const ROUTES: bool = true;
    const TRIPLES: bool = false;

    #[inline(always)]
    fn enter<R>(_: Proof, work: impl FnOnce() -> R) -> R {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn inside<R>(work: impl FnOnce() -> R) -> R {
            work()
        }
        avx2!(inside(work))
    }
    #[inline(always)]
    fn splat(_: Proof, value: u16) -> Self {
        avx2!(Avx2(_mm256_set1_epi16(value as i16)))
    }
    #[inline(always)]
    fn and(self, b: Self) -> Self {
        avx2!(Avx2(_mm256_and_si256(self.0, b.0)))
    }
    #[inline(always)]
    fn and3(self, b: Self, c: Self) -> Self {
        self.and(b).and(c)
    }
    #[inline(always)]
    fn or(self, b: Self) -> Self {
        avx2!(Avx2(_mm256_or_si256(self.0, b.0)))
    }
    #[inline(always)]
    fn or3(self, b: Self, c: Self) -> Self {
        self.or(b).or(c)
    }
    #[inline(always)]
    fn majority(self, b: Self, c: Self) -> Self {
        self.and(b).or(c.and(self.or(b)))
    }
    #[inline(always)]
    fn without(self, b: Self) -> Self {
        avx2!(Avx2(_mm256_andnot_si256(b.0, self.0)))
    }
    #[inline(always)]
    fn strike_but(self, strike: Self, keep: Self) -> Self {
        self.without(strike.without(keep))
    }
    #[inline(always)]
    fn or_both(self, b: Self, c: Self) -> Self {
        self.or(b.and(c))
    }
    #[inline(always)]
    fn plus(self, b: Self) -> Self {
        avx2!(Avx2(_mm256_add_epi16(self.0, b.0)))
    }
    #[inline(always)]
    fn single(self) -> (Self, Self) {
        let less = self.less();
        (self.and(self.and(less).zeros()), less)
    }
    #[inline(always)]
    fn prefer(self, of: Self) -> Self {
        // Never negative, so a sign keeps or clears.
        let both = self.and(of);
        avx2!({
            let others = _mm256_sign_epi16(_mm256_xor_si256(of.0, _mm256_set1_epi16(-1)), both.0);
            Avx2(_mm256_andnot_si256(others, self.0))
        })
    }
    #[inline(always)]
    fn at_most_three(self) -> Self {
        let y = self.and(self.less());
        let y = y.and(y.less());
        self.and(y.and(y.less()).zeros())
    }
    #[inline(always)]
    fn equal(self, b: Self) -> LaneSet {
        avx2!(lanes(_mm256_cmpeq_epi16(self.0, b.0)))
    }
    #[inline(always)]
    fn nonzero(self) -> LaneSet {
        0xffff ^ avx2!(lanes(self.zeros().0))
    }
    #[inline(always)]
    fn negative(self) -> LaneSet {
        avx2!(lanes(self.0))
    }
    #[inline(always)]
    fn plan(_: Proof, taking: LaneSet, from: &[u8; 32]) -> Route {
        // SAFETY: 16 bytes are read from an array of 32; the proof is at hand.
        let from = unsafe { _mm_loadu_si128(from.as_ptr().cast()) };
        avx2!({
            let bit = _mm256_setr_epi16(
                1,
                2,
                4,
                8,
                0x10,
                0x20,
                0x40,
                0x80,
                0x100,
                0x200,
                0x400,
                0x800,
                0x1000,
                0x2000,
                0x4000,
                i16::MIN,
            );
            let taking = _mm256_cmpeq_epi16(_mm256_and_si256(_mm256_set1_epi16(taking as i16), bit), bit);
            // Lane n of a half of the staging is bytes 2n and 2n + 1.
            let from = _mm256_cvtepu8_epi16(from);
            let bytes = _mm256_or_si256(_mm256_slli_epi16::<1>(from), _mm256_slli_epi16::<9>(from));
            let bytes = _mm256_add_epi8(bytes, _mm256_set1_epi16(0x0100));
            let high = _mm256_cmpgt_epi16(from, _mm256_set1_epi16(7));
            let none =
                |not: __m256i| _mm256_or_si256(bytes, _mm256_and_si256(not, _mm256_set1_epi16(0x8080u16 as i16)));
            let idle = _mm256_xor_si256(taking, _mm256_set1_epi16(-1));
            Route {
                low: none(_mm256_or_si256(idle, high)),
                high: none(_mm256_or_si256(idle, _mm256_xor_si256(high, _mm256_set1_epi16(-1)))),
                taking,
            }
        })
    }
    #[inline(always)]
    fn route(self, route: &Route, staged: &Self) -> Self {
        let (low, high) = staged.halves();
        avx2!({
            let taken = _mm256_or_si256(_mm256_shuffle_epi8(low, route.low), _mm256_shuffle_epi8(high, route.high));
            Avx2(_mm256_or_si256(taken, _mm256_andnot_si256(route.taking, self.0)))
        })
    }
    #[inline(always)]
    fn lane(&self, lane: usize) -> u16 {
        self.as_array()[lane]
    }
    #[inline(always)]
    fn lane_mut(&mut self, lane: usize) -> &mut u16 {
        &mut self.as_array_mut()[lane]
    }
    #[inline(always)]
    fn load(cells: &mut Cells, digits: &[u8; 81]) {
        avx2!(digits256::load(cells, digits));
    }
    #[inline(always)]
    fn digits(cells: &Cells, out: &mut [u8; 81]) -> bool {
        avx2!(digits256::digits(cells, out))
    }
    #[inline(always)]
    fn gather(puzzles: &[&Cells], out: &mut [Self; 81]) {
        let puzzle = |i: usize| puzzles.get(i).copied().unwrap_or(&Cells::NONE);
        for block in 0..11 {
            let columns = eight_by_eight(std::array::from_fn(|i| load(puzzle(i), puzzle(8 + i), block)));
            for (to, column) in out[8 * block..].iter_mut().zip(columns) {
                *to = Avx2(column);
            }
        }
    }
    #[inline(always)]
    fn extract(lanes: &[Self; 81], lane: usize, out: &mut Cells) {
        // SAFETY: registers of 16 lanes of 16 bits, every pattern of which is valid.
        let words = unsafe { &*std::ptr::from_ref(lanes).cast::<[[u16; 16]; 81]>() };
        avx2!(extract(words, lane, out));
    }
    #[inline(always)]
    fn heaviest(cells: &Cells, conflicts: &Conflicts) -> Option<usize> {
        avx2!(weigh256::heaviest(cells, conflicts))
    }
    #[inline(always)]
    fn first(cells: &Cells) -> Option<usize> {
        avx2!(weigh256::first(cells))
    }
    #[inline(always)]
    fn limit(cells: &mut Cells, cell: usize, candidates: u16) {
        avx2!(weigh256::limit(cells, cell, candidates));
    }
}

impl Avx2 {
    /// All ones where 0.
    #[inline(always)]
    fn zeros(self) -> Self {
        avx2!(Avx2(_mm256_cmpeq_epi16(self.0, _mm256_setzero_si256())))
    }

    /// `self - 1`.
    #[inline(always)]
    fn less(self) -> Self {
        avx2!(Avx2(_mm256_add_epi16(self.0, _mm256_set1_epi16(-1))))
    }

    /// Lanes 0-7 twice, and lanes 8-15 twice; straight from memory, so that no shuffle is needed.
    #[inline(always)]
    fn halves(&self) -> (__m256i, __m256i) {
        let (halves, _) = self.as_array().as_chunks::<8>();
        // SAFETY: 16 bytes are read from arrays of as many; the machine has the instructions, as `self` proves.
        unsafe {
            let half = |i: usize| _mm256_broadcastsi128_si256(_mm_loadu_si128(halves[i].as_ptr().cast()));
            (half(0), half(1))
        }
    }

    #[inline(always)]
    fn as_array(&self) -> &[u16; 16] {
        // SAFETY: a register is 16 lanes of 16 bits, every pattern of which is valid.
        unsafe { &*std::ptr::from_ref(self).cast() }
    }

    #[inline(always)]
    fn as_array_mut(&mut self) -> &mut [u16; 16] {
        // SAFETY: a register is 16 lanes of 16 bits, every pattern of which is valid, both ways.
        unsafe { &mut *std::ptr::from_mut(self).cast() }
    }
}

/// The lanes whose highest bit is set.
#[inline]
#[target_feature(enable = "avx2")]
fn lanes(x: __m256i) -> LaneSet {
    let bytes = _mm_packs_epi16(_mm256_castsi256_si128(x), _mm256_extracti128_si256::<1>(x));
    _mm_movemask_epi8(bytes) as u32
}

/// Cells 8 * block and following of two puzzles, one in each half.
#[inline(always)]
fn load(low: &Cells, high: &Cells, block: usize) -> __m256i {
    let eight = |cells: &Cells| {
        let block: &[u16; 8] = &cells.0.as_chunks().0[block];
        // SAFETY: 16 bytes are read from an array of as many.
        unsafe { _mm_loadu_si128(block.as_ptr().cast()) }
    };
    avx2!(_mm256_inserti128_si256::<1>(_mm256_castsi128_si256(eight(low)), eight(high)))
}

/// In each half of eight registers: turns rows of eight lanes into columns.
#[inline(always)]
fn eight_by_eight(a: [__m256i; 8]) -> [__m256i; 8] {
    avx2!({
        let pairs = |i: usize| (_mm256_unpacklo_epi16(a[i], a[i + 1]), _mm256_unpackhi_epi16(a[i], a[i + 1]));
        let [b0, b1, b2, b3] = [pairs(0), pairs(2), pairs(4), pairs(6)];
        let fours = |x, y| (_mm256_unpacklo_epi32(x, y), _mm256_unpackhi_epi32(x, y));
        let ((c0, c1), (c2, c3)) = (fours(b0.0, b1.0), fours(b0.1, b1.1));
        let ((d0, d1), (d2, d3)) = (fours(b2.0, b3.0), fours(b2.1, b3.1));
        let eights = |x, y| [_mm256_unpacklo_epi64(x, y), _mm256_unpackhi_epi64(x, y)];
        let [e0, e1] = eights(c0, d0);
        let [e2, e3] = eights(c1, d1);
        let [e4, e5] = eights(c2, d2);
        let [e6, e7] = eights(c3, d3);
        [e0, e1, e2, e3, e4, e5, e6, e7]
    })
}

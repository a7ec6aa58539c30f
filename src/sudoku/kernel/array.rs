//! The portable vector: a plain array, which compilers turn into whatever vector instructions the target has.

use super::cells::Cells;
use super::vector::{LaneSet, Vector};

/// Eight lanes in safe code.
#[derive(Clone, Copy, Debug)]
#[repr(align(16))]
pub struct Array([u16; LANES]);

const LANES: usize = 8;

impl Array {
    #[inline(always)]
    fn map(mut self, f: impl Fn(u16) -> u16) -> Array {
        self.0.iter_mut().for_each(|x| *x = f(*x));
        self
    }

    #[inline(always)]
    fn zip(mut self, b: Array, f: impl Fn(u16, u16) -> u16) -> Array {
        self.0.iter_mut().zip(b.0).for_each(|(x, b)| *x = f(*x, b));
        self
    }

    #[inline(always)]
    fn zip3(mut self, b: Array, c: Array, f: impl Fn(u16, u16, u16) -> u16) -> Array {
        self.0.iter_mut().zip(b.0).zip(c.0).for_each(|((x, b), c)| *x = f(*x, b, c));
        self
    }

    #[inline(always)]
    fn lanes_where(self, f: impl Fn(u16) -> bool) -> LaneSet {
        self.0.iter().enumerate().fold(0, |set, (i, &x)| set | LaneSet::from(f(x)) << i)
    }
}

/// All ones where true.
#[inline(always)]
fn mask(is: bool) -> u16 {
    u16::from(is).wrapping_neg()
}

impl Vector for Array {
    type Proof = ();
    type Route = ();
    const LANES: usize = LANES;
    const TRIPLES: bool = false;
    const ROUTES: bool = false;

    #[inline(always)]
    fn enter<R>((): (), work: impl FnOnce() -> R) -> R {
        work()
    }
    #[inline(always)]
    fn splat((): (), value: u16) -> Array {
        Array([value; LANES])
    }
    /// Held in memory, or else compilers carry arrays in pieces.
    #[inline(always)]
    fn carried<T>(start: T) -> T {
        std::hint::black_box(start)
    }
    #[inline(always)]
    fn and(self, b: Array) -> Array {
        self.zip(b, |a, b| a & b)
    }
    #[inline(always)]
    fn and3(self, b: Array, c: Array) -> Array {
        self.zip3(b, c, |a, b, c| a & b & c)
    }
    #[inline(always)]
    fn or(self, b: Array) -> Array {
        self.zip(b, |a, b| a | b)
    }
    #[inline(always)]
    fn or3(self, b: Array, c: Array) -> Array {
        self.zip3(b, c, |a, b, c| a | b | c)
    }
    #[inline(always)]
    fn majority(self, b: Array, c: Array) -> Array {
        self.zip3(b, c, |a, b, c| a & b | c & (a | b))
    }
    #[inline(always)]
    fn without(self, b: Array) -> Array {
        self.zip(b, |a, b| a & !b)
    }
    #[inline(always)]
    fn strike_but(self, strike: Array, keep: Array) -> Array {
        self.zip3(strike, keep, |a, strike, keep| a & keep | a & !strike)
    }
    #[inline(always)]
    fn or_both(self, b: Array, c: Array) -> Array {
        self.zip3(b, c, |a, b, c| a | b & c)
    }
    #[inline(always)]
    fn plus(self, b: Array) -> Array {
        self.zip(b, u16::wrapping_add)
    }
    #[inline(always)]
    fn single(self) -> (Array, Array) {
        let less = self.map(|x| x.wrapping_sub(1));
        (self.zip(less, |x, less| x & mask(x & less == 0)), less)
    }
    #[inline(always)]
    fn prefer(self, of: Array) -> Array {
        self.zip(of, |x, of| x & (x & of | mask(x & of == 0)))
    }
    #[inline(always)]
    fn at_most_three(self) -> Array {
        self.map(|x| {
            let y = x & x.wrapping_sub(1);
            let y = y & y.wrapping_sub(1);
            x & mask(y & y.wrapping_sub(1) == 0)
        })
    }
    #[inline(always)]
    fn equal(self, b: Array) -> LaneSet {
        self.zip(b, |a, b| a ^ b).lanes_where(|x| x == 0)
    }
    #[inline(always)]
    fn nonzero(self) -> LaneSet {
        self.lanes_where(|x| x != 0)
    }
    #[inline(always)]
    fn negative(self) -> LaneSet {
        self.lanes_where(|x| x >> 15 == 1)
    }
    #[inline(always)]
    fn plan((): (), _: LaneSet, _: &[u8; 32]) {}
    #[inline(always)]
    fn route(self, (): &(), _: &Array) -> Array {
        self
    }
    #[inline(always)]
    fn lane(&self, lane: usize) -> u16 {
        self.0[lane]
    }
    #[inline(always)]
    fn lane_mut(&mut self, lane: usize) -> &mut u16 {
        &mut self.0[lane]
    }
    #[inline(always)]
    fn gather(puzzles: &[&Cells], out: &mut [Array; 81]) {
        for (lane, puzzle) in puzzles.iter().take(LANES).enumerate() {
            out.iter_mut().zip(&puzzle.0).for_each(|(to, &x)| to.0[lane] = x);
        }
    }
    #[inline(always)]
    fn extract(lanes: &[Array; 81], lane: usize, out: &mut Cells) {
        out.0.iter_mut().zip(lanes).for_each(|(to, x)| *to = x.0[lane]);
    }
}

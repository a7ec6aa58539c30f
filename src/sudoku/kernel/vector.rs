//! [`Vector`]: lanes of sixteen bits, one puzzle in each, and the few operations that solving in lockstep takes.
//!
//! A lane holds the nine candidates of one cell, bit d - 1 for digit d. Must know nothing of puzzles beyond that.

use super::cells::Cells;
use super::heaviest::{Conflicts, first, heaviest};
use crate::sudoku::geometry::PEERS;

/// A set of lanes: bit i is lane i.
pub type LaneSet = u32;

/// A register of lanes. Values exist only where the machine has the instructions: the first one is made from a
/// [`Vector::Proof`], the others from values.
pub trait Vector: Copy + Send + Sync + 'static {
    /// Evidence that the machine has the instructions.
    type Proof: Copy + Send + Sync + 'static;
    /// Which lanes take which staged lane: see [`Vector::route`].
    type Route: Copy + Send;
    /// How many lanes; at most 32.
    const LANES: usize;
    /// Whether it pays to look for minirows that three digits fill: that takes a count of bits.
    const TRIPLES: bool;
    /// Whether lanes are routed within registers; else word by word.
    const ROUTES: bool;

    /// Runs `work` compiled for these instructions, as far as it is inlined.
    fn enter<R>(proof: Self::Proof, work: impl FnOnce() -> R) -> R;

    /// The value in every lane.
    fn splat(proof: Self::Proof, value: u16) -> Self;
    /// `start`, from which a loop carries a value of lanes along.
    #[inline(always)]
    fn carried<T>(start: T) -> T {
        start
    }
    /// `self & b`.
    fn and(self, b: Self) -> Self;
    /// `self & b & c`.
    fn and3(self, b: Self, c: Self) -> Self;
    /// `self | b`.
    fn or(self, b: Self) -> Self;
    /// `self | b | c`.
    fn or3(self, b: Self, c: Self) -> Self;
    /// The bits set in at least two of the three.
    fn majority(self, b: Self, c: Self) -> Self;
    /// `self & !b`.
    fn without(self, b: Self) -> Self;
    /// `self & (keep | !strike)`.
    fn strike_but(self, strike: Self, keep: Self) -> Self;
    /// `self | (b & c)`.
    fn or_both(self, b: Self, c: Self) -> Self;
    /// Wrapping sum.
    fn plus(self, b: Self) -> Self;
    /// Lanes with at most one bit as they are, others 0; and, beside it, `self - 1`, negative in empty lanes.
    fn single(self) -> (Self, Self);
    /// `self & of` where that is not 0, else `self`.
    fn prefer(self, of: Self) -> Self;
    /// Lanes with at most three bits as they are, others 0.
    fn at_most_three(self) -> Self;
    /// Lanes that equal those of `b`.
    fn equal(self, b: Self) -> LaneSet;
    /// Lanes that are not 0.
    fn nonzero(self) -> LaneSet;
    /// Lanes whose highest bit is set.
    fn negative(self) -> LaneSet;

    /// The route by which each lane of `taking` takes the staged lane `from[lane]`.
    fn plan(proof: Self::Proof, taking: LaneSet, from: &[u8; 32]) -> Self::Route;
    /// `self`, but `staged` where the route says so.
    fn route(self, route: &Self::Route, staged: &Self) -> Self;

    /// One lane.
    fn lane(&self, lane: usize) -> u16;
    /// One lane, to be changed.
    fn lane_mut(&mut self, lane: usize) -> &mut u16;

    /// As [`Cells::load`].
    #[inline(always)]
    fn load(cells: &mut Cells, digits: &[u8; 81]) {
        cells.load(digits);
    }
    /// As [`Cells::digits`].
    #[inline(always)]
    fn digits(cells: &Cells, out: &mut [u8; 81]) -> bool {
        cells.digits(out)
    }
    /// Turns puzzles into lanes: lane i of `out` becomes `puzzles[i]`.
    fn gather(puzzles: &[&Cells], out: &mut [Self; 81]);
    /// Turns one lane into a puzzle.
    fn extract(lanes: &[Self; 81], lane: usize, out: &mut Cells);
    /// The cell to guess in, as [`heaviest`] says, of twelve or more cells.
    #[inline(always)]
    fn heaviest(cells: &Cells, conflicts: &Conflicts) -> Option<usize> {
        heaviest(cells, conflicts)
    }
    /// The first cell with two candidates.
    #[inline(always)]
    fn first(cells: &Cells) -> Option<usize> {
        first(cells)
    }
    /// Leaves a cell these candidates; if it is but one, strikes it from the peers.
    #[inline(always)]
    fn limit(cells: &mut Cells, cell: usize, candidates: u16) {
        cells.0[cell] = candidates;
        if candidates & candidates.wrapping_sub(1) == 0 {
            for &peer in &PEERS[cell] {
                cells.0[usize::from(peer)] &= !candidates;
            }
        }
    }
}

//! [`Lanes`]: the state of the puzzles in the lanes, and the staging block from which free lanes are filled.
//!
//! Knows nothing of what the lanes' puzzles are for: see `search`.

use super::cells::ALL;
use super::vector::{LaneSet, Vector};

/// A puzzle, or a branch of one, in each lane.
///
/// A minirow is three cells of a row in one box, a minicolumn three of a column. Minirow `[9·band + 3·row + stack]`, row
/// within the band; minicolumn `[27 + 9·stack + 3·column + band]`, column within the stack.
pub struct Lanes<V: Vector> {
    /// The candidates of each cell.
    pub cells: [V; 81],
    /// The digits that each minirow, then each minicolumn can take, from the pass before.
    pub minis: [V; 54],
    /// The sum of all cells after the pass before: equal sums mean that nothing changed.
    pub sum: V,
    /// What waits for free lanes, as `cells`.
    pub staged: [V; 81],
    /// Which lanes take which staged lane in the next pass.
    pub route: V::Route,
}

/// What a pass found, in lanes that are alive; of the others it says nothing.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    /// No solution from here.
    pub dead: LaneSet,
    /// Every cell holds one digit, or some cell holds none: to be looked at.
    pub full: LaneSet,
    /// Nothing changed: a guess is needed.
    pub stalled: LaneSet,
}

impl<V: Vector> Lanes<V> {
    /// Empty lanes.
    pub fn new(proof: V::Proof) -> Lanes<V> {
        let all = V::splat(proof, ALL);
        Lanes {
            cells: [all; 81],
            minis: [all; 54],
            sum: V::splat(proof, 0),
            staged: [all; 81],
            route: V::plan(proof, 0, &[0; 32]),
        }
    }

    /// Puts a staged puzzle into a lane, word by word.
    #[inline(always)]
    pub fn copy(&mut self, from: usize, lane: usize) {
        for (cell, staged) in self.cells.iter_mut().zip(&self.staged) {
            *cell.lane_mut(lane) = staged.lane(from);
        }
        for mini in &mut self.minis {
            *mini.lane_mut(lane) = ALL;
        }
    }
}

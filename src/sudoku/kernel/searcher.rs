//! [`Searcher`]: what every kernel is to its callers: many puzzles in, their solutions out.
//!
//! Must never know how a kernel searches.

use crate::sudoku::outcome::{Answer, Limits, Outcome};

/// The road into a searcher and out of it.
pub trait Port {
    /// The digits of a puzzle, 0 where empty. Asked for once.
    fn puzzle(&mut self, puzzle: usize, digits: &mut [u8; 81]);
    /// A digit that a cell of a puzzle must not take: the cell's index, and 1-9. Asked for once, after the puzzle.
    fn barred(&mut self, _puzzle: usize) -> Option<(u8, u8)> {
        None
    }
    /// Whether a solution counts. One that does not is as if it were none.
    fn counts(&mut self, _puzzle: usize, _digits: &[u8; 81]) -> bool {
        true
    }
    /// A solution of a puzzle that counts. Never the same twice.
    fn solution(&mut self, puzzle: usize, digits: &[u8; 81]);
}

/// How far one puzzle has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Solutions found.
    pub found: u64,
    /// Search nodes (guesses) spent.
    pub nodes: u64,
    /// A limit was reached: nothing more is looked for.
    pub closed: bool,
}

impl Tally {
    /// What became of a puzzle that is no longer in work.
    pub fn outcome(&self, limits: &Limits) -> Outcome {
        Answer::judge(self.found, !self.closed, limits)
    }
}

/// Many puzzles in search of their solutions. Beginning anew allocates little or nothing.
pub trait Searcher: Send {
    /// Starts over with puzzles 0..count, each to be searched to these limits.
    fn begin(&mut self, count: usize, limits: Limits);
    /// Searches on for about this many passes, some tenths of a microsecond each; true once nothing is in work any more.
    /// However a search is cut into runs, it finds the same.
    fn run(&mut self, port: &mut dyn Port, passes: u32) -> bool;
    /// How far each puzzle has come.
    fn tallies(&self) -> &[Tally];
    /// Calls `with` for each puzzle in work or not begun; perhaps more than once.
    fn open(&self, with: &mut dyn FnMut(usize));
}

//! [`Rating`]: the three numbers that say how hard a puzzle is, and what rating one can come to.
//!
//! Must never know how steps are found.

use super::score::Score;
use super::step::Step;
use crate::sudoku::{Kernel, Outcome};

/// Which rating the numbers are: Sudoku Explainer's, version 1.2.1.
pub const RATING_NAME: &str = "se-1.2.1";

/// How hard a puzzle is. A full grid has 0.0 in all three.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rating {
    /// The hardest step of all.
    pub er: Score,
    /// The hardest step up to the first digit placed ("pearl").
    pub ep: Score,
    /// The first step ("diamond").
    pub ed: Score,
}

/// What rating a puzzle came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rated {
    /// Solved to the end.
    Rated(Rating),
    /// A limit or the pace ended it first: what the steps taken so far say. ER is at least this; EP too, unless a
    /// digit was placed.
    AtLeast(Rating),
    /// The puzzle has no rating: it has not exactly one solution (`Unsolvable`, `Multiple`), or a limit or the pace
    /// came before that was known (`Undecided`).
    Refused(Outcome),
}

/// How much work a rating may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Who proves that there is exactly one solution.
    pub kernel: Kernel,
    /// Search nodes for that proof; `u64::MAX` for no limit.
    pub node_limit: u64,
    /// Steps to take, each a deduction; a puzzle takes about 50 to 200 and never more than 729.
    pub steps: u32,
}

impl Effort {
    /// As much as it takes.
    pub fn unlimited(kernel: Kernel) -> Effort {
        Effort { kernel, node_limit: u64::MAX, steps: u32::MAX }
    }
}

/// A puzzle's rating with the steps that lead to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explained {
    /// What the steps come to: `AtLeast` where they do not solve the puzzle.
    pub rated: Rated,
    /// The steps in order, each on the state that the ones before it leave.
    pub steps: Vec<Step>,
}

impl Rating {
    /// Takes account of the next step: `first` of all, or before any digit was placed.
    pub(super) fn add(&mut self, step: &Step, first: bool, unplaced: bool) {
        self.er = self.er.max(step.score);
        if unplaced {
            self.ep = self.er;
        }
        if first {
            self.ed = self.er;
        }
    }
}

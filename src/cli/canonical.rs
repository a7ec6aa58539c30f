//! `canonical`: the least of all grids that differ from a puzzle in labels and arrangement only.

use super::args::EachArgs;
use super::each::{self, Answer};
use super::exit::Ended;
use crate::sudoku::{BatchLimits, Canonical, Grid, Outcome, canonical, solve_batch};
use serde::Serialize;
use std::fmt;

/// Uniqueness is to be proven.
const LIMITS: BatchLimits = BatchLimits { max_solutions: 2, node_limit: u64::MAX };

/// Runs the command. Puzzles with several solutions or none have a form too, unless their givens clash.
///
/// # Errors
/// As the exit codes say.
pub fn run(args: &EachArgs) -> Ended {
    each::run(args, "canonicalizing", |kernel, puzzles, cancel| {
        let mut solved = vec![None; puzzles.len()];
        solve_batch(kernel, puzzles, LIMITS, &mut solved, &mut || cancel.pace());
        let outcomes = solved.iter().map(|solved| solved.as_ref().map_or(Outcome::Undecided, |solved| solved.outcome));
        outcomes.zip(puzzles).map(|(outcome, puzzle)| answer(outcome, puzzle)).collect()
    })
}

fn answer(outcome: Outcome, puzzle: &Grid) -> Answer<Row> {
    Answer { outcome, row: canonical(puzzle).map(Row::of) }
}

/// The fields of a canonical form.
#[derive(Debug, Serialize)]
pub struct Row {
    canonical: String,
    automorphisms: u64,
}

impl Row {
    /// Those of this form.
    pub fn of(form: Canonical) -> Row {
        Row { canonical: form.grid.to_string(), automorphisms: form.automorphisms }
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\t{}", self.canonical, self.automorphisms)
    }
}

//! `minimize`: from each puzzle of a file to one that needs all its givens.

use super::args::MinimizeArgs;
use super::each::{self, Answer};
use super::exit::Ended;
use crate::sudoku::{Grid, Outcome, minimize};
use serde::Serialize;
use std::fmt;

/// Runs the command.
///
/// # Errors
/// As the exit codes say.
pub fn run(args: &MinimizeArgs) -> Ended {
    let seed = args.seed;
    each::run(&args.each, "minimizing", move |kernel, puzzles, cancel| {
        let minimal = puzzles.iter().map(|puzzle| minimize(kernel, puzzle, seed, &mut || cancel.pace()));
        minimal.map(answer).collect()
    })
}

fn answer(minimal: Result<Grid, Outcome>) -> Answer<Row> {
    match minimal {
        Ok(puzzle) => Answer { outcome: Outcome::Unique, row: Some(Row::of(puzzle)) },
        Err(outcome) => Answer { outcome, row: None },
    }
}

/// The fields of a minimal puzzle.
#[derive(Debug, Serialize)]
struct Row {
    puzzle: String,
    clues: usize,
}

impl Row {
    fn of(puzzle: Grid) -> Row {
        Row { puzzle: puzzle.to_string(), clues: puzzle.clue_count() }
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.puzzle)
    }
}

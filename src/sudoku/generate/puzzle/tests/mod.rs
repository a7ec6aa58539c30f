//! Tests of whole puzzles: that they are what was wished, and the same however they are made.

mod levels;
mod same;
mod wished;

use super::{Place, PuzzleMaker, PuzzleSpec};
use crate::sudoku::{Grid, Kernel, Pace};

/// Items of seed 7 from `first` on.
fn make(kernel: Kernel, spec: &PuzzleSpec, first: u64, count: usize) -> Vec<Place> {
    let mut maker = PuzzleMaker::new(kernel, spec, 7).expect("no contradiction");
    let mut out = vec![None; count];
    assert!(maker.fill(first, &mut out, &mut || Pace::Continue));
    out
}

/// Puzzles and solutions of those that were made.
fn grids(places: &[Place]) -> Vec<(Grid, Grid)> {
    places.iter().flatten().flatten().map(|made| (made.puzzle, made.solution)).collect()
}

/// Numbers of givens.
fn clues(min: u8, max: u8) -> PuzzleSpec {
    PuzzleSpec { min_clues: Some(min), max_clues: Some(max), ..PuzzleSpec::default() }
}

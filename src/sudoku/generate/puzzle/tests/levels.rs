//! Puzzles of a level are of that level, whatever else is wished.

use super::{grids, make};
use crate::sudoku::generate::puzzle::{ErRange, PuzzleSpec, Symmetry};
use crate::sudoku::logic::{Effort, Level, Rated, Score, rate};
use crate::sudoku::{Grid, Kernel, Pace};
use std::collections::HashSet;

/// The ER of a puzzle with exactly one solution.
fn er(puzzle: &Grid) -> Score {
    match rate(puzzle, Effort::unlimited(Kernel::Portable), &mut || Pace::Continue) {
        Rated::Rated(rating) => rating.er,
        other => panic!("{puzzle}: {other:?}"),
    }
}

/// How many puzzles a test takes: debug builds rate slowly.
fn count(level: Level) -> usize {
    let count = if level >= Level::VeryHard { 8 } else { 100 };
    if cfg!(debug_assertions) { count / 4 } else { count }
}

fn of(level: Level) -> PuzzleSpec {
    PuzzleSpec { level: Some(level), ..PuzzleSpec::default() }
}

#[test]
fn each_puzzle_has_the_level_wished() {
    for level in Level::ALL {
        let (min, max) = level.range();
        let places = make(Kernel::default(), &of(level), 0, count(level));
        let (mut distinct, mut clues) = (HashSet::new(), HashSet::new());
        for made in places.iter().map(|place| place.expect("decided").expect("made")) {
            let er = er(&made.puzzle);
            assert!(min <= er && er <= max, "{}: {er} is not {level}", made.puzzle);
            assert_eq!(made.level, Some(level));
            assert!(made.er.is_none_or(|told| told == er), "{}: {:?}", made.puzzle, made.er);
            distinct.insert(made.puzzle);
            clues.insert(made.puzzle.clue_count());
        }
        assert_eq!(distinct.len(), places.len());
        assert!(places.len() < 20 || clues.len() >= 5, "{level}: {clues:?} clues");
    }
}

#[test]
fn other_wishes_hold_as_well() {
    for level in [Level::VeryEasy, Level::Easy, Level::Medium, Level::Hard] {
        let pattern =
            PuzzleSpec { symmetry: Symmetry::Rotational180, min_clues: Some(27), max_clues: Some(30), ..of(level) };
        let minimal = PuzzleSpec { minimal: true, ..of(level) };
        for (puzzle, _) in [pattern, minimal].iter().flat_map(|spec| grids(&make(Kernel::default(), spec, 0, 3))) {
            assert_eq!(Level::of(er(&puzzle)), level, "{puzzle}");
        }
        for (puzzle, _) in grids(&make(Kernel::default(), &pattern, 0, 3)) {
            assert!((27..=30).contains(&puzzle.clue_count()));
        }
    }
}

#[test]
fn a_range_of_er_is_met_and_told() {
    for (min, max) in [(15, 15), (26, 28), (42, 44), (66, 70)] {
        let range = ErRange { min: Score(min), max: Score(max) };
        for place in make(Kernel::default(), &PuzzleSpec { er: Some(range), ..PuzzleSpec::default() }, 0, 4) {
            let made = place.expect("decided").expect("made");
            let er = er(&made.puzzle);
            assert!(range.min <= er && er <= range.max, "{}: {er}", made.puzzle);
            assert_eq!((made.er, made.level.unwrap_or(Level::of(er))), (Some(er), Level::of(er)));
        }
    }
}

//! Each puzzle is what was wished, and is refused where that cannot be.

use super::{clues, grids, make};
use crate::sudoku::generate::puzzle::{Blanks, PuzzleSpec, Symmetry, Wish};
use crate::sudoku::geometry::Cell;
use crate::sudoku::outcome::{Limits, Outcome};
use crate::sudoku::solve::solve;
use crate::sudoku::{CellSet, Grid, Kernel};

fn outcome(puzzle: &Grid) -> Outcome {
    solve(Kernel::Reference, puzzle, Limits::PROVE).outcome
}

fn givens(puzzle: &Grid) -> CellSet {
    Cell::all().filter(|&cell| puzzle.get(cell) != 0).collect()
}

/// Puzzles of a spec, each checked to have its solution as the only one.
fn unique(spec: &PuzzleSpec, count: usize) -> Vec<Grid> {
    let made = grids(&make(Kernel::default(), spec, 0, count));
    assert_eq!(made.len(), count, "{spec:?}");
    for (puzzle, solution) in &made {
        assert!(solution.is_solved() && solution.extends(puzzle));
        assert_eq!(outcome(puzzle), Outcome::Unique, "{puzzle}");
    }
    made.into_iter().map(|(puzzle, _)| puzzle).collect()
}

#[test]
fn without_wishes_clue_counts_are_spread() {
    let puzzles = unique(&PuzzleSpec::default(), 300);
    let mut counts = [0; 82];
    puzzles.iter().for_each(|puzzle| counts[puzzle.clue_count()] += 1);
    assert!(counts[24..=32].iter().all(|&count| count > 5), "{counts:?}");
    assert_eq!(counts[24..=32].iter().sum::<u32>(), 300);
}

#[test]
fn clue_counts_are_met_exactly() {
    for (min, max) in [(24, 24), (27, 27), (40, 40), (55, 56), (81, 81)] {
        for puzzle in unique(&clues(min, max), 20) {
            assert!((usize::from(min)..=usize::from(max)).contains(&puzzle.clue_count()), "{puzzle}");
        }
    }
    let some = unique(&PuzzleSpec { min_clues: Some(40), ..PuzzleSpec::default() }, 5);
    assert!(some.iter().all(|puzzle| puzzle.clue_count() >= 40));
    let few = unique(&PuzzleSpec { max_clues: Some(23), ..PuzzleSpec::default() }, 5);
    assert!(few.iter().all(|puzzle| puzzle.clue_count() <= 23));
}

#[test]
fn symmetric_patterns_are_symmetric() {
    for symmetry in Symmetry::ALL {
        for puzzle in unique(&PuzzleSpec { symmetry, ..PuzzleSpec::default() }, 20) {
            let givens = givens(&puzzle);
            let fits = |orbit: CellSet| [0, orbit.len()].contains(&(orbit & givens).len());
            assert!(symmetry.orbits().into_iter().all(fits), "{symmetry:?} {puzzle}");
        }
    }
}

#[test]
fn minimal_puzzles_need_each_given() {
    let rows = Some(Blanks { min: 5, max: 8 });
    let specs = [
        PuzzleSpec::default(),
        PuzzleSpec { symmetry: Symmetry::Rotational180, ..PuzzleSpec::default() },
        PuzzleSpec { blanks_per_row: rows, ..PuzzleSpec::default() },
    ];
    for spec in specs {
        for puzzle in unique(&PuzzleSpec { minimal: true, ..spec }, 10) {
            for cell in givens(&puzzle).iter() {
                let mut fewer = puzzle;
                fewer.set(cell, 0);
                assert_eq!(outcome(&fewer), Outcome::Multiple, "{puzzle} without {cell}");
            }
        }
    }
}

#[test]
fn blanks_per_row_are_within_their_bounds() {
    let patterns = [Symmetry::None, Symmetry::Rotational180, Symmetry::Mirror, Symmetry::Diagonal];
    let ranges = [(1, 8), (2, 8), (3, 8), (0, 3), (5, 5), (6, 6)];
    for (symmetry, (min, max)) in patterns.into_iter().flat_map(|pattern| ranges.map(|range| (pattern, range))) {
        if symmetry != Symmetry::None && max == 6 {
            continue;
        }
        let spec = PuzzleSpec { symmetry, blanks_per_row: Some(Blanks { min, max }), ..PuzzleSpec::default() };
        for puzzle in unique(&spec, 20) {
            for row in puzzle.digits().chunks_exact(9) {
                let blanks = row.iter().filter(|&&digit| digit == 0).count();
                assert!((usize::from(min)..=usize::from(max)).contains(&blanks), "{spec:?} {puzzle}");
            }
        }
    }
}

#[test]
fn several_solutions_where_they_are_allowed() {
    let blanks_per_row = Some(Blanks { min: 1, max: 8 });
    for spec in [PuzzleSpec { blanks_per_row, ..PuzzleSpec::default() }, clues(5, 5)] {
        let made = grids(&make(Kernel::default(), &PuzzleSpec { allow_multiple: true, ..spec }, 0, 50));
        assert!(made.len() == 50 && made.iter().all(|(puzzle, solution)| solution.extends(puzzle)));
        assert!(made.iter().any(|(puzzle, _)| outcome(puzzle) == Outcome::Multiple));
    }
}

#[test]
fn what_cannot_be_met_is_refused_by_name() {
    let minimal = PuzzleSpec { minimal: true, ..clues(39, 40) };
    let full = PuzzleSpec { symmetry: Symmetry::Full, minimal: true, ..PuzzleSpec::default() };
    for (spec, wish) in [(clues(17, 17), Wish::Clues), (minimal, Wish::Clues), (full, Wish::Minimal)] {
        let mut maker = super::PuzzleMaker::new(Kernel::default(), &spec, 7).expect("no contradiction");
        maker.limit_attempts(300);
        let mut out = vec![None; 2];
        assert!(maker.fill(0, &mut out, &mut || crate::sudoku::Pace::Continue));
        for place in out {
            let shortfall = place.expect("all are decided").expect_err("refused");
            assert_eq!((shortfall.wish, shortfall.attempts), (wish, 300));
        }
    }
}

//! Each item is the same on every kernel, however many are made at once, wherever they are stopped.

use super::{clues, grids, make};
use crate::sudoku::generate::puzzle::{Blanks, Place, PuzzleMaker, PuzzleSpec, Symmetry};
use crate::sudoku::logic::Level;
use crate::sudoku::{Kernel, Pace};

fn of(level: Level) -> PuzzleSpec {
    PuzzleSpec { level: Some(level), ..PuzzleSpec::default() }
}

fn specs() -> Vec<PuzzleSpec> {
    let any = PuzzleSpec::default();
    vec![
        any,
        PuzzleSpec { minimal: true, ..any },
        PuzzleSpec { symmetry: Symmetry::Rotational180, minimal: true, ..any },
        PuzzleSpec { symmetry: Symmetry::Full, ..clues(28, 28) },
        PuzzleSpec { blanks_per_row: Some(Blanks { min: 3, max: 8 }), ..any },
        clues(22, 22),
        of(Level::VeryEasy),
        of(Level::Easy),
        of(Level::Medium),
        of(Level::Hard),
        of(Level::Extreme),
    ]
}

#[test]
fn on_every_kernel() {
    for spec in specs() {
        let expected = make(Kernel::Reference, &spec, 0, 4);
        assert_eq!(grids(&expected).len(), 4);
        for kernel in Kernel::all() {
            assert!(make(kernel, &spec, 0, 4) == expected, "{kernel}, {spec:?}");
        }
    }
}

#[test]
fn however_many_are_made_at_once() {
    for spec in specs() {
        let count = if spec.level < Some(Level::Hard) { 500 } else { 20 };
        let expected = make(Kernel::default(), &spec, 100, count);
        let middle = 100 + count as u64 / 2;
        for (first, count) in [(100, 1), (middle, count / 3), (99 + count as u64, 1), (middle - 3, 7)] {
            let part = make(Kernel::default(), &spec, first, count);
            assert!(part == expected[first as usize - 100..][..count], "{count} from {first}, {spec:?}");
        }
    }
}

#[test]
fn wherever_it_is_stopped() {
    let spec = PuzzleSpec { minimal: true, ..PuzzleSpec::default() };
    let expected = make(Kernel::default(), &spec, 0, 600);
    let mut maker = PuzzleMaker::new(Kernel::default(), &spec, 7).expect("no contradiction");
    let mut out: Vec<Place> = vec![None; 600];
    let (mut asked, mut turns) = (0u32, 0);
    let mut pace = || {
        asked += 1;
        if asked % 3 == 0 { Pace::Stop } else { Pace::Continue }
    };
    let mut done = maker.fill(0, &mut out, &mut pace);
    while !done {
        turns += 1;
        assert!(out.iter().zip(&expected).all(|(place, expected)| place.is_none() || place == expected));
        done = maker.run(&mut out, &mut pace);
    }
    assert!(turns > 3 && out == expected);
}

#[test]
fn items_of_other_seeds_and_indices_differ() {
    let made = grids(&make(Kernel::default(), &PuzzleSpec::default(), 0, 1000));
    let puzzles: std::collections::HashSet<_> = made.into_iter().map(|(puzzle, _)| puzzle).collect();
    assert_eq!(puzzles.len(), 1000);
    let mut maker = PuzzleMaker::new(Kernel::default(), &PuzzleSpec::default(), 8).expect("no contradiction");
    let mut out = vec![None; 1];
    maker.fill(0, &mut out, &mut || Pace::Continue);
    assert!(!puzzles.contains(&grids(&out)[0].0));
}

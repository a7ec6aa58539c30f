//! Each item is the same on every kernel, however many are made at once, wherever they are stopped.

use super::{clues, grids, make};
use crate::sudoku::generate::GENERATOR_VERSION;
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
fn wherever_a_rating_is_stopped() {
    let spec = of(Level::Extreme);
    let expected = make(Kernel::default(), &spec, 0, 5);
    for stop in [1, 30, 100, 300, 600, 1_000, 1_500] {
        let mut maker = PuzzleMaker::new(Kernel::default(), &spec, 7).expect("no contradiction");
        let (mut out, mut asked) = (vec![None; 5], 0);
        let mut pace = || {
            asked += 1;
            if asked == stop { Pace::Stop } else { Pace::Continue }
        };
        assert!(!maker.fill(0, &mut out, &mut pace), "{stop} questions are not all");
        assert!(maker.run(&mut out, &mut pace) && out == expected, "stopped at question {stop}");
    }
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

/// Never edit these: raise `GENERATOR_VERSION` and add to them.
#[test]
fn items_of_version_1_stay_what_they_are() {
    assert_eq!(GENERATOR_VERSION, 1);
    let lines = [
        "....69..226.7.........1..5..75...4..19.5...........72..23........13...4....8.219.",
        "....69..226.7.........1..5..75...4..19.5...........72...3........13...4....8.2.9.",
        ".....7.5...7...4.63.64......45..2..8..2...6..7..1..94......61.95.8...2...1.3.....",
        "...3.4.....4.8.3...5.2.6.9.9.5...4.2.8.....7.2.7...6.1.2.5.7.6...6.2.5.....9.8...",
        "51..69.72.6.7.......9.1..5..7.......19257..3...69.1725.23.....8.813.624......219.",
        "......86...9.73.............8..........25..7..6..8..95.....73..23...91....1....47",
        "....69..226.....8.....1..5..75...4..19.5...........72..23........13.......78.219.",
        "....69..226.7.........1..5..75...4..19.5...........72..23........13...4....8.219.",
        "....69..226.7.........1..5..75...4..19.5...........72...3........13...4....8.2.9.",
        ".4..96..88......4.6925......17......4.....8..26..4...1.83.1...99..4.5....2.9...35",
        ".49..2.......8.1.......65...249186.....64....8....7....1.2..84.25..3...........6.",
    ];
    for (spec, line) in specs().into_iter().zip(lines) {
        let made = grids(&make(Kernel::default(), &spec, 1_000_000, 1));
        assert_eq!(made[0].0.to_string(), line, "{spec:?}");
    }
}

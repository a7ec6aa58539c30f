//! Any grids: every kernel gives valid solutions, all agree where they decide, and with the reference where it does.

#![no_main]

use libfuzzer_sys::fuzz_target;
use std::collections::HashSet;
use sudokud::sudoku::kernel::{Port, Tally};
use sudokud::sudoku::{Grid, Kernel, Limits};

/// Puzzles in a batch: more than any kernel has lanes.
const MOST: usize = 40;
const LIMITS: Limits = Limits { max_solutions: 3, count_limit: 3, node_limit: 100 };
/// A node of the reference is a digit tried, so it needs more.
const PATIENT: Limits = Limits { node_limit: 500, ..LIMITS };

struct Road<'a> {
    puzzles: &'a [Grid],
    solutions: Vec<HashSet<[u8; 81]>>,
}

impl Port for Road<'_> {
    fn puzzle(&mut self, puzzle: usize, digits: &mut [u8; 81]) {
        *digits = *self.puzzles[puzzle].digits();
    }

    fn solution(&mut self, puzzle: usize, digits: &[u8; 81]) {
        let grid = Grid::from_digits(*digits).expect("digits");
        assert!(grid.is_solved() && grid.extends(&self.puzzles[puzzle]), "{}: {grid}", self.puzzles[puzzle]);
        assert!(self.solutions[puzzle].insert(*digits), "{}: {grid} came twice", self.puzzles[puzzle]);
    }
}

/// Each puzzle's tally and solutions.
fn run(kernel: Kernel, puzzles: &[Grid], limits: Limits, passes: u32) -> Vec<(Tally, HashSet<[u8; 81]>)> {
    let mut searcher = kernel.searcher();
    searcher.begin(puzzles.len(), limits);
    let mut road = Road { puzzles, solutions: vec![HashSet::new(); puzzles.len()] };
    while !searcher.run(&mut road, passes) {}
    searcher.tallies().iter().copied().zip(road.solutions).collect()
}

/// Lines of 81 cells and one byte; the low half of a cell's byte is its digit, what exceeds 9 an empty cell: text will do.
fn puzzles(data: &[u8]) -> Vec<Grid> {
    let digit = |byte: u8| if byte & 15 <= 9 { byte & 15 } else { 0 };
    let puzzle = |line: &[u8]| Grid::from_digits(std::array::from_fn(|i| line.get(i).map_or(0, |&byte| digit(byte))));
    data.chunks(82).take(MOST).filter_map(puzzle).collect()
}

fuzz_target!(|data: &[u8]| {
    let puzzles = puzzles(data);
    let mut known = run(Kernel::Reference, &puzzles, PATIENT, u32::MAX);
    for kernel in Kernel::all().filter(|&kernel| kernel != Kernel::Reference) {
        let answers = run(kernel, &puzzles, LIMITS, 1 + data.len() as u32 % 7);
        for ((puzzle, known), (tally, solutions)) in puzzles.iter().zip(&mut known).zip(answers) {
            assert_eq!(solutions.len() as u64, tally.found, "{kernel}: {puzzle}");
            if is_decided(&tally) && is_decided(&known.0) {
                assert_eq!(tally.found, known.0.found, "{kernel}: {puzzle}");
                assert!(tally.closed || solutions == known.1, "{kernel}: {puzzle}");
            } else if is_decided(&tally) {
                assert!(known.0.found <= tally.found, "{kernel}: {puzzle}");
                *known = (tally, solutions);
            }
        }
    }
});

/// Whether all solutions were found, or as many as were asked for.
fn is_decided(tally: &Tally) -> bool {
    !tally.closed || tally.found == LIMITS.count_limit
}

//! A batch through a kernel, with all that comes out of it.

use std::collections::HashSet;
use sudokud::sudoku::kernel::{Port, Tally};
use sudokud::sudoku::{Grid, Kernel, Limits};

/// What became of a batch.
#[derive(Debug, PartialEq, Eq)]
pub struct Ran {
    pub tallies: Vec<Tally>,
    /// Each puzzle's solutions, in the order they came.
    pub solutions: Vec<Vec<Grid>>,
}

struct Road<'a> {
    puzzles: &'a [Grid],
    asked: Vec<bool>,
    solutions: Vec<Vec<Grid>>,
}

impl Port for Road<'_> {
    fn puzzle(&mut self, puzzle: usize, digits: &mut [u8; 81]) {
        assert!(!std::mem::replace(&mut self.asked[puzzle], true), "puzzle {puzzle} was asked for twice");
        *digits = *self.puzzles[puzzle].digits();
    }

    fn solution(&mut self, puzzle: usize, digits: &[u8; 81]) {
        self.solutions[puzzle].push(Grid::from_digits(*digits).expect("digits"));
    }
}

/// Every kernel but the reference.
pub fn fast() -> impl Iterator<Item = Kernel> {
    Kernel::all().filter(|&kernel| kernel != Kernel::Reference)
}

/// Runs a batch, so many passes at a time. The solutions must be distinct, valid and extend their puzzles, and the
/// tallies keep the limits.
pub fn run(kernel: Kernel, puzzles: &[Grid], limits: Limits, passes: u32) -> Ran {
    let mut searcher = kernel.searcher();
    searcher.begin(puzzles.len(), limits);
    let nothing = vec![Vec::new(); puzzles.len()];
    let mut road = Road { puzzles, asked: vec![false; puzzles.len()], solutions: nothing };
    while !searcher.run(&mut road, passes) {}
    searcher.open(&mut |puzzle| panic!("{kernel}: puzzle {puzzle} is open after the end"));
    let ran = Ran { tallies: searcher.tallies().to_vec(), solutions: road.solutions };
    for ((puzzle, tally), solutions) in puzzles.iter().zip(&ran.tallies).zip(&ran.solutions) {
        assert_eq!(tally.found, solutions.len() as u64, "{kernel}: {puzzle}");
        assert!(tally.found <= limits.count_limit && tally.nodes <= limits.node_limit, "{kernel}: {puzzle}: {tally:?}");
        let at_limit = tally.found == limits.count_limit || tally.nodes == limits.node_limit;
        assert!(at_limit || !tally.closed, "{kernel}: {puzzle}: {tally:?}");
        assert!(solutions.iter().all(|s| s.is_solved() && s.extends(puzzle)), "{kernel}: {puzzle}");
        assert_eq!(solutions.iter().collect::<HashSet<_>>().len(), solutions.len(), "{kernel}: {puzzle}");
    }
    ran
}

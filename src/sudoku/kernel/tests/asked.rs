//! Digits that a cell must not take, and solutions that do not count.

use super::support::digits;
use crate::sudoku::kernel::{Kernel, Port};
use crate::sudoku::outcome::Limits;

/// One solution with r1c1 = 5.
const UNIQUE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// The same without some givens: the solutions are that one and others.
const SEVERAL: &str = ".........6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8...9";
const SOLUTION: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

/// One puzzle many times: some bar a digit, some do not count the solution, some neither.
struct Asked {
    puzzle: [u8; 81],
    known: [u8; 81],
    shown: Vec<[u8; 81]>,
}

impl Port for Asked {
    fn puzzle(&mut self, _: usize, digits: &mut [u8; 81]) {
        *digits = self.puzzle;
    }

    fn barred(&mut self, puzzle: usize) -> Option<(u8, u8)> {
        (puzzle % 3 == 1).then_some((2, self.known[2]))
    }

    fn counts(&mut self, puzzle: usize, digits: &[u8; 81]) -> bool {
        puzzle % 3 != 2 || *digits != self.known
    }

    fn solution(&mut self, puzzle: usize, digits: &[u8; 81]) {
        assert!(puzzle.is_multiple_of(3) || *digits != self.known);
        assert!(puzzle % 3 != 1 || digits[2] != self.known[2]);
        self.shown.push(*digits);
    }
}

/// Solutions found of each of 66 puzzles, and how many were shown.
fn found(kernel: Kernel, puzzle: &str) -> (Vec<u64>, usize) {
    let mut asked = Asked { puzzle: digits(puzzle), known: digits(SOLUTION), shown: Vec::new() };
    let mut searcher = kernel.searcher();
    searcher.begin(66, Limits { max_solutions: 1_000, count_limit: 1_000, node_limit: u64::MAX });
    while !searcher.run(&mut asked, 100) {}
    (searcher.tallies().iter().map(|tally| tally.found).collect(), asked.shown.len())
}

#[test]
fn barred_digits_and_known_solutions_are_left_out() {
    for kernel in Kernel::all() {
        assert_eq!(found(kernel, UNIQUE), ([1, 0, 0].repeat(22), 22), "{kernel}");
        let (several, shown) = found(kernel, SEVERAL);
        let [all, barred, others] = several[..3] else { panic!("66 puzzles") };
        assert!(all > 2 && others == all - 1 && barred < all, "{kernel}: {all} {barred} {others}");
        assert_eq!((several, shown as u64), ([all, barred, others].repeat(22), 22 * (all + barred + others)));
    }
}

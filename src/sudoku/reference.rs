//! The plain reference solver: the oracle that every kernel is tested against.
//!
//! Backtracking on the empty cell with the fewest candidates, and nothing else. Must never use a kernel.

use super::geometry::{Cell, HOUSES};
use super::grid::Grid;

/// Why a search handed back control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A further solution stands; going on looks for the next one.
    Solution,
    /// There are no further solutions.
    Exhausted,
    /// The node budget is spent and the next thing to do is a guess.
    Paused,
}

/// A search on its way: the grid so far and the cells filled, in order.
#[derive(Clone, Debug)]
pub struct Reference {
    grid: Grid,
    /// For each filled cell: the cell and its digits not yet tried, bit d for digit d.
    trail: Vec<(Cell, u16)>,
    next: Next,
}

#[derive(Clone, Copy, Debug)]
enum Next {
    /// Fill a further cell.
    Descend,
    /// Try the next digit of the last cell filled.
    Retry,
}

impl Default for Reference {
    fn default() -> Reference {
        Reference { grid: Grid::EMPTY, trail: Vec::with_capacity(81), next: Next::Retry }
    }
}

impl Reference {
    /// Starts over with this puzzle.
    pub fn load(&mut self, puzzle: &Grid) {
        self.grid = *puzzle;
        self.trail.clear();
        // With an empty trail nothing is left to retry: contradictory givens end at once.
        self.next = if puzzle.conflicts().is_empty() { Next::Descend } else { Next::Retry };
    }

    /// Searches for the next solution. A node is a digit tried; each takes one from `budget`.
    pub fn step(&mut self, budget: &mut u64) -> Step {
        loop {
            match self.next {
                Next::Descend => {
                    self.next = Next::Retry;
                    match self.tightest_cell() {
                        Some(choice) => self.trail.push(choice),
                        None => return Step::Solution,
                    }
                }
                Next::Retry => {
                    let Some((cell, untried)) = self.trail.last_mut() else { return Step::Exhausted };
                    if *untried == 0 {
                        self.grid.set(*cell, 0);
                        self.trail.pop();
                    } else if *budget == 0 {
                        return Step::Paused;
                    } else {
                        *budget -= 1;
                        self.grid.set(*cell, untried.trailing_zeros() as u8);
                        *untried &= *untried - 1;
                        self.next = Next::Descend;
                    }
                }
            }
        }
    }

    /// The solution that the last step found.
    pub fn solution(&self) -> Grid {
        self.grid
    }

    /// The first empty cell with the fewest candidates, and those; `None` when the grid is full.
    fn tightest_cell(&self) -> Option<(Cell, u16)> {
        let mut used = [0u16; 27];
        for (seen, house) in used.iter_mut().zip(&HOUSES) {
            house.iter().for_each(|&i| *seen |= 1 << self.grid.digits()[usize::from(i)]);
        }
        let empty = Cell::all().filter(|&cell| self.grid.get(cell) == 0);
        empty
            .map(|cell| (cell, 0x3fe & !(used[cell.row()] | used[9 + cell.col()] | used[18 + cell.box_()])))
            .min_by_key(|(_, candidates)| candidates.count_ones())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(text: &str, limit: u64) -> u64 {
        let digits: Vec<u8> = text.bytes().map(|b| if b == b'.' { 0 } else { b - b'0' }).collect();
        let puzzle = Grid::from_digits(digits.try_into().expect("81 cells")).expect("digits");
        let mut search = Reference::default();
        search.load(&puzzle);
        let mut found = 0;
        while found < limit && search.step(&mut u64::MAX.clone()) == Step::Solution {
            assert!(search.solution().is_solved() && search.solution().extends(&puzzle));
            found += 1;
        }
        found
    }

    #[test]
    fn counts_what_is_known() {
        let unique = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
        assert_eq!(count(unique, 10), 1);
        // Its solution with one unavoidable rectangle emptied, and with a given that leaves a cell without digits.
        let two = "53467891267219.34.19834256785976142342685379171392485696153728428741963.34528617.";
        assert_eq!(count(two, 10), 1);
        assert_eq!(count(&".".repeat(81), 50), 50);
        assert_eq!(count(&format!("12345678.........9{}", ".".repeat(63)), 10), 0);
        assert_eq!(count(&format!("11{}", ".".repeat(79)), 10), 0);
    }

    #[test]
    fn pauses_and_goes_on_as_if_it_had_not() {
        let (mut whole, mut pieces) = (Reference::default(), Reference::default());
        whole.load(&Grid::EMPTY);
        pieces.load(&Grid::EMPTY);
        assert_eq!(whole.step(&mut u64::MAX.clone()), Step::Solution);
        let mut pauses = 0;
        while pieces.step(&mut 7) == Step::Paused {
            pauses += 1;
        }
        assert!(pauses > 5);
        assert_eq!(whole.solution(), pieces.solution());
    }
}

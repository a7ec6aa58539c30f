//! Puzzles to play with: completed grids whose cells are taken away at random, some put back until the solution is
//! the only one.

use crate::sudoku::generate::Completer;
use crate::sudoku::random::{Purpose, Random};
use crate::sudoku::solve::solve;
use crate::sudoku::{Cell, Grid, Kernel, Limits};

/// Givens to begin with: about the fewest with which a random choice needs few more.
const FIRST_GIVENS: usize = 24;

/// A puzzle with exactly one solution, the completer's item `index`; the same for the same seed.
pub fn puzzle(kernel: Kernel, completer: &Completer, seed: u64, index: u64) -> Grid {
    let solution = completer.item(index);
    let mut cells: Vec<Cell> = (0..81).filter_map(Cell::new).collect();
    Random::new(seed, Purpose::Fill, index).shuffle(&mut cells);
    let mut puzzle = Grid::EMPTY;
    cells.iter().take(FIRST_GIVENS).for_each(|&cell| puzzle.set(cell, solution.get(cell)));
    // Each round gives one more cell, one that another solution has wrong: it ends with the solution alone.
    loop {
        let others = solve(kernel, &puzzle, Limits::PROVE).solutions;
        let differs = |&&cell: &&Cell| others.iter().any(|other| other.get(cell) != solution.get(cell));
        match cells.iter().find(differs) {
            Some(&cell) => puzzle.set(cell, solution.get(cell)),
            None => return puzzle,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sudoku::Outcome;
    use crate::sudoku::generate::CompleteSpec;

    #[test]
    fn puzzles_have_one_solution_and_are_repeatable() {
        let completer = Completer::new(CompleteSpec::default(), 5);
        for index in 0..20 {
            let made = puzzle(Kernel::default(), &completer, 5, index);
            let answer = solve(Kernel::default(), &made, Limits::PROVE);
            assert_eq!((answer.outcome, answer.solutions[0]), (Outcome::Unique, completer.item(index)));
            assert!((FIRST_GIVENS..60).contains(&made.clue_count()), "{made}");
            assert_eq!(puzzle(Kernel::default(), &completer, 5, index), made);
        }
    }
}

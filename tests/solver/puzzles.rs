//! Random puzzles for the tests of solving.

use sudokud::sudoku::generate::{CompleteSpec, Completer, Family};
use sudokud::sudoku::random::{Purpose, Random};
use sudokud::sudoku::{Cell, Grid, Kernel, Limits, Outcome, solve};

/// A grid with this many givens left at random.
pub fn masked(seed: u64, givens: usize) -> Grid {
    let mut puzzle = Completer::new(CompleteSpec { first_cell: 0, family: Family::Search }, seed).item(0);
    let mut cells: Vec<Cell> = Cell::all().collect();
    Random::new(seed, Purpose::Fill, 1).shuffle(&mut cells);
    cells[givens..].iter().for_each(|&cell| puzzle.set(cell, 0));
    puzzle
}

/// A puzzle with one solution from which no given can be taken.
pub fn minimal(seed: u64) -> Grid {
    let mut puzzle = masked(seed, 81);
    let mut cells: Vec<Cell> = Cell::all().collect();
    Random::new(seed, Purpose::Fill, 2).shuffle(&mut cells);
    for cell in cells {
        let digit = puzzle.get(cell);
        puzzle.set(cell, 0);
        if solve::solve(Kernel::Portable, &puzzle, Limits::PROVE).outcome != Outcome::Unique {
            puzzle.set(cell, digit);
        }
    }
    puzzle
}

//! Puzzles at the edge: empty, full, full but for one cell, and with two equal givens in one house.

use super::puzzles::masked;
use sudokud::sudoku::geometry::HOUSES;
use sudokud::sudoku::{Cell, Grid};

/// All of them.
pub fn puzzles() -> Vec<Grid> {
    let full = masked(3, 81);
    let mut all = vec![Grid::EMPTY, full];
    for cell in Cell::all() {
        let changed = |digit: u8| {
            let mut grid = full;
            grid.set(cell, digit);
            grid
        };
        all.extend([changed(0), changed(full.get(cell) % 9 + 1)]);
    }
    // In a row, a column and a box of each band and stack, otherwise empty.
    for (h, house) in HOUSES.iter().enumerate().filter(|(h, _)| h % 4 == 0) {
        for (i, j) in (0..9).flat_map(|j| (0..j).map(move |i| (i, j))) {
            let mut digits = [0; 81];
            [i, j].iter().for_each(|&k: &usize| digits[usize::from(house[k])] = 1 + (h + i + j) as u8 % 9);
            all.extend(Grid::from_digits(digits));
        }
    }
    all
}

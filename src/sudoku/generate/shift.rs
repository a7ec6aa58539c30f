//! SHIFT: a first row, that row shifted right for the others, rows exchanged within bands, in a keyed order.
//!
//! Row 1 stays row 1, so that the first row and the exchanges are known from the grid and no two are equal:
//! 9!·2!·3!·3! grids, a ninth of them for each first cell.

use super::permutation::{OF_THREE, Rank};
use super::walk::Walk;
use crate::sudoku::grid::Grid;

/// By how much each row is shifted right before rows are exchanged.
const SHIFTS: [[usize; 3]; 3] = [[0, 3, 6], [1, 4, 7], [2, 5, 8]];
/// The family with its first cell, set up for a seed.
#[derive(Clone, Debug)]
pub struct Shift {
    first_cell: u8,
    walk: Walk,
}

/// How many grids there are, with a first cell or (0) without.
pub const fn capacity(first_cell: u8) -> u64 {
    let first_rows = if first_cell == 0 { 362_880 } else { 40_320 };
    first_rows * 2 * 6 * 6
}

impl Shift {
    /// Sets up for a seed.
    pub fn new(seed: u64, first_cell: u8) -> Shift {
        Shift { first_cell, walk: Walk::new(seed, capacity(first_cell)) }
    }

    /// The grid at this place of the order.
    #[inline]
    pub fn item(&self, index: u64) -> Grid {
        let mut rank = Rank(self.walk.at(index));
        // The first two permutations leave the first row where it is.
        let orders = [rank.take::<2>(), rank.take::<6>(), rank.take::<6>()].map(|order| OF_THREE[order]);
        let row = self.first_row(&mut rank);
        // Twice the row: a shifted row is nine digits of it in one piece.
        let mut twice = [0; 18];
        twice[..9].copy_from_slice(&row);
        twice[9..].copy_from_slice(&row);
        let mut digits = [0; 81];
        for (i, line) in digits.chunks_exact_mut(9).enumerate() {
            let shift = SHIFTS[i / 3][usize::from(orders[i / 3][i % 3])];
            line.copy_from_slice(&twice[9 - shift..18 - shift]);
        }
        Grid::from_digits(digits).expect("digits 1-9")
    }

    #[inline(always)]
    fn first_row(&self, rank: &mut Rank) -> [u8; 9] {
        if self.first_cell == 0 {
            return rank.permutation::<9>().map(|i| i + 1);
        }
        let mut row = [self.first_cell; 9];
        for (digit, i) in row[1..].iter_mut().zip(rank.permutation::<8>()) {
            *digit = i + 1 + u8::from(i + 1 >= self.first_cell);
        }
        row
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn the_whole_family_is_distinct_and_valid() {
        // All of it in release; debug builds take every 50th.
        let step = if cfg!(debug_assertions) { 50 } else { 1 };
        let family = Shift::new(3, 5);
        let mut seen = HashSet::new();
        for index in (0..capacity(5)).step_by(step) {
            let grid = family.item(index);
            assert_eq!(grid.digits()[0], 5);
            assert!(index % 64 != 0 || grid.is_solved());
            // Row 1 and the first cells of the other rows tell a grid.
            let row = grid.digits()[..9].iter().fold(0u64, |key, &d| key * 10 + u64::from(d));
            let column = (1..9).fold(0u64, |key, r| key * 10 + u64::from(grid.digits()[9 * r]));
            assert!(seen.insert(row * 100_000_000 + column), "{grid} twice");
        }
    }

    #[test]
    fn rows_are_the_first_row_shifted() {
        let family = Shift::new(4, 0);
        for index in 0..200 {
            let grid = family.item(index);
            assert!(grid.is_solved());
            let first = &grid.digits()[..9];
            for (r, row) in grid.digits().chunks_exact(9).enumerate() {
                let shift = row.iter().position(|&d| d == first[0]).expect("each digit in each row");
                assert_eq!(shift % 3, r / 3, "row {r} of {grid}");
                assert!((0..9).all(|c| row[(c + shift) % 9] == first[c]), "row {r} of {grid}");
            }
        }
    }
}

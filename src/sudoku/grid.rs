//! A 9x9 grid of digits, some cells perhaps empty.

use super::{Cell, CellSet, geometry::HOUSES};
use std::fmt;

/// 81 cells row by row, each 0 (empty) or a digit 1-9. A puzzle, a partial or a finished grid; the
/// digits may clash.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Grid([u8; 81]);

impl Grid {
    /// No givens.
    pub const EMPTY: Grid = Grid([0; 81]);

    /// The grid of these digits, `None` if one exceeds 9.
    pub fn from_digits(digits: [u8; 81]) -> Option<Grid> {
        // Without an early exit the check is vectorised: every reader of text and packed forms passes here.
        (digits.iter().fold(0, |max, &d| d.max(max)) <= 9).then_some(Grid(digits))
    }

    /// The digits, 0 where empty.
    pub fn digits(&self) -> &[u8; 81] {
        &self.0
    }

    /// The digit in a cell, 0 where empty.
    pub fn get(&self, cell: Cell) -> u8 {
        self.0[cell.index()]
    }

    /// Writes a digit; 0 empties the cell.
    ///
    /// # Panics
    /// When the digit exceeds 9.
    pub fn set(&mut self, cell: Cell, digit: u8) {
        assert!(digit <= 9, "digit {digit}");
        self.0[cell.index()] = digit;
    }

    /// How many cells hold a digit.
    pub fn clue_count(&self) -> usize {
        self.0.iter().filter(|&&d| d != 0).count()
    }

    /// The cells whose digit stands twice in one of their houses.
    pub fn conflicts(&self) -> CellSet {
        let mut clash = CellSet::EMPTY;
        for house in &HOUSES {
            let (mut once, mut twice) = (0u16, 0u16);
            for &i in house {
                let bit = (1u16 << self.0[usize::from(i)]) & !1;
                twice |= once & bit;
                once |= bit;
            }
            if twice != 0 {
                let clashing = house.iter().filter(|&&i| twice >> self.0[usize::from(i)] & 1 == 1);
                clashing.filter_map(|&i| Cell::new(usize::from(i))).for_each(|c| clash.insert(c));
            }
        }
        clash
    }

    /// Whether every house holds each digit once.
    pub fn is_solved(&self) -> bool {
        HOUSES.iter().all(|house| house.iter().fold(0u16, |seen, &i| seen | 1 << self.0[usize::from(i)]) == 0x3fe)
    }

    /// Whether each given of `puzzle` stands in this grid.
    pub fn extends(&self, puzzle: &Grid) -> bool {
        self.0.iter().zip(&puzzle.0).all(|(&mine, &given)| given == 0 || given == mine)
    }
}

impl fmt::Display for Grid {
    /// 81 characters on one line, `.` where empty.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|&d| write!(f, "{}", if d == 0 { '.' } else { char::from(b'0' + d) }))
    }
}

impl fmt::Debug for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Grid({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conflicts_name_every_clashing_cell() {
        let mut grid = Grid::EMPTY;
        assert!(grid.conflicts().is_empty());
        grid.set(Cell::at(0, 0), 5);
        grid.set(Cell::at(0, 8), 5);
        grid.set(Cell::at(4, 4), 5);
        let cells: Vec<String> = grid.conflicts().iter().map(|c| c.to_string()).collect();
        assert_eq!(cells, ["r1c1", "r1c9"]);
    }

    #[test]
    fn solved_means_each_digit_once_in_each_house() {
        let mut digits = [0; 81];
        for (i, d) in digits.iter_mut().enumerate() {
            let (r, c) = (i / 9, i % 9);
            *d = ((r * 3 + r / 3 + c) % 9 + 1) as u8;
        }
        let grid = Grid::from_digits(digits).expect("digits");
        assert!(grid.is_solved() && grid.extends(&Grid::EMPTY) && grid.conflicts().is_empty());
        let mut broken = grid;
        broken.set(Cell::at(0, 0), 0);
        assert!(!broken.is_solved() && grid.extends(&broken) && !broken.extends(&grid));
    }
}

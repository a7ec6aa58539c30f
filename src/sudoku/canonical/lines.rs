//! [`Line`] and [`Least`]: what both searches for the least form hand back. Must never know how it was found.

use crate::sudoku::grid::Grid;

/// Nine digits, four bits each, the first one highest: as numbers lines compare as their text does.
pub type Line = u64;

/// A grid as nine rows, and as nine columns.
pub type Sides = [[[u8; 9]; 9]; 2];

/// The least grid and how many ways lead to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Least {
    /// Its rows.
    pub lines: [Line; 9],
    /// Rearrangements of the cells that lead to it, of 2·6^8.
    pub ways: u64,
}

impl Least {
    /// Nothing found: any grid is less.
    pub const NONE: Least = Least { lines: [Line::MAX; 9], ways: 0 };

    /// The grid of these lines.
    pub fn grid(&self) -> Grid {
        let digits = std::array::from_fn(|i| (self.lines[i / 9] >> (4 * (8 - i % 9)) & 0xf) as u8);
        Grid::from_digits(digits).expect("labels 0-9")
    }
}

/// Appends a digit.
#[inline(always)]
pub fn append(line: Line, digit: u8) -> Line {
    line << 4 | Line::from(digit)
}

/// The first `len` (0..=9) digits.
#[inline(always)]
pub fn head(line: Line, len: usize) -> Line {
    line >> (4 * (9 - len))
}

/// Both sides of a grid.
pub fn sides(grid: &Grid) -> Sides {
    let digits = grid.digits();
    let rows = std::array::from_fn(|r| std::array::from_fn(|c| digits[9 * r + c]));
    [rows, transposed(&rows)]
}

/// Columns as rows.
pub fn transposed(rows: &[[u8; 9]; 9]) -> [[u8; 9]; 9] {
    std::array::from_fn(|c| std::array::from_fn(|r| rows[r][c]))
}

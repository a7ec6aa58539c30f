//! The orders in which Sudoku Explainer 1.2.1 looks: which step comes first decides a rating.
//!
//! Must never know of states.

use std::ops::Range;

/// Rows among [`HOUSES`](crate::sudoku::geometry::HOUSES).
pub const ROWS: Range<usize> = 0..9;
/// Columns among the houses.
pub const COLUMNS: Range<usize> = 9..18;
/// Boxes among the houses.
pub const BOXES: Range<usize> = 18..27;

/// The houses for singles and sets: boxes, columns, rows.
pub fn houses() -> impl Iterator<Item = usize> {
    BOXES.chain(COLUMNS).chain(ROWS)
}

/// The subsets of nine things with `size` members, as bits, in the order of their numbers.
pub fn subsets(size: u32) -> impl Iterator<Item = u16> {
    (0..1u16 << 9).filter(move |bits| bits.count_ones() == size)
}

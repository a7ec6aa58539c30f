//! The orders in which Sudoku Explainer 1.2.1 looks: which step comes first decides a rating.
//!
//! Must never know of states.

use crate::sudoku::geometry::{Cell, HOUSES, PEERS};
use std::ops::Range;

/// Rows among [`HOUSES`].
pub const ROWS: Range<usize> = 0..9;
/// Columns among [`HOUSES`].
pub const COLUMNS: Range<usize> = 9..18;
/// Boxes among [`HOUSES`].
pub const BOXES: Range<usize> = 18..27;

/// The houses for singles and sets: boxes, columns, rows.
pub fn houses() -> impl Iterator<Item = usize> {
    BOXES.chain(COLUMNS).chain(ROWS)
}

/// The houses of a cell: box, row, column.
pub fn houses_of(cell: Cell) -> [usize; 3] {
    [BOXES.start + cell.box_(), ROWS.start + cell.row(), COLUMNS.start + cell.col()]
}

/// The houses that two cells share: box, row, column.
pub fn shared_houses(a: Cell, b: Cell) -> impl Iterator<Item = usize> {
    houses_of(a).into_iter().zip(houses_of(b)).filter(|(a, b)| a == b).map(|(house, _)| house)
}

/// The cells of a house in reading order.
pub fn cells_in(house: usize) -> impl Iterator<Item = Cell> {
    HOUSES[house].iter().filter_map(|&cell| Cell::new(usize::from(cell)))
}

/// The peers of a cell: those in its box, then those in its row, then those in its column.
pub fn peers(cell: Cell) -> impl Iterator<Item = Cell> {
    /// For each cell, its peers in this order.
    static ORDERED: [[u8; 20]; 81] = ordered();
    ORDERED[cell.index()].iter().filter_map(|&peer| Cell::new(usize::from(peer)))
}

/// The subsets of nine things with `size` members, as bits, in the order of their numbers.
pub fn subsets(size: u32) -> impl Iterator<Item = u16> {
    (0..1u16 << 9).filter(move |bits| bits.count_ones() == size)
}

/// The indices of the members of a subset.
pub fn members(subset: u16) -> impl Iterator<Item = usize> {
    (0..9).filter(move |i| subset >> i & 1 == 1)
}

const fn ordered() -> [[u8; 20]; 81] {
    let mut table = PEERS;
    let mut cell = 0;
    while cell < 81 {
        let (mut n, mut kind) = (0, 0);
        while kind < 3 {
            let mut i = 0;
            while i < 20 {
                let peer = PEERS[cell][i] as usize;
                let same_box = cell / 27 == peer / 27 && cell % 9 / 3 == peer % 9 / 3;
                let wanted = match kind {
                    0 => same_box,
                    1 => !same_box && cell / 9 == peer / 9,
                    _ => !same_box && cell % 9 == peer % 9,
                };
                if wanted {
                    table[cell][n] = peer as u8;
                    n += 1;
                }
                i += 1;
            }
            kind += 1;
        }
        cell += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peers_go_by_box_row_column() {
        let names: Vec<String> = peers(Cell::at(4, 4)).map(|cell| cell.to_string()).collect();
        let expected =
            "r4c4 r4c5 r4c6 r5c4 r5c6 r6c4 r6c5 r6c6 r5c1 r5c2 r5c3 r5c7 r5c8 r5c9 r1c5 r2c5 r3c5 r7c5 r8c5 r9c5";
        assert_eq!(names.join(" "), expected);
    }

    #[test]
    fn subsets_go_by_number() {
        assert_eq!(subsets(2).take(4).collect::<Vec<_>>(), [0b011, 0b101, 0b110, 0b1001]);
        assert_eq!([2, 3, 4].map(|size| subsets(size).count()), [36, 84, 126]);
        assert_eq!(members(0b1_0000_0101).collect::<Vec<_>>(), [0, 2, 8]);
    }

    #[test]
    fn shared_houses_of_cells() {
        assert_eq!(shared_houses(Cell::at(0, 0), Cell::at(0, 2)).collect::<Vec<_>>(), [18, 0]);
        assert_eq!(shared_houses(Cell::at(0, 8), Cell::at(5, 8)).collect::<Vec<_>>(), [17]);
        assert_eq!(shared_houses(Cell::at(0, 0), Cell::at(5, 8)).count(), 0);
    }
}

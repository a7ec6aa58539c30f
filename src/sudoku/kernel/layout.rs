//! Where a cell lies in the bands: one lane for each band, ten bits for each box.
//!
//! Bit `10·stack + 3·row + col` of a lane is a cell, rows and columns counted within its box. The tenth
//! bit of each box is a guard, 0 in every state: with it one addition or subtraction acts on three boxes at once.

use crate::sudoku::geometry;

/// Bit 0 of each box.
pub const LOW: u32 = 1 | 1 << 10 | 1 << 20;
/// The nine cells of each box.
pub const FULL: u32 = 0x1ff * LOW;
/// The free tenth bit of each box.
pub const GUARD: u32 = 0x200 * LOW;
/// The first cell of each minirow.
pub const MINIROWS: u32 = 0o111 * LOW;
/// The first cell of each minicolumn.
pub const MINICOLS: u32 = 0o007 * LOW;

/// For each cell, the cell itself as a mask.
pub static CELL: [[u32; 4]; 81] = cells();
/// For each cell, its 20 peers as a mask.
pub static PEERS: [[u32; 4]; 81] = peers();

/// The bits of a band's 27 cells, row by row.
pub static BITS: [u32; 27] = bits();
/// The cell at each bit position of the first lane; 27 and 54 more for the others. Guards lead to cell 0.
pub static FIRST_BAND: [u8; 32] = first_band();

const fn place(cell: usize) -> (usize, u32) {
    let (row, col) = (cell / 9, cell % 9);
    (row / 3, 1 << (10 * (col / 3) + 3 * (row % 3) + col % 3))
}

const fn bits() -> [u32; 27] {
    let mut table = [0; 27];
    let mut cell = 0;
    while cell < 27 {
        table[cell] = place(cell).1;
        cell += 1;
    }
    table
}

const fn first_band() -> [u8; 32] {
    let mut table = [0; 32];
    let mut cell = 0;
    while cell < 27 {
        table[place(cell).1.trailing_zeros() as usize] = cell as u8;
        cell += 1;
    }
    table
}

const fn cells() -> [[u32; 4]; 81] {
    let mut table = [[0; 4]; 81];
    let mut cell = 0;
    while cell < 81 {
        let (lane, bit) = place(cell);
        table[cell][lane] = bit;
        cell += 1;
    }
    table
}

const fn peers() -> [[u32; 4]; 81] {
    let mut table = [[0; 4]; 81];
    let mut i = 0;
    while i < 81 * 20 {
        let (lane, bit) = place(geometry::PEERS[i / 20][i % 20] as usize);
        table[i / 20][lane] |= bit;
        i += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sudoku::geometry::Cell;

    #[test]
    fn places_and_masks_agree_with_the_geometry() {
        for cell in Cell::all() {
            let (lane, bit) = place(cell.index());
            assert_eq!(usize::from(FIRST_BAND[bit.trailing_zeros() as usize]) + 27 * lane, cell.index());
            assert!(bit & FULL != 0 && bit & GUARD == 0);
            assert_eq!(CELL[cell.index()][lane], bit);
            assert_eq!(CELL[cell.index()].iter().map(|lane| lane.count_ones()).sum::<u32>(), 1);
            assert_eq!(PEERS[cell.index()].iter().map(|lane| lane.count_ones()).sum::<u32>(), 20);
            for &peer in cell.peers() {
                let (lane, bit) = place(usize::from(peer));
                assert!(PEERS[cell.index()][lane] & bit != 0);
            }
        }
    }
}

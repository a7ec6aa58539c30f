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
    cell.houses().map(|(house, _)| house)
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
    subsets_of(0x1ff, size)
}

/// Those that have members of `all` only.
pub fn subsets_of(all: u16, size: u32) -> impl Iterator<Item = u16> {
    /// All subsets, the smaller ones first; and where those of each size begin.
    static BY_SIZE: [u16; 512] = by_size();
    const BEGIN: [usize; 11] = [0, 1, 10, 46, 130, 256, 382, 466, 502, 511, 512];
    let enough = all.count_ones() >= size;
    let sized = &BY_SIZE[BEGIN[size as usize]..BEGIN[size as usize + 1]];
    sized.iter().copied().filter(move |subset| subset & !all == 0).take(if enough { sized.len() } else { 0 })
}

const fn by_size() -> [u16; 512] {
    let mut table = [0; 512];
    let (mut n, mut size) = (0, 0);
    while size <= 9 {
        let mut bits = 0u16;
        while bits < 512 {
            if bits.count_ones() == size {
                table[n] = bits;
                n += 1;
            }
            bits += 1;
        }
        size += 1;
    }
    table
}

/// The sets of `size` items, two bits or more in each, that have `size` bits among them: the set and those bits.
pub fn tuples(items: [u16; 9], size: u32) -> impl Iterator<Item = (u16, u16)> {
    let fits = |&item: &u16| (2..=size).contains(&len(item));
    let eligible = items.iter().enumerate().fold(0, |bits, (i, item)| bits | u16::from(fits(item)) << i);
    subsets_of(eligible, size).filter_map(move |set| {
        let union = members(set).fold(0, |union, i| union | items[i]);
        (len(union) == size).then_some((set, union))
    })
}

/// How many members a subset of nine things has. Not every machine that this is built for counts bits in one step.
pub fn len(subset: u16) -> u32 {
    static LENGTHS: [u8; 512] = lengths();
    u32::from(LENGTHS[usize::from(subset & 0x1ff)])
}

const fn lengths() -> [u8; 512] {
    let mut table = [0; 512];
    let mut subset = 1;
    while subset < 512 {
        table[subset] = table[subset / 2] + (subset % 2) as u8;
        subset += 1;
    }
    table
}

/// The indices of the members of a subset.
pub fn members(mut subset: u16) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let member = (subset != 0).then(|| subset.trailing_zeros() as usize)?;
        subset &= subset - 1;
        Some(member)
    })
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
        assert_eq!([0, 1, 2, 3, 4, 7, 9].map(|size| subsets(size).count()), [1, 9, 36, 84, 126, 36, 1]);
        assert_eq!(subsets_of(0b1_0000_0101, 2).collect::<Vec<_>>(), [0b101, 0b1_0000_0001, 0b1_0000_0100]);
        assert_eq!(subsets_of(0b1_0000_0101, 4).count(), 0);
        assert_eq!(members(0b1_0000_0101).collect::<Vec<_>>(), [0, 2, 8]);
    }

    #[test]
    fn shared_houses_of_cells() {
        assert_eq!(shared_houses(Cell::at(0, 0), Cell::at(0, 2)).collect::<Vec<_>>(), [18, 0]);
        assert_eq!(shared_houses(Cell::at(0, 8), Cell::at(5, 8)).collect::<Vec<_>>(), [17]);
        assert_eq!(shared_houses(Cell::at(0, 0), Cell::at(5, 8)).count(), 0);
    }
}

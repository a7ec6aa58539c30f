//! Cells, houses and peers of the 9x9 grid. Rows, columns and boxes count from 0 here, from 1 in text.

use std::fmt;
use std::ops::{BitAnd, BitOr, Sub};

/// A cell, 0..=80, row by row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(u8);

impl Cell {
    /// Every cell in reading order.
    pub fn all() -> impl DoubleEndedIterator<Item = Cell> + ExactSizeIterator {
        (0..81u8).map(Cell)
    }

    /// The cell with this index, `None` from 81 on.
    pub fn new(index: usize) -> Option<Cell> {
        (index < 81).then_some(Cell(index as u8))
    }

    /// The cell in this row and column.
    ///
    /// # Panics
    /// When either is 9 or more.
    pub fn at(row: usize, col: usize) -> Cell {
        assert!(row < 9 && col < 9, "row {row}, column {col}");
        Cell((row * 9 + col) as u8)
    }

    /// 0..=80.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// 0..=8.
    pub fn row(self) -> usize {
        self.index() / 9
    }

    /// 0..=8.
    pub fn col(self) -> usize {
        self.index() % 9
    }

    /// 0..=8, row by row.
    pub fn box_(self) -> usize {
        self.row() / 3 * 3 + self.col() / 3
    }

    /// Its box, row and column, as indices into [`HOUSES`], each with its place in that house, 0..=8.
    pub fn houses(self) -> [(usize, usize); 3] {
        CELL_HOUSES[self.index()].map(|(house, place)| (usize::from(house), usize::from(place)))
    }

    /// The 20 other cells that share a house with this one.
    pub fn peers(self) -> &'static [u8; 20] {
        &PEERS[self.index()]
    }
}

impl fmt::Display for Cell {
    /// As `r1c1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "r{}c{}", self.row() + 1, self.col() + 1)
    }
}

/// A set of cells: bit i is cell i.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CellSet(u128);

impl CellSet {
    /// No cell.
    pub const EMPTY: CellSet = CellSet(0);

    /// All 81.
    pub const ALL: CellSet = CellSet((1 << 81) - 1);

    /// The cells of a house (0..27, as [`HOUSES`]).
    pub fn house(house: usize) -> CellSet {
        CellSet(HOUSE_SETS[house])
    }

    /// The 20 peers of a cell.
    pub fn peers(cell: Cell) -> CellSet {
        CellSet(PEER_SETS[cell.index()])
    }

    /// The cells whose flag is set.
    pub fn from_flags(flags: &[bool; 81]) -> CellSet {
        // Eight flags at a time: the product brings the lowest bit of each byte to the top one.
        let eight = |flags: &[bool]| {
            let bytes = flags.iter().rev().fold(0u64, |bytes, &flag| bytes << 8 | u64::from(flag));
            u128::from(bytes.wrapping_mul(0x0102_0408_1020_4080) >> 56)
        };
        CellSet(flags.chunks(8).rev().fold(0, |set, flags| set << flags.len() | eight(flags)))
    }

    /// The set of these cells of the nine rows: bit c of row r is column c.
    pub fn from_rows(rows: [u16; 9]) -> CellSet {
        CellSet(rows.into_iter().rev().fold(0, |set, row| set << 9 | u128::from(row & 0x1ff)))
    }

    /// Adds a cell.
    pub fn insert(&mut self, cell: Cell) {
        self.0 |= 1 << cell.0;
    }

    /// Takes a cell out.
    pub fn remove(&mut self, cell: Cell) {
        self.0 &= !(1 << cell.0);
    }

    /// Whether it holds the cell.
    pub fn contains(self, cell: Cell) -> bool {
        self.0 >> cell.0 & 1 == 1
    }

    /// Whether it holds the cell with this index, 0..=80.
    pub fn has_index(self, index: u8) -> bool {
        self.0 >> index & 1 == 1
    }

    /// Which cells of a house (0..27, as [`HOUSES`]) it holds: bit i is the house's cell i.
    pub fn in_house(self, house: usize) -> u16 {
        /// A column's cells, and what moves each, 9k, to bit 64 + k without a carry.
        const COLUMN: u128 = sets(&houses())[9];
        const GATHER: u128 = 0x1_0101_0101_0101_0101;
        let bits = match house {
            0..9 => self.0 >> (9 * house),
            9..18 => (self.0 >> (house - 9) & COLUMN).wrapping_mul(GATHER) >> 64,
            _ => {
                let (band, stack) = ((house - 18) / 3, (house - 18) % 3);
                let bits = self.0 >> (27 * band + 3 * stack);
                bits & 0o7 | bits >> 6 & 0o70 | bits >> 12 & 0o700
            }
        };
        bits as u16 & 0x1ff
    }

    /// Whether it holds none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many it holds.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Its cells in reading order.
    pub fn iter(self) -> impl Iterator<Item = Cell> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let cell = (left != 0).then(|| Cell(left.trailing_zeros() as u8))?;
            left &= left - 1;
            Some(cell)
        })
    }
}

impl FromIterator<Cell> for CellSet {
    fn from_iter<I: IntoIterator<Item = Cell>>(cells: I) -> CellSet {
        CellSet(cells.into_iter().fold(0, |set, cell| set | 1 << cell.0))
    }
}

impl BitAnd for CellSet {
    type Output = CellSet;
    fn bitand(self, other: CellSet) -> CellSet {
        CellSet(self.0 & other.0)
    }
}

impl BitOr for CellSet {
    type Output = CellSet;
    fn bitor(self, other: CellSet) -> CellSet {
        CellSet(self.0 | other.0)
    }
}

impl Sub for CellSet {
    type Output = CellSet;
    /// Without those of `other`.
    fn sub(self, other: CellSet) -> CellSet {
        CellSet(self.0 & !other.0)
    }
}

/// The 27 houses: rows, columns, boxes, each with its nine cell indices.
pub static HOUSES: [[u8; 9]; 27] = houses();

/// For each cell, its 20 peers in reading order.
pub static PEERS: [[u8; 20]; 81] = peers();

static CELL_HOUSES: [[(u8, u8); 3]; 81] = cell_houses();

static HOUSE_SETS: [u128; 27] = sets(&houses());

static PEER_SETS: [u128; 81] = sets(&peers());

const fn sets<const N: usize, const M: usize>(lists: &[[u8; N]; M]) -> [u128; M] {
    let mut table = [0; M];
    let mut i = 0;
    while i < N * M {
        table[i / N] |= 1 << lists[i / N][i % N];
        i += 1;
    }
    table
}

const fn houses() -> [[u8; 9]; 27] {
    let mut table = [[0; 9]; 27];
    let mut cell = 0;
    while cell < 81 {
        let (row, col) = (cell / 9, cell % 9);
        table[row][col] = cell as u8;
        table[9 + col][row] = cell as u8;
        table[18 + row / 3 * 3 + col / 3][row % 3 * 3 + col % 3] = cell as u8;
        cell += 1;
    }
    table
}

const fn cell_houses() -> [[(u8, u8); 3]; 81] {
    let mut table = [[(0, 0); 3]; 81];
    let mut cell = 0;
    while cell < 81 {
        let (row, col) = (cell as u8 / 9, cell as u8 % 9);
        table[cell] = [(18 + row / 3 * 3 + col / 3, row % 3 * 3 + col % 3), (row, col), (9 + col, row)];
        cell += 1;
    }
    table
}

const fn peers() -> [[u8; 20]; 81] {
    let mut table = [[0; 20]; 81];
    let mut cell = 0;
    while cell < 81 {
        let (mut other, mut n) = (0, 0);
        while other < 81 {
            let same_row = cell / 9 == other / 9;
            let same_col = cell % 9 == other % 9;
            let same_box = cell / 27 == other / 27 && cell % 9 / 3 == other % 9 / 3;
            if cell != other && (same_row || same_col || same_box) {
                table[cell][n] = other as u8;
                n += 1;
            }
            other += 1;
        }
        cell += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn houses_and_peers_agree() {
        for cell in Cell::all() {
            let mut seen = CellSet::EMPTY;
            for house in HOUSES.iter().filter(|house| house.contains(&(cell.index() as u8))) {
                house.iter().filter_map(|&i| Cell::new(usize::from(i))).for_each(|c| seen.insert(c));
            }
            assert_eq!(seen.len(), 21);
            let places = cell.houses().map(|(house, place)| HOUSES[house][place]);
            assert_eq!(places, [cell.index() as u8; 3]);
            assert!(cell.houses().is_sorted_by_key(|&(house, _)| (house + 9) % 27), "box, row, column");
            let peers: Vec<usize> = cell.peers().iter().map(|&p| usize::from(p)).collect();
            let expected: Vec<usize> = seen.iter().filter(|&c| c != cell).map(Cell::index).collect();
            assert_eq!(peers, expected, "{cell}");
        }
    }

    #[test]
    fn flags_are_cells() {
        for cell in Cell::all() {
            let flags = std::array::from_fn(|i| i == cell.index() || i % 7 == 3);
            let expected = Cell::all().filter(|other| flags[other.index()]).collect();
            assert_eq!(CellSet::from_flags(&flags), expected, "{cell}");
        }
    }

    #[test]
    fn places_in_houses() {
        for (house, cells) in HOUSES.iter().enumerate() {
            for (i, &cell) in cells.iter().enumerate() {
                let alone = CellSet(1 << cell);
                assert_eq!(alone.in_house(house), 1 << i, "house {house}");
                assert_eq!((CellSet::ALL - alone).in_house(house), 0x1ff - (1 << i), "house {house}");
            }
            assert_eq!((CellSet::ALL - CellSet::house(house)).in_house(house), 0);
        }
    }

    #[test]
    fn names() {
        assert_eq!(Cell::at(2, 4).to_string(), "r3c5");
        assert_eq!(Cell::at(8, 8).box_(), 8);
        assert_eq!(Cell::at(3, 2).box_(), 3);
        assert_eq!(Cell::new(81), None);
    }
}

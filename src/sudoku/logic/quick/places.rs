//! [`Places`]: a set of cells in a form in which the singles of all houses fall out of a few operations.
//!
//! Must never know of digits.

use crate::sudoku::geometry::{Cell, CellSet};
use std::ops::{BitAnd, BitOr, Sub};

/// A set of cells: a word a band (and one to fill the register), in which row r of the band takes bits 10r..10r+9. The
/// tenth bit of each row is never set, so that subtracting one from each row borrows from no other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Places([u32; 4]);

/// The lowest bit of each row.
const ROWS: u32 = 1 | 1 << 10 | 1 << 20;
/// The tenth bit of each row.
const GUARDS: u32 = ROWS << 9;
/// A row's cells.
const ROW: u32 = 0x1ff;
/// The first cell of each box in a row.
const BOXES: u32 = 0b001_001_001;

impl Places {
    /// No cell.
    pub const NONE: Places = Places([0; 4]);
    /// All 81.
    pub const ALL: Places = Places([ROWS * ROW, ROWS * ROW, ROWS * ROW, 0]);

    /// The set of one cell.
    pub fn of(cell: Cell) -> Places {
        SETS[cell.index()].0
    }

    /// A cell and its peers.
    pub fn seen_from(cell: Cell) -> Places {
        SETS[cell.index()].1
    }

    /// The three words of the bands.
    pub fn bands(self) -> [u32; 3] {
        [self.0[0], self.0[1], self.0[2]]
    }

    /// The set of these words.
    pub fn from_bands(bands: [u32; 3]) -> Places {
        Places([bands[0], bands[1], bands[2], 0])
    }

    /// Whether it holds none.
    pub fn is_empty(self) -> bool {
        self.0[0] | self.0[1] | self.0[2] == 0
    }

    /// Its cells in reading order.
    pub fn iter(self) -> impl Iterator<Item = Cell> {
        let (mut band, mut bits) = (0, self.0[0]);
        std::iter::from_fn(move || {
            while bits == 0 {
                band += 1;
                bits = *self.0.get(band)?;
            }
            let at = bits.trailing_zeros() as usize;
            bits &= bits - 1;
            Cell::new(27 * band + at - at / 10)
        })
    }

    /// The cells that are the only ones of the set in their row.
    pub fn only_in_row(self) -> Places {
        self.map(|x| {
            // Without the lowest of each row; then the rows that have cells left.
            let more = x & ((x | GUARDS) - ROWS);
            let several = ((more | GUARDS) - ROWS) & GUARDS;
            x & !(several - (several >> 9))
        })
    }

    /// The cells that are the only ones of the set in their column.
    pub fn only_in_column(self) -> Places {
        let [a, b, c] = self.bands();
        let (once, twice) = three_rows(a | b | c, a & b | (a | b) & c);
        let only = (once & !twice & ROW) * ROWS;
        self.map(|x| x & only)
    }

    /// The cells that are the only ones of the set in their box.
    pub fn only_in_box(self) -> Places {
        self.map(|x| {
            let (once, twice) = three_rows(x, 0);
            let twice = twice | twice >> 1 | twice >> 2 | once & once >> 1 | (once | once >> 1) & once >> 2;
            let once = once | once >> 1 | once >> 2;
            x & ((once & !twice & BOXES) * 0b111 * ROWS)
        })
    }

    fn map(self, f: impl Fn(u32) -> u32) -> Places {
        Places(self.0.map(f))
    }
}

/// Of sets of columns seen once and seen twice in the rows of a word, those of all its rows, in its first row.
fn three_rows(once: u32, twice: u32) -> (u32, u32) {
    let again = once & once >> 10 | (once | once >> 10) & once >> 20;
    (once | once >> 10 | once >> 20, twice | twice >> 10 | twice >> 20 | again)
}

impl BitAnd for Places {
    type Output = Places;
    fn bitand(self, other: Places) -> Places {
        Places(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }
}

impl BitOr for Places {
    type Output = Places;
    fn bitor(self, other: Places) -> Places {
        Places(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }
}

impl Sub for Places {
    type Output = Places;
    /// Without those of `other`.
    fn sub(self, other: Places) -> Places {
        Places(std::array::from_fn(|i| self.0[i] & !other.0[i]))
    }
}

impl From<CellSet> for Places {
    fn from(cells: CellSet) -> Places {
        let row = |row| u32::from(cells.in_house(row));
        Places::from_bands(std::array::from_fn(|band| {
            row(3 * band) | row(3 * band + 1) << 10 | row(3 * band + 2) << 20
        }))
    }
}

impl From<Places> for CellSet {
    fn from(places: Places) -> CellSet {
        CellSet::from_rows(std::array::from_fn(|row| (places.0[row / 3] >> (10 * (row % 3)) & ROW) as u16))
    }
}

/// For each cell the set of itself, and of itself with its peers.
static SETS: [(Places, Places); 81] = sets();

const fn sets() -> [(Places, Places); 81] {
    let mut table = [(Places::NONE, Places::NONE); 81];
    let mut cell = 0;
    while cell < 81 {
        let (row, col) = (cell / 9, cell % 9);
        table[cell].0.0[row / 3] = 1 << (10 * (row % 3) + col);
        let mut band = 0;
        while band < 3 {
            table[cell].1.0[band] = ROWS << col;
            band += 1;
        }
        table[cell].1.0[row / 3] |= ROW << (10 * (row % 3)) | (ROWS * 0b111) << (col / 3 * 3);
        cell += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sudoku::random::{Purpose, Random};

    fn random_sets() -> impl Iterator<Item = CellSet> {
        let mut random = Random::new(1, Purpose::Fill, 0);
        (0..2_000).map(move |i| Cell::all().filter(|_| random.below(1 + i % 12) == 0).collect())
    }

    #[test]
    fn singles_are_those_that_counting_finds() {
        for cells in random_sets() {
            let places = Places::from(cells);
            let only = |houses: std::ops::Range<usize>| -> CellSet {
                let alone = |cell: &Cell| {
                    let mut own = houses.clone().map(CellSet::house).filter(|house| house.contains(*cell));
                    own.any(|house| (house & cells).len() == 1)
                };
                cells.iter().filter(alone).collect()
            };
            assert_eq!(CellSet::from(places.only_in_row()), only(0..9), "{cells:?}");
            assert_eq!(CellSet::from(places.only_in_column()), only(9..18), "{cells:?}");
            assert_eq!(CellSet::from(places.only_in_box()), only(18..27), "{cells:?}");
        }
    }

    #[test]
    fn sets_come_back() {
        for cells in random_sets() {
            let places = Places::from(cells);
            assert_eq!(CellSet::from(places), cells);
            assert!(places.iter().eq(cells.iter()));
            assert_eq!(places.is_empty(), cells.is_empty());
        }
        for cell in Cell::all() {
            assert!(Places::of(cell).iter().eq([cell]));
            let mut seen = CellSet::peers(cell);
            seen.insert(cell);
            assert_eq!(CellSet::from(Places::seen_from(cell)), seen);
        }
        assert_eq!(CellSet::from(Places::ALL), CellSet::ALL);
    }
}

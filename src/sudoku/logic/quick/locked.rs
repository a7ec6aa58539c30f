//! Locked candidates by table: how a digit lies in the nine crossings of three boxes and three lines of a band or stack says
//! which crossings it loses.
//!
//! Must never know how hard a deduction is.

use super::board::Board;
use super::places::Places;

/// Crossings of a band or stack: bit 3b + l is box b with line l, both counted within it.
type Crossings = u16;

/// What locks: the places of a box in one line, or those of a line in one box.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lock {
    Pointing,
    Claiming,
}

/// Removes what pointing removes; whether there was anything.
pub fn point(board: &mut Board) -> bool {
    remove(board, Lock::Pointing)
}

/// Removes what claiming removes; whether there was anything.
pub fn claim(board: &mut Board) -> bool {
    remove(board, Lock::Claiming)
}

/// Where no hidden single is left: places what pointing leaves alone in another box; whether there was anything.
///
/// Claiming needs no such sweep. Let all places of a digit in a row lie in one box, and let another row of the band have
/// places there and one more, in a second box. Then those of the third box are in the third row: if it is one it is a
/// single, else they point, and that leaves the one in the second box alone.
pub fn point_directly(board: &mut Board) -> bool {
    (1..=9).fold(false, |any, digit| {
        let all = board.cells_with(digit);
        let mut singles = Places::NONE;
        for part in PARTS {
            let occupied = part.crossings(all);
            if Lock::Pointing.lost(occupied) != 0 {
                // Each box for itself: what only several together leave alone is harder to see.
                for lost in (0..3).map(|box_| Lock::Pointing.lost_to(box_, occupied)).filter(|&lost| lost != 0) {
                    singles = singles | (all - part.cells(lost)).only_in_box();
                }
            }
        }
        board.place(digit, singles) || any
    })
}

fn remove(board: &mut Board, lock: Lock) -> bool {
    (1..=9).fold(false, |any, digit| {
        let mut gone = Places::NONE;
        for part in PARTS {
            let lost = lock.lost(part.crossings(board.cells_with(digit)));
            if lost != 0 {
                gone = gone | part.cells(lost);
            }
        }
        board.remove(digit, gone) || any
    })
}

impl Lock {
    /// The occupied crossings that are lost to some lock.
    fn lost(self, occupied: Crossings) -> Crossings {
        static POINTING: [Crossings; 512] = table(Lock::Pointing);
        static CLAIMING: [Crossings; 512] = table(Lock::Claiming);
        match self {
            Lock::Pointing => POINTING[usize::from(occupied)],
            Lock::Claiming => CLAIMING[usize::from(occupied)],
        }
    }

    /// The occupied crossings that are lost because a group, box or line 0..3, has one only.
    const fn lost_to(self, group: usize, occupied: Crossings) -> Crossings {
        let own = occupied & self.group(group);
        if own.count_ones() != 1 {
            return 0;
        }
        let at = own.trailing_zeros() as usize;
        let crossing = match self {
            Lock::Pointing => LINE << (at % 3),
            Lock::Claiming => BOX << (at / 3 * 3),
        };
        occupied & crossing & !own
    }

    const fn group(self, group: usize) -> Crossings {
        match self {
            Lock::Pointing => BOX << (3 * group),
            Lock::Claiming => LINE << group,
        }
    }
}

/// The crossings of the first box.
const BOX: Crossings = 0b111;
/// The crossings of the first line.
const LINE: Crossings = 0b001_001_001;

const fn table(lock: Lock) -> [Crossings; 512] {
    let mut table = [0; 512];
    let mut occupied = 0;
    while occupied < 512 {
        let mut group = 0;
        while group < 3 {
            table[occupied] |= lock.lost_to(group, occupied as Crossings);
            group += 1;
        }
        occupied += 1;
    }
    table
}

/// Three boxes in a row or in a column.
#[derive(Clone, Copy)]
enum Part {
    Band(usize),
    Stack(usize),
}

const PARTS: [Part; 6] = [Part::Band(0), Part::Band(1), Part::Band(2), Part::Stack(0), Part::Stack(1), Part::Stack(2)];

/// A bit in each row of a band.
const ROWS: u32 = 1 | 1 << 10 | 1 << 20;

impl Part {
    /// The crossings where the set has cells.
    fn crossings(self, places: Places) -> Crossings {
        match self {
            Part::Band(band) => {
                let word = places.bands()[band];
                let boxes = word | word >> 1 | word >> 2;
                let line = |row: u32| (boxes >> (10 * row)) as Crossings & LINE;
                line(0) | line(1) << 1 | line(2) << 2
            }
            Part::Stack(stack) => places.bands().iter().rev().fold(0, |crossings, word| {
                let columns = word | word >> 10 | word >> 20;
                crossings << 3 | (columns >> (3 * stack)) as Crossings & BOX
            }),
        }
    }

    /// All cells of these crossings.
    fn cells(self, crossings: Crossings) -> Places {
        let crossings = u32::from(crossings);
        let mut bands = [0; 3];
        match self {
            Part::Band(band) => {
                let row = |row: u32| ((crossings >> row & u32::from(LINE)) * 0b111) << (10 * row);
                bands[band] = row(0) | row(1) | row(2);
            }
            Part::Stack(stack) => {
                bands = [0, 3, 6].map(|box_| ((crossings >> box_ & u32::from(BOX)) << (3 * stack)) * ROWS);
            }
        }
        Places::from_bands(bands)
    }
}

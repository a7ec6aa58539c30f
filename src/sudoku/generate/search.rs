//! SEARCH: each grid filled at random by a small search of its own.
//!
//! Never by a kernel, which may change its order of search: the grids of a seed must not. The three boxes
//! on the diagonal are filled at random (they do not see each other), the rest by backtracking on the
//! cell with the fewest candidates, digits tried in random order.

use crate::sudoku::geometry::Cell;
use crate::sudoku::grid::Grid;
use crate::sudoku::random::{Purpose, Random};

/// Digits tried before a fill starts anew; one in some thousands needs it, and it bounds the worst case.
const PATIENCE: u32 = 400;

/// Item `index` of a seed, with this digit in row 1 column 1 unless 0.
pub fn item(seed: u64, index: u64, first_cell: u8) -> Grid {
    let mut grid = fill(&mut Random::new(seed, Purpose::Fill, index));
    let found = grid[0];
    if first_cell != 0 {
        // Exchange two digits: as random as before.
        for digit in &mut grid {
            *digit = match *digit {
                d if d == found => first_cell,
                d if d == first_cell => found,
                d => d,
            };
        }
    }
    Grid::from_digits(grid).expect("digits 1-9")
}

/// The digits of a completed grid.
pub fn fill(random: &mut Random) -> [u8; 81] {
    loop {
        if let Some(digits) = Fill::new(random).run(random) {
            return digits;
        }
    }
}

/// A grid being filled. Bit d - 1 of a mask is digit d.
struct Fill {
    digits: [u8; 81],
    /// Digits used in each row, column and box.
    rows: [u16; 9],
    cols: [u16; 9],
    boxes: [u16; 9],
    /// The cells off the diagonal boxes: `order[..filled]` are filled, in this order.
    order: [Spot; 54],
    filled: usize,
    /// Digits tried.
    tried: u32,
}

/// A cell and its houses.
#[derive(Clone, Copy)]
struct Spot {
    cell: u8,
    row: u8,
    col: u8,
    box_: u8,
    /// Candidates not yet tried, while the cell is filled.
    untried: u16,
}

impl Fill {
    fn new(random: &mut Random) -> Fill {
        let mut fill =
            Fill { digits: [0; 81], rows: [0; 9], cols: [0; 9], boxes: [0; 9], order: SPOTS, filled: 0, tried: 0 };
        for corner in 0..3 {
            let mut box_digits = [1, 2, 3, 4, 5, 6, 7, 8, 9];
            random.shuffle(&mut box_digits);
            for (i, digit) in box_digits.into_iter().enumerate() {
                let cell = Cell::at(3 * corner + i / 3, 3 * corner + i % 3);
                fill.digits[cell.index()] = digit;
                fill.rows[cell.row()] |= 1 << (digit - 1);
                fill.cols[cell.col()] |= 1 << (digit - 1);
            }
            fill.boxes[4 * corner] = 0x1ff;
        }
        fill
    }

    /// Fills the rest; `None` when out of patience.
    fn run(mut self, random: &mut Random) -> Option<[u8; 81]> {
        while self.filled < self.order.len() {
            self.choose_cell();
            while self.order[self.filled].untried == 0 {
                // Back to the last cell filled.
                self.filled = self.filled.checked_sub(1)?;
                let spot = self.order[self.filled];
                self.toggle(spot, 1 << (self.digits[usize::from(spot.cell)] - 1));
            }
            self.tried += 1;
            if self.tried > PATIENCE {
                return None;
            }
            let spot = &mut self.order[self.filled];
            let digit = pick(spot.untried, random);
            spot.untried &= !digit;
            let spot = *spot;
            self.digits[usize::from(spot.cell)] = digit.trailing_zeros() as u8 + 1;
            self.toggle(spot, digit);
            self.filled += 1;
        }
        Some(self.digits)
    }

    /// Moves the open cell with the fewest candidates to `order[filled]`.
    fn choose_cell(&mut self) {
        let (mut best, mut fewest) = (self.filled, 10);
        for (i, spot) in self.order.iter().enumerate().skip(self.filled) {
            let count = COUNT[usize::from(self.candidates(spot))];
            if count < fewest {
                (best, fewest) = (i, count);
                if count <= 1 {
                    break;
                }
            }
        }
        self.order.swap(self.filled, best);
        self.order[self.filled].untried = self.candidates(&self.order[self.filled]);
    }

    fn candidates(&self, spot: &Spot) -> u16 {
        let used =
            self.rows[usize::from(spot.row)] | self.cols[usize::from(spot.col)] | self.boxes[usize::from(spot.box_)];
        !used & 0x1ff
    }

    fn toggle(&mut self, spot: Spot, digit: u16) {
        self.rows[usize::from(spot.row)] ^= digit;
        self.cols[usize::from(spot.col)] ^= digit;
        self.boxes[usize::from(spot.box_)] ^= digit;
    }
}

/// One bit of a mask, each equally likely.
fn pick(mut mask: u16, random: &mut Random) -> u16 {
    let count = COUNT[usize::from(mask)];
    if count > 1 {
        (0..random.below(count.into())).for_each(|_| mask &= mask - 1);
    }
    mask & mask.wrapping_neg()
}

/// How many bits a mask has: not every machine has an instruction for it.
static COUNT: [u8; 512] = {
    let mut table = [0; 512];
    let mut mask = 1usize;
    while mask < 512 {
        table[mask] = table[mask / 2] + (mask % 2) as u8;
        mask += 1;
    }
    table
};

const SPOTS: [Spot; 54] = {
    let mut spots = [Spot { cell: 0, row: 0, col: 0, box_: 0, untried: 0 }; 54];
    let (mut cell, mut n) = (0u8, 0);
    while cell < 81 {
        let (row, col) = (cell / 9, cell % 9);
        if row / 3 != col / 3 {
            spots[n] = Spot { cell, row, col, box_: row / 3 * 3 + col / 3, untried: 0 };
            n += 1;
        }
        cell += 1;
    }
    spots
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grids_are_valid_and_keep_the_first_cell() {
        for index in 0..300 {
            let first_cell = (index % 10) as u8;
            let grid = item(1, index, first_cell);
            assert!(grid.is_solved());
            assert!(first_cell == 0 || grid.digits()[0] == first_cell);
        }
    }

    #[test]
    fn every_digit_reaches_every_cell_about_as_often() {
        let mut counts = [[0u32; 10]; 81];
        for index in 0..1800 {
            let grid = item(2, index, 0);
            counts.iter_mut().zip(grid.digits()).for_each(|(count, &digit)| count[usize::from(digit)] += 1);
        }
        for count in counts.iter().flat_map(|count| &count[1..]) {
            // 200 expected, standard deviation 13.3.
            assert!((130..270).contains(count), "{count}");
        }
    }
}

//! What contradictions teach about where to guess, for the few searches that go astray.
//!
//! Guessing in cells with two candidates is best almost always, but a contradiction among cells that all have
//! more is then proven again and again. Each dead end adds weight to the houses where it showed; after many, the
//! cell with the most weight for each candidate is guessed in (the weighted degree heuristic of Boussemart, Hemery,
//! Lecoutre and Sais, "Boosting systematic search by weighting constraints", 2004).

use super::bands::Bands;
use super::branch::Guess;
use super::lanes::Lanes;
use super::layout::{CELL, FIRST_BAND};
use crate::sudoku::geometry::Cell;

/// Dead ends before any is weighed: few puzzles of the hardest known sets have as many.
const CALM: u32 = 200;
/// Dead ends before the weights decide.
const ASTRAY: u32 = 250;

/// The dead ends of one search.
#[derive(Clone, Debug, Default)]
pub struct Blame {
    dead_ends: u32,
    /// Of rows, columns and boxes.
    weights: [u32; 27],
}

impl Blame {
    /// Whether there was no dead end yet.
    pub fn is_none(&self) -> bool {
        self.dead_ends == 0
    }

    /// Whether guesses should follow the weights now.
    pub fn decides(&self) -> bool {
        self.dead_ends >= ASTRAY
    }

    /// Learns from a dead state.
    pub fn record(&mut self, dead: &Bands) {
        self.dead_ends = self.dead_ends.saturating_add(1);
        if self.dead_ends < CALM {
            return;
        }
        for (lane, mut bits) in dead.faults().to_array().into_iter().enumerate().take(3) {
            while bits != 0 {
                let cell = cell(27 * lane + usize::from(FIRST_BAND[bits.trailing_zeros() as usize]));
                houses(cell).into_iter().for_each(|house| self.weights[house] += 1);
                bits &= bits - 1;
            }
        }
        if self.weights.iter().any(|&weight| weight > 1 << 20) {
            self.weights.iter_mut().for_each(|weight| *weight /= 2);
        }
    }

    /// The guess that the weights ask for in a stalled state.
    pub fn choose(&self, bands: &Bands) -> Guess {
        let mut best = (0, 1, Guess { cell: 0, d: 0, digits: 0 });
        for cell in Cell::all() {
            let digits = bands.with_candidate_in(Lanes::new(CELL[cell.index()]));
            let count = digits.count_ones();
            let weight = 1 + houses(cell).into_iter().map(|house| self.weights[house]).sum::<u32>();
            if count > 1 && weight * best.1 > best.0 * count {
                best = (weight, count, Guess { cell: cell.index(), d: digits.trailing_zeros() as usize / 4, digits });
            }
        }
        best.2
    }
}

fn cell(index: usize) -> Cell {
    Cell::new(index).expect("a cell of the bands")
}

fn houses(cell: Cell) -> [usize; 3] {
    [cell.row(), 9 + cell.col(), 18 + cell.box_()]
}

//! What contradictions teach about where to guess, for the few searches that go astray.
//!
//! Guessing in cells with two candidates is best almost always, but a contradiction among cells that all have more is
//! then proven again and again. In a long search each dead end adds weight to the houses where it shows, and the cell
//! with the most weight for each candidate is guessed in (the weighted degree heuristic of Boussemart, Hemery, Lecoutre
//! and Sais, "Boosting systematic search by weighting constraints", 2004). Knows nothing of lanes.

use super::cells::{ALL, Cells};
use crate::sudoku::geometry::{Cell, HOUSES};
use std::collections::BTreeMap;

/// Guesses after which the dead ends of a puzzle are looked at: few of the hardest puzzles known take as many.
pub const CALM: u64 = 400;
/// Guesses after which the weights decide.
pub const ASTRAY: u64 = 500;
/// Weights are halved before they could overflow.
const HEAVIEST: u32 = 1 << 20;

/// The weights of rows, columns and boxes, as [`HOUSES`] has them, for each puzzle that takes long.
#[derive(Debug, Default)]
pub struct Blame(BTreeMap<u32, [u32; 27]>);

impl Blame {
    /// Forgets all.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Learns from a dead end of a puzzle.
    #[cold]
    pub fn record(&mut self, puzzle: u32, dead: &Cells) {
        let weights = self.0.entry(puzzle).or_default();
        for (weight, house) in weights.iter_mut().zip(&HOUSES) {
            *weight += u32::from(shows_contradiction(house.map(|cell| dead.0[usize::from(cell)])));
        }
        if weights.iter().any(|&weight| weight > HEAVIEST) {
            weights.iter_mut().for_each(|weight| *weight /= 2);
        }
    }

    /// The cell to guess in.
    #[cold]
    pub fn choose(&self, puzzle: u32, cells: &Cells) -> Option<usize> {
        let weights = self.0.get(&puzzle)?;
        let mut best = (None, 0, 1);
        for cell in Cell::all() {
            let count = cells.0[cell.index()].count_ones();
            let weight = 1 + weights[cell.row()] + weights[9 + cell.col()] + weights[18 + cell.box_()];
            if count > 1 && weight * best.2 > best.1 * count {
                best = (Some(cell.index()), weight, count);
            }
        }
        best.0
    }
}

/// Whether a house has an empty cell, no place for some digit, or two cells that claim the same.
fn shows_contradiction(house: [u16; 9]) -> bool {
    let (mut any, mut settled, mut clash) = (0, 0, 0);
    for x in house {
        any |= x;
        if x.is_power_of_two() {
            clash |= settled & x;
            settled |= x;
        }
    }
    house.contains(&0) || any != ALL || clash != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contradictions_show() {
        let open = [ALL; 9];
        let with = |at: usize, x: u16| std::array::from_fn(|i| if i == at || i == 8 { x } else { ALL });
        assert!(!shows_contradiction(open) && !shows_contradiction(with(8, 1)));
        assert!(shows_contradiction(with(8, 0)), "an empty cell");
        assert!(shows_contradiction(with(3, 1)), "a digit twice");
        assert!(shows_contradiction([ALL ^ 4; 9]), "no place for 3");
    }

    #[test]
    fn the_blamed_cell_with_few_candidates_is_chosen() {
        let mut cells = Cells([ALL; 96]);
        let mut blame = Blame::default();
        assert_eq!(blame.choose(7, &cells), None);
        cells.0[40] = 0;
        (0..3).for_each(|_| blame.record(7, &cells));
        cells.0[40] = ALL;
        assert_eq!(blame.choose(7, &cells), Some(40), "in three blamed houses");
        cells.0[44] = 0b11;
        assert_eq!(blame.choose(7, &cells), Some(44), "in one, but with two candidates");
        assert_eq!(blame.choose(8, &cells), None);
    }
}

//! Singles: the last empty cell of a house, the only place for a digit in a house, the only candidate of a cell.
//!
//! Must never know of other techniques.

use super::digits::Digits;
use super::order::houses;
use super::score::Score;
use super::state::State;
use super::step::{Found, Step};
use super::technique::Technique;
use crate::sudoku::geometry::{Cell, HOUSES};
use std::ops::ControlFlow;

/// The last empty cells of houses, then the hidden singles of boxes, then those of columns and rows.
pub fn find_hidden(state: &State, found: Found) -> ControlFlow<()> {
    for last in [true, false] {
        for house in houses() {
            if (state.empty().in_house(house).count_ones() == 1) != last {
                continue;
            }
            let (technique, score) = match house {
                _ if last => (Technique::LastInHouse, 10),
                18.. => (Technique::HiddenSingleBox, 12),
                _ => (Technique::HiddenSingleLine, 15),
            };
            for digit in 1..=9 {
                let places = state.places(house, digit);
                if places.count_ones() == 1 {
                    let cell = HOUSES[house][places.trailing_zeros() as usize];
                    let cell = Cell::new(usize::from(cell)).expect("houses hold cells");
                    found(Step { houses: vec![house as u8], ..single(technique, score, cell, digit) })?;
                }
            }
        }
    }
    ControlFlow::Continue(())
}

/// Cells with one candidate, in reading order.
pub fn find_naked(state: &State, found: Found) -> ControlFlow<()> {
    for cell in state.empty().iter() {
        if let Some(digit) = state.candidates(cell).single() {
            found(single(Technique::NakedSingle, 23, cell, digit))?;
        }
    }
    ControlFlow::Continue(())
}

fn single(technique: Technique, score: u8, cell: Cell, digit: u8) -> Step {
    Step {
        cells: [cell].into_iter().collect(),
        digits: Digits::of(digit),
        placement: Some((cell, digit)),
        ..Step::new(technique, Score(score))
    }
}

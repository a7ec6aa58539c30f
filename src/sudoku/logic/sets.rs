//! Naked and hidden sets: as many digits as cells in a house, so the cells hold no other digit and the digits no other cell.
//!
//! Must never know of other techniques.

use super::digits::Digits;
use super::order::{houses, members, tuples};
use super::score::Score;
use super::state::State;
use super::step::{Found, Step};
use super::technique::Technique;
use crate::sudoku::geometry::{Cell, CellSet, HOUSES};
use std::ops::ControlFlow;

/// Naked pairs, triplets or quads: `size` cells that have `size` candidates among them.
pub fn find_naked(state: &State, size: u32, found: Found) -> ControlFlow<()> {
    let (technique, score) = match size {
        2 => (Technique::NakedPair, 30),
        3 => (Technique::NakedTriplet, 36),
        _ => (Technique::NakedQuad, 50),
    };
    for house in houses().filter(|&house| empty_in(state, house) >= 2 * size) {
        let candidates = HOUSES[house].map(|cell| state.candidates(cell_at(cell)).bits());
        for (places, digits) in tuples(candidates, size) {
            let (cells, digits) = (cells_at(house, places), Digits::from_bits(digits));
            let removals = state.having(CellSet::house(house) - cells, digits);
            if !removals.is_empty() {
                let houses = vec![house as u8];
                found(Step { cells, digits, houses, removals, ..Step::new(technique, Score(score)) })?;
            }
        }
    }
    ControlFlow::Continue(())
}

/// Hidden pairs, triplets or quads: `size` digits that have `size` places among them.
pub fn find_hidden(state: &State, size: u32, found: Found) -> ControlFlow<()> {
    let (technique, score) = match size {
        2 => (Technique::HiddenPair, 34),
        3 => (Technique::HiddenTriplet, 40),
        _ => (Technique::HiddenQuad, 54),
    };
    for house in houses().filter(|&house| empty_in(state, house) > 2 * size) {
        for (digits, places) in tuples(places_in(state, house), size) {
            let (cells, digits) = (cells_at(house, places), Digits::from_bits(digits));
            let removals = state.having(cells, Digits::ALL - digits);
            if !removals.is_empty() {
                let houses = vec![house as u8];
                found(Step { cells, digits, houses, removals, ..Step::new(technique, Score(score)) })?;
            }
        }
    }
    ControlFlow::Continue(())
}

/// Direct hidden pairs or triplets: those that leave a further digit one place in the house.
pub fn find_direct(state: &State, size: u32, found: Found) -> ControlFlow<()> {
    let (technique, score) = match size {
        2 => (Technique::DirectHiddenPair, 20),
        _ => (Technique::DirectHiddenTriplet, 25),
    };
    for house in houses().filter(|&house| empty_in(state, house) > size) {
        let places_of = places_in(state, house);
        for (digits, places) in tuples(places_of, size) {
            let digits = Digits::from_bits(digits);
            let single = (Digits::ALL - digits).iter().find_map(|digit| {
                let all = places_of[usize::from(digit) - 1];
                let left = all & !places;
                let only = left.count_ones() == 1 && all != left;
                only.then(|| (cell_at(HOUSES[house][left.trailing_zeros() as usize]), digit))
            });
            if single.is_some() {
                let (cells, houses) = (cells_at(house, places), vec![house as u8]);
                found(Step { cells, digits, houses, placement: single, ..Step::new(technique, Score(score)) })?;
            }
        }
    }
    ControlFlow::Continue(())
}

fn places_in(state: &State, house: usize) -> [u16; 9] {
    std::array::from_fn(|i| state.places(house, i as u8 + 1))
}

fn empty_in(state: &State, house: usize) -> u32 {
    state.empty().in_house(house).count_ones()
}

fn cells_at(house: usize, places: u16) -> CellSet {
    members(places).map(|i| cell_at(HOUSES[house][i])).collect()
}

fn cell_at(index: u8) -> Cell {
    Cell::new(usize::from(index)).expect("houses hold cells")
}

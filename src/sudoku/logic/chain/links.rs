//! Links: what one literal implies at once. In the order in which Sudoku Explainer follows them, since the first way
//! to a literal is the one that counts.
//!
//! Must never know of chains.

use super::candidate::Candidate;
use crate::sudoku::Cell;
use crate::sudoku::geometry::HOUSES;
use crate::sudoku::logic::digits::Digits;
use crate::sudoku::logic::state::State;
use std::ops::ControlFlow;

/// Which links count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Links {
    /// Between the candidates of a cell (Y-links).
    pub cells: bool,
    /// To the last place of a digit in a house (X-links). From a digit's place to its other places they always count.
    pub houses: bool,
}

impl Links {
    /// One digit's.
    pub const X: Links = Links { cells: false, houses: true };
    pub const Y: Links = Links { cells: true, houses: false };
    pub const XY: Links = Links { cells: true, houses: true };
}

/// Why a literal follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cause {
    /// It was assumed.
    Assumed,
    /// A cell holds one digit.
    Cell,
    /// A house (0..27) holds a digit once.
    House(u8),
    /// A technique removed it.
    Technique,
}

/// Visits each candidate that goes when this one holds.
pub(super) fn excluded<B>(
    state: &State,
    on: Candidate,
    links: Links,
    mut visit: impl FnMut(Candidate, Cause) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let (cell, digit) = (on.cell(), on.digit());
    if links.cells {
        for other in (state.candidates(cell) - Digits::of(digit)).iter() {
            visit(Candidate::new(cell, other), Cause::Cell)?;
        }
    }
    let [block, row, col] = cell.houses();
    // Places in the row and column that lie in the box are visited with the box.
    let (in_row, in_col) = (0b111 << (cell.col() / 3 * 3), 0b111 << (cell.row() / 3 * 3));
    for ((house, place), seen) in [(block, 0), (row, in_row), (col, in_col)] {
        for other in places(house, state.places(house, digit) & !(1 << place) & !seen) {
            visit(Candidate::new(other, digit), Cause::House(house as u8))?;
        }
    }
    ControlFlow::Continue(())
}

/// Visits each candidate that is the last one left of a cell or house when this one goes; the same one may come
/// several times.
pub(super) fn forced<B>(
    state: &State,
    off: Candidate,
    links: Links,
    mut visit: impl FnMut(Candidate, Cause) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let (cell, digit) = (off.cell(), off.digit());
    if links.cells
        && let Some(other) = (state.candidates(cell) - Digits::of(digit)).single()
    {
        visit(Candidate::new(cell, other), Cause::Cell)?;
    }
    if links.houses {
        for (house, place) in cell.houses() {
            let others = state.places(house, digit) & !(1 << place);
            if others.is_power_of_two() {
                for other in places(house, others) {
                    visit(Candidate::new(other, digit), Cause::House(house as u8))?;
                }
            }
        }
    }
    ControlFlow::Continue(())
}

/// The cells at these places of a house.
pub(super) fn places(house: usize, mut places: u16) -> impl Iterator<Item = Cell> {
    std::iter::from_fn(move || {
        let place = (places != 0).then(|| places.trailing_zeros() as usize)?;
        places &= places - 1;
        Cell::new(usize::from(HOUSES[house][place]))
    })
}

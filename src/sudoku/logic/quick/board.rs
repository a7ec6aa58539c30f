//! [`Board`]: digits placed and candidates left, for deductions on all cells at once.
//!
//! Must never know how hard a deduction is.

use super::places::Places;
use crate::sudoku::geometry::Cell;
use crate::sudoku::grid::Grid;
use crate::sudoku::logic::state::State;
use crate::sudoku::logic::step::Step;

/// What a [`State`] holds, a set of cells for each digit. Places many singles at once.
#[derive(Clone, Debug)]
pub struct Board {
    placed: Grid,
    empty: Places,
    candidates: [Places; 9],
}

impl Board {
    /// The board in which only the givens are known, `None` if they contradict each other.
    pub fn new(puzzle: &Grid) -> Option<Board> {
        let mut board = Board { placed: *puzzle, empty: Places::ALL, candidates: [Places::ALL; 9] };
        for (cell, &digit) in Cell::all().zip(puzzle.digits()) {
            if let Some(index) = usize::from(digit).checked_sub(1) {
                let (own, places) = (Places::of(cell), board.candidates[index]);
                if (places & own).is_empty() {
                    return None;
                }
                board.candidates[index] = places - Places::seen_from(cell);
                board.empty = board.empty - own;
            }
        }
        board.candidates = board.candidates.map(|places| places & board.empty);
        Some(board)
    }

    /// Whether every cell holds a digit.
    pub fn is_complete(&self) -> bool {
        self.empty.is_empty()
    }

    /// The cells without a digit.
    pub fn empty(&self) -> Places {
        self.empty
    }

    /// The cells that a digit, 1-9, is a candidate of.
    pub fn cells_with(&self, digit: u8) -> Places {
        self.candidates[usize::from(digit) - 1]
    }

    /// Takes cells out of a digit's candidates; whether there were any.
    pub fn remove(&mut self, digit: u8, cells: Places) -> bool {
        let own = &mut self.candidates[usize::from(digit) - 1];
        let gone = *own & cells;
        *own = *own - cells;
        !gone.is_empty()
    }

    /// Places a digit in each of these cells that still has it as a candidate; whether there was one. No two equal digits
    /// come to stand in a house, whatever is asked for.
    pub fn place(&mut self, digit: u8, cells: Places) -> bool {
        let index = usize::from(digit) - 1;
        let mut done = Places::NONE;
        for cell in cells.iter() {
            let own = Places::of(cell);
            if !(self.candidates[index] & own).is_empty() {
                self.candidates[index] = self.candidates[index] - Places::seen_from(cell);
                self.placed.set(cell, digit);
                done = done | own;
            }
        }
        self.empty = self.empty - done;
        self.candidates = self.candidates.map(|places| places - done);
        !done.is_empty()
    }

    /// Places for each digit the cells that `singles` picks of its candidates; whether there was one.
    pub fn place_hidden(&mut self, singles: impl Fn(Places) -> Places) -> bool {
        (1..=9).fold(false, |any, digit| {
            let cells = singles(self.cells_with(digit));
            !cells.is_empty() && self.place(digit, cells) || any
        })
    }

    /// Places what is the only candidate of its cell; whether there was one.
    pub fn place_naked(&mut self) -> bool {
        let (mut once, mut twice) = (Places::NONE, Places::NONE);
        for &places in &self.candidates {
            (once, twice) = (once | places, twice | once & places);
        }
        let single = once - twice;
        !single.is_empty() && self.place_hidden(|places| places & single)
    }

    /// Removes and places as the step says; whether that changes anything.
    pub fn apply(&mut self, step: &Step) -> bool {
        let removed = step.removals.iter().fold(false, |any, &(cell, digits)| {
            digits.iter().fold(any, |any, digit| self.remove(digit, Places::of(cell)) || any)
        });
        let placed = step.placement.is_some_and(|(cell, digit)| self.place(digit, Places::of(cell)));
        removed || placed
    }

    /// The same as a state.
    pub fn state(&self) -> State {
        State::from_parts(&self.placed, self.candidates.map(Into::into))
    }
}

impl From<&State> for Board {
    fn from(state: &State) -> Board {
        let candidates = std::array::from_fn(|index| state.cells_with(index as u8 + 1).into());
        Board { placed: *state.placed(), empty: state.empty().into(), candidates }
    }
}

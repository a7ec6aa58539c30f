//! [`State`]: what a person's pencil marks say: the digits placed and the candidates left.
//!
//! Must never know of techniques: it places and removes as told.

use super::digits::Digits;
use crate::sudoku::{Cell, CellSet, Grid};

/// Digits placed, and the candidates of each empty cell. An empty cell with one candidate stays empty until
/// the digit is placed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    placed: Grid,
    empty: CellSet,
    candidates: [Digits; 81],
    /// For each digit the cells it is a candidate of.
    cells: [CellSet; 9],
    /// For each house and digit the places in the house.
    places: [[u16; 9]; 27],
}

impl State {
    /// The state in which only the givens are known: each empty cell has the digits that none of its peers holds.
    pub fn new(puzzle: &Grid) -> State {
        let mut state = State {
            placed: Grid::EMPTY,
            empty: CellSet::ALL,
            candidates: [Digits::ALL; 81],
            cells: [CellSet::ALL; 9],
            places: [[0x1ff; 9]; 27],
        };
        for cell in Cell::all().filter(|&cell| puzzle.get(cell) != 0) {
            state.place(cell, puzzle.get(cell));
        }
        state
    }

    /// The state with these digits placed and these candidates: for each digit its cells, all of them empty.
    pub fn from_parts(placed: &Grid, cells: [CellSet; 9]) -> State {
        let (mut candidates, mut places) = ([Digits::NONE; 81], [[0; 9]; 27]);
        for (index, cells) in cells.iter().enumerate() {
            for cell in cells.iter() {
                candidates[cell.index()] = candidates[cell.index()] | Digits::from_bits(1 << index);
                cell.houses().into_iter().for_each(|(house, place)| places[house][index] |= 1 << place);
            }
        }
        let empty = Cell::all().filter(|&cell| placed.get(cell) == 0).collect();
        State { placed: *placed, empty, candidates, cells, places }
    }

    /// The digits placed.
    pub fn placed(&self) -> &Grid {
        &self.placed
    }

    /// The cells without a digit.
    pub fn empty(&self) -> CellSet {
        self.empty
    }

    /// Whether every cell holds a digit.
    pub fn is_complete(&self) -> bool {
        self.empty.is_empty()
    }

    /// Candidates of a cell; none where a digit stands.
    pub fn candidates(&self, cell: Cell) -> Digits {
        self.candidates[cell.index()]
    }

    /// The cells a digit, 1-9, is a candidate of.
    pub fn cells_with(&self, digit: u8) -> CellSet {
        self.cells[usize::from(digit) - 1]
    }

    /// Where in a house (0..27, as [`HOUSES`](crate::sudoku::geometry::HOUSES)) a digit may go: bit i is the house's
    /// cell i.
    pub fn places(&self, house: usize, digit: u8) -> u16 {
        self.places[house][usize::from(digit) - 1]
    }

    /// Those of the cells that have some of the digits as candidates, in reading order, and which.
    pub fn having(&self, cells: CellSet, digits: Digits) -> Vec<(Cell, Digits)> {
        let shared = cells.iter().map(|cell| (cell, self.candidates(cell) & digits));
        shared.filter(|(_, shared)| !shared.is_empty()).collect()
    }

    /// Places a digit, 1-9, and removes it from the cell's peers.
    pub fn place(&mut self, cell: Cell, digit: u8) {
        self.placed.set(cell, digit);
        self.empty.remove(cell);
        self.remove(cell, Digits::ALL);
        for peer in (self.cells_with(digit) & CellSet::peers(cell)).iter() {
            self.remove(peer, Digits::of(digit));
        }
    }

    /// Removes candidates from a cell.
    pub fn remove(&mut self, cell: Cell, digits: Digits) {
        for digit in (self.candidates(cell) & digits).iter() {
            self.cells[usize::from(digit) - 1].remove(cell);
            for (house, place) in cell.houses() {
                self.places[house][usize::from(digit) - 1] &= !(1 << place);
            }
        }
        self.candidates[cell.index()] = self.candidates(cell) - digits;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn givens_leave_what_no_peer_holds() {
        let mut puzzle = Grid::EMPTY;
        puzzle.set(Cell::at(0, 0), 5);
        puzzle.set(Cell::at(1, 4), 7);
        let mut state = State::new(&puzzle);
        assert_eq!(state.candidates(Cell::at(0, 0)), Digits::NONE);
        assert_eq!(state.candidates(Cell::at(0, 4)).to_string(), "1234689");
        assert_eq!(state.candidates(Cell::at(8, 8)), Digits::ALL);
        assert_eq!(state.places(0, 7), 0b111_000_110);
        assert_eq!(state.cells_with(5).len(), 59);
        state.remove(Cell::at(0, 1), Digits::of(7));
        assert_eq!(state.places(0, 7), 0b111_000_100);
        assert_eq!(state.placed(), &puzzle);
    }
}

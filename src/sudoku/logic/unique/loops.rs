//! Loops: cells, each sharing a house with the next, whose candidates include the same two digits.
//!
//! Must never know what follows from them.

use crate::sudoku::geometry::{Cell, CellSet};
use crate::sudoku::logic::order::{cells_in, houses_of};
use crate::sudoku::logic::{Digits, State};

/// A closed loop.
pub struct Loop<'a> {
    /// Its cells in order; the first has no other candidates.
    pub cells: &'a [Cell],
    /// The two digits.
    pub pair: Digits,
}

/// Reports the loops in which every house has no cell or two, an even and an odd one, counted along the loop. Each is found
/// from several cells and in both directions.
pub fn for_each_loop(state: &State, take: &mut dyn FnMut(Loop)) {
    for start in state.empty().iter().filter(|&cell| state.candidates(cell).len() == 2) {
        let mut walk = Walk { state, pair: state.candidates(start), path: Vec::new(), visited: [0; 2], take };
        walk.step_to(start, 2, Digits::NONE, None);
    }
}

/// A walk that may become a loop.
struct Walk<'a> {
    state: &'a State,
    pair: Digits,
    path: Vec<Cell>,
    /// The houses of the even and of the odd cells of the path, as bits.
    visited: [u32; 2],
    take: &'a mut dyn FnMut(Loop),
}

impl Walk<'_> {
    /// Goes on from this cell. `spare` is how many cells with other candidates may still follow, `extra` the other
    /// candidates seen so far, on the path or beside it; `kind` (box, row, column) of the house that led here.
    fn step_to(&mut self, cell: Cell, spare: i32, mut extra: Digits, kind: Option<usize>) {
        let houses = houses_of(cell).into_iter().fold(0, |bits, house| bits | 1u32 << house);
        let parity = self.path.len() % 2;
        if self.visited[parity] & houses != 0 {
            return;
        }
        self.visited[parity] |= houses;
        self.path.push(cell);
        for (next_kind, house) in houses_of(cell).into_iter().enumerate().filter(|&(next, _)| Some(next) != kind) {
            for next in cells_in(house) {
                let candidates = self.state.candidates(next);
                if next == self.path[0] && self.path.len() >= 4 {
                    self.close();
                } else if candidates.includes(self.pair) && !self.path.contains(&next) {
                    extra = (extra | candidates) - self.pair;
                    if candidates.len() == 2 || extra.len() == 1 || spare > 0 {
                        self.step_to(next, spare - i32::from(candidates.len() > 2), extra, Some(next_kind));
                    }
                }
            }
        }
        self.path.pop();
        self.visited[parity] &= !houses;
    }

    fn close(&mut self) {
        if self.visited[0] == self.visited[1] {
            (self.take)(Loop { cells: &self.path, pair: self.pair });
        }
    }
}

impl Loop<'_> {
    /// Its cells as a set.
    pub fn cell_set(&self) -> CellSet {
        self.cells.iter().copied().collect()
    }

    /// The cells with other candidates, in order.
    pub fn open(&self, state: &State) -> Vec<Cell> {
        self.cells.iter().copied().filter(|&cell| state.candidates(cell).len() > 2).collect()
    }
}

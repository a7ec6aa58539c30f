//! XY-Wing and XYZ-Wing: a cell whose every digit makes one of two peers, or itself, a third digit.
//!
//! Must never know of other techniques.

use super::order::peers;
use super::score::Score;
use super::state::State;
use super::step::{Found, Step};
use super::technique::Technique;
use crate::sudoku::geometry::{Cell, CellSet};
use std::ops::ControlFlow;

/// XY-Wings: the pivot, `cells`, has two candidates, the pincers are `beside`, and what goes is the third digit.
pub fn find_xy(state: &State, found: Found) -> ControlFlow<()> {
    find(state, Step::new(Technique::XyWing, Score(42)), found)
}

/// XYZ-Wings: the pivot has three, so only what it sees too loses the third.
pub fn find_xyz(state: &State, found: Found) -> ControlFlow<()> {
    find(state, Step::new(Technique::XyzWing, Score(44)), found)
}

fn find(state: &State, named: Step, found: Found) -> ControlFlow<()> {
    let with_z = named.technique == Technique::XyzWing;
    for pivot in state.empty().iter() {
        let xy = state.candidates(pivot);
        if xy.len() != 2 + u32::from(with_z) {
            continue;
        }
        let bivalue = || peers(pivot).map(|cell| (cell, state.candidates(cell))).filter(|(_, two)| two.len() == 2);
        for (first, xz) in bivalue().filter(|&(_, xz)| (xy - xz).len() == 1) {
            for (second, yz) in bivalue() {
                let all_three = (xy & xz & yz).len();
                if (xy | xz | yz).len() == 3 && all_three == u32::from(with_z) {
                    let seen_by = if with_z { [pivot, first, second] } else { [first, first, second] };
                    let removals = state.having(seen_by_all(seen_by), xz & yz);
                    if !removals.is_empty() {
                        let (cells, beside) = (of(&[pivot]), of(&[first, second]));
                        found(Step { cells, beside, digits: xy | xz | yz, removals, ..named.clone() })?;
                    }
                }
            }
        }
    }
    ControlFlow::Continue(())
}

fn of(cells: &[Cell]) -> CellSet {
    cells.iter().copied().collect()
}

fn seen_by_all(cells: [Cell; 3]) -> CellSet {
    cells.into_iter().fold(CellSet::ALL, |seen, cell| seen & CellSet::peers(cell))
}

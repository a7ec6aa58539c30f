//! Rating what needs no more than naked triplets, many deductions at once.
//!
//! Up to that difficulty the order of steps changes nothing: a deduction that is there stays there, or becomes easier, until
//! it is made. So the ER is the lowest score up to which all techniques together solve the puzzle, and what is found in
//! bulk counts as what is found one by one. A puzzle that is solved has no other solution: nothing was assumed.

mod board;
mod locked;
mod places;

use super::rating::{Progress, Rating};
use super::score::Score;
use super::state::State;
use super::step::Found;
use super::{fish, sets};
use crate::sudoku::{CellSet, Grid};
use board::Board;
use std::ops::ControlFlow;

/// What one technique finds on the whole board; whether that changed anything.
type Sweep = fn(&mut Board) -> bool;

/// The techniques, the easiest first.
const SWEEPS: [(Score, Sweep); 14] = [
    (Score(10), last_in_house),
    (Score(12), |board| board.place_hidden(|places| places.only_in_box())),
    (Score(15), |board| board.place_hidden(|places| places.only_in_row() | places.only_in_column())),
    (Score(17), locked::point_directly),
    (Score(19), locked::claim_directly),
    (Score(20), |board| by_steps(board, |state, found| sets::find_direct(state, 2, found))),
    (Score(23), Board::place_naked),
    (Score(25), |board| by_steps(board, |state, found| sets::find_direct(state, 3, found))),
    (Score(26), locked::point),
    (Score(28), locked::claim),
    (Score(30), |board| by_steps(board, |state, found| sets::find_naked(state, 2, found))),
    (Score(32), |board| by_steps(board, |state, found| fish::find(state, 2, found))),
    (Score(34), |board| by_steps(board, |state, found| sets::find_hidden(state, 2, found))),
    (Score(36), |board| by_steps(board, |state, found| sets::find_naked(state, 3, found))),
];

/// The highest score that is decided here.
pub const HARDEST: Score = SWEEPS[SWEEPS.len() - 1].0;

/// Which sweeps to try first among those that are no harder than what was needed before: the fastest, the most fruitful.
const FASTEST: [usize; 14] = [6, 1, 2, 8, 9, 3, 4, 0, 5, 10, 7, 11, 12, 13];

/// The rating of a puzzle that needs nothing harder than [`HARDEST`] and so has exactly one solution, else `None`.
pub fn rate(puzzle: &Grid) -> Option<Rating> {
    let mut progress = Progress::default();
    let mut board = Board::new(puzzle)?;
    sweep_all(&mut board, &mut progress, HARDEST);
    board.is_complete().then_some(progress.rating())
}

/// Whether the ER of a puzzle is at most this limit, which counts as [`HARDEST`] if it is higher. If so, the puzzle has
/// exactly one solution.
pub fn solvable_within(puzzle: &Grid, limit: Score) -> bool {
    Board::new(puzzle).is_some_and(|board| swept(board, limit).is_complete())
}

/// The cells that stay empty when all is done that is no harder than this limit, as in [`solvable_within`].
pub fn unsolved_within(puzzle: &Grid, limit: Score) -> CellSet {
    Board::new(puzzle).map_or(CellSet::EMPTY, |board| swept(board, limit).empty().into())
}

fn swept(mut board: Board, limit: Score) -> Board {
    while fastest(&mut board, limit) {}
    board
}

/// Takes all steps up to [`HARDEST`] and adds them to the rating.
pub fn advance(state: &State, progress: &mut Progress) -> State {
    let mut board = Board::from(state);
    sweep_all(&mut board, progress, HARDEST);
    board.state()
}

fn sweep_all(board: &mut Board, progress: &mut Progress, limit: Score) {
    while !board.is_complete() {
        let er = progress.rating().er;
        // Until a digit is placed EP and ED depend on what is the easiest.
        if progress.placed() && fastest(board, er) {
            continue;
        }
        let empty = board.empty();
        let harder = |score: Score| score <= limit && (score > er || !progress.placed());
        let Some((score, _)) = SWEEPS.iter().find(|(score, sweep)| harder(*score) && sweep(board)) else { return };
        progress.add(*score, board.empty() != empty);
    }
}

/// One sweep that changes something and is no harder than the limit; whether there is one.
fn fastest(board: &mut Board, limit: Score) -> bool {
    FASTEST.iter().map(|&i| SWEEPS[i]).any(|(score, sweep)| score <= limit && sweep(board))
}

fn last_in_house(board: &mut Board) -> bool {
    let empty = board.empty();
    let last = empty.only_in_box() | empty.only_in_row() | empty.only_in_column();
    !last.is_empty() && board.place_hidden(|places| places & last)
}

/// Applies every step that the technique has.
fn by_steps(board: &mut Board, find: fn(&State, Found) -> ControlFlow<()>) -> bool {
    let state = board.state();
    let mut any = false;
    let _ = find(&state, &mut |step| {
        any |= board.apply(&step);
        ControlFlow::Continue(())
    });
    any
}

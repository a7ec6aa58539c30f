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
use crate::sudoku::{Cell, CellSet, Grid};
use board::Board;
use places::Places;
use std::ops::ControlFlow;

/// All that one technique finds on a board.
struct Sweep {
    score: Score,
    find: Find,
    /// From this score on others find all that this one does.
    until: Score,
}

/// How to find it.
enum Find {
    /// In bulk; whether that changed anything.
    Bulk(fn(&mut Board) -> bool),
    /// As the steps of a technique.
    Steps(fn(&State, Found) -> ControlFlow<()>),
}

const fn bulk(score: u8, until: u8, find: fn(&mut Board) -> bool) -> Sweep {
    Sweep { score: Score(score), find: Find::Bulk(find), until: Score(until) }
}

const fn steps(score: u8, until: u8, find: fn(&State, Found) -> ControlFlow<()>) -> Sweep {
    Sweep { score: Score(score), find: Find::Steps(find), until: Score(until) }
}

/// For what nothing makes needless.
const NEVER: u8 = u8::MAX;

/// The techniques, the easiest first.
const SWEEPS: [Sweep; 13] = [
    bulk(10, 15, last_in_house),
    bulk(12, NEVER, |board| board.place_hidden(Places::only_in_box)),
    bulk(15, NEVER, |board| board.place_hidden(|places| places.only_in_row() | places.only_in_column())),
    bulk(17, 26, locked::point_directly),
    steps(20, 34, |state, found| sets::find_direct(state, 2, found)),
    bulk(23, NEVER, Board::place_naked),
    steps(25, NEVER, |state, found| sets::find_direct(state, 3, found)),
    bulk(26, NEVER, locked::point),
    bulk(28, NEVER, locked::claim),
    steps(30, NEVER, |state, found| sets::find_naked(state, 2, found)),
    steps(32, NEVER, |state, found| fish::find(state, 2, found)),
    steps(34, NEVER, |state, found| sets::find_hidden(state, 2, found)),
    steps(36, NEVER, |state, found| sets::find_naked(state, 3, found)),
];

/// The highest score that is decided here: that of naked triplets, 3.6.
pub const QUICK: Score = SWEEPS[SWEEPS.len() - 1].score;

/// Which sweeps to try first where their order does not matter: the fastest, the most fruitful.
const FASTEST: [usize; 13] = [5, 1, 2, 7, 8, 3, 0, 4, 9, 11, 6, 10, 12];

/// The rating of a puzzle that needs nothing harder than [`QUICK`] and so has exactly one solution, else `None`.
pub fn rate(puzzle: &Grid) -> Option<Rating> {
    let mut progress = Progress::default();
    let mut board = Board::new(puzzle)?;
    sweep_all(&mut board, &mut progress);
    board.is_complete().then_some(progress.rating())
}

/// Whether the ER of a puzzle is at most this limit, which counts as [`QUICK`] if it is higher. If so, the puzzle has
/// exactly one solution.
pub fn solvable_within(puzzle: &Grid, limit: Score) -> bool {
    Reach::of(puzzle, limit).is_some_and(|reach| reach.unsolved().is_empty())
}

/// How far a puzzle is solved by all techniques up to a limit, as in [`solvable_within`].
#[derive(Clone, Debug)]
pub struct Reach(Board);

impl Reach {
    /// That of a puzzle, `None` if its givens contradict each other.
    pub fn of(puzzle: &Grid, limit: Score) -> Option<Reach> {
        let mut reach = Reach(Board::new(puzzle)?);
        reach.go_on(limit);
        Some(reach)
    }

    /// The cells that stay empty.
    pub fn unsolved(&self) -> CellSet {
        self.0.empty().into()
    }

    /// Goes on with techniques up to this limit.
    pub fn go_on(&mut self, limit: Score) {
        while fastest(&mut self.0, limit) {}
    }

    /// Takes a digit, 1-9, as given in a cell that is empty or holds it.
    pub fn give(&mut self, cell: Cell, digit: u8) {
        self.0.place(digit, Places::of(cell));
    }
}

/// Takes all steps up to [`QUICK`] and adds them to the rating.
pub fn advance(state: &State, progress: &mut Progress) -> State {
    let mut board = Board::from(state);
    sweep_all(&mut board, progress);
    board.state()
}

fn sweep_all(board: &mut Board, progress: &mut Progress) {
    while !board.is_complete() {
        let er = progress.rating().er;
        // Until a digit is placed EP and ED depend on what is the easiest.
        if progress.placed() && fastest(board, er) {
            continue;
        }
        let empty = board.empty();
        let harder = |sweep: &&Sweep| sweep.score > er || !progress.placed();
        let Some(sweep) = first_to_change(board, SWEEPS.iter().filter(harder)) else { return };
        progress.add(sweep.score, board.empty() != empty);
    }
}

/// Makes one sweep that changes something and is no harder than the limit; whether there was one.
fn fastest(board: &mut Board, limit: Score) -> bool {
    let sweeps = FASTEST.iter().map(|&i| &SWEEPS[i]);
    first_to_change(board, sweeps.filter(|sweep| sweep.score <= limit && limit < sweep.until)).is_some()
}

/// Makes sweep after sweep until one changes something: which one.
fn first_to_change<'a>(board: &mut Board, mut sweeps: impl Iterator<Item = &'a Sweep>) -> Option<&'a Sweep> {
    let mut state = None;
    sweeps.find(|sweep| match sweep.find {
        Find::Bulk(find) => find(board),
        Find::Steps(find) => apply_all(board, state.get_or_insert_with(|| board.state()), find),
    })
}

fn last_in_house(board: &mut Board) -> bool {
    let empty = board.empty();
    let last = empty.only_in_box() | empty.only_in_row() | empty.only_in_column();
    !last.is_empty() && board.place_hidden(|places| places & last)
}

/// Applies every step that a technique has on the board's state; whether that changed anything.
fn apply_all(board: &mut Board, state: &State, find: fn(&State, Found) -> ControlFlow<()>) -> bool {
    let mut any = false;
    let _ = find(state, &mut |step| {
        any |= board.apply(&step);
        ControlFlow::Continue(())
    });
    any
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sudoku::kernel::Kernel;
    use crate::sudoku::outcome::Limits;
    use crate::sudoku::solve::solve;

    #[test]
    fn a_given_taken_later_reaches_as_far_as_one_from_the_start() {
        let line = b".4..96..88......4.6925......17......4.....8..26..4...1.83.1...99..4.5....2.9...35";
        let puzzle = Grid::from_digits(line.map(|c| if c == b'.' { 0 } else { c - b'0' })).expect("digits");
        let solution = solve(Kernel::Reference, &puzzle, Limits::PROVE).solutions[0];
        let reach = Reach::of(&puzzle, QUICK).expect("no contradiction");
        assert!((2..=24).contains(&reach.unsolved().len()) && !solvable_within(&puzzle, QUICK));
        for cell in reach.unsolved().iter() {
            let mut later = reach.clone();
            later.give(cell, solution.get(cell));
            later.go_on(QUICK);
            let mut more = puzzle;
            more.set(cell, solution.get(cell));
            let from_the_start = Reach::of(&more, QUICK).expect("no contradiction");
            assert_eq!(later.unsolved(), from_the_start.unsolved(), "{cell}");
        }
        let mut easier = Reach::of(&puzzle, Score(12)).expect("no contradiction");
        assert!(easier.unsolved().len() > reach.unsolved().len());
        easier.go_on(QUICK);
        assert_eq!(easier.unsolved(), reach.unsolved());
    }
}

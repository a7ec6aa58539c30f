//! Solving as Sudoku Explainer 1.2.1 does: in each round the first step of the first technique that has one.

use super::rating::{Effort, Explained, Rated, Rating};
use super::state::State;
use super::step::{Found, Step, first};
use super::{aligned, bug, fish, locked, sets, singles, unique, wings};
use crate::sudoku::solve::Search;
use crate::sudoku::{Grid, Limits, Outcome, Pace};
use std::ops::ControlFlow;

/// Passes of the uniqueness proof between two questions to the pace: 0.1-0.4 ms.
const STRETCH: u32 = 256;

/// A technique: reports its steps in order until told to stop.
type Technique = fn(&State, Found) -> ControlFlow<()>;

/// The techniques in the order in which they are tried.
const ORDER: [Technique; 20] = [
    singles::find_hidden,
    locked::find_direct,
    |state, found| sets::find_direct(state, 2, found),
    singles::find_naked,
    |state, found| sets::find_direct(state, 3, found),
    locked::find,
    |state, found| sets::find_naked(state, 2, found),
    |state, found| fish::find(state, 2, found),
    |state, found| sets::find_hidden(state, 2, found),
    |state, found| sets::find_naked(state, 3, found),
    |state, found| fish::find(state, 3, found),
    |state, found| sets::find_hidden(state, 3, found),
    wings::find_xy,
    wings::find_xyz,
    unique::find,
    |state, found| sets::find_naked(state, 4, found),
    |state, found| fish::find(state, 4, found),
    |state, found| sets::find_hidden(state, 4, found),
    bug::find,
    aligned::find_pairs,
];

/// Rates a puzzle. `pace` is asked at least each millisecond.
pub fn rate(puzzle: &Grid, effort: Effort, pace: &mut dyn FnMut() -> Pace) -> Rated {
    walk(puzzle, effort, pace, &mut |_| ())
}

/// Rates a puzzle and lists its steps, at most `max_steps` of them: 1 gives a hint. `pace` is asked at least each
/// millisecond.
pub fn explain(puzzle: &Grid, effort: Effort, max_steps: u32, pace: &mut dyn FnMut() -> Pace) -> Explained {
    let mut steps = Vec::new();
    let effort = Effort { steps: effort.steps.min(max_steps), ..effort };
    let rated = walk(puzzle, effort, pace, &mut |step| steps.push(step));
    Explained { rated, steps }
}

/// The first step on this state, if any technique has one.
pub fn next_step(state: &State) -> Option<Step> {
    ORDER.iter().find_map(|find| first(|found| find(state, found)))
}

/// Solves step by step, hands out each step, and keeps the rating.
fn walk(puzzle: &Grid, effort: Effort, pace: &mut dyn FnMut() -> Pace, taken: &mut dyn FnMut(Step)) -> Rated {
    match outcome(puzzle, effort, pace) {
        Outcome::Unique => {}
        other => return Rated::Refused(other),
    }
    let mut state = State::new(puzzle);
    let (mut rating, mut unplaced) = (Rating::default(), true);
    for nth in 0..effort.steps {
        if state.is_complete() {
            break;
        }
        if pace() == Pace::Stop {
            return Rated::AtLeast(rating);
        }
        let Some(step) = next_step(&state) else { return Rated::AtLeast(rating) };
        rating.add(&step, nth == 0, unplaced);
        unplaced &= step.placement.is_none();
        step.apply(&mut state);
        taken(step);
    }
    if state.is_complete() { Rated::Rated(rating) } else { Rated::AtLeast(rating) }
}

/// How many solutions there are; `Undecided` where a limit or the pace came first.
fn outcome(puzzle: &Grid, effort: Effort, pace: &mut dyn FnMut() -> Pace) -> Outcome {
    let limits = Limits { node_limit: effort.node_limit, ..Limits::PROVE };
    let mut search = Search::new(effort.kernel, puzzle, limits);
    while !search.run(STRETCH) {
        if pace() == Pace::Stop {
            return Outcome::Undecided;
        }
    }
    search.answer().outcome
}

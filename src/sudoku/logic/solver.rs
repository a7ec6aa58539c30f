//! Solving as Sudoku Explainer 1.2.1 does: in each round the first step of the first technique that has one.

use super::chain::{self, Terms};
use super::quick::{self, QUICK};
use super::rating::{Effort, Explained, Progress, Rated, Rating};
use super::score::Score;
use super::state::State;
use super::step::{Found, Step, first};
use super::{aligned, bug, fish, locked, sets, singles, unique, wings};
use crate::sudoku::solve::Search;
use crate::sudoku::{Grid, Limits, Outcome, Pace};
use std::ops::ControlFlow;

/// Passes of the uniqueness proof between two questions to the pace: 0.1-0.4 ms.
const STRETCH: u32 = 256;

/// Reports the steps of a technique in order until told to stop.
type Find = fn(&State, &mut Terms, Found) -> ControlFlow<()>;

/// The techniques in the order in which they are tried, each with the lowest score of its steps.
const ORDER: [(Score, Find); 30] = [
    (Score(10), |state, _, found| singles::find_hidden(state, found)),
    (Score(17), |state, _, found| locked::find_direct(state, found)),
    (Score(20), |state, _, found| sets::find_direct(state, 2, found)),
    (Score(23), |state, _, found| singles::find_naked(state, found)),
    (Score(25), |state, _, found| sets::find_direct(state, 3, found)),
    (Score(26), |state, _, found| locked::find(state, found)),
    (Score(30), |state, _, found| sets::find_naked(state, 2, found)),
    (Score(32), |state, _, found| fish::find(state, 2, found)),
    (Score(34), |state, _, found| sets::find_hidden(state, 2, found)),
    (Score(36), |state, _, found| sets::find_naked(state, 3, found)),
    (Score(38), |state, _, found| fish::find(state, 3, found)),
    (Score(40), |state, _, found| sets::find_hidden(state, 3, found)),
    (Score(42), |state, _, found| wings::find_xy(state, found)),
    (Score(44), |state, _, found| wings::find_xyz(state, found)),
    (Score(45), |state, _, found| unique::find(state, found)),
    (Score(50), |state, _, found| sets::find_naked(state, 4, found)),
    (Score(52), |state, _, found| fish::find(state, 4, found)),
    (Score(54), |state, _, found| sets::find_hidden(state, 4, found)),
    (Score(56), |state, _, found| bug::find(state, found)),
    (Score(62), |state, _, found| aligned::find_pairs(state, found)),
    (Score(65), chain::find_cycles_and_chains),
    (Score(75), |state, _, found| aligned::find_triplets(state, found)),
    (Score(75), chain::find_nishio),
    (Score(80), chain::find_multiple),
    (Score(85), chain::find_dynamic),
    (Score(90), chain::find_dynamic_plus),
    (Score(95), |state, terms, found| chain::find_nested(state, 2, terms, found)),
    (Score(100), |state, terms, found| chain::find_nested(state, 3, terms, found)),
    (Score(105), |state, terms, found| chain::find_nested(state, 4, terms, found)),
    (Score(110), |state, terms, found| chain::find_nested(state, 5, terms, found)),
];

/// Rates a puzzle. `pace` is asked at least each millisecond.
pub fn rate(puzzle: &Grid, effort: Effort, pace: &mut dyn FnMut() -> Pace) -> Rated {
    if let Some(rating) = quick::rate(puzzle) {
        return effort.judge(rating);
    }
    if let Err(refused) = prove(puzzle, effort, pace) {
        return refused;
    }
    let mut walk = Walk::new(puzzle, effort, pace, Telling::Rating);
    loop {
        if let Err(rated) = walk.step() {
            return rated;
        }
    }
}

/// Rates a puzzle and lists its steps, at most `max_steps` of them: 1 gives a hint. Ends with the last one listed, so that
/// the rating is then a bound. `pace` is asked at least each millisecond.
pub fn explain(puzzle: &Grid, effort: Effort, max_steps: u32, pace: &mut dyn FnMut() -> Pace) -> Explained {
    let mut steps = Vec::new();
    if let Err(rated) = prove(puzzle, effort, pace) {
        return Explained { rated, steps };
    }
    let mut walk = Walk::new(puzzle, effort, pace, Telling::Steps);
    for _ in 0..max_steps {
        match walk.step() {
            Ok(step) => steps.push(step),
            Err(rated) => return Explained { rated, steps },
        }
    }
    Explained { rated: walk.end(), steps }
}

/// What is wanted of a walk.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Telling {
    /// Every step, with its chains.
    Steps,
    /// What the steps come to: those up to [`QUICK`] are taken in bulk.
    Rating,
}

/// A puzzle being solved.
struct Walk<'a> {
    state: State,
    progress: Progress,
    effort: Effort,
    pace: &'a mut dyn FnMut() -> Pace,
    telling: Telling,
    hard_steps: u32,
}

impl<'a> Walk<'a> {
    fn new(puzzle: &Grid, effort: Effort, pace: &'a mut dyn FnMut() -> Pace, telling: Telling) -> Walk<'a> {
        let (state, progress) = (State::new(puzzle), Progress::default());
        Walk { state, progress, effort, pace, telling, hard_steps: 0 }
    }

    /// Takes the next step, or tells what the puzzle comes to without.
    fn step(&mut self) -> Result<Step, Rated> {
        if self.telling == Telling::Rating {
            self.state = quick::advance(&self.state, &mut self.progress);
        }
        if self.state.is_complete() || self.progress.rating().er > self.effort.er_limit {
            return Err(self.end());
        }
        let step = self.next()?;
        if step.score > QUICK {
            if self.hard_steps == self.effort.hard_steps {
                return Err(self.end());
            }
            self.hard_steps += 1;
        }
        self.progress.add(step.score, step.placement.is_some());
        step.apply(&mut self.state);
        Ok(step)
    }

    /// The first step of the first technique that has one.
    fn next(&mut self) -> Result<Step, Rated> {
        let mut stopped = false;
        let mut pace = || {
            stopped = stopped || (self.pace)() == Pace::Stop;
            if stopped { Pace::Stop } else { Pace::Continue }
        };
        let in_bulk = |least: Score| self.telling == Telling::Rating && least <= QUICK;
        for (least, find) in ORDER.into_iter().filter(|&(least, _)| !in_bulk(least)) {
            let known = self.progress.rating();
            if least > self.effort.er_limit {
                return Err(Rated::AtLeast(Rating { er: known.er.max(least), ..known }));
            }
            let mut terms = Terms { pace: &mut pace, chains: self.telling == Telling::Steps };
            if (terms.pace)() == Pace::Stop {
                break;
            }
            if let Some(step) = first(|found| find(&self.state, &mut terms, found)) {
                return Ok(step);
            }
        }
        Err(self.end())
    }

    /// What the steps so far come to.
    fn end(&self) -> Rated {
        let rating = self.progress.rating();
        if self.state.is_complete() { self.effort.judge(rating) } else { Rated::AtLeast(rating) }
    }
}

/// Refuses what has not exactly one solution.
fn prove(puzzle: &Grid, effort: Effort, pace: &mut dyn FnMut() -> Pace) -> Result<(), Rated> {
    let limits = Limits { node_limit: effort.node_limit, ..Limits::PROVE };
    let mut search = Search::new(effort.kernel, puzzle, limits);
    while !search.run(STRETCH) {
        if pace() == Pace::Stop {
            return Err(Rated::Refused(Outcome::Undecided));
        }
    }
    match search.answer().outcome {
        Outcome::Unique => Ok(()),
        other => Err(Rated::Refused(other)),
    }
}

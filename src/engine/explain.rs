//! Explaining one puzzle: what is asked, as work for a fiber, and what is refused.

use super::error::EngineError;
use super::limit::Limit;
use crate::pool::{Fiber, Fibers};
use crate::sudoku::logic::{self, Effort, Explained, Rated};
use crate::sudoku::{Canonical, Grid, Kernel, Outcome, Pace, canonical};
use std::time::{Duration, Instant};

/// What is to be explained.
#[derive(Clone, Copy, Debug)]
pub struct Explain {
    /// The puzzle.
    pub puzzle: Grid,
    /// Steps to take at the most; 1 is a hint.
    pub max_steps: u32,
    /// Search nodes for the proof that it has exactly one solution.
    pub node_limit: u64,
    /// When the steps found so far have to do.
    pub until: Option<Instant>,
}

/// What is said of a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// Its rating and steps; never `Refused`.
    pub explained: Explained,
    /// Its canonical form; `None` for a puzzle that is refused.
    pub canonical: Option<Canonical>,
}

impl Explain {
    /// The work. One step is at times a search of seconds.
    pub(super) fn fiber(self, fibers: &Fibers, kernel: Kernel) -> Fiber<Explanation> {
        let Explain { puzzle, max_steps, node_limit, .. } = self;
        let effort = Effort { node_limit, ..Effort::unlimited(kernel) };
        fibers.fiber(move |pace| {
            let mut pace = || if self.is_late() { Pace::Stop } else { pace() };
            let explained = logic::explain(&puzzle, effort, max_steps, &mut pace);
            let refused = matches!(explained.rated, Rated::Refused(_));
            let canonical = if refused { None } else { canonical(&puzzle) };
            Explanation { explained, canonical }
        })
    }

    /// What the work gave, if the puzzle has a rating.
    ///
    /// # Errors
    /// `NotUnique`, and `Exhausted` where it is not known whether it is. A call may take no longer than `time_limit`.
    pub(super) fn judge(&self, explanation: Explanation, time_limit: Duration) -> Result<Explanation, EngineError> {
        let Rated::Refused(outcome) = explanation.explained.rated else { return Ok(explanation) };
        let problem = match outcome {
            Outcome::Unsolvable => self.why_unsolvable(),
            Outcome::Undecided => return Err(self.undecided(time_limit)),
            _ => "has several solutions: only one that has exactly one has a rating".into(),
        };
        Err(EngineError::NotUnique { outcome, problem })
    }

    fn is_late(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() >= until)
    }

    /// What came before it was known how many solutions the puzzle has.
    fn undecided(&self, time_limit: Duration) -> EngineError {
        let (limit, first) = if self.is_late() {
            (Limit::SolveTime, format!("the call's deadline, or the {time_limit:?} that it may take,"))
        } else {
            (Limit::SolveNodes, format!("the limit of {} search nodes", self.node_limit))
        };
        let problem = format!("{first} came before it was known how many solutions the puzzle has");
        EngineError::Exhausted { limit, problem, retry_after: None }
    }

    fn why_unsolvable(&self) -> String {
        let clashing: Vec<String> = self.puzzle.conflicts().iter().map(|cell| cell.to_string()).collect();
        match clashing.as_slice() {
            [] => "has no solution, so it has no rating".into(),
            cells => format!("has no solution: equal givens clash in {}", cells.join(" ")),
        }
    }
}

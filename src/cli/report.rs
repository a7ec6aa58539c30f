//! How a batch went: items by outcome, and the first items that are not as they should be, each with its line.

use super::exit::{Ended, Exit};
use super::progress::{count, counted, pace};
use super::say::note;
use crate::job::Counts;
use crate::sudoku::text::TextItem;
use crate::sudoku::{Grid, Outcome};
use std::time::Instant;

/// Items named before only their number is told.
const NAMED: usize = 20;

/// What is wrong with puzzles that were to be solved.
pub const NOT_UNIQUE: [&str; 2] =
    ["has no unique solution or can't be read", "have no unique solution or can't be read"];

/// What is wrong with items that were to be generated.
pub const NOT_MADE: [&str; 2] = ["could not be made"; 2];

/// Counts by outcome and the first problems. Those of consecutive parts are merged in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    counts: Counts,
    problems: Vec<String>,
    problem_count: u64,
}

impl Report {
    /// Notes an item's outcome; `place` and `why` (the words of its fault) are asked only for one to be named.
    pub fn add(&mut self, outcome: Outcome, place: impl FnOnce() -> String, why: impl FnOnce() -> String) {
        if outcome.shows_grid() {
            return self.answered(outcome);
        }
        self.counts.add(outcome, 1);
        self.problem_count += 1;
        if self.problems.len() < NAMED {
            self.problems.push(format!("{}: {}", place(), words(outcome, why)));
        }
    }

    /// Notes the outcome of an item that is as it should be.
    pub fn answered(&mut self, outcome: Outcome) {
        self.counts.add(outcome, 1);
    }

    /// Adds the report of what follows.
    pub fn merge(&mut self, next: Report) {
        self.counts.merge(&next.counts);
        self.problem_count += next.problem_count;
        let room = NAMED - self.problems.len();
        self.problems.extend(next.problems.into_iter().take(room));
    }

    /// Items in all.
    pub fn total(&self) -> u64 {
        self.counts.total()
    }

    /// Tells on stderr how a file of puzzles went that was begun at `start`; the exit it means.
    pub fn tell_file(&self, name: &str, start: Instant) -> Ended {
        let ended = self.tell_problems(NOT_UNIQUE);
        if self.total() == 0 {
            note(format!("{name}: no puzzles"));
            return Ok(Exit::Done);
        }
        note(format!("{} ({})", self.summary(), pace(self.total(), start.elapsed())));
        ended
    }

    /// Names the problems on stderr; the exit they mean. What is wrong with an item is said of one, and of many.
    pub fn tell_problems(&self, wrong: [&str; 2]) -> Ended {
        for problem in &self.problems {
            note(problem);
        }
        if self.problem_count > self.problems.len() as u64 {
            note(format!("… and {} more", count(self.problem_count - self.problems.len() as u64)));
        }
        if self.problem_count == 0 {
            return Ok(Exit::Done);
        }
        let wrong = wrong[usize::from(self.problem_count != 1)];
        note(format!("{} of {} {wrong}", count(self.problem_count), counted(self.total(), "item")));
        Ok(Exit::Negative)
    }

    /// One line: how many items, and how many of each outcome.
    pub fn summary(&self) -> String {
        let each = Outcome::ALL.iter().filter(|&&outcome| self.counts.get(outcome) > 0);
        let each: Vec<String> =
            each.map(|&outcome| format!("{} {}", count(self.counts.get(outcome)), outcome.word())).collect();
        let all = counted(self.total(), "puzzle");
        if each.is_empty() { all } else { format!("{all}: {}", each.join(", ")) }
    }
}

/// Where an item stands: `file:line`, with the column of its fault.
pub fn place(file: &str, item: &TextItem) -> String {
    match &item.grid {
        Ok(_) => format!("{file}:{}", item.line),
        Err(error) => format!("{file}:{}:{}", error.line, error.fault.column),
    }
}

/// What is wrong with an item; `why` is asked where the outcome alone does not say it.
fn words(outcome: Outcome, why: impl FnOnce() -> String) -> String {
    match outcome {
        Outcome::Multiple => "more than one solution".into(),
        Outcome::Unsolvable => unsolvable(&why()),
        Outcome::Undecided => "undecided: a limit came first".into(),
        _ => why(),
    }
}

/// The words for a puzzle without a solution, with those of its clash, if it has one.
pub fn unsolvable(clash: &str) -> String {
    if clash.is_empty() { "no solution".into() } else { format!("no solution: {clash}") }
}

/// The words of an item's fault.
pub fn fault(item: &TextItem) -> String {
    match &item.grid {
        Ok(grid) => clash(grid),
        Err(error) => error.fault.to_string(),
    }
}

/// Which givens clash, in words; empty: none.
pub fn clash(puzzle: &Grid) -> String {
    let cells: Vec<String> = puzzle.conflicts().iter().map(|cell| cell.to_string()).collect();
    if cells.is_empty() { String::new() } else { format!("equal givens clash in {}", cells.join(" ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(outcomes: &[Outcome]) -> Report {
        let mut report = Report::default();
        for (i, &outcome) in outcomes.iter().enumerate() {
            report.add(outcome, || format!("f:{}", i + 1), || "bad".into());
        }
        report
    }

    #[test]
    fn names_the_first_problems_and_counts_all() {
        let mut all = report(&[Outcome::Unique, Outcome::Multiple, Outcome::Invalid]);
        assert_eq!(all.problems, ["f:2: more than one solution", "f:3: bad"]);
        all.merge(report(&[Outcome::Unsolvable; 30]));
        assert_eq!((all.problems.len(), all.problem_count, all.total()), (NAMED, 32, 33));
        assert_eq!(all.summary(), "33 puzzles: 1 unique, 1 multiple, 30 unsolvable, 1 invalid");
        assert_eq!(report(&[]).summary(), "0 puzzles");
    }
}

//! `rate`: how hard the puzzles of a file are for a person.

use super::args::EachArgs;
use super::each::{self, Answer};
use super::exit::Ended;
use crate::sudoku::Outcome;
use crate::sudoku::logic::{Effort, Level, Rated, Rating, Score, rate};
use serde::{Serialize, Serializer};
use std::fmt;

/// Runs the command.
///
/// # Errors
/// As the exit codes say.
pub fn run(args: &EachArgs) -> Ended {
    each::run(args, "rating", |kernel, puzzles, cancel| {
        let rated = puzzles.iter().map(|puzzle| rate(puzzle, Effort::unlimited(kernel), &mut || cancel.pace()));
        rated.map(answer).collect()
    })
}

fn answer(rated: Rated) -> Answer<Row> {
    match rated {
        Rated::Rated(rating) => Answer { outcome: Outcome::Unique, row: Some(Row::of(rating)) },
        Rated::AtLeast(_) => Answer { outcome: Outcome::Undecided, row: None },
        Rated::Refused(outcome) => Answer { outcome, row: None },
    }
}

/// The fields of a rating.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Row {
    #[serde(serialize_with = "as_number")]
    er: Score,
    #[serde(serialize_with = "as_number")]
    ep: Score,
    #[serde(serialize_with = "as_number")]
    ed: Score,
    #[serde(serialize_with = "as_name")]
    level: Level,
}

impl Row {
    /// Those of this rating.
    pub fn of(rating: Rating) -> Row {
        Row { er: rating.er, ep: rating.ep, ed: rating.ed, level: Level::of(rating.er) }
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\t{}\t{}\t{}", self.er, self.ep, self.ed, self.level)
    }
}

/// As `7.1`.
pub fn as_number<S: Serializer>(score: &Score, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(f64::from(score.0) / 10.0)
}

fn as_name<S: Serializer>(level: &Level, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(level.name())
}

//! `explain`: one puzzle as a person would solve it: rating, level, and each step in a sentence.

use super::args::{ExplainArgs, Form};
use super::canonical::Row as FormRow;
use super::exit::{Ended, Exit, Failure};
use super::progress::counted;
use super::rate::{Row, as_number};
use super::report::{clash, unsolvable};
use super::say::say;
use crate::sudoku::logic::{
    Assertion, Digits, Effort, Explained, Level, RATING_NAME, Rated, Rating, Score, Step, explain, sentence,
};
use crate::sudoku::{Canonical, Cell, Grid, Kernel, Outcome, Pace, canonical, text};
use serde::Serialize;
use std::io::Read;
use std::path::Path;

/// Bytes of stdin that are looked at: more than any form of one grid takes.
const MOST_BYTES: u64 = 64 << 10;

/// Runs the command.
///
/// # Errors
/// As the exit codes say.
pub fn run(args: &ExplainArgs) -> Ended {
    let puzzle = puzzle(&args.puzzle)?;
    let effort = Effort::unlimited(Kernel::default());
    let explained = explain(&puzzle, effort, args.max_steps.unwrap_or(u32::MAX), &mut || Pace::Continue);
    let (rating, complete) = match explained.rated {
        Rated::Rated(rating) => (rating, true),
        Rated::AtLeast(rating) => (rating, false),
        Rated::Refused(outcome) => return Err(refused(&puzzle, outcome)),
    };
    match args.format {
        Form::Text => say(page(&puzzle, &explained, rating, complete).trim_end())?,
        Form::Json => {
            let answer = Answer::new(&puzzle, &explained, rating, complete);
            say(serde_json::to_string(&answer).map_err(|e| Failure::io(format!("internal fault: {e}")))?)?;
        }
    }
    Ok(Exit::Done)
}

/// The grid that the text holds, `-` being what stands on stdin.
fn puzzle(given: &str) -> Result<Grid, Failure> {
    let mut read = Vec::new();
    if given == "-" {
        std::io::stdin().take(MOST_BYTES).read_to_end(&mut read).map_err(|e| Failure::read("stdin", &e))?;
    }
    let read = String::from_utf8_lossy(&read);
    let parsed = text::parse(if given == "-" { &read } else { given });
    parsed.map_err(|error| match Path::new(given).is_file() {
        true => Failure::usage(format!("PUZZLE is the puzzle itself; to read a file: sudokud explain - < {given}")),
        false => Failure { exit: Exit::Negative, message: error.to_string() },
    })
}

fn refused(puzzle: &Grid, outcome: Outcome) -> Failure {
    let what = match outcome {
        Outcome::Multiple => "more than one solution, so it has no rating and no steps that a person could take".into(),
        _ => unsolvable(&clash(puzzle)),
    };
    Failure { exit: Exit::Negative, message: format!("the puzzle has {what}") }
}

/// The answer for people.
fn page(puzzle: &Grid, explained: &Explained, rating: Rating, complete: bool) -> String {
    let least = if complete { "" } else { "at least " };
    let Rating { er, ep, ed } = rating;
    let mut page = format!("rating  {least}ER {er}  EP {ep}  ED {ed}  ({RATING_NAME})\n");
    page += &format!("level   {least}{}\n", Level::of(er));
    page += &format!("clues   {}\n", puzzle.clue_count());
    if let Some(Canonical { grid, automorphisms }) = canonical(puzzle) {
        page += &format!("form    {grid}  ({})\n", counted(automorphisms, "automorphism"));
    }
    page.push('\n');
    let number_width = explained.steps.len().to_string().len();
    let names = explained.steps.iter().map(|step| step.technique.name());
    let name_width = names.map(str::len).max().unwrap_or_default();
    let score_width = explained.steps.iter().map(|step| step.score.to_string().len()).max().unwrap_or_default();
    for (number, step) in (1..).zip(&explained.steps) {
        let (score, name) = (step.score, step.technique.name());
        page += &format!("{number:>number_width$}  {score:>score_width$}  {name:<name_width$}  {}\n", sentence(step));
    }
    page
}

/// The answer for programs.
#[derive(Serialize)]
struct Answer {
    rating: &'static str,
    /// Whether the steps solve the puzzle; if not, the numbers are lower bounds.
    complete: bool,
    #[serde(flatten)]
    numbers: Row,
    clues: usize,
    #[serde(flatten)]
    form: Option<FormRow>,
    steps: Vec<Told>,
}

/// A step.
#[derive(Serialize)]
struct Told {
    #[serde(serialize_with = "as_number")]
    difficulty: Score,
    technique: &'static str,
    sentence: String,
    cells: Vec<String>,
    digits: Vec<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    placement: Option<Placed>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    removals: Vec<Removed>,
    /// Each from its assumption to its end, as `r1c1 is 5` and `r1c1 is not 5`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    chains: Vec<Vec<String>>,
}

#[derive(Serialize)]
struct Placed {
    cell: String,
    digit: u8,
}

#[derive(Serialize)]
struct Removed {
    cell: String,
    digits: Vec<u8>,
}

impl Answer {
    fn new(puzzle: &Grid, explained: &Explained, rating: Rating, complete: bool) -> Answer {
        let steps = explained.steps.iter().map(Told::new).collect();
        Answer {
            rating: RATING_NAME,
            complete,
            numbers: Row::of(rating),
            clues: puzzle.clue_count(),
            form: canonical(puzzle).map(FormRow::of),
            steps,
        }
    }
}

impl Told {
    fn new(step: &Step) -> Told {
        let named = |cell: Cell| cell.to_string();
        let removed = |&(cell, digits): &(Cell, Digits)| Removed { cell: named(cell), digits: digits.iter().collect() };
        Told {
            difficulty: step.score,
            technique: step.technique.name(),
            sentence: sentence(step),
            cells: step.cells.iter().map(named).collect(),
            digits: step.digits.iter().collect(),
            placement: step.placement.map(|(cell, digit)| Placed { cell: named(cell), digit }),
            removals: step.removals.iter().map(removed).collect(),
            chains: step.chains.iter().map(|chain| chain.iter().map(Assertion::to_string).collect()).collect(),
        }
    }
}

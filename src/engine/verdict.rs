//! What becomes of an item, as the result that is stored. The words of every fault of ours are here.

use crate::job::codec::{Detail, ItemError, ItemResult};
use crate::sudoku::generate::puzzle::{Made, Shortfall};
use crate::sudoku::logic::Rated;
use crate::sudoku::text::Fault;
use crate::sudoku::{Answer, Grid, Outcome};

/// FOUND: a completed grid that was made.
pub(super) fn completed(grid: &Grid) -> ItemResult {
    ItemResult::answered(Outcome::Found, Some(*grid))
}

/// UNIQUE, with solution and rating, or why there is no rating. UNDECIDED where a limit came first, or no technique went
/// on: a rating that is "at least" would be taken for one.
pub(super) fn rated(answer: &Answer, rated: Rated) -> ItemResult {
    match rated {
        Rated::Rated(rating) => ItemResult {
            detail: Some(Detail::Rating(rating)),
            ..ItemResult::answered(Outcome::Unique, answer.solutions.first().copied())
        },
        Rated::AtLeast(_) => ItemResult::answered(Outcome::Undecided, None),
        Rated::Refused(outcome) => ItemResult::answered(outcome, None),
    }
}

/// UNIQUE, or FOUND where several solutions are allowed: a puzzle that was made, with its solution. FAILED where no attempt
/// met its wishes.
pub(super) fn made(place: Result<Made, Shortfall>, allow_multiple: bool) -> ItemResult {
    match place {
        Ok(Made { puzzle, solution, .. }) => {
            let outcome = if allow_multiple { Outcome::Found } else { Outcome::Unique };
            let detail = Some(Detail::Puzzle(puzzle));
            ItemResult { detail, ..ItemResult::answered(outcome, Some(solution)) }
        }
        Err(shortfall) => failed("GENERATION_FAILED", &shortfall.to_string()),
    }
}

/// INVALID: the text was no puzzle.
pub(super) fn invalid(fault: Fault) -> ItemResult {
    ItemResult::erroneous(ItemError::Text(fault))
}

/// FAILED: work on the item panicked.
pub(super) fn panicked(message: &str) -> ItemResult {
    failed("WORKER_PANIC", message)
}

/// FAILED: the item is condemned.
pub(super) fn crashed() -> ItemResult {
    failed("WORKER_CRASH", "the process ended each time that it worked on this item")
}

/// FAILED: the stored input is lost.
pub(super) fn damaged(message: &str) -> ItemResult {
    failed("INPUT_DAMAGED", message)
}

fn failed(reason: &str, message: &str) -> ItemResult {
    ItemResult::erroneous(ItemError::Fault { reason: reason.into(), message: message.into() })
}

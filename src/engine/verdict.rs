//! What becomes of an item, as the result that is stored. The words of every fault of ours are here.

use crate::job::codec::{ItemError, ItemResult};
use crate::sudoku::text::Fault;
use crate::sudoku::{Grid, Outcome};

/// FOUND: a completed grid that was made.
pub(super) fn made(grid: &Grid) -> ItemResult {
    ItemResult::answered(Outcome::Found, Some(*grid))
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

//! Whether a puzzle is as hard as wished: decided by its rating, as far as that is needed.

use super::spec::ErRange;
use crate::sudoku::logic::{Effort, Rated, Score, rate, solvable_within};
use crate::sudoku::{Grid, Kernel, Pace};

/// Whether the ER of a puzzle lies in this range; with it the ER, where the exact one was needed to tell.
pub fn within(kernel: Kernel, puzzle: &Grid, range: ErRange) -> Option<Option<Score>> {
    let open = range.max == Score(u8::MAX);
    let er_limit = if open { Score(range.min.0.saturating_sub(1)) } else { range.max };
    match rate(puzzle, Effort { er_limit, ..Effort::unlimited(kernel) }, &mut || Pace::Continue) {
        Rated::Rated(rating) => (range.min <= rating.er && rating.er <= range.max).then_some(Some(rating.er)),
        Rated::AtLeast(rating) => (open && rating.er >= range.min).then_some(None),
        Rated::Refused(_) => None,
    }
}

/// Whether a quick test tells that a puzzle is easier than this range.
pub fn is_too_easy(puzzle: &Grid, range: ErRange) -> bool {
    range.min.0.checked_sub(1).is_some_and(|easier| solvable_within(puzzle, Score(easier)))
}

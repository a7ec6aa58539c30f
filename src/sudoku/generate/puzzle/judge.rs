//! Whether a puzzle is as hard as wished: decided by its rating, as far as that is needed.

use super::spec::ErRange;
use crate::sudoku::logic::{Effort, Rated, Score, rate};
use crate::sudoku::{Grid, Kernel, Pace};

/// Whether the ER of a puzzle lies in this range; with it the ER, where the exact one was needed to tell.
pub fn judge(kernel: Kernel, puzzle: &Grid, range: ErRange) -> Option<Option<Score>> {
    let open = range.max == Score(u8::MAX);
    let er_limit = if open { Score(range.min.0.saturating_sub(1)) } else { range.max };
    match rate(puzzle, Effort { er_limit, ..Effort::unlimited(kernel) }, &mut || Pace::Continue) {
        Rated::Rated(rating) => (range.min <= rating.er && rating.er <= range.max).then_some(Some(rating.er)),
        Rated::AtLeast(rating) => (open && rating.er >= range.min).then_some(None),
        Rated::Refused(_) => None,
    }
}

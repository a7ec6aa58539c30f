//! Whether a puzzle is as hard as wished: decided by its rating, as far as that is needed.

use super::spec::ErRange;
use crate::sudoku::logic::{Effort, Level, Rated, Score, rate, solvable_within, unsolved_within};
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

/// Of puzzles that locked candidates and small sets leave with at least so many cells, one in three is extreme; of the
/// others one in twenty.
const MANY_UNSOLVED: usize = 44;

/// Whether so much is solved by locked candidates and small sets that it is not worth while to rate a puzzle.
pub fn is_unlikely(puzzle: &Grid, range: ErRange) -> bool {
    let blanks = 81 - puzzle.clue_count();
    range.min >= Level::Extreme.range().0
        && unsolved_within(puzzle, Score(u8::MAX)).len() < MANY_UNSOLVED.min(blanks * 4 / 5)
}

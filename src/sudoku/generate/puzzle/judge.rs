//! Whether a puzzle is as hard as wished: decided by its rating, as far as that is needed.

use super::spec::ErRange;
use crate::sudoku::logic::{Effort, Level, Rated, Score, rate};
use crate::sudoku::{CellSet, Grid, Kernel, Pace};

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

/// The highest score below this range.
pub fn easier(range: ErRange) -> Score {
    Score(range.min.0.saturating_sub(1))
}

/// Of puzzles that locked candidates and small sets leave with at most so many cells, five in six need no long chains.
pub const FEW_UNSOLVED: usize = 24;

/// Of those that are left with at least so many, one in three is extreme; of the others one in twenty.
const MANY_UNSOLVED: usize = 44;

/// Whether it is not worth while to rate a puzzle, to judge by how many cells locked candidates and small sets leave
/// unsolved.
pub fn is_unlikely(range: ErRange, givens: CellSet, unsolved: CellSet) -> bool {
    let blanks = 81 - givens.len();
    if range.min >= Level::Extreme.range().0 {
        unsolved.len() < MANY_UNSOLVED.min(blanks * 4 / 5)
    } else {
        range.max <= Level::Hard.range().1 && unsolved.len() > FEW_UNSOLVED
    }
}

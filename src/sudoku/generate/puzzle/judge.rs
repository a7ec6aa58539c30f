//! Whether a puzzle is as hard as wished: decided by its rating, as far as that is needed.

use super::spec::ErRange;
use crate::sudoku::logic::{Effort, Level, QUICK, Rated, Score, rate};
use crate::sudoku::{CellSet, Grid, Kernel, Pace};

/// Whether the ER of a puzzle lies in this range; with it the ER, where the exact one was needed to tell. Says nothing after
/// `pace` said stop.
pub fn within(kernel: Kernel, puzzle: &Grid, range: ErRange, pace: &mut dyn FnMut() -> Pace) -> Option<Option<Score>> {
    let effort = Effort { er_limit: er_limit(range), ..Effort::unlimited(kernel) };
    match rate(puzzle, effort, pace) {
        Rated::Rated(rating) => (range.min <= rating.er && rating.er <= range.max).then_some(Some(rating.er)),
        Rated::AtLeast(rating) => (is_open(range) && rating.er >= range.min).then_some(None),
        Rated::Refused(_) => None,
    }
}

/// The level of a puzzle in this range, as far as the range or the ER tells.
pub fn level(range: ErRange, er: Option<Score>) -> Option<Level> {
    let (least, most) = (Level::of(er.unwrap_or(range.min)), Level::of(er.unwrap_or(range.max)));
    (least == most).then_some(least)
}

/// Whether there is no upper bound.
fn is_open(range: ErRange) -> bool {
    range.max == Score(u8::MAX)
}

/// The score up to which a rating goes to tell.
fn er_limit(range: ErRange) -> Score {
    if is_open(range) { easier(range) } else { range.max }
}

/// How many attempts to make at a puzzle in this range: a second to some seconds of work where all fail, as ratings take
/// the longer the further they go.
pub fn attempts(range: ErRange) -> u32 {
    match er_limit(range).0 {
        0..=67 => 50_000,
        68..=72 => 20_000,
        _ => 10_000,
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
        range.min > QUICK && range.max <= Level::Hard.range().1 && unsolved.len() > FEW_UNSOLVED
    }
}

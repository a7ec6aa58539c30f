//! [`Made`] and [`Shortfall`]: what becomes of an item. Must never know how.

use super::wishes::Wish;
use crate::sudoku::Grid;
use crate::sudoku::logic::{Level, Score};

/// A puzzle as wished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Made {
    /// Its givens.
    pub puzzle: Grid,
    /// The grid it was masked from: its solution, or one of them where several are allowed.
    pub solution: Grid,
    /// How hard it is in words, where a level or a range of ER was wished. A range without an upper bound may not tell.
    pub level: Option<Level>,
    /// How hard it is in numbers, where the exact one was needed to tell that the wish is met.
    pub er: Option<Score>,
}

/// No attempt within the budget met all wishes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: not met in {attempts} attempts", wish.name())]
pub struct Shortfall {
    /// The wish that most attempts missed.
    pub wish: Wish,
    /// Attempts made.
    pub attempts: u32,
}

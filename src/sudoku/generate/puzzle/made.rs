//! [`Made`] and [`Shortfall`]: what becomes of an item. Must never know how.

use super::wishes::Wish;
use crate::sudoku::Grid;
use crate::sudoku::logic::Score;

/// A puzzle as wished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Made {
    /// Its givens.
    pub puzzle: Grid,
    /// The grid it was masked from: its solution, or one of them where several are allowed.
    pub solution: Grid,
    /// How hard it is, where a level or a range of ER was wished and the exact number was needed to tell.
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

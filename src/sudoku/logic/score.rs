//! [`Score`]: a difficulty as Sudoku Explainer states it.

use std::fmt;

/// A difficulty in tenths: 71 is 7.1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub struct Score(pub u8);

impl fmt::Display for Score {
    /// As `7.1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.0 / 10, self.0 % 10)
    }
}

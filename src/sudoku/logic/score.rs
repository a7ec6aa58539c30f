//! [`Score`]: a difficulty as Sudoku Explainer states it.

use std::fmt;

/// A difficulty in tenths: 71 is 7.1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub struct Score(pub u8);

impl fmt::Display for Score {
    /// As `7.1`, in a width if one is asked for.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}.{}", self.0 / 10, self.0 % 10))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_stand_in_columns() {
        assert_eq!(
            [7, 71, 103].map(|tenths| format!("{:>4}|{0}", Score(tenths))),
            [" 0.7|0.7", " 7.1|7.1", "10.3|10.3"]
        );
    }
}

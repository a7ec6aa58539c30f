//! How hard a chain is: its base, and what its length adds. Must never know what chains are made of.

use crate::sudoku::logic::score::Score;

/// A difficulty as Sudoku Explainer reckons it, in binary floating point: 6.5 + 0.2 and 6.6 + 0.1 are not the same
/// there, and its order of steps depends on that.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub(super) struct Difficulty(f64);

impl Difficulty {
    /// That of a chain of this complexity: 0.1 above its base for each of 4, 6, 8, 12, 16, 24... that the complexity
    /// less 2 exceeds.
    pub fn new(base: Base, complexity: u32) -> Difficulty {
        let (mut added, mut bound, mut odd) = (0.0, 4, false);
        while complexity > bound + 2 {
            added += 0.1;
            bound = if odd { bound * 4 / 3 } else { bound * 3 / 2 };
            odd = !odd;
        }
        Difficulty(f64::from(base.0) / 10.0 + added)
    }

    /// Rounded to tenths.
    pub fn score(self) -> Score {
        Score((self.0 * 10.0).round() as u8)
    }
}

/// The difficulty of the shortest chain of a kind, in tenths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Base(pub u8);

/// In the order in which Sudoku Explainer sorts the chains that one search finds: the smallest is taken.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub(super) struct Rank {
    /// The easiest first.
    pub difficulty: Difficulty,
    /// Then the shortest: how many literals it has, those of its nested chains included.
    pub complexity: u32,
    /// Then by kind.
    pub kind: u8,
    /// Then as found: the how-manieth group of chains, and within it.
    pub found: (u32, u32),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn length_adds() {
        let known = [(4, 70), (6, 70), (7, 71), (8, 71), (9, 72), (10, 72), (12, 73), (14, 73), (15, 74), (18, 74)];
        for (complexity, tenths) in known {
            assert_eq!(Difficulty::new(Base(70), complexity).score(), Score(tenths), "{complexity}");
        }
        assert_eq!(Difficulty::new(Base(90), 1026).score(), Score(106));
        assert_eq!(Difficulty::new(Base(90), 1027).score(), Score(107));
    }

    #[test]
    fn sums_are_those_of_floating_point() {
        let (chain, cycle) = (Difficulty::new(Base(66), 8), Difficulty::new(Base(65), 10));
        assert_eq!(chain.score(), cycle.score());
        assert!(chain < cycle);
    }
}

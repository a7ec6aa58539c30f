//! [`Rating`]: the three numbers that say how hard a puzzle is, and what rating one can come to.
//!
//! Must never know how steps are found.

use super::score::Score;
use super::step::Step;
use crate::sudoku::{Kernel, Outcome};

/// Which rating the numbers are: Sudoku Explainer's, version 1.2.1.
pub const RATING_NAME: &str = "se-1.2.1";

/// How hard a puzzle is. A full grid has 0.0 in all three.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rating {
    /// The hardest step of all.
    pub er: Score,
    /// The hardest step up to the first digit placed ("pearl").
    pub ep: Score,
    /// The first step ("diamond").
    pub ed: Score,
}

/// What rating a puzzle came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rated {
    /// Solved to the end.
    Rated(Rating),
    /// A limit or the pace ended it first: what the steps taken so far say. ER is at least this; EP too, unless a
    /// digit was placed.
    AtLeast(Rating),
    /// The puzzle has no rating: it has not exactly one solution (`Unsolvable`, `Multiple`), or a limit or the pace
    /// came before that was known (`Undecided`).
    Refused(Outcome),
}

/// How much work a rating may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Who proves that there is exactly one solution.
    pub kernel: Kernel,
    /// Search nodes for that proof; `u64::MAX` for no limit.
    pub node_limit: u64,
    /// Steps to take that are harder than naked triplets (3.6): only those may take long.
    pub hard_steps: u32,
    /// The ER beyond which the exact one does not matter: such a puzzle is `AtLeast` some ER beyond it.
    pub er_limit: Score,
}

impl Effort {
    /// As much as it takes.
    pub fn unlimited(kernel: Kernel) -> Effort {
        Effort { kernel, node_limit: u64::MAX, hard_steps: u32::MAX, er_limit: Score(u8::MAX) }
    }

    /// What the rating of a puzzle solved to the end is worth.
    pub(super) fn judge(&self, rating: Rating) -> Rated {
        if rating.er > self.er_limit { Rated::AtLeast(rating) } else { Rated::Rated(rating) }
    }
}

/// A puzzle's rating with the steps that lead to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explained {
    /// What the steps come to: `AtLeast` where they do not solve the puzzle.
    pub rated: Rated,
    /// The steps in order, each on the state that the ones before it leave.
    pub steps: Vec<Step>,
}

/// A rating on its way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    rating: Rating,
    begun: bool,
    placed: bool,
}

impl Progress {
    /// Takes account of the next step.
    pub fn add(&mut self, score: Score, places: bool) {
        let rating = &mut self.rating;
        rating.er = rating.er.max(score);
        if !self.placed {
            rating.ep = rating.er;
        }
        if !self.begun {
            rating.ed = rating.er;
        }
        self.begun = true;
        self.placed |= places;
    }

    /// Of the steps so far.
    pub fn rating(&self) -> Rating {
        self.rating
    }

    /// Whether a digit was placed.
    pub fn placed(&self) -> bool {
        self.placed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pearl_and_diamond_are_the_early_maxima() {
        let rating = |steps: &[(u8, bool)]| {
            let mut progress = Progress::default();
            steps.iter().for_each(|&(score, places)| progress.add(Score(score), places));
            let Rating { er, ep, ed } = progress.rating();
            (er.0, ep.0, ed.0)
        };
        assert_eq!(rating(&[]), (0, 0, 0));
        assert_eq!(rating(&[(12, true), (15, true), (12, true)]), (15, 12, 12));
        assert_eq!(rating(&[(30, false), (26, false), (12, true), (42, false), (12, true)]), (42, 30, 30));
        assert_eq!(rating(&[(26, false), (66, false), (12, true)]), (66, 66, 26));
    }
}

//! [`Hint`]: a step of a loop among the others. Must never know how it is found.

use super::loops::Loop;
use crate::sudoku::logic::{Score, Step};
use std::cmp::Ordering;

/// A step with what decides its place among the others.
pub struct Hint {
    kind: Kind,
    /// The score as the sum of floating-point numbers that Sudoku Explainer compares.
    difficulty: f64,
    pub step: Step,
}

/// Why something else must be there.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// One cell has other candidates: it loses the two digits.
    One,
    /// Several cells have the same one.
    Two,
    /// Two cells' other candidates make a naked set with cells of their house.
    ThreeNaked,
    /// The digits not in two cells make a hidden set in their house.
    ThreeHidden,
    /// One of the digits has to be in one of two cells, so the other can't be in either.
    Four,
}

impl Kind {
    /// The number of its type.
    fn number(self) -> u8 {
        match self {
            Kind::One => 1,
            Kind::Two => 2,
            Kind::ThreeNaked | Kind::ThreeHidden => 3,
            Kind::Four => 4,
        }
    }
}

impl Hint {
    /// The step with its score: that of the loop's length and `more` tenths.
    pub fn new(cycle: &Loop, kind: Kind, more: u32, mut step: Step) -> Hint {
        let (score, base) = match cycle.cells.len() {
            ..6 => (45, 4.5),
            6 => (46, 4.5 + 0.1),
            8 => (47, 4.5 + 0.2),
            _ => (50, 4.5 + 0.3 + 0.2),
        };
        step.score = Score(score + more as u8);
        Hint { kind, difficulty: base + f64::from(more) * 0.1, step }
    }

    /// The easier first, then the lower type.
    pub fn by_difficulty(&self, other: &Hint) -> Ordering {
        let types = || self.kind.number().cmp(&other.kind.number());
        self.difficulty.total_cmp(&other.difficulty).then_with(types)
    }

    /// Whether it tells the same of the same cells, whichever the two digits are.
    pub fn same_as(&self, other: &Hint) -> bool {
        let set = |hint: &Hint| (hint.step.houses.clone(), hint.step.beside, hint.step.extra);
        let sets_agree = self.kind.number() != 3 || set(self) == set(other);
        self.kind == other.kind && self.step.cells == other.step.cells && sets_agree
    }
}

//! Unique rectangles and loops: cells that two digits could fill in two ways must hold something else somewhere.
//!
//! Must never know of other techniques.

mod loops;
mod types;

use super::state::State;
use super::step::{Found, Step};
use loops::for_each_loop;
use std::ops::ControlFlow;

/// The steps of all rectangles and loops, the easiest first.
pub fn find(state: &State, found: Found) -> ControlFlow<()> {
    let mut hints: Vec<Hint> = Vec::new();
    for_each_loop(state, &mut |cycle| {
        types::steps(state, cycle, &mut |hint| {
            if !hint.step.removals.is_empty() && !hints.iter().any(|known| known.same_as(&hint)) {
                hints.push(hint);
            }
        });
    });
    hints.sort_by(|a, b| a.difficulty.total_cmp(&b.difficulty).then(a.kind.number().cmp(&b.kind.number())));
    hints.into_iter().try_for_each(|hint| found(hint.step))
}

/// A step with what decides its place among the others.
struct Hint {
    kind: Kind,
    /// The score as the sum of floating-point numbers that Sudoku Explainer compares.
    difficulty: f64,
    step: Step,
}

/// Why something else must be there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
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
    /// Whether it tells the same of the same cells, whichever the two digits are.
    fn same_as(&self, other: &Hint) -> bool {
        let set = |hint: &Hint| (hint.step.houses.clone(), hint.step.beside, hint.step.extra);
        let sets_agree = self.kind.number() != 3 || set(self) == set(other);
        self.kind == other.kind && self.step.cells == other.step.cells && sets_agree
    }
}

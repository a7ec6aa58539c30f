//! [`Step`]: one deduction: what justifies it and what it changes. Must never know how steps are found.

use super::digits::Digits;
use super::score::Score;
use super::state::State;
use super::technique::Technique;
use crate::sudoku::{Cell, CellSet};
use std::ops::ControlFlow;

/// One deduction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What it is called.
    pub technique: Technique,
    /// How hard it is.
    pub score: Score,
    /// The cells of the pattern.
    pub cells: CellSet,
    /// The digits of the pattern.
    pub digits: Digits,
    /// Further cells that it needs: the pincers of a wing, the set of a type 3, the cells that exclude.
    pub beside: CellSet,
    /// Further digits that it needs: what the cells of a rectangle or loop hold besides, or the set of a type 3.
    pub extra: Digits,
    /// The houses (0..27) of the pattern, those that matter most first.
    pub houses: Vec<u8>,
    /// The digit it places, if any.
    pub placement: Option<(Cell, u8)>,
    /// The candidates it removes, in reading order, each cell once; those that a placement removes by itself are not named.
    pub removals: Vec<(Cell, Digits)>,
    /// For chains: each from its assumption to its end.
    pub chains: Vec<Vec<Assertion>>,
}

/// A statement in a chain: a cell is a digit, or is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Assertion {
    /// Where.
    pub cell: Cell,
    /// Which, 1-9.
    pub digit: u8,
    /// Whether it is so.
    pub holds: bool,
}

/// Takes the steps that a technique finds, one after another, and says whether it should go on.
pub type Found<'a> = &'a mut dyn FnMut(Step) -> ControlFlow<()>;

/// The first step that a technique reports.
pub fn first(find: impl FnOnce(Found) -> ControlFlow<()>) -> Option<Step> {
    let mut first = None;
    // Whether the technique was stopped says no more than whether it reported a step.
    let _ = find(&mut |step| {
        first = Some(step);
        ControlFlow::Break(())
    });
    first
}

impl Step {
    /// A step of this technique and difficulty, with nothing else filled in.
    pub fn new(technique: Technique, score: Score) -> Step {
        Step {
            technique,
            score,
            cells: CellSet::EMPTY,
            digits: Digits::NONE,
            beside: CellSet::EMPTY,
            extra: Digits::NONE,
            houses: Vec::new(),
            placement: None,
            removals: Vec::new(),
            chains: Vec::new(),
        }
    }

    /// Removes and places as the step says.
    pub fn apply(&self, state: &mut State) {
        for &(cell, digits) in &self.removals {
            state.remove(cell, digits);
        }
        if let Some((cell, digit)) = self.placement {
            state.place(cell, digit);
        }
    }
}

//! [`Hint`]: a chain that was found, as what it starts from and what it decides; and [`Sink`], which keeps the best.
//!
//! Must never know how chains are searched for.

use super::candidate::{Candidate, Literal};
use super::difficulty::Rank;
use super::links::Links;
use crate::sudoku::Cell;
use crate::sudoku::logic::digits::Digits;
use crate::sudoku::logic::state::State;

/// A chain, or several that lead to the same end.
#[derive(Clone, Debug)]
pub(super) struct Hint {
    pub rank: Rank,
    pub source: Source,
    pub effect: Effect,
}

/// Where chains start. With the state it says all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// The assumption leads to its contrary.
    Reversal(Literal, Links),
    /// The candidate leads to itself and back: the how-manieth cycle of its length.
    Cycle(Candidate, Links, u32),
    /// The assumption leads to a contradiction.
    Contradiction(Literal),
    /// The candidate and its absence lead to the same end.
    Double(Candidate),
    /// All candidates of the cell lead to the same end.
    Cell(Cell),
    /// All places of the digit in the house lead to the same end.
    House(u8, u8),
}

impl Source {
    /// Of chains as hard and as long, those of a lower number come first.
    pub fn order(self) -> u8 {
        match self {
            Source::Double(_) => 1,
            Source::Reversal(_, Links::X) | Source::Cycle(_, Links::X, _) => 2,
            Source::Reversal(_, Links::Y) | Source::Cycle(_, Links::Y, _) => 3,
            Source::Reversal(..) | Source::Cycle(..) => 4,
            Source::Cell(_) => 5,
            Source::House(..) => 6,
            Source::Contradiction(_) => 7,
        }
    }
}

/// What follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// One candidate holds, or does not.
    Decides(Literal),
    /// Candidates go.
    Removes(Vec<(Cell, Digits)>),
}

impl Effect {
    /// The candidates that go, those included that make way for a digit placed. Sudoku Explainer takes two chains for
    /// the same if these are equal.
    pub fn removals(&self, state: &State) -> Vec<(Cell, Digits)> {
        match self {
            Effect::Removes(removals) => removals.clone(),
            Effect::Decides(literal) => {
                let (cell, digit) = (literal.candidate().cell(), Digits::of(literal.candidate().digit()));
                vec![(cell, if literal.holds() { state.candidates(cell) - digit } else { digit })]
            }
        }
    }
}

/// Whether the literal tells anything new: no candidate goes when the last one of a cell holds.
pub(super) fn is_news(state: &State, literal: Literal) -> bool {
    !literal.holds() || state.candidates(literal.candidate().cell()).len() > 1
}

/// Keeps the best of the hints offered: of all of them, or of those with the same removals.
pub(super) struct Sink<'a> {
    state: &'a State,
    each: bool,
    /// One slot, or one for each literal.
    slots: Vec<Option<Hint>>,
    /// Hints that decide no single candidate, unless the one slot holds the best.
    others: Vec<Hint>,
}

impl Sink<'_> {
    /// For the best hint.
    pub fn first(state: &State) -> Sink<'_> {
        Sink { state, each: false, slots: vec![None], others: Vec::new() }
    }

    /// For the best hint of each effect.
    pub fn each(state: &State) -> Sink<'_> {
        Sink { state, each: true, slots: vec![None; Literal::COUNT], others: Vec::new() }
    }

    /// The best so far among those that a hint that decides this literal competes with.
    pub fn rival(&self, decides: Literal) -> Option<&Rank> {
        self.slots[self.slot(decides)].as_ref().map(|hint| &hint.rank)
    }

    /// The best so far where one is kept.
    pub fn best(&self) -> Option<&Rank> {
        self.slots[0].as_ref().filter(|_| !self.each).map(|hint| &hint.rank)
    }

    /// Keeps the hint if it is better than its rival.
    pub fn offer(&mut self, hint: Hint) {
        let slot = match &hint.effect {
            Effect::Decides(literal) => self.slot(*literal),
            Effect::Removes(_) if self.each => return self.others.push(hint),
            Effect::Removes(_) => 0,
        };
        if self.slots[slot].as_ref().is_none_or(|rival| hint.rank < rival.rank) {
            self.slots[slot] = Some(hint);
        }
    }

    /// What was kept, the best first, no two with the same removals.
    pub fn into_sorted(self) -> Vec<Hint> {
        let mut hints: Vec<Hint> = self.slots.into_iter().flatten().chain(self.others).collect();
        hints.sort_by(|a, b| a.rank.partial_cmp(&b.rank).expect("difficulties are numbers"));
        let mut known = std::collections::HashSet::new();
        hints.retain(|hint| known.insert(hint.effect.removals(self.state)));
        hints
    }

    /// Where the best hint is kept of those with the same effect. In a cell of two candidates one holds when the
    /// other goes.
    fn slot(&self, literal: Literal) -> usize {
        if !self.each {
            return 0;
        }
        let candidate = literal.candidate();
        let others = self.state.candidates(candidate.cell()) - Digits::of(candidate.digit());
        let other = others.single().filter(|_| literal.holds());
        other.map_or(literal, |digit| Literal::off(Candidate::new(candidate.cell(), digit))).index()
    }
}

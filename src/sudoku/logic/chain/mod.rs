//! Chains of implications, from cycles to chains in chains, as Sudoku Explainer 1.2.1 finds, orders and rates them.
//!
//! Each function reports the steps of its kind, the one that Sudoku Explainer takes first. Finding that one is made
//! cheap; the work for the others is done when they are asked for. Where it orders by an object's address in memory
//! (the candidates that one technique removes in a dynamic chain), they are taken in reading order here.
//!
//! Must never know when which kind is tried.

mod basis;
mod candidate;
mod difficulty;
mod flood;
mod floods;
mod hint;
mod links;
mod matrix;
mod nested;
mod spread;
mod survey;
#[cfg(test)]
mod tests;
mod told;
mod unary;
mod walk;

use super::state::State;
use super::step::{Found, Step};
use crate::sudoku::Pace;
use floods::Floods;
use hint::{Hint, Sink};
use nested::Techniques;
use spread::{Beyond, LinksOnly};
use std::ops::ControlFlow;
use survey::{Kind, survey};

/// How to search for chains.
pub struct Terms<'a> {
    /// Asked at least each millisecond, at points that depend on the state alone. After `Stop` the search reports
    /// nothing more and returns `Break`: whoever says stop must remember it, since a search whose steps were enough
    /// returns the same.
    pub pace: &'a mut dyn FnMut() -> Pace,
    /// Whether steps tell their chains.
    pub chains: bool,
}

/// Cycles (6.5, 7.0) and forcing chains (6.6, 7.0) on the links of one digit, of cells, and of both.
pub fn find_cycles_and_chains(state: &State, terms: &mut Terms, found: Found) -> ControlFlow<()> {
    report(state, &mut Unary { state, terms }, found)
}

/// Chains of one digit from an assumption to a contradiction (7.5).
pub fn find_nishio(state: &State, terms: &mut Terms, found: Found) -> ControlFlow<()> {
    find(state, Kind::NISHIO, &mut LinksOnly(terms.pace), terms.chains, found)
}

/// Chains from all candidates of a cell, or all places of a digit, to the same end (8.0).
pub fn find_multiple(state: &State, terms: &mut Terms, found: Found) -> ControlFlow<()> {
    find(state, Kind::MULTIPLE, &mut LinksOnly(terms.pace), terms.chains, found)
}

/// The same, and from an assumption to a contradiction, and from a candidate and its absence to the same end, where
/// several links may lead to the next together (8.5).
pub fn find_dynamic(state: &State, terms: &mut Terms, found: Found) -> ControlFlow<()> {
    find(state, Kind::DYNAMIC, &mut LinksOnly(terms.pace), terms.chains, found)
}

/// The same with locked candidates, pairs and X-Wings in the chains (9.0).
pub fn find_dynamic_plus(state: &State, terms: &mut Terms, found: Found) -> ControlFlow<()> {
    find(state, Kind::beyond(1), &mut Techniques { level: 1, pace: terms.pace }, terms.chains, found)
}

/// The same with chains in the chains: of level 2 forcing chains (9.5), 3 multiple chains too (10.0), 4 dynamic chains
/// (10.5), 5 dynamic chains with forcing chains in them (11.0). From level 4 on one step may take hours.
///
/// # Panics
/// When the level is not 2 to 5.
pub fn find_nested(state: &State, level: u8, terms: &mut Terms, found: Found) -> ControlFlow<()> {
    assert!((2..=5).contains(&level), "level {level}");
    find(state, Kind::beyond(level), &mut Techniques { level, pace: terms.pace }, terms.chains, found)
}

fn find(state: &State, kind: Kind, beyond: &mut dyn Beyond, chains: bool, found: Found) -> ControlFlow<()> {
    let floods = Floods::new(state, kind.mode, beyond);
    report(state, &mut Multiple { state, kind, floods, chains }, found)
}

/// A family of chains.
trait Family<'a> {
    /// Puts all into the sink; `Break` if told to stop.
    fn search(&mut self, sink: &mut Sink<'a>) -> ControlFlow<()>;

    /// The step that a hint of this family is; `Break` if told to stop.
    fn step(&mut self, hint: &Hint) -> ControlFlow<(), Step>;
}

struct Unary<'a, 'b, 'c> {
    state: &'a State,
    terms: &'b mut Terms<'c>,
}

impl<'a> Family<'a> for Unary<'a, '_, '_> {
    fn search(&mut self, sink: &mut Sink<'a>) -> ControlFlow<()> {
        let mut beyond = LinksOnly(self.terms.pace);
        unary::search(self.state, sink, &mut || beyond.ask())
    }

    fn step(&mut self, hint: &Hint) -> ControlFlow<(), Step> {
        ControlFlow::Continue(told::unary(self.state, hint, self.terms.chains))
    }
}

struct Multiple<'a> {
    state: &'a State,
    kind: Kind,
    floods: Floods<'a>,
    chains: bool,
}

impl<'a> Family<'a> for Multiple<'a> {
    fn search(&mut self, sink: &mut Sink<'a>) -> ControlFlow<()> {
        survey(self.state, self.kind, &mut self.floods, sink)
    }

    fn step(&mut self, hint: &Hint) -> ControlFlow<(), Step> {
        let ends = if self.chains { self.floods.ends(hint.source, &hint.effect)? } else { Vec::new() };
        ControlFlow::Continue(told::multiple(self.state, self.kind, hint, &ends))
    }
}

/// Reports the best, then searches for the others and reports them.
fn report<'a>(state: &'a State, family: &mut dyn Family<'a>, found: Found) -> ControlFlow<()> {
    let mut first = Sink::first(state);
    family.search(&mut first)?;
    let Some(best) = first.into_sorted().pop() else { return ControlFlow::Continue(()) };
    found(family.step(&best)?)?;
    let mut all = Sink::each(state);
    family.search(&mut all)?;
    for hint in all.into_sorted().iter().skip(1) {
        found(family.step(hint)?)?;
    }
    ControlFlow::Continue(())
}

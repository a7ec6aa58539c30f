//! What a flood finds beyond links: simple techniques, and from level 2 on chains, on the state as far as the flood has
//! changed it.
//!
//! Must never know what the flood is used for.

use super::basis::{Chain, flood_chain, rests_on, step_rests_on, unary_chains};
use super::candidate::{Candidate, CandidateSet};
use super::flood::Nested;
use super::floods::Floods;
use super::hint::{Hint, Sink, Source};
use super::spread::{Beyond, LinksOnly, Removal};
use super::survey::{Kind, survey};
use super::unary;
use crate::sudoku::logic::digits::Digits;
use crate::sudoku::logic::state::State;
use crate::sudoku::logic::step::Found;
use crate::sudoku::logic::{fish, locked, sets};
use crate::sudoku::{Cell, Pace};
use std::ops::ControlFlow;
use std::rc::Rc;

/// The techniques of a level: 1 for simple ones; also forcing chains (2), multiple chains (3), or dynamic chains (4),
/// and dynamic chains with forcing chains in them (5).
pub(super) struct Techniques<'a> {
    pub level: u8,
    pub pace: &'a mut dyn FnMut() -> Pace,
}

/// Simple techniques, in the order in which they are tried.
const SIMPLE: [fn(&State, Found) -> ControlFlow<()>; 4] = [
    locked::find,
    |state, found| sets::find_hidden(state, 2, found),
    |state, found| sets::find_naked(state, 2, found),
    |state, found| fish::find(state, 2, found),
];

impl Beyond for Techniques<'_> {
    fn ask(&mut self) -> ControlFlow<()> {
        LinksOnly(self.pace).ask()
    }

    /// All that the first technique with a result removes.
    fn removals(&mut self, source: &State, now: &State) -> ControlFlow<(), Vec<Removal>> {
        self.ask()?;
        let mut removals = Removals { source, now, known: CandidateSet::EMPTY, found: Vec::new() };
        for find in SIMPLE {
            find(now, &mut |step| {
                removals.put(&step.removals, || ControlFlow::Continue((step_rests_on(&step, source, now), None)))
            })?;
            if !removals.found.is_empty() {
                return ControlFlow::Continue(removals.found);
            }
        }
        if matches!(self.level, 2 | 3) {
            self.forcing_chains(&mut removals)?;
        }
        let kinds: &[(Kind, u8)] = match self.level {
            3 => &[(Kind::MULTIPLE, 0)],
            4 => &[(Kind::DYNAMIC, 0)],
            5 => &[(Kind::DYNAMIC, 0), (Kind::DYNAMIC, 2)],
            _ => &[],
        };
        for &(kind, level) in kinds {
            if removals.found.is_empty() {
                self.multiple_chains(kind, level, &mut removals)?;
            }
        }
        ControlFlow::Continue(removals.found)
    }
}

impl Techniques<'_> {
    fn forcing_chains(&mut self, removals: &mut Removals) -> ControlFlow<()> {
        let mut sink = Sink::each(removals.now);
        unary::search(removals.now, &mut sink, &mut || self.ask())?;
        for hint in sink.into_sorted() {
            removals.put_hint(&hint, |now| {
                let mut chains = unary_chains(now, &hint);
                if let Source::Cycle(..) = hint.source {
                    // What is at both ends counts once.
                    chains.iter_mut().for_each(|chain| chain.truncate(chain.len() - 1));
                }
                ControlFlow::Continue(chains)
            })?;
        }
        ControlFlow::Continue(())
    }

    fn multiple_chains(&mut self, kind: Kind, level: u8, removals: &mut Removals) -> ControlFlow<()> {
        let mut techniques = Techniques { level, pace: self.pace };
        let mut links = LinksOnly(&mut *techniques.pace);
        let beyond: &mut dyn Beyond = if level == 0 { &mut links } else { &mut techniques };
        let mut floods = Floods::new(removals.now, kind.mode, beyond);
        let mut sink = Sink::each(removals.now);
        survey(removals.now, kind, &mut floods, &mut sink)?;
        for hint in sink.into_sorted() {
            removals.put_hint(&hint, |_| {
                let ends = floods.ends(hint.source, &hint.effect)?;
                ControlFlow::Continue(ends.iter().map(|end| flood_chain(&end.flood, end.number)).collect())
            })?;
        }
        ControlFlow::Continue(())
    }
}

/// What techniques removed so far, each candidate by the first that did.
struct Removals<'a> {
    source: &'a State,
    now: &'a State,
    known: CandidateSet,
    found: Vec<Removal>,
}

impl Removals<'_> {
    /// Puts what a chain removes; what the chain is, is only asked if it removes anything new.
    fn put_hint(&mut self, hint: &Hint, chains: impl FnOnce(&State) -> ControlFlow<(), Vec<Chain>>) -> ControlFlow<()> {
        let (source, now) = (self.source, self.now);
        self.put(&hint.effect.removals(now), || {
            let chains = chains(now)?;
            let parents = rests_on(&chains, hint.source, source, now);
            let literals = chains.iter().map(|chain| chain.iter().map(|(literal, _)| *literal).collect()).collect();
            let nested = Nested { complexity: hint.rank.complexity, literals };
            ControlFlow::Continue((parents, Some(Rc::new(nested))))
        })
    }

    /// Puts what a technique removes, unless it was there before the flood: then it rests on nothing.
    fn put(
        &mut self,
        removals: &[(Cell, Digits)],
        basis: impl FnOnce() -> ControlFlow<(), (Vec<Candidate>, Option<Rc<Nested>>)>,
    ) -> ControlFlow<()> {
        let each = |&(cell, digits): &(Cell, Digits)| digits.iter().map(move |digit| Candidate::new(cell, digit));
        let new: Vec<Candidate> =
            removals.iter().flat_map(each).filter(|candidate| !self.known.has(candidate.index())).collect();
        if new.is_empty() {
            return ControlFlow::Continue(());
        }
        let (parents, nested) = basis()?;
        if !parents.is_empty() {
            let parents: Rc<[Candidate]> = parents.into();
            for candidate in new {
                self.known.insert(candidate.index());
                self.found.push(Removal { candidate, parents: parents.clone(), nested: nested.clone() });
            }
        }
        ControlFlow::Continue(())
    }
}

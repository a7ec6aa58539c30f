//! How a flood spreads: all that follows from an assumption, breadth first, up to the first contradiction.
//!
//! Must never know what techniques go beyond links.

use super::candidate::{Candidate, Literal};
use super::flood::{Flood, Nested};
use super::links::{Cause, Links, excluded, forced, places};
use crate::sudoku::Pace;
use crate::sudoku::logic::digits::Digits;
use crate::sudoku::logic::state::State;
use std::borrow::Cow;
use std::ops::ControlFlow;
use std::rc::Rc;

/// What a technique removes in the course of a flood.
pub(super) struct Removal {
    pub candidate: Candidate,
    /// The candidates whose absence the technique rests on.
    pub parents: Rc<[Candidate]>,
    /// The chain, if it is one.
    pub nested: Option<Rc<Nested>>,
}

/// What goes beyond links in a flood, and beside it.
pub(super) trait Beyond {
    /// `Break` if told to stop.
    fn ask(&mut self) -> ControlFlow<()>;

    /// What techniques remove from `now`, the `source` less what is known not to hold; `Break` if told to stop.
    fn removals(&mut self, source: &State, now: &State) -> ControlFlow<(), Vec<Removal>>;
}

/// Nothing goes beyond links.
pub(super) struct LinksOnly<'a>(pub &'a mut dyn FnMut() -> Pace);

impl Beyond for LinksOnly<'_> {
    fn ask(&mut self) -> ControlFlow<()> {
        if (self.0)() == Pace::Stop { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn removals(&mut self, _: &State, _: &State) -> ControlFlow<(), Vec<Removal>> {
        ControlFlow::Continue(Vec::new())
    }
}

/// How far a flood goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mode {
    pub links: Links,
    /// Whether the candidates that are known not to hold make further links.
    pub dynamic: bool,
}

/// Fills the empty flood with all that follows from `start`, but perhaps without ends of chains that cost `limit` or
/// more; `Break` if told to stop.
pub(super) fn spread(
    flood: &mut Flood,
    source: &State,
    start: Literal,
    mode: Mode,
    limit: u32,
    beyond: &mut dyn Beyond,
) -> ControlFlow<()> {
    let mut made = Made { flood, limit, promising: 0 };
    made.put(start, Cause::Assumed, None);
    Run { source, now: Cow::Borrowed(source), mode, made }.all(beyond)
}

/// A flood in the making.
struct Run<'a> {
    source: &'a State,
    /// The source less the candidates that are off and spread, where that counts.
    now: Cow<'a, State>,
    mode: Mode,
    made: Made<'a>,
}

/// What was reached.
struct Made<'a> {
    flood: &'a mut Flood,
    /// Chains of this cost are too long.
    limit: u32,
    /// How many literals have yet to spread whose followers are not too far.
    promising: usize,
}

impl Run<'_> {
    /// Spreads what is on before what is off, and asks for more when all is spread.
    fn all(&mut self, beyond: &mut dyn Beyond) -> ControlFlow<()> {
        let (mut on, mut off) = (0, 0);
        loop {
            match self.made.next(&mut on, true).or_else(|| self.made.next(&mut off, false)) {
                Some(number) if self.made.promising > 0 => {
                    self.made.promising -= usize::from(self.made.is_promising(self.made.flood.cost(number)));
                    let holds = self.made.flood.literal(number).holds();
                    let flow = if holds { self.spread_on(number) } else { self.spread_off(number) };
                    if flow.is_break() {
                        return ControlFlow::Continue(());
                    }
                }
                Some(_) => return ControlFlow::Continue(()),
                None => {
                    for removal in beyond.removals(self.source, &self.now)? {
                        self.made.remove(removal);
                    }
                    if self.made.promising == 0 {
                        return ControlFlow::Continue(());
                    }
                }
            }
        }
    }

    /// What goes since the candidate of this number holds; `Break` at a contradiction.
    fn spread_on(&mut self, number: u16) -> ControlFlow<()> {
        let made = &mut self.made;
        excluded(&self.now, made.flood.literal(number).candidate(), self.mode.links, |off, cause| {
            made.reach(Literal::off(off), cause, |flood| flood.put_parent(number))
        })
    }

    /// What holds since the candidate of this number does not; `Break` at a contradiction.
    fn spread_off(&mut self, number: u16) -> ControlFlow<()> {
        let (made, source, now) = (&mut self.made, self.source, &*self.now);
        let off = made.flood.literal(number).candidate();
        let flow = forced(now, off, self.mode.links, |on, cause| {
            made.reach(Literal::on(on), cause, |flood| {
                flood.put_parent(number);
                each_gone(source, now, on, cause, |gone| flood.put_parent(flood.number(Literal::off(gone))));
            })
        });
        if self.mode.dynamic {
            self.now.to_mut().remove(off.cell(), Digits::of(off.digit()));
        }
        flow
    }
}

impl Made<'_> {
    /// The next literal to spread that holds, or that does not; those before `head` were.
    fn next(&self, head: &mut u16, holds: bool) -> Option<u16> {
        while usize::from(*head) < self.flood.len() {
            *head += 1;
            if self.flood.literal(*head - 1).holds() == holds {
                return Some(*head - 1);
            }
        }
        None
    }

    /// Whether what follows from a literal of this cost may be in a chain that is not too long.
    fn is_promising(&self, cost: u32) -> bool {
        cost.saturating_add(1) < self.limit
    }

    /// Notes a literal that follows from others, unless that is known; `Break` if its contrary is.
    fn reach(&mut self, literal: Literal, cause: Cause, put_parents: impl FnOnce(&mut Flood)) -> ControlFlow<()> {
        if self.flood.has(literal.negated()) {
            put_parents(self.flood);
            self.flood.put_clash(literal, cause);
            return ControlFlow::Break(());
        }
        if !self.flood.has(literal) {
            put_parents(self.flood);
            self.put(literal, cause, None);
        }
        ControlFlow::Continue(())
    }

    /// Notes what a technique removes, unless that is known.
    fn remove(&mut self, removal: Removal) {
        let literal = Literal::off(removal.candidate);
        if !self.flood.has(literal) {
            for &parent in removal.parents.iter() {
                self.flood.put_parent(self.flood.number(Literal::off(parent)));
            }
            self.put(literal, Cause::Technique, removal.nested);
        }
    }

    /// Notes a literal; its parents were put before.
    fn put(&mut self, literal: Literal, cause: Cause, nested: Option<Rc<Nested>>) {
        let cost = self.flood.put(literal, cause, nested);
        self.promising += usize::from(self.is_promising(cost));
    }
}

/// Visits the candidates that had to go (from `source` to `now`) for the cause to make `on` the last one left.
pub(super) fn each_gone(source: &State, now: &State, on: Candidate, cause: Cause, mut visit: impl FnMut(Candidate)) {
    match cause {
        Cause::Cell => {
            let gone = source.candidates(on.cell()) - now.candidates(on.cell());
            gone.iter().for_each(|digit| visit(Candidate::new(on.cell(), digit)));
        }
        Cause::House(house) => {
            let house = usize::from(house);
            let gone = source.places(house, on.digit()) & !now.places(house, on.digit());
            places(house, gone).for_each(|cell| visit(Candidate::new(cell, on.digit())));
        }
        Cause::Assumed | Cause::Technique => {}
    }
}

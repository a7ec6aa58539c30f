//! [`Flood`]: all that follows from one assumption, breadth first, each literal with what it follows from.
//!
//! Must never know what its ends are used for.

use super::candidate::{Candidate, CandidateSet, Literal};
use super::links::{Cause, Links, excluded, forced, places};
use crate::sudoku::Pace;
use crate::sudoku::logic::digits::Digits;
use crate::sudoku::logic::state::State;
use std::ops::ControlFlow;
use std::rc::Rc;

/// All that follows from an assumption, or all up to the first contradiction.
#[derive(Clone, Debug)]
pub(super) struct Flood {
    /// The candidates that then hold, and those that do not; no candidate is in both.
    pub on: CandidateSet,
    pub off: CandidateSet,
    /// The two numbers of a candidate that would hold and not hold, that which holds first.
    pub clash: Option<[u16; 2]>,
    nodes: Vec<Node>,
    parents: Vec<u16>,
    nested: Vec<Rc<Nested>>,
    numbers: Box<[u16; Literal::COUNT]>,
}

/// A literal reached. Its number is its index in the order of discovery; parents come first.
#[derive(Clone, Copy, Debug)]
struct Node {
    literal: Literal,
    cause: Cause,
    /// The longest way to it from the assumption, both counted: at least so many literals are in its chain.
    least: u16,
    /// Where its parents end in `parents`; they begin where those of the node before end.
    parents_end: u32,
    /// Index in `nested`, if a nested chain leads to it.
    nested: Option<u16>,
}

/// A chain that a literal of another chain rests on.
#[derive(Debug)]
pub(super) struct Nested {
    /// How many literals it has, those of its own nested chains included.
    pub complexity: u32,
    /// Its literals, one chain after another: two nested chains are the same if these are equal.
    pub literals: Vec<Vec<Literal>>,
}

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

impl Flood {
    /// All that follows from `start`; `Break` if told to stop.
    pub fn new(source: &State, start: Literal, mode: Mode, beyond: &mut dyn Beyond) -> ControlFlow<(), Flood> {
        let flood = Flood {
            on: CandidateSet::EMPTY,
            off: CandidateSet::EMPTY,
            clash: None,
            nodes: Vec::with_capacity(256),
            parents: Vec::with_capacity(512),
            nested: Vec::new(),
            numbers: Box::new([0; Literal::COUNT]),
        };
        let mut made = Made { flood, on: Vec::with_capacity(128), off: Vec::with_capacity(128) };
        made.enter(start, Cause::Assumed, None);
        let mut run = Run { source, now: source.clone(), mode, made };
        run.spread(beyond)?;
        ControlFlow::Continue(run.made.flood)
    }

    /// The number of a literal that was reached.
    pub fn number(&self, literal: Literal) -> u16 {
        self.numbers[literal.index()]
    }

    /// Whether the literal was reached.
    pub fn has(&self, literal: Literal) -> bool {
        let set = if literal.holds() { &self.on } else { &self.off };
        set.has(literal.candidate().index())
    }

    /// What a number stands for.
    pub fn literal(&self, number: u16) -> Literal {
        self.nodes[usize::from(number)].literal
    }

    /// Why it follows.
    pub fn cause(&self, number: u16) -> Cause {
        self.nodes[usize::from(number)].cause
    }

    /// The nested chain that leads to it.
    pub fn nested(&self, number: u16) -> Option<&Rc<Nested>> {
        self.nodes[usize::from(number)].nested.map(|index| &self.nested[usize::from(index)])
    }

    /// At least so many literals are in the chain that ends with this one.
    pub fn least(&self, number: u16) -> u32 {
        u32::from(self.nodes[usize::from(number)].least)
    }

    /// Whether any literal rests on a nested chain.
    pub fn has_nested(&self) -> bool {
        !self.nested.is_empty()
    }

    fn push(&mut self, literal: Literal, cause: Cause, nested: Option<u16>) -> u16 {
        let begin = self.nodes.last().map_or(0, |node| node.parents_end);
        let parents = &self.parents[begin as usize..];
        let least = 1 + parents.iter().map(|&parent| self.nodes[usize::from(parent)].least).max().unwrap_or(0);
        let parents_end = self.parents.len() as u32;
        self.nodes.push(Node { literal, cause, least, parents_end, nested });
        self.nodes.len() as u16 - 1
    }

    fn parents(&self, number: u16) -> &[u16] {
        let at = usize::from(number);
        let begin = if at == 0 { 0 } else { self.nodes[at - 1].parents_end };
        &self.parents[begin as usize..self.nodes[at].parents_end as usize]
    }

    /// How many literals are in the chain that ends with this one.
    pub fn size(&self, number: u16) -> u32 {
        let mut marked = [0u64; Literal::COUNT.div_ceil(64) + 1];
        let top = usize::from(number);
        marked[top / 64] |= 1 << (top % 64);
        let mut size = 0;
        for at in (0..=top / 64).rev() {
            while marked[at] != 0 {
                let highest = 63 - marked[at].leading_zeros() as usize;
                marked[at] &= !(1 << highest);
                size += 1;
                for &parent in self.parents((at * 64 + highest) as u16) {
                    marked[usize::from(parent) / 64] |= 1 << (parent % 64);
                }
            }
        }
        size
    }

    /// The numbers of the chain that ends with this one, from its end back, breadth first.
    pub fn chain(&self, number: u16) -> Vec<u16> {
        let mut seen = [0u64; Literal::COUNT.div_ceil(64) + 1];
        let mut chain = vec![number];
        seen[usize::from(number) / 64] |= 1 << (number % 64);
        let mut next = 0;
        while let Some(&at) = chain.get(next) {
            next += 1;
            for &parent in self.parents(at) {
                if seen[usize::from(parent) / 64] >> (parent % 64) & 1 == 0 {
                    seen[usize::from(parent) / 64] |= 1 << (parent % 64);
                    chain.push(parent);
                }
            }
        }
        chain
    }
}

/// A flood in the making.
struct Run<'a> {
    source: &'a State,
    /// The source less the candidates that are off and spread.
    now: State,
    mode: Mode,
    made: Made,
}

/// What was reached, and in what order it spreads.
struct Made {
    flood: Flood,
    on: Vec<u16>,
    off: Vec<u16>,
}

impl Run<'_> {
    /// Spreads what is on before what is off, and asks for more when all is spread.
    fn spread(&mut self, beyond: &mut dyn Beyond) -> ControlFlow<()> {
        let (mut on, mut off) = (0, 0);
        loop {
            let flow = if let Some(&number) = self.made.on.get(on) {
                on += 1;
                self.spread_on(number)
            } else if let Some(&number) = self.made.off.get(off) {
                off += 1;
                self.spread_off(number)
            } else {
                let removals = beyond.removals(self.source, &self.now)?;
                removals.into_iter().for_each(|removal| self.made.remove(removal));
                if off == self.made.off.len() {
                    return ControlFlow::Continue(());
                }
                continue;
            };
            if flow.is_break() {
                return ControlFlow::Continue(());
            }
        }
    }

    /// What goes since the candidate of this number holds; `Break` at a contradiction.
    fn spread_on(&mut self, number: u16) -> ControlFlow<()> {
        let made = &mut self.made;
        excluded(&self.now, made.flood.literal(number).candidate(), self.mode.links, |off, cause| {
            made.reach(Literal::off(off), cause, |flood| flood.parents.push(number))
        })
    }

    /// What holds since the candidate of this number does not; `Break` at a contradiction.
    fn spread_off(&mut self, number: u16) -> ControlFlow<()> {
        let (made, source, now) = (&mut self.made, self.source, &self.now);
        let off = made.flood.literal(number).candidate();
        let flow = forced(now, off, self.mode.links, |on, cause| {
            made.reach(Literal::on(on), cause, |flood| {
                flood.parents.push(number);
                each_gone(source, now, on, cause, |gone| flood.parents.push(flood.numbers[Literal::off(gone).index()]));
            })
        });
        if self.mode.dynamic {
            self.now.remove(off.cell(), Digits::of(off.digit()));
        }
        flow
    }
}

impl Made {
    /// Notes a literal that follows from others, unless that is known; `Break` if its contrary is.
    fn reach(&mut self, literal: Literal, cause: Cause, put_parents: impl FnOnce(&mut Flood)) -> ControlFlow<()> {
        let clash = self.flood.has(literal.negated());
        if !clash && self.flood.has(literal) {
            return ControlFlow::Continue(());
        }
        put_parents(&mut self.flood);
        if !clash {
            self.enter(literal, cause, None);
            return ControlFlow::Continue(());
        }
        let number = self.flood.push(literal, cause, None);
        let other = self.flood.number(literal.negated());
        self.flood.clash = Some(if literal.holds() { [number, other] } else { [other, number] });
        ControlFlow::Break(())
    }

    /// Notes what a technique removes, unless that is known.
    fn remove(&mut self, removal: Removal) {
        let literal = Literal::off(removal.candidate);
        if self.flood.has(literal) {
            return;
        }
        for &parent in removal.parents.iter() {
            self.flood.parents.push(self.flood.number(Literal::off(parent)));
        }
        let nested = removal.nested.map(|nested| {
            self.flood.nested.push(nested);
            self.flood.nested.len() as u16 - 1
        });
        self.enter(literal, Cause::Technique, nested);
    }

    /// Notes a literal; its parents were put before.
    fn enter(&mut self, literal: Literal, cause: Cause, nested: Option<u16>) {
        let number = self.flood.push(literal, cause, nested);
        let (set, queue) = match literal.holds() {
            true => (&mut self.flood.on, &mut self.on),
            false => (&mut self.flood.off, &mut self.off),
        };
        set.insert(literal.candidate().index());
        queue.push(number);
        self.flood.numbers[literal.index()] = number;
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

//! Multiple chains: floods from all candidates of a cell, all places of a digit, or a candidate and its absence,
//! that meet or contradict themselves. Nishio, multiple, dynamic and nested chains are this with different floods.
//!
//! Must never know what goes beyond links in a flood.

use super::candidate::{Candidate, CandidateSet, Literal};
use super::difficulty::{Base, Difficulty, Rank};
use super::flood::{Flood, Nested};
use super::floods::{Floods, starts};
use super::hint::{Effect, Hint, Sink, Source, is_news};
use super::links::Links;
use super::spread::Mode;
use crate::sudoku::Cell;
use crate::sudoku::logic::state::State;
use std::ops::ControlFlow;

/// What is searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kind {
    /// How far floods go. Contradictions and doubles count only where they are dynamic.
    pub mode: Mode,
    /// The difficulty of the shortest.
    pub base: Base,
}

impl Kind {
    pub const NISHIO: Kind = Kind { mode: Mode { links: Links::X, dynamic: true }, base: Base(75) };
    pub const MULTIPLE: Kind = Kind { mode: Mode { links: Links::XY, dynamic: false }, base: Base(80) };
    pub const DYNAMIC: Kind = Kind { mode: Mode { links: Links::XY, dynamic: true }, base: Base(85) };

    /// Dynamic chains with more in them: 1 for simple techniques, 2 to 5 for chains in chains.
    pub fn beyond(level: u8) -> Kind {
        Kind { base: Base(85 + 5 * level), ..Kind::DYNAMIC }
    }

    /// Whether chains from several assumptions count.
    fn is_multiple(self) -> bool {
        self.mode.links == Links::XY
    }
}

/// Searches all of a kind, and puts what is found into the sink; `Break` if told to stop.
pub(super) fn survey(state: &State, kind: Kind, floods: &mut Floods, sink: &mut Sink) -> ControlFlow<()> {
    // What an earlier search left may lack what is too long for its best.
    floods.forget();
    let mut survey = Survey { state, kind, floods, sink, groups: 0 };
    let least = if kind.mode.dynamic { 2 } else { 3 };
    Cell::all().filter(|&cell| state.candidates(cell).len() >= least).try_for_each(|cell| survey.cell(cell))
}

struct Survey<'a, 'b, 'c> {
    state: &'a State,
    kind: Kind,
    floods: &'a mut Floods<'b>,
    sink: &'a mut Sink<'c>,
    /// Groups of hints offered so far.
    groups: u32,
}

impl Survey<'_, '_, '_> {
    fn cell(&mut self, cell: Cell) -> ControlFlow<()> {
        for digit in self.state.candidates(cell).iter() {
            let candidate = Candidate::new(cell, digit);
            self.floods.ask()?;
            self.floods.limit_to(self.sink.best().map_or(u32::MAX, |best| best.complexity));
            if self.kind.mode.dynamic {
                self.either_way(candidate)?;
            }
            if self.kind.is_multiple() {
                self.houses(cell, digit)?;
            }
        }
        if self.kind.is_multiple() { self.same_end(Source::Cell(cell)) } else { ControlFlow::Continue(()) }
    }

    /// The candidate, then its absence, leads to a contradiction; or both lead to the same end.
    fn either_way(&mut self, candidate: Candidate) -> ControlFlow<()> {
        let on = self.floods.of(candidate)?;
        self.contradiction(Literal::on(candidate), &on);
        let off = self.floods.passing(Literal::off(candidate))?;
        self.contradiction(Literal::off(candidate), &off);
        if self.kind.is_multiple() && self.state.candidates(candidate.cell()).len() >= 3 {
            self.meet(Source::Double(candidate), &[&on, &off]);
        }
        self.floods.give_back(off);
        ControlFlow::Continue(())
    }

    /// The flood of the assumption leads to a contradiction.
    fn contradiction(&mut self, start: Literal, flood: &Flood) {
        self.groups += 1;
        if let Some(clash) = flood.clash {
            self.offer(Source::Contradiction(start), start.negated(), 0, &clash.map(|number| (flood, number)));
        }
    }

    /// The places of the digit in each house of the cell that has no earlier place for it.
    fn houses(&mut self, cell: Cell, digit: u8) -> ControlFlow<()> {
        for (house, place) in cell.houses() {
            let places = self.state.places(house, digit);
            if places.trailing_zeros() as usize == place && places.count_ones() >= 2 {
                self.same_end(Source::House(house as u8, digit))?;
            }
        }
        ControlFlow::Continue(())
    }

    /// What all of the source, each of which holds or not, lead to.
    fn same_end(&mut self, source: Source) -> ControlFlow<()> {
        let mut floods = Vec::new();
        for start in starts(self.state, source) {
            floods.push(self.floods.of(start.candidate())?);
        }
        self.meet(source, &floods.iter().map(|flood| &**flood).collect::<Vec<_>>());
        ControlFlow::Continue(())
    }

    /// What all these floods have in common.
    fn meet(&mut self, source: Source, floods: &[&Flood]) {
        let common = |set: fn(&Flood) -> &CandidateSet| {
            let mut all = *set(floods[0]);
            floods[1..].iter().for_each(|flood| all.keep(set(flood)));
            all
        };
        let (on, off) = (common(|flood| &flood.on), common(|flood| &flood.off));
        let mut ends = Vec::with_capacity(floods.len());
        for (set, literal) in [(on, Literal::on as fn(Candidate) -> Literal), (off, Literal::off)] {
            self.groups += 1;
            for target in set.iter().map(|index| literal(Candidate::at(index))) {
                ends.clear();
                ends.extend(floods.iter().map(|flood| (*flood, flood.number(target))));
                let found = u32::from(ends[0].1);
                self.offer(source, target, found, &ends);
            }
        }
    }

    /// Puts a hint into the sink, unless its rival is better: its length is only reckoned where that is in doubt.
    fn offer(&mut self, source: Source, decides: Literal, found: u32, ends: &[(&Flood, u16)]) {
        if !is_news(self.state, decides) {
            return;
        }
        let rank = |complexity| Rank {
            difficulty: Difficulty::new(self.kind.base, complexity),
            complexity,
            kind: source.order(),
            found: (self.groups, found),
        };
        // Chains may share what is nested in them, so only that of one counts.
        let nested = ends.iter().map(|&(flood, number)| flood.cost(number) - flood.least(number)).max();
        let least = ends.iter().map(|&(flood, number)| flood.least(number)).sum::<u32>() + nested.unwrap_or(0);
        if self.sink.rival(decides).is_some_and(|rival| least > rival.complexity || *rival <= rank(least)) {
            return;
        }
        self.sink.offer(Hint { rank: rank(complexity(ends)), source, effect: Effect::Decides(decides) });
    }
}

/// How many literals the chains have, those of the chains nested in them included, each nested chain once.
fn complexity(ends: &[(&Flood, u16)]) -> u32 {
    let mut sum = ends.iter().map(|&(flood, number)| flood.size(number)).sum();
    let mut known: Vec<&Nested> = Vec::new();
    for &(flood, end) in ends.iter().filter(|(flood, _)| flood.has_nested()) {
        for nested in flood.chain(end).into_iter().filter_map(|number| flood.nested(number)) {
            if !known.iter().any(|other| other.literals == nested.literals) {
                sum += nested.complexity;
                known.push(nested);
            }
        }
    }
    sum
}

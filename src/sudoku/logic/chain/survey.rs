//! Multiple chains: floods from all candidates of a cell, all places of a digit, or a candidate and its absence,
//! that meet or contradict themselves. Nishio, multiple, dynamic and nested chains are this with different floods.
//!
//! Must never know what goes beyond links in a flood.

use super::candidate::{Candidate, CandidateSet, Literal};
use super::difficulty::{Base, Difficulty, Rank};
use super::flood::{Beyond, Flood, Mode, Nested};
use super::hint::{Effect, Hint, Sink, Source, is_news};
use super::links::{Links, places};
use crate::sudoku::Cell;
use crate::sudoku::logic::state::State;
use std::ops::ControlFlow;
use std::rc::Rc;

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

/// The floods of a state, each made when it is first asked for.
pub(super) struct Floods<'a> {
    state: &'a State,
    mode: Mode,
    beyond: &'a mut dyn Beyond,
    made: Vec<Option<Rc<Flood>>>,
}

impl<'a> Floods<'a> {
    pub fn new(state: &'a State, mode: Mode, beyond: &'a mut dyn Beyond) -> Floods<'a> {
        Floods { state, mode, beyond, made: vec![None; Literal::COUNT] }
    }

    /// All that follows from the assumption; `Break` if told to stop.
    pub fn get(&mut self, start: Literal) -> ControlFlow<(), Rc<Flood>> {
        if let Some(flood) = &self.made[start.index()] {
            return ControlFlow::Continue(flood.clone());
        }
        let flood = Rc::new(Flood::new(self.state, start, self.mode, self.beyond)?);
        self.made[start.index()] = Some(flood.clone());
        ControlFlow::Continue(flood)
    }

    /// The chains of a hint: where each ends, and in which flood; `Break` if told to stop.
    pub fn ends(&mut self, source: Source, effect: &Effect) -> ControlFlow<(), Vec<End>> {
        let Effect::Decides(target) = *effect else { return ControlFlow::Continue(Vec::new()) };
        if let Source::Contradiction(start) = source {
            let flood = self.get(start)?;
            let clash = flood.clash.into_iter().flatten();
            return ControlFlow::Continue(clash.map(|number| End { flood: flood.clone(), number }).collect());
        }
        let mut ends = Vec::new();
        for start in starts(self.state, source) {
            let flood = self.get(start)?;
            let number = flood.number(target);
            ends.push(End { flood, number });
        }
        ControlFlow::Continue(ends)
    }
}

/// Where a chain ends.
pub(super) struct End {
    pub flood: Rc<Flood>,
    pub number: u16,
}

/// The assumptions of chains that lead to the same end, one of which holds.
fn starts(state: &State, source: Source) -> Vec<Literal> {
    match source {
        Source::Reversal(start, _) | Source::Contradiction(start) => vec![start],
        Source::Cycle(candidate, ..) => vec![Literal::on(candidate)],
        Source::Double(candidate) => vec![Literal::on(candidate), Literal::off(candidate)],
        Source::Cell(cell) => {
            state.candidates(cell).iter().map(|digit| Literal::on(Candidate::new(cell, digit))).collect()
        }
        Source::House(house, digit) => {
            let cells = places(usize::from(house), state.places(usize::from(house), digit));
            cells.map(|cell| Literal::on(Candidate::new(cell, digit))).collect()
        }
    }
}

/// Searches all of a kind, and puts what is found into the sink; `Break` if told to stop.
pub(super) fn survey(state: &State, kind: Kind, floods: &mut Floods, sink: &mut Sink) -> ControlFlow<()> {
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
            self.floods.beyond.ask()?;
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
        for start in [Literal::on(candidate), Literal::off(candidate)] {
            let flood = self.floods.get(start)?;
            self.groups += 1;
            if let Some(clash) = flood.clash {
                self.offer(Source::Contradiction(start), start.negated(), 0, &clash.map(|number| (&*flood, number)));
            }
        }
        if self.kind.is_multiple() && self.state.candidates(candidate.cell()).len() >= 3 {
            self.same_end(Source::Double(candidate))?;
        }
        ControlFlow::Continue(())
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

    /// What all chains of the source lead to.
    fn same_end(&mut self, source: Source) -> ControlFlow<()> {
        let mut floods = Vec::new();
        for start in starts(self.state, source) {
            floods.push(self.floods.get(start)?);
        }
        let common = |set: fn(&Flood) -> &CandidateSet| {
            let all = *set(&floods[0]);
            floods[1..].iter().fold(all, |mut all, flood| {
                all.keep(set(flood));
                all
            })
        };
        let (on, off) = (common(|flood| &flood.on), common(|flood| &flood.off));
        let mut ends = Vec::with_capacity(floods.len());
        for (set, literal) in [(on, Literal::on as fn(Candidate) -> Literal), (off, Literal::off)] {
            self.groups += 1;
            for target in set.iter().map(|index| literal(Candidate::at(index))) {
                ends.clear();
                ends.extend(floods.iter().map(|flood| (&**flood, flood.number(target))));
                let found = u32::from(ends[0].1);
                self.offer(source, target, found, &ends);
            }
        }
        ControlFlow::Continue(())
    }

    /// Puts a hint into the sink, unless its rival is better: its length is only reckoned where that is in doubt.
    fn offer(&mut self, source: Source, decides: Literal, found: u32, ends: &[(&Flood, u16)]) {
        if !is_news(self.state, decides) {
            return;
        }
        let rank = |complexity| Rank {
            difficulty: Difficulty::new(self.kind.base, complexity),
            complexity,
            kind: kind_of(source),
            found: (self.groups, found),
        };
        let least = ends.iter().map(|&(flood, number)| flood.least(number)).sum();
        if self.sink.rival(decides).is_some_and(|rival| least > rival.complexity || *rival <= rank(least)) {
            return;
        }
        self.sink.offer(Hint { rank: rank(complexity(ends)), source, effect: Effect::Decides(decides) });
    }
}

/// Of chains of the same length, which come first.
fn kind_of(source: Source) -> u8 {
    match source {
        Source::Double(_) => 1,
        Source::Cell(_) => 5,
        Source::House(..) => 6,
        Source::Contradiction(_) => 7,
        Source::Reversal(_, links) | Source::Cycle(_, links, _) => match links {
            Links::X => 2,
            Links::Y => 3,
            _ => 4,
        },
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

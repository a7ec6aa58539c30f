//! Multiple chains: floods from all candidates of a cell, all places of a digit, or a candidate and its absence,
//! that meet or contradict themselves. Nishio, multiple, dynamic and nested chains are this with different floods.
//!
//! Must never know what goes beyond links in a flood.

use super::candidate::{Candidate, CandidateSet, Literal};
use super::difficulty::{Base, Difficulty, Rank};
use super::flood::{Flood, Nested};
use super::hint::{Effect, Hint, Sink, Source, is_news};
use super::links::{Links, places};
use super::spread::{Beyond, Mode, spread};
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

/// The floods of a state. Those of what holds are made once.
pub(super) struct Floods<'a> {
    state: &'a State,
    mode: Mode,
    beyond: &'a mut dyn Beyond,
    made: Vec<Option<Rc<Flood>>>,
    /// Chains of this cost are too long.
    limit: u32,
    /// For its memory.
    spare: Option<Flood>,
}

impl<'a> Floods<'a> {
    pub fn new(state: &'a State, mode: Mode, beyond: &'a mut dyn Beyond) -> Floods<'a> {
        Floods { state, mode, beyond, made: vec![None; Candidate::COUNT], limit: u32::MAX, spare: None }
    }

    /// All that follows when the candidate holds; `Break` if told to stop.
    fn of(&mut self, candidate: Candidate) -> ControlFlow<(), Rc<Flood>> {
        if let Some(flood) = &self.made[candidate.index()] {
            return ControlFlow::Continue(flood.clone());
        }
        let flood = Rc::new(self.passing(Literal::on(candidate))?);
        self.made[candidate.index()] = Some(flood.clone());
        ControlFlow::Continue(flood)
    }

    /// All that follows from the assumption; `Break` if told to stop.
    fn passing(&mut self, start: Literal) -> ControlFlow<(), Flood> {
        let mut flood = self.spare.take().unwrap_or_else(Flood::new);
        flood.clear();
        spread(&mut flood, self.state, start, self.mode, self.limit, self.beyond)?;
        ControlFlow::Continue(flood)
    }

    fn from(&mut self, start: Literal) -> ControlFlow<(), Rc<Flood>> {
        if start.holds() { self.of(start.candidate()) } else { self.passing(start).map_continue(Rc::new) }
    }

    /// The chains of a hint: where each ends, and in which flood; `Break` if told to stop.
    pub fn ends(&mut self, source: Source, effect: &Effect) -> ControlFlow<(), Vec<End>> {
        let Effect::Decides(target) = *effect else { return ControlFlow::Continue(Vec::new()) };
        let mut ends = Vec::new();
        for start in starts(self.state, source) {
            let flood = self.from(start)?;
            let numbers = match source {
                Source::Contradiction(_) => flood.clash.map_or(Vec::new(), Vec::from),
                _ => vec![flood.number(target)],
            };
            ends.extend(numbers.into_iter().map(|number| End { flood: flood.clone(), number }));
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
    // What an earlier search left may lack what is too long for its best.
    floods.made.fill(None);
    let mut survey = Survey { state, kind, floods, sink, groups: 0 };
    let least = if kind.mode.dynamic { 2 } else { 3 };
    let flow = Cell::all().filter(|&cell| state.candidates(cell).len() >= least).try_for_each(|cell| survey.cell(cell));
    survey.floods.limit = u32::MAX;
    flow
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
            self.floods.limit = self.sink.best().map_or(u32::MAX, |best| best.complexity);
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
        self.floods.spare = Some(off);
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
            kind: kind_of(source),
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

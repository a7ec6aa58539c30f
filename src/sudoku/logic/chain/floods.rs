//! [`Floods`]: the floods of a state, each made when it is asked for. Must never know how they are compared.

use super::candidate::{Candidate, Literal};
use super::flood::Flood;
use super::hint::{Effect, Source};
use super::links::places;
use super::spread::{Beyond, Mode, spread};
use crate::sudoku::logic::state::State;
use std::ops::ControlFlow;
use std::rc::Rc;

/// The floods of a state. Those from what holds are kept; of the others the memory is.
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

    /// `Break` if told to stop.
    pub fn ask(&mut self) -> ControlFlow<()> {
        self.beyond.ask()
    }

    /// Lets floods that are made from now on leave out ends of chains that cost so much or more.
    pub fn limit_to(&mut self, cost: u32) {
        self.limit = cost;
    }

    /// Forgets the floods made.
    pub fn forget(&mut self) {
        self.made.fill(None);
    }

    /// All that follows when the candidate holds; `Break` if told to stop.
    pub fn of(&mut self, candidate: Candidate) -> ControlFlow<(), Rc<Flood>> {
        if let Some(flood) = &self.made[candidate.index()] {
            return ControlFlow::Continue(flood.clone());
        }
        let flood = Rc::new(self.passing(Literal::on(candidate))?);
        self.made[candidate.index()] = Some(flood.clone());
        ControlFlow::Continue(flood)
    }

    /// All that follows from the assumption, not kept; `Break` if told to stop.
    pub fn passing(&mut self, start: Literal) -> ControlFlow<(), Flood> {
        let mut flood = self.spare.take().unwrap_or_else(Flood::new);
        flood.clear();
        spread(&mut flood, self.state, start, self.mode, self.limit, self.beyond)?;
        ControlFlow::Continue(flood)
    }

    /// Takes back a flood that is no longer needed, for its memory.
    pub fn give_back(&mut self, flood: Flood) {
        self.spare = Some(flood);
    }

    /// The chains of a hint: where each ends, and in which flood; `Break` if told to stop.
    pub fn ends(&mut self, source: Source, effect: &Effect) -> ControlFlow<(), Vec<End>> {
        self.limit = u32::MAX;
        let Effect::Decides(target) = *effect else { return ControlFlow::Continue(Vec::new()) };
        let mut ends = Vec::new();
        for start in starts(self.state, source) {
            let flood = match start.holds() {
                true => self.of(start.candidate())?,
                false => Rc::new(self.passing(start)?),
            };
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
pub(super) fn starts(state: &State, source: Source) -> Vec<Literal> {
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

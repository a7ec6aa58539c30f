//! Cycles, and chains from one assumption to its contrary, on links that do not change. All assumptions spread in
//! step, a round of links at a time, so that the first end met is the shortest.
//!
//! Must never know the way a chain takes: [`walk`](super::walk) finds it again where it matters.

use super::candidate::{Bits, Candidate, Literal};
use super::difficulty::{Base, Difficulty, Rank};
use super::hint::{Effect, Hint, Sink, Source};
use super::links::Links;
use super::matrix::{Matrix, Rows};
use super::walk::{cycle_removals, cycles};
use crate::sudoku::Cell;
use crate::sudoku::logic::state::State;
use std::ops::ControlFlow;

/// One search: which links, and the difficulty of the shortest cycle and of the shortest chain, if those count.
#[derive(Clone, Copy)]
struct Pass {
    links: Links,
    cycle: Base,
    chain: Option<Base>,
    /// Of steps that are equally hard and long, which comes first.
    kind: u8,
}

const PASSES: [Pass; 3] = [
    Pass { links: Links::X, cycle: Base(65), chain: Some(Base(66)), kind: 2 },
    // A chain on the links of cells alone is both odd and even.
    Pass { links: Links::Y, cycle: Base(65), chain: None, kind: 3 },
    Pass { links: Links::XY, cycle: Base(70), chain: Some(Base(70)), kind: 4 },
];

/// Searches for all of them, and puts them into the sink. `ask` is asked before each round, and may say stop.
pub(super) fn search(state: &State, sink: &mut Sink, ask: &mut dyn FnMut() -> ControlFlow<()>) -> ControlFlow<()> {
    let candidates: usize = Cell::all().map(|cell| state.candidates(cell).len() as usize).sum();
    if candidates <= 256 { passes::<4>(state, sink, ask) } else { passes::<12>(state, sink, ask) }
}

fn passes<const W: usize>(state: &State, sink: &mut Sink, ask: &mut dyn FnMut() -> ControlFlow<()>) -> ControlFlow<()> {
    let matrix = Matrix::<W>::new(state);
    for pass in &PASSES {
        let rows = matrix.rows(pass.links);
        let sources = sources(state, pass, &matrix.candidates);
        let mut search = Search { state, pass, candidates: &matrix.candidates, rows, sink, round: 1 };
        search.run(sources, ask)?;
    }
    ControlFlow::Continue(())
}

/// What spreads from one candidate: from its holding and from its going.
struct Spread<const W: usize> {
    number: usize,
    /// From holding: what was met off and on, and what is on since the last round.
    holds: [Bits<W>; 3],
    /// From going: what was met on and off, and what is off since the last round.
    goes: [Bits<W>; 3],
}

/// The candidates that chains may start from.
fn sources<const W: usize>(state: &State, pass: &Pass, candidates: &[Candidate]) -> Vec<Spread<W>> {
    let start = |(number, candidate): (usize, &Candidate)| {
        let among = state.candidates(candidate.cell()).len();
        let mut own = Bits::EMPTY;
        own.insert(number);
        let spread = [Bits::EMPTY, own, own];
        let goes = if pass.chain.is_some() { spread } else { [Bits::EMPTY; 3] };
        (among == 2 || among > 2 && pass.links.houses).then_some(Spread { number, holds: spread, goes })
    };
    candidates.iter().enumerate().filter_map(start).collect()
}

struct Search<'a, 'b, const W: usize> {
    state: &'a State,
    pass: &'a Pass,
    candidates: &'a [Candidate],
    rows: Rows<W>,
    sink: &'a mut Sink<'b>,
    /// Chains that end in this round have twice as many literals.
    round: u32,
}

impl<const W: usize> Search<'_, '_, W> {
    fn run(&mut self, mut sources: Vec<Spread<W>>, ask: &mut dyn FnMut() -> ControlFlow<()>) -> ControlFlow<()> {
        while !sources.is_empty() && self.may_improve() {
            ask()?;
            for source in &mut sources {
                self.holds(source);
                self.goes(source);
            }
            sources.retain(|source| !source.holds[2].is_empty() || !source.goes[2].is_empty());
            self.round += 1;
        }
        ControlFlow::Continue(())
    }

    /// Whether what this round and later ones find may be better than the best so far.
    fn may_improve(&self) -> bool {
        let complexity = 2 * self.round;
        let difficulty = Difficulty::new(self.pass.cycle, complexity);
        self.sink.best().is_none_or(|best| (best.difficulty, best.complexity) >= (difficulty, complexity))
    }

    /// A round from the candidate's holding.
    fn holds(&mut self, source: &mut Spread<W>) {
        let [met_off, met_on, front] = &mut source.holds;
        let mut off = all(&self.rows.excluded, front);
        if self.round > 1 && off.meets(&self.rows.forced[source.number]) {
            self.cycles(source.number);
        }
        off.drop(met_off);
        met_off.add(&off);
        if off.has(source.number) {
            self.chain(source.number, false);
        }
        *front = all(&self.rows.forced, &off);
        front.drop(met_on);
        met_on.add(front);
    }

    /// A round from the candidate's going.
    fn goes(&mut self, source: &mut Spread<W>) {
        let [met_on, met_off, front] = &mut source.goes;
        let mut on = all(&self.rows.forced, front);
        on.drop(met_on);
        met_on.add(&on);
        if on.has(source.number) {
            self.chain(source.number, true);
        }
        *front = all(&self.rows.excluded, &on);
        front.drop(met_off);
        met_off.add(front);
    }

    /// The candidate's contrary leads to it, or it to its contrary.
    fn chain(&mut self, number: usize, holds: bool) {
        let Some(base) = self.pass.chain else { return };
        let end = if holds { Literal::on(self.candidates[number]) } else { Literal::off(self.candidates[number]) };
        let rank = self.rank(base, number, 1 + u32::from(holds), 0);
        if self.sink.rival(end).is_none_or(|rival| rank < *rival) {
            let source = Source::Reversal(end.negated(), self.pass.links);
            self.sink.offer(Hint { rank, source, effect: Effect::Decides(end) });
        }
    }

    /// The candidate leads to itself, and perhaps back.
    fn cycles(&mut self, number: usize) {
        let start = self.candidates[number];
        if self.sink.best().is_some_and(|best| *best < self.rank(self.pass.cycle, number, 0, 0)) {
            return;
        }
        for (nth, path) in (0..).zip(cycles(self.state, start, self.pass.links, 2 * self.round)) {
            let removals = cycle_removals(self.state, &path);
            if !removals.is_empty() {
                let rank = self.rank(self.pass.cycle, number, 0, nth);
                let source = Source::Cycle(start, self.pass.links, nth);
                self.sink.offer(Hint { rank, source, effect: Effect::Removes(removals) });
            }
        }
    }

    fn rank(&self, base: Base, number: usize, group: u32, nth: u32) -> Rank {
        let complexity = 2 * self.round;
        let difficulty = Difficulty::new(base, complexity);
        Rank { difficulty, complexity, kind: self.pass.kind, found: (number as u32 * 3 + group, nth) }
    }
}

/// All that the candidates of a set lead to.
fn all<const W: usize>(rows: &[Bits<W>], from: &Bits<W>) -> Bits<W> {
    from.iter().fold(Bits::EMPTY, |mut all, number| {
        all.add(&rows[number]);
        all
    })
}

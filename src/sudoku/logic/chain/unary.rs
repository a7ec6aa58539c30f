//! Cycles, and chains from one assumption to its contrary, on links that do not change. All assumptions spread in
//! step, a round of links at a time, so that the first end met is the shortest.
//!
//! Must never know the way a chain takes: [`walk`](super::walk) finds it again where it matters.

use super::candidate::{Bits, Candidate, CandidateSet, Literal};
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
}

const PASSES: [Pass; 3] = [
    Pass { links: Links::X, cycle: Base(65), chain: Some(Base(66)) },
    // A chain on the links of cells alone is both odd and even.
    Pass { links: Links::Y, cycle: Base(65), chain: None },
    Pass { links: Links::XY, cycle: Base(70), chain: Some(Base(70)) },
];

/// Searches for all of them, and puts them into the sink. `ask` is asked before each round, and may say stop.
pub(super) fn search(state: &State, sink: &mut Sink, ask: &mut dyn FnMut() -> ControlFlow<()>) -> ControlFlow<()> {
    let candidates: usize = Cell::all().map(|cell| state.candidates(cell).len() as usize).sum();
    if candidates <= 256 { passes::<4>(state, sink, ask) } else { passes::<12>(state, sink, ask) }
}

fn passes<const W: usize>(state: &State, sink: &mut Sink, ask: &mut dyn FnMut() -> ControlFlow<()>) -> ControlFlow<()> {
    let matrix = Matrix::<W>::new(state);
    for pass in &PASSES {
        if pass.may_improve(1, sink) {
            let rows = matrix.rows(pass.links);
            let sources = sources(state, pass, &matrix.candidates);
            Search { state, pass, matrix: &matrix, rows, sink, round: 1 }.run(sources, ask)?;
        }
    }
    ControlFlow::Continue(())
}

impl Pass {
    /// Whether what this round and later ones find may be better than the best so far.
    fn may_improve(&self, round: u32, sink: &Sink) -> bool {
        let complexity = 2 * round;
        let difficulty = Difficulty::new(self.cycle, complexity);
        sink.best().is_none_or(|best| (best.difficulty, best.complexity) >= (difficulty, complexity))
    }
}

/// What spreads from one candidate: from its holding and from its going.
struct Spread<const W: usize> {
    number: usize,
    /// From holding: what was met on and off, and what went in the last round.
    holds: [Bits<W>; 3],
    /// From going: what was met off and on, and what came to hold in the last round.
    goes: [Bits<W>; 3],
}

/// The candidates that chains may start from.
fn sources<const W: usize>(state: &State, pass: &Pass, candidates: &[Candidate]) -> Vec<Spread<W>> {
    let mut sources = Vec::with_capacity(candidates.len());
    for (number, candidate) in candidates.iter().enumerate() {
        let among = state.candidates(candidate.cell()).len();
        if among == 2 || among > 2 && pass.links.houses {
            sources.push(Spread { number, holds: [Bits::EMPTY; 3], goes: [Bits::EMPTY; 3] });
        }
    }
    sources
}

struct Search<'a, 'b, const W: usize> {
    state: &'a State,
    pass: &'a Pass,
    matrix: &'a Matrix<W>,
    rows: Rows<W>,
    sink: &'a mut Sink<'b>,
    /// Chains that end in this round have twice as many literals.
    round: u32,
}

impl<const W: usize> Search<'_, '_, W> {
    fn run(&mut self, mut sources: Vec<Spread<W>>, ask: &mut dyn FnMut() -> ControlFlow<()>) -> ControlFlow<()> {
        let mut goes_on = true;
        while goes_on && self.pass.may_improve(self.round, self.sink) {
            ask()?;
            goes_on = false;
            for source in &mut sources {
                if self.round == 1 || !source.goes[2].is_empty() {
                    self.goes(source);
                    goes_on = true;
                }
                if self.round == 1 || !source.holds[2].is_empty() {
                    self.holds(source);
                    goes_on = true;
                }
            }
            self.round += 1;
        }
        ControlFlow::Continue(())
    }

    /// A round from the candidate's going.
    fn goes(&mut self, source: &mut Spread<W>) {
        let [met_off, met_on, on] = &mut source.goes;
        let mut off = if self.round == 1 { Bits::of(source.number) } else { all(&self.rows.excluded, on) };
        off.drop(met_off);
        met_off.add(&off);
        off.keep(&self.rows.forcing);
        *on = all(&self.rows.forced, &off);
        on.drop(met_on);
        met_on.add(on);
        if on.has(source.number) {
            self.chain(source.number, true);
        }
    }

    /// A round from the candidate's holding. The one from its going comes first: what closes a cycle is met there.
    fn holds(&mut self, source: &mut Spread<W>) {
        let [met_on, met_off, off] = &mut source.holds;
        off.keep(&self.rows.forcing);
        let mut on = if self.round == 1 { Bits::of(source.number) } else { all(&self.rows.forced, off) };
        on.drop(met_on);
        met_on.add(&on);
        *off = all(&self.rows.excluded, &on);
        let closes = self.round > 1 && off.meets(&self.rows.forced[source.number]);
        off.drop(met_off);
        met_off.add(off);
        if off.has(source.number) {
            self.chain(source.number, false);
        }
        if closes {
            self.cycles(source);
        }
    }

    /// The candidate's contrary leads to it, or it to its contrary.
    fn chain(&mut self, number: usize, holds: bool) {
        let Some(base) = self.pass.chain else { return };
        let candidate = self.matrix.candidates[number];
        let end = if holds { Literal::on(candidate) } else { Literal::off(candidate) };
        let source = Source::Reversal(end.negated(), self.pass.links);
        let rank = self.rank(base, source, number, 1 + u32::from(holds));
        if self.sink.rival(end).is_none_or(|rival| rank < *rival) {
            self.sink.offer(Hint { rank, source, effect: Effect::Decides(end) });
        }
    }

    /// The candidate leads to itself, and perhaps back.
    fn cycles(&mut self, source: &Spread<W>) {
        let (start, links) = (self.matrix.candidates[source.number], self.pass.links);
        let first = self.rank(self.pass.cycle, Source::Cycle(start, links, 0), source.number, 0);
        // What is on such a cycle.
        let [mut on, mut off] = [source.holds[0], source.holds[1]];
        on.keep(&source.goes[0]);
        off.keep(&source.goes[1]);
        // What goes sees one that is on and one that is off.
        let seen = |by| all(&self.matrix.houses[0], by);
        if !seen(&on).meets(&seen(&off)) || self.sink.best().is_some_and(|best| *best < first) {
            return;
        }
        let mut within = CandidateSet::EMPTY;
        on.iter().for_each(|number| within.insert(self.matrix.candidates[number].index()));
        for (nth, path) in (0..).zip(cycles(self.state, start, links, 2 * self.round, &within)) {
            let removals = cycle_removals(self.state, &path);
            if !removals.is_empty() {
                let source = Source::Cycle(start, links, nth);
                self.sink.offer(Hint {
                    rank: Rank { found: (first.found.0, nth), ..first },
                    source,
                    effect: Effect::Removes(removals),
                });
            }
        }
    }

    /// Of what ends in this round; within a group of hints of a candidate, of the first.
    fn rank(&self, base: Base, source: Source, number: usize, group: u32) -> Rank {
        let complexity = 2 * self.round;
        let difficulty = Difficulty::new(base, complexity);
        Rank { difficulty, complexity, kind: source.order(), found: (number as u32 * 3 + group, 0) }
    }
}

/// All that the candidates of a set lead to.
fn all<const W: usize>(rows: &[Bits<W>], from: &Bits<W>) -> Bits<W> {
    from.iter().fold(Bits::EMPTY, |mut all, number| {
        all.add(&rows[number]);
        all
    })
}

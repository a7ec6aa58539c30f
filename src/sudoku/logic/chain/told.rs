//! Hints as steps for people. Must never know how hints are found.

use super::basis::{Chain, unary_chains};
use super::candidate::Candidate;
use super::floods::End;
use super::hint::{Effect, Hint, Source};
use super::links::{Links, places};
use super::survey::Kind;
use crate::sudoku::logic::digits::Digits;
use crate::sudoku::logic::state::State;
use crate::sudoku::logic::step::{Assertion, Step};
use crate::sudoku::logic::technique::Technique;

/// A cycle, or a chain from one assumption; with its chains if those are to be told.
pub(super) fn unary(state: &State, hint: &Hint, with_chains: bool) -> Step {
    let technique = match hint.source {
        Source::Cycle(_, Links::X, _) => Technique::XCycle,
        Source::Cycle(_, Links::Y, _) => Technique::YCycle,
        Source::Cycle(..) => Technique::XyCycle,
        Source::Reversal(_, Links::X) => Technique::ForcingXChain,
        _ => Technique::ForcingChain,
    };
    let mut step = step(state, technique, hint);
    let is_cycle = matches!(hint.source, Source::Cycle(..));
    if is_cycle || with_chains {
        let chains = unary_chains(state, hint);
        if is_cycle {
            step.cells = chains[0].iter().map(|(literal, _)| literal.candidate().cell()).collect();
            let digits = chains[0].iter().map(|(literal, _)| Digits::of(literal.candidate().digit()));
            step.digits = digits.fold(Digits::NONE, |all, digit| all | digit);
        }
        if with_chains {
            step.chains = chains.iter().map(told).collect();
        }
    }
    step
}

/// Chains from several assumptions, or to a contradiction; `ends` are those to be told.
pub(super) fn multiple(state: &State, kind: Kind, hint: &Hint, ends: &[End]) -> Step {
    let technique = match hint.source {
        Source::Double(_) => Technique::DynamicDouble,
        Source::Cell(_) if kind.mode.dynamic => Technique::DynamicCell,
        Source::Cell(_) => Technique::CellForcingChains,
        Source::House(..) if kind.mode.dynamic => Technique::DynamicHouse,
        Source::House(..) => Technique::HouseForcingChains,
        _ if kind == Kind::NISHIO => Technique::Nishio,
        _ => Technique::DynamicContradiction,
    };
    let in_order = |end: &End| {
        let mut numbers = end.flood.chain(end.number);
        numbers.sort_unstable();
        numbers.iter().map(|&number| end.flood.literal(number).assertion()).collect()
    };
    Step { chains: ends.iter().map(in_order).collect(), ..step(state, technique, hint) }
}

/// What starts it and what follows.
fn step(state: &State, technique: Technique, hint: &Hint) -> Step {
    let mut step = Step::new(technique, hint.rank.difficulty.score());
    let mut start = |candidate: Candidate| {
        step.cells.insert(candidate.cell());
        step.digits = step.digits | Digits::of(candidate.digit());
    };
    match hint.source {
        Source::Reversal(literal, _) | Source::Contradiction(literal) => start(literal.candidate()),
        Source::Cycle(candidate, ..) | Source::Double(candidate) => start(candidate),
        Source::Cell(cell) => state.candidates(cell).iter().for_each(|digit| start(Candidate::new(cell, digit))),
        Source::House(house, digit) => {
            let cells = places(usize::from(house), state.places(usize::from(house), digit));
            cells.for_each(|cell| start(Candidate::new(cell, digit)));
            step.houses.push(house);
        }
    }
    match hint.effect {
        Effect::Decides(literal) if literal.holds() => {
            step.placement = Some((literal.candidate().cell(), literal.candidate().digit()));
        }
        _ => step.removals = hint.effect.removals(state),
    }
    step
}

/// From the assumption on.
fn told(chain: &Chain) -> Vec<Assertion> {
    chain.iter().rev().map(|(literal, _)| literal.assertion()).collect()
}

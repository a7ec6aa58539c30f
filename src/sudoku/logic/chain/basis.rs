//! The chains behind a hint, and what they rest on: the candidates that had to go before they held.
//!
//! Must never know how hints are found.

use super::candidate::{Candidate, CandidateSet, Literal};
use super::flood::Flood;
use super::hint::{Hint, Source};
use super::links::Cause;
use super::spread::each_gone;
use super::walk::{cycles, reversal};
use crate::sudoku::CellSet;
use crate::sudoku::logic::digits::Digits;
use crate::sudoku::logic::state::State;
use crate::sudoku::logic::step::Step;
use crate::sudoku::logic::technique::Technique;

/// A chain from its end back to its assumption, each literal with why it follows.
pub(super) type Chain = Vec<(Literal, Cause)>;

/// The chains of a hint that [`unary`](super::unary) found: two for a cycle, which may be walked either way. The
/// candidate at both ends of a cycle is there twice.
pub(super) fn unary_chains(state: &State, hint: &Hint) -> Vec<Chain> {
    match hint.source {
        Source::Reversal(start, links) => vec![reversal(state, start, links).into_iter().rev().collect()],
        Source::Cycle(start, links, nth) => {
            let all = cycles(state, start, links, hint.rank.complexity, &CandidateSet::ALL);
            let path = &all[nth as usize];
            let contrary = path.iter().map(|&(literal, cause)| (literal.negated(), cause)).collect();
            vec![path.iter().rev().copied().collect(), contrary]
        }
        _ => Vec::new(),
    }
}

/// The chain that ends with this number of a flood.
pub(super) fn flood_chain(flood: &Flood, end: u16) -> Chain {
    flood.chain(end).into_iter().map(|number| (flood.literal(number), flood.cause(number))).collect()
}

/// The candidates that had to go, from `source` to `now`, before these chains of a hint held.
pub(super) fn rests_on(chains: &[Chain], hint: Source, source: &State, now: &State) -> Vec<Candidate> {
    let assumed = match hint {
        Source::Cell(_) => Cause::Cell,
        Source::House(house, _) => Cause::House(house),
        _ => Cause::Assumed,
    };
    let mut gone = Vec::new();
    for &(literal, cause) in chains.iter().flatten().filter(|(literal, _)| literal.holds()) {
        let cause = if cause == Cause::Assumed { assumed } else { cause };
        each_gone(source, now, literal.candidate(), cause, |candidate| {
            if !gone.contains(&candidate) {
                gone.push(candidate);
            }
        });
    }
    gone
}

/// The candidates that had to go before this step of a simple technique was possible.
pub(super) fn step_rests_on(step: &Step, source: &State, now: &State) -> Vec<Candidate> {
    let house = |house: u8| CellSet::house(usize::from(house));
    match step.technique {
        Technique::NakedPair => gone(step.cells, Digits::ALL - step.digits, source, now),
        Technique::HiddenPair => gone(house(step.houses[0]) - step.cells, step.digits, source, now),
        // The digit's other places in the first house, or in each of the first two, one after the other.
        _ => {
            let (base, cover) = step.houses.split_at(step.houses.len() / 2);
            let covered = cover.iter().fold(CellSet::EMPTY, |cells, &line| cells | house(line));
            base.iter().flat_map(|&line| gone(house(line) - covered, step.digits, source, now)).collect()
        }
    }
}

/// The candidates of these digits in these cells that went.
fn gone(cells: CellSet, digits: Digits, source: &State, now: &State) -> Vec<Candidate> {
    let went = |&(cell, digit): &_| !now.candidates(cell).has(digit);
    let all = source.having(cells, digits).into_iter().flat_map(|(cell, some)| some.iter().map(move |d| (cell, d)));
    all.filter(went).map(|(cell, digit)| Candidate::new(cell, digit)).collect()
}

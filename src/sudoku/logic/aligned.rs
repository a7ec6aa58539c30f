//! Aligned exclusion: of all combinations of digits in two or three cells, some would leave a cell that sees them all without
//! a candidate. A digit that is in none of the others goes.
//!
//! Must never know of other techniques.

use super::digits::Digits;
use super::order::peers;
use super::score::Score;
use super::state::State;
use super::step::{Found, Step};
use super::technique::Technique;
use crate::sudoku::geometry::{Cell, CellSet};
use std::ops::ControlFlow;

/// Aligned pair exclusion. Reports nothing about cells that see a naked single.
pub fn find_pairs(state: &State, found: Found) -> ControlFlow<()> {
    let bases = bases(state, 2);
    for second in 1..bases.len() {
        for first in 0..second {
            let (first, second) = (&bases[first], &bases[second]);
            let excluders = first.excluders & second.excluders;
            if excluders.len() >= 2 {
                let left = pair_left(state, [first.cell, second.cell], excluders);
                report(state, &[first.cell, second.cell], &left, excluders, found)?;
            }
        }
    }
    ControlFlow::Continue(())
}

/// Aligned triplet exclusion. Reports nothing about cells that see a naked single.
pub fn find_triplets(state: &State, found: Found) -> ControlFlow<()> {
    let bases = bases(state, 3);
    for second in 1..bases.len() {
        for first in 0..second {
            let (first, second) = (&bases[first], &bases[second]);
            let common = first.excluders & second.excluders;
            if common.len() < 2 {
                continue;
            }
            for third in thirds(first, second, &bases) {
                let excluders = common & third.excluders;
                if excluders.len() >= 2 {
                    let cells = [first.cell, second.cell, third.cell];
                    report(state, &cells, &triplet_left(state, cells, excluders), excluders, found)?;
                }
            }
        }
    }
    ControlFlow::Continue(())
}

/// A cell that may be one of the aligned ones.
struct Base {
    cell: Cell,
    /// The peers with two candidates or up to as many as there are aligned cells.
    excluders: CellSet,
}

/// In reading order.
fn bases(state: &State, size: u32) -> Vec<Base> {
    let with = |most: u32| -> CellSet {
        state.empty().iter().filter(|&cell| (1..=most).contains(&state.candidates(cell).len())).collect()
    };
    let (single, few) = (with(1), with(size));
    let base = |cell| Base { cell, excluders: few & CellSet::peers(cell) };
    let wanted = |base: &Base| !base.excluders.is_empty() && (base.excluders & single).is_empty();
    (state.empty() - single).iter().map(base).filter(wanted).collect()
}

/// The bases that exclude with the first cell, in its order, then those that do so with the second alone.
fn thirds<'a>(first: &Base, second: &Base, bases: &'a [Base]) -> impl Iterator<Item = &'a Base> {
    let of_first = peers(first.cell).filter(|&cell| first.excluders.contains(cell));
    let of_second = peers(second.cell).filter(|&cell| (second.excluders - first.excluders).contains(cell));
    let others = of_first.chain(of_second).filter(|&cell| cell != first.cell && cell != second.cell);
    others.filter_map(|cell| bases.binary_search_by_key(&cell, |base| base.cell).ok().map(|i| &bases[i]))
}

/// For each cell the digits that are in some combination that is possible.
fn pair_left(state: &State, cells: [Cell; 2], excluders: CellSet) -> [Digits; 2] {
    let [first, second] = cells.map(|cell| state.candidates(cell));
    let mut left = [Digits::NONE; 2];
    for digit in first.iter() {
        let partners = second - seen(cells[0], digit, cells[1]) - ruled_out(state, Digits::of(digit), excluders);
        if !partners.is_empty() {
            left = [left[0] | Digits::of(digit), left[1] | partners];
        }
    }
    left
}

fn triplet_left(state: &State, cells: [Cell; 3], excluders: CellSet) -> [Digits; 3] {
    let [first, second, third] = cells.map(|cell| state.candidates(cell));
    let mut left = [Digits::NONE; 3];
    for a in first.iter() {
        for b in (second - seen(cells[0], a, cells[1])).iter() {
            let gone = seen(cells[0], a, cells[2]) | seen(cells[1], b, cells[2]);
            let partners = third - gone - ruled_out(state, Digits::of(a) | Digits::of(b), excluders);
            if !partners.is_empty() {
                left = [left[0] | Digits::of(a), left[1] | Digits::of(b), left[2] | partners];
            }
        }
    }
    left
}

/// What a digit in one cell rules out in another one for being its peer.
fn seen(cell: Cell, digit: u8, other: Cell) -> Digits {
    if CellSet::peers(cell).contains(other) { Digits::of(digit) } else { Digits::NONE }
}

/// The digits that, with those chosen, would take the last candidate of an excluder.
fn ruled_out(state: &State, chosen: Digits, excluders: CellSet) -> Digits {
    excluders.iter().fold(Digits::NONE, |out, cell| {
        let rest = state.candidates(cell) - chosen;
        match rest.len() {
            0 => Digits::ALL,
            1 => out | rest,
            _ => out,
        }
    })
}

/// Reports what is not left, if anything.
fn report(state: &State, cells: &[Cell], left: &[Digits], excluders: CellSet, found: Found) -> ControlFlow<()> {
    let gone = cells.iter().zip(left).map(|(&cell, &left)| (cell, state.candidates(cell) - left));
    let mut removals: Vec<_> = gone.filter(|(_, gone)| !gone.is_empty()).collect();
    if removals.is_empty() {
        return ControlFlow::Continue(());
    }
    removals.sort_by_key(|&(cell, _)| cell);
    let (technique, score) = match cells.len() {
        2 => (Technique::AlignedPairExclusion, 62),
        _ => (Technique::AlignedTripletExclusion, 75),
    };
    let cells = cells.iter().copied().collect();
    found(Step { cells, beside: excluders, removals, ..Step::new(technique, Score(score)) })
}

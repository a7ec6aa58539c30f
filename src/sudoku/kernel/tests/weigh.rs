//! The choice of a guess and what it does to a puzzle: every vector as the plain loops.

use super::support::on_each_vector;
use crate::sudoku::geometry::PEERS;
use crate::sudoku::kernel::cells::{ALL, Cells};
use crate::sudoku::kernel::heaviest::{Conflicts, WEIGHED, first, heaviest};
use crate::sudoku::kernel::vector::Vector;
use proptest::prelude::*;

/// Candidates of all kinds of cells; `pairs` of ten cells have two.
fn puzzle() -> impl Strategy<Value = Cells> {
    (0u16..=10, prop::collection::vec((any::<u16>(), 0u16..10, 0u32..9, 1u32..9), 81)).prop_map(|(pairs, draws)| {
        let mut cells = Cells::NONE;
        for (to, (any, kind, a, b)) in cells.0.iter_mut().zip(draws) {
            let pair = 1 << a | 1 << ((a + b) % 9);
            let others = [any & ALL, 1 << a, pair | 1 << (any % 9), pair | any & 0x111];
            *to = if kind < pairs { pair } else { others[usize::from(any >> 12) % 4] };
            if any >> 10 == 0 {
                *to = 0;
            }
        }
        cells
    })
}

fn conflicts() -> impl Strategy<Value = Conflicts> {
    let count = prop_oneof![Just(0), 0u8..6, any::<u8>(), 100u8..=140];
    prop::collection::vec(count, 81).prop_map(|counts| {
        let mut conflicts = [0; 96];
        conflicts[..81].copy_from_slice(&counts);
        conflicts
    })
}

/// The rule in words: of the first pairs the one with the most weight, the first of equals.
fn by_the_rule(cells: &Cells, conflicts: &Conflicts, weighed: usize) -> Option<usize> {
    let pairs = (0..81).filter(|&cell| cells.0[cell].count_ones() == 2).take(weighed).collect::<Vec<_>>().into_iter();
    let weight = |cell: usize| {
        let open = PEERS[cell].iter().map(|&peer| cells.0[usize::from(peer)]);
        let sharing = open.filter(|x| x.count_ones() > 1 && x & cells.0[cell] != 0);
        let sum: u32 = sharing.map(|x| [5, 2, 1][(x.count_ones() as usize - 2).min(2)]).sum();
        (sum + 2 * u32::from(conflicts[cell])).min(255)
    };
    pairs.rev().max_by_key(|&cell| weight(cell))
}

fn choice<V: Vector>(proof: V::Proof, cells: &Cells, conflicts: &Conflicts) {
    let weighed = if V::LANES == 32 { 16 } else { WEIGHED };
    assert_eq!(V::enter(proof, || V::heaviest(cells, conflicts)), by_the_rule(cells, conflicts, weighed));
    assert_eq!(V::enter(proof, || V::first(cells)), first(cells));
}

fn limited<V: Vector>(proof: V::Proof, cells: &Cells, cell: usize, candidates: u16) {
    let (mut ours, mut expected) = (*cells, *cells);
    V::enter(proof, || V::limit(&mut ours, cell, candidates));
    expected.0[cell] = candidates;
    if candidates.is_power_of_two() {
        PEERS[cell].iter().for_each(|&peer| expected.0[usize::from(peer)] &= !candidates);
    }
    assert_eq!(ours, expected);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_plain_choice_is_that_of_the_rule(cells in puzzle(), conflicts in conflicts()) {
        assert_eq!(heaviest(&cells, &conflicts), by_the_rule(&cells, &conflicts, WEIGHED));
        assert_eq!(first(&cells), (0..81).find(|&cell| cells.0[cell].count_ones() == 2));
    }

    #[test]
    fn every_vector_chooses_alike(cells in puzzle(), conflicts in conflicts()) {
        on_each_vector!(choice(&cells, &conflicts));
    }

    #[test]
    fn a_cell_is_limited_alike(cells in puzzle(), cell in 0usize..81, candidates in 1..=ALL, single: bool) {
        let candidates = if single { candidates & candidates.wrapping_neg() } else { candidates };
        on_each_vector!(limited(&cells, cell, candidates));
    }
}

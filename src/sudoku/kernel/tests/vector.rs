//! Every operation of a vector against its meaning for one word.

use super::support::{every, on_each_vector, read, write};
use crate::sudoku::kernel::cells::{ALL, Cells};
use crate::sudoku::kernel::lanes::Lanes;
use crate::sudoku::kernel::vector::{LaneSet, Vector};
use proptest::prelude::*;

/// Thirty-two words: any, of candidates, and with few bits, since much turns on how many there are.
fn words() -> impl Strategy<Value = [u16; 32]> {
    let few = (0u32..16, 0u32..16, 0u32..16, 0u32..16).prop_map(|(a, b, c, d)| 1 << a | 1 << b | 1 << c | 1 << d);
    let pair = (0u32..16, 0u32..16).prop_map(|(a, b)| 1 << a | 1 << b);
    let word = prop_oneof![Just(0), Just(u16::MAX), any::<u16>(), 0..=ALL, pair, few, (0u32..16).prop_map(|a| 1 << a)];
    prop::collection::vec(word, 32).prop_map(|words| words.try_into().expect("32 words"))
}

fn puzzle() -> impl Strategy<Value = Cells> {
    prop::collection::vec(any::<u16>(), 81).prop_map(|words| {
        let mut cells = Cells::NONE;
        cells.0[..81].copy_from_slice(&words);
        cells
    })
}

/// What a lane should hold, for each lane.
fn of<V: Vector>(meaning: impl Fn(usize) -> u16) -> Vec<u16> {
    (0..V::LANES).map(meaning).collect()
}

fn where_<V: Vector>(meaning: impl Fn(usize) -> bool) -> LaneSet {
    (0..V::LANES).fold(0, |set, lane| set | LaneSet::from(meaning(lane)) << lane)
}

/// An operation, compiled as in a search.
fn run<V: Vector, R>(proof: V::Proof, operation: impl FnOnce() -> R) -> R {
    V::enter(proof, operation)
}

fn logic<V: Vector>(proof: V::Proof, a: [u16; 32], b: [u16; 32], c: [u16; 32]) {
    let [x, y, z]: [V; 3] = [write(proof, &a), write(proof, &b), write(proof, &c)];
    assert_eq!(read(&x), of::<V>(|i| a[i]));
    assert_eq!(read(&V::splat(proof, a[0])), of::<V>(|_| a[0]));
    assert_eq!(read(&run::<V, _>(proof, || x.and(y))), of::<V>(|i| a[i] & b[i]));
    assert_eq!(read(&run::<V, _>(proof, || x.and3(y, z))), of::<V>(|i| a[i] & b[i] & c[i]));
    assert_eq!(read(&run::<V, _>(proof, || x.or(y))), of::<V>(|i| a[i] | b[i]));
    assert_eq!(read(&run::<V, _>(proof, || x.or3(y, z))), of::<V>(|i| a[i] | b[i] | c[i]));
    let two = |i: usize| a[i] & b[i] | a[i] & c[i] | b[i] & c[i];
    assert_eq!(read(&run::<V, _>(proof, || x.majority(y, z))), of::<V>(two));
    assert_eq!(read(&run::<V, _>(proof, || x.without(y))), of::<V>(|i| a[i] & !b[i]));
    assert_eq!(read(&run::<V, _>(proof, || x.strike_but(y, z))), of::<V>(|i| a[i] & (c[i] | !b[i])));
    assert_eq!(read(&run::<V, _>(proof, || x.or_both(y, z))), of::<V>(|i| a[i] | b[i] & c[i]));
    assert_eq!(read(&run::<V, _>(proof, || x.plus(y))), of::<V>(|i| a[i].wrapping_add(b[i])));
}

fn bits<V: Vector>(proof: V::Proof, a: [u16; 32], b: [u16; 32]) {
    let [x, y]: [V; 2] = [write(proof, &a), write(proof, &b)];
    let (single, less) = run::<V, _>(proof, || x.single());
    assert_eq!(read(&single), of::<V>(|i| if a[i].count_ones() <= 1 { a[i] } else { 0 }));
    assert_eq!(read(&less), of::<V>(|i| a[i].wrapping_sub(1)));
    let few = |i: usize| if a[i].count_ones() <= 3 { a[i] } else { 0 };
    assert_eq!(read(&run::<V, _>(proof, || x.at_most_three())), of::<V>(few));
    assert_eq!(run::<V, _>(proof, || x.equal(y)), where_::<V>(|i| a[i] == b[i]));
    assert_eq!(run::<V, _>(proof, || x.nonzero()), where_::<V>(|i| a[i] != 0));
    assert_eq!(run::<V, _>(proof, || x.negative()), where_::<V>(|i| a[i] >= 0x8000));
}

/// Of candidates alone: with the highest bit set a vector may do as it likes.
fn preference<V: Vector>(proof: V::Proof, a: [u16; 32], b: [u16; 32]) {
    let [x, y]: [V; 2] = [write(proof, &a), write(proof, &b)];
    let prefer = |i: usize| if a[i] & b[i] == 0 { a[i] } else { a[i] & b[i] };
    assert_eq!(read(&run::<V, _>(proof, || x.prefer(y))), of::<V>(prefer));
}

fn one_lane<V: Vector>(proof: V::Proof, a: [u16; 32], lane: usize, value: u16) {
    let lane = lane % V::LANES;
    let mut x: V = write(proof, &a);
    *x.lane_mut(lane) = value;
    assert_eq!(x.lane(lane), value);
    assert_eq!(read(&x), of::<V>(|i| if i == lane { value } else { a[i] }));
}

/// Lanes take staged ones, by routes where the vector has them, else by copies.
fn routing<V: Vector>(proof: V::Proof, [old, staged]: [[u16; 32]; 2], taking: LaneSet, from: [u8; 32]) {
    let taking = taking & every::<V>();
    let from = from.map(|lane| lane % V::LANES as u8);
    let takes = |lane: usize| taking >> lane & 1 == 1;
    let [kept, staged_lanes]: [V; 2] = [write(proof, &old), write(proof, &staged)];
    let routed = run::<V, _>(proof, || kept.route(&V::plan(proof, taking, &from), &staged_lanes));
    let taken = of::<V>(|i| if takes(i) { staged[usize::from(from[i])] } else { old[i] });
    assert_eq!(read(&routed), if V::ROUTES { taken.clone() } else { of::<V>(|i| old[i]) });
    let mut lanes = Lanes::<V>::new(proof);
    (lanes.cells, lanes.minis, lanes.staged) = ([kept; 81], [kept; 54], [staged_lanes; 81]);
    (0..V::LANES).filter(|&i| takes(i)).for_each(|i| lanes.copy(usize::from(from[i]), i));
    assert!(lanes.cells.iter().all(|cell| read(cell) == taken));
    assert!(lanes.minis.iter().all(|mini| read(mini) == of::<V>(|i| if takes(i) { ALL } else { old[i] })));
}

/// Puzzles come into the lanes and out again, however many there are.
fn transposed<V: Vector>(proof: V::Proof, puzzles: &[Cells], mut out: Cells) {
    let puzzles: Vec<&Cells> = puzzles.iter().take(V::LANES).collect();
    let mut lanes = [V::splat(proof, 0xa5a5); 81];
    run::<V, _>(proof, || V::gather(&puzzles, &mut lanes));
    for (lane, puzzle) in puzzles.into_iter().enumerate() {
        let column: Vec<u16> = lanes.iter().map(|cell| cell.lane(lane)).collect();
        assert_eq!(&column, &puzzle.0[..81]);
        run::<V, _>(proof, || V::extract(&lanes, lane, &mut out));
        assert_eq!(&out, puzzle, "lane {}", lane);
    }
}

/// Digits to candidates and back, and that a cell with no candidate or several is seen, wherever it is.
fn digits<V: Vector>(proof: V::Proof, digits: [u8; 81], wrong: usize, candidates: u16) {
    let mut cells = Cells::NONE;
    run::<V, _>(proof, || V::load(&mut cells, &digits));
    let expected = digits.map(|digit| if digit == 0 { ALL } else { 1 << (digit - 1) });
    assert_eq!((&cells.0[..81], cells.0[81..].iter().sum()), (&expected[..], 0u16));
    let full = digits.map(|digit| digit.max(1));
    run::<V, _>(proof, || V::load(&mut cells, &full));
    let mut out = [0; 81];
    assert!(run::<V, _>(proof, || V::digits(&cells, &mut out)));
    assert_eq!(out, full);
    cells.0[wrong] = candidates;
    assert_eq!(run::<V, _>(proof, || V::digits(&cells, &mut out)), candidates.count_ones() == 1);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn logic_is_that_of_words(a in words(), b in words(), c in words()) {
        on_each_vector!(logic(a, b, c));
    }

    #[test]
    fn bits_are_counted_and_compared(a in words(), b in words(), same: u32) {
        let b: [u16; 32] = std::array::from_fn(|i| if same >> i & 1 == 1 { a[i] } else { b[i] });
        on_each_vector!(bits(a, b));
        on_each_vector!(preference(a.map(|word| word & ALL), b.map(|word| word & ALL)));
    }

    #[test]
    fn a_lane_is_changed_alone(a in words(), lane in 0usize..32, value: u16) {
        on_each_vector!(one_lane(a, lane, value));
    }

    #[test]
    fn lanes_take_what_is_staged_for_them(words in [words(), words()], taking: u32, from in prop::array::uniform32(0u8..32)) {
        on_each_vector!(routing(words, taking, from));
        on_each_vector!(routing(words, [0, u32::MAX][taking as usize % 2], from));
    }

    #[test]
    fn puzzles_pass_through_the_lanes(puzzles in prop::collection::vec(puzzle(), 0..=32), out in puzzle()) {
        on_each_vector!(transposed(&puzzles, out));
    }

    #[test]
    fn digits_become_candidates_and_digits_again(
        cells in prop::collection::vec(0u8..=9, 81),
        wrong in 0usize..81,
        candidates in prop_oneof![Just(0), 0..=ALL],
    ) {
        on_each_vector!(digits(cells.clone().try_into().expect("81 cells"), wrong, candidates));
    }
}

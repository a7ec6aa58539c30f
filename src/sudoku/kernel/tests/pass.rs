//! What a pass may and must do: keep every solution, see full and dead lanes, mix nothing between lanes.

use super::support::{candidates, every, on_each_vector};
use crate::sudoku::generate::{CompleteSpec, Completer, Family};
use crate::sudoku::geometry::HOUSES;
use crate::sudoku::kernel::cells::{ALL, Cells};
use crate::sudoku::kernel::lanes::{Found, Lanes};
use crate::sudoku::kernel::pass::pass;
use crate::sudoku::kernel::vector::{LaneSet, Vector};
use crate::sudoku::random::{Purpose, Random};

/// Passes after which nothing may change any more: each that changes something strikes one of 729 candidates.
const ENOUGH: usize = 730;
/// Passes within which a contradiction in plain sight must show.
const SOON: usize = 3;

/// A puzzle for each lane, and a solution that its candidates allow.
struct States {
    puzzles: Vec<Cells>,
    solutions: Vec<Cells>,
}

/// Solutions with others beside them: none, few, many, or all in some cells.
fn states(seed: u64) -> States {
    let mut random = Random::new(seed, Purpose::Fill, 0);
    let completer = Completer::new(CompleteSpec { first_cell: 0, family: Family::Orbit }, seed);
    let solutions: Vec<Cells> = (0..32).map(|i| candidates(completer.item(i).digits())).collect();
    let puzzles = (0..32).map(|i| {
        let (kind, givens) = (random.below(5), random.below(60));
        let mut cells = solutions[i];
        for cell in &mut cells.0[..81] {
            let [a, b] = [random.next_u64() as u16, random.next_u64() as u16];
            let hidden = if random.below(81) >= givens { ALL } else { 0 };
            *cell |= [0, a & b, a, a | b, hidden][kind as usize] & ALL;
        }
        cells
    });
    States { puzzles: puzzles.collect(), solutions }
}

/// A pass after which lane i holds what comes of `puzzles[i]`, for lanes that take one. They are staged in reverse.
fn pass_with<V: Vector>(proof: V::Proof, lanes: &mut Lanes<V>, taking: LaneSet, puzzles: &[Cells]) -> Found {
    let staged: Vec<&Cells> = puzzles.iter().take(V::LANES).rev().collect();
    let from: [u8; 32] = std::array::from_fn(|lane| (V::LANES - 1).saturating_sub(lane) as u8);
    V::enter(proof, || {
        V::gather(&staged, &mut lanes.staged);
        lanes.route = V::plan(proof, taking, &from);
        if V::ROUTES {
            return pass::<V, true>(proof, lanes);
        }
        (0..V::LANES).filter(|lane| taking >> lane & 1 == 1).for_each(|lane| lanes.copy(from[lane].into(), lane));
        pass::<V, false>(proof, lanes)
    })
}

fn pass_on<V: Vector>(proof: V::Proof, lanes: &mut Lanes<V>) -> Found {
    V::enter(proof, || pass::<V, false>(proof, lanes))
}

/// What every lane holds.
fn read<V: Vector>(lanes: &Lanes<V>) -> Vec<Cells> {
    let lane = |lane: usize| {
        let mut cells = Cells::NONE;
        cells.0.iter_mut().zip(&lanes.cells).for_each(|(to, cell)| *to = cell.lane(lane));
        cells
    };
    (0..V::LANES).map(lane).collect()
}

fn within(some: &Cells, all: &Cells) -> bool {
    some.0.iter().zip(&all.0).all(|(some, all)| some & !all == 0)
}

fn keeps_solutions<V: Vector>(proof: V::Proof, states: &States) {
    let mut lanes = Lanes::<V>::new(proof);
    let mut found = pass_with(proof, &mut lanes, every::<V>(), &states.puzzles);
    let mut before = states.puzzles.clone();
    let mut passes = 1;
    loop {
        let now = read(&lanes);
        assert_eq!(found.dead & every::<V>(), 0, "after {passes} passes");
        for (lane, cells) in now.iter().enumerate() {
            assert!(within(&states.solutions[lane], cells), "lane {lane} lost its solution in pass {passes}");
            assert!(within(cells, &before[lane]), "lane {lane} took candidates back in pass {passes}");
            assert_eq!(found.full >> lane & 1 == 1, *cells == states.solutions[lane], "lane {lane}, pass {passes}");
            // The sum of what the lane held before says nothing to a first pass.
            if passes > 1 {
                assert_eq!(found.stalled >> lane & 1 == 1, *cells == before[lane], "lane {lane}, pass {passes}");
            }
        }
        if passes > 1 && found.stalled & every::<V>() == every::<V>() {
            break;
        }
        before = now;
        found = pass_on(proof, &mut lanes);
        passes += 1;
        assert!(passes < ENOUGH);
    }
}

#[test]
fn a_pass_keeps_every_solution() {
    (0..300).for_each(|seed| on_each_vector!(keeps_solutions(&states(seed))));
}

fn sees_full<V: Vector>(proof: V::Proof, states: &States) {
    let mut lanes = Lanes::<V>::new(proof);
    for _ in 0..2 {
        let found = pass_with(proof, &mut lanes, every::<V>(), &states.solutions);
        assert_eq!((found.full & every::<V>(), found.dead & every::<V>()), (every::<V>(), 0));
    }
    let found = pass_on(proof, &mut lanes);
    assert_eq!([found.full, found.stalled].map(|set| set & every::<V>()), [every::<V>(); 2]);
    assert_eq!(read(&lanes), states.solutions[..V::LANES]);
}

#[test]
fn solved_lanes_are_full_at_once() {
    (0..20).for_each(|seed| on_each_vector!(sees_full(&states(seed))));
}

/// Puts a contradiction into some lanes: they die soon, the others live.
fn dies<V: Vector>(proof: V::Proof, states: &States, broken: &Cells, lanes_broken: LaneSet, what: &str) {
    let broken_at = |lane: usize| lanes_broken >> lane & 1 == 1;
    let puzzles: Vec<Cells> = (0..32).map(|i| if broken_at(i) { *broken } else { states.puzzles[i] }).collect();
    let mut lanes = Lanes::<V>::new(proof);
    let mut dead = pass_with(proof, &mut lanes, every::<V>(), &puzzles).dead;
    for _ in 1..SOON {
        dead |= pass_on(proof, &mut lanes).dead;
    }
    assert_eq!(dead & every::<V>(), lanes_broken & every::<V>(), "{what}");
}

#[test]
fn an_empty_cell_is_dead() {
    let states = states(1);
    for (cell, i) in (0..81).flat_map(|cell| [(cell, 4), (cell, 5), (cell, 6)]) {
        let mut broken = states.puzzles[i];
        broken.0[cell] = 0;
        on_each_vector!(dies(&states, &broken, 0x9249_2492 << (cell % 3), &format!("cell {cell}")));
    }
}

#[test]
fn a_digit_twice_in_a_house_is_dead() {
    let states = states(2);
    for (h, house) in HOUSES.iter().enumerate() {
        for (i, j) in (0..9).flat_map(|j| (0..j).map(move |i| (i, j))) {
            let mut broken = Cells::NONE;
            broken.0[..81].fill(ALL);
            let digit = 1 << ((h + i + 2 * j) % 9);
            [i, j].iter().for_each(|&k| broken.0[usize::from(house[k])] = digit);
            on_each_vector!(dies(&states, &broken, 0xc3a5_5a3c, &format!("house {h}, places {i} and {j}")));
        }
    }
}

#[test]
fn a_digit_without_a_place_in_a_house_is_dead() {
    let states = states(3);
    for (h, digit) in (0..27).flat_map(|h| (0..9).map(move |digit| (h, digit))) {
        let mut broken = Cells::NONE;
        broken.0[..81].fill(ALL);
        HOUSES[h].iter().for_each(|&cell| broken.0[usize::from(cell)] ^= 1 << digit);
        on_each_vector!(dies(&states, &broken, 0x5555_aaaa, &format!("house {h}, digit {}", digit + 1)));
    }
}

/// What a lane holds after each of these passes when its puzzle is alone.
fn alone<V: Vector>(proof: V::Proof, puzzle: &Cells, passes: usize) -> Vec<Cells> {
    let mut lanes = Lanes::<V>::new(proof);
    pass_with(proof, &mut lanes, 1, &vec![*puzzle; V::LANES]);
    let mut after = vec![read(&lanes)[0]];
    for _ in 1..passes {
        pass_on(proof, &mut lanes);
        after.push(read(&lanes)[0]);
    }
    after
}

/// In each pass some lanes take new puzzles; every lane goes on as if it were alone.
fn is_undisturbed<V: Vector>(proof: V::Proof, old: &States, new: &States) {
    const PASSES: usize = 6;
    let expected: Vec<[Vec<Cells>; 2]> =
        (0..V::LANES).map(|i| [old, new].map(|states| alone::<V>(proof, &states.puzzles[i], PASSES))).collect();
    let mut lanes = Lanes::<V>::new(proof);
    pass_with(proof, &mut lanes, every::<V>(), &old.puzzles);
    for now in 1..PASSES {
        let late: LaneSet = 0x1111_1111 << (now % 4);
        if now == 1 || now > 4 {
            pass_on(proof, &mut lanes);
        } else {
            pass_with(proof, &mut lanes, late & every::<V>(), &new.puzzles);
        }
        for (lane, cells) in read(&lanes).iter().enumerate() {
            // Taken with pass 2, 3 or 4, by lanes 2, 3 and 0 of each four.
            let since = [4, PASSES, 2, 3][lane % 4];
            let right = if now >= since { &expected[lane][1][now - since] } else { &expected[lane][0][now] };
            assert_eq!(cells, right, "lane {lane} after pass {now}");
        }
    }
}

#[test]
fn fresh_lanes_and_old_ones_do_not_disturb_each_other() {
    (0..40).for_each(|seed| on_each_vector!(is_undisturbed(&states(seed), &states(seed + 1_000))));
}

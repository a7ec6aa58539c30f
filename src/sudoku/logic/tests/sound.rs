//! No technique removes a candidate that the solution needs.

use super::support::puzzles;
use crate::sudoku::logic::{
    Digits, Effort, Found, Score, State, Technique, aligned, bug, explain, fish, locked, sets, singles, unique, wings,
};
use crate::sudoku::random::{Purpose, Random};
use crate::sudoku::{Cell, Grid, Kernel, Pace};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

const TECHNIQUES: [fn(&State, Found) -> ControlFlow<()>; 20] = [
    singles::find_hidden,
    singles::find_naked,
    locked::find_direct,
    locked::find,
    |state, found| sets::find_direct(state, 2, found),
    |state, found| sets::find_direct(state, 3, found),
    |state, found| sets::find_naked(state, 2, found),
    |state, found| sets::find_naked(state, 3, found),
    |state, found| sets::find_naked(state, 4, found),
    |state, found| sets::find_hidden(state, 2, found),
    |state, found| sets::find_hidden(state, 3, found),
    |state, found| sets::find_hidden(state, 4, found),
    |state, found| fish::find(state, 2, found),
    |state, found| fish::find(state, 3, found),
    |state, found| fish::find(state, 4, found),
    wings::find_xy,
    wings::find_xyz,
    unique::find,
    bug::find,
    aligned::find_pairs,
];

/// Checks the first steps of each technique, and notes which had one.
fn check(state: &State, solution: &Grid, seen: &mut BTreeSet<Technique>) {
    for find in TECHNIQUES.into_iter().chain([aligned::find_triplets as fn(&State, Found) -> ControlFlow<()>]) {
        let mut left = 8;
        let _ = find(state, &mut |step| {
            let wrong = step.removals.iter().any(|&(cell, digits)| digits.has(solution.get(cell)));
            let placed_wrong = step.placement.is_some_and(|(cell, digit)| digit != solution.get(cell));
            let idle = step.placement.is_none() && step.removals.is_empty();
            let gone = step.removals.iter().any(|&(cell, digits)| !state.candidates(cell).includes(digits));
            assert!(!wrong && !placed_wrong && !idle && !gone, "{step:?} of {state:?}");
            seen.insert(step.technique);
            left -= 1;
            if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
    }
}

/// A state on the way to the solution: digits placed and wrong candidates removed at random.
fn random_state(puzzle: &Grid, solution: &Grid, random: &mut Random) -> State {
    let mut state = State::new(puzzle);
    let (placed, removed) = (random.below(60), random.below(100));
    for cell in Cell::all().filter(|&cell| puzzle.get(cell) == 0) {
        if random.below(100) < placed {
            state.place(cell, solution.get(cell));
        }
        for digit in (state.candidates(cell) - Digits::of(solution.get(cell))).iter() {
            if random.below(100) < removed {
                state.remove(cell, Digits::of(digit));
            }
        }
    }
    state
}

#[test]
fn on_10_000_random_states() {
    let mut random = Random::new(5, Purpose::Fill, 0);
    let mut seen = BTreeSet::new();
    for (puzzle, solution) in puzzles(200) {
        for _ in 0..50 {
            check(&random_state(&puzzle, &solution, &mut random), &solution, &mut seen);
        }
    }
    // Nearly all cells of a grave have two candidates: those come up on the way of real solutions only.
    assert_eq!(seen.len(), 25, "{seen:?}");
}

#[test]
fn on_the_way_of_real_solutions() {
    let effort = Effort { er_limit: Score(70), ..Effort::unlimited(Kernel::default()) };
    let mut seen = BTreeSet::new();
    for (puzzle, solution) in puzzles(400) {
        let mut state = State::new(&puzzle);
        for step in explain(&puzzle, effort, u32::MAX, &mut || Pace::Continue).steps {
            // Chains too.
            assert!(!step.removals.iter().any(|&(cell, digits)| digits.has(solution.get(cell))), "{step:?}");
            if step.score > Score(23) {
                check(&state, &solution, &mut seen);
            }
            step.apply(&mut state);
        }
    }
    assert!(seen.contains(&Technique::Bug1) && seen.len() > 19, "{seen:?}");
}

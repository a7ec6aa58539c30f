//! Every kernel against the reference solver, on random, nearly minimal, perturbed and contradictory puzzles.

#[path = "solver/puzzles.rs"]
mod puzzles;

use proptest::prelude::*;
use puzzles::{masked, minimal};
use sudokud::sudoku::{BatchLimits, Cell, Grid, Kernel, Limits, Pace, solve, solve_batch};

/// Digits that the reference may try before a case is given up.
const PATIENCE: u64 = 30_000;

/// Both solvers list the same solutions; `solve_batch` says the same as `solve`.
fn agree(puzzle: &Grid) -> Result<(), TestCaseError> {
    Kernel::all().filter(|&kernel| kernel != Kernel::Reference).try_for_each(|kernel| agrees(kernel, puzzle))
}

fn agrees(kernel: Kernel, puzzle: &Grid) -> Result<(), TestCaseError> {
    let limits = Limits { max_solutions: 50, count_limit: 50, node_limit: u64::MAX };
    let mut ours = solve::solve(kernel, puzzle, limits);
    let mut plain = solve::solve(Kernel::Reference, puzzle, Limits { node_limit: PATIENCE, ..limits });
    prop_assert!(ours.solutions.iter().all(|s| s.is_solved() && s.extends(puzzle)), "{}", puzzle);
    if plain.exact || plain.count == limits.count_limit {
        prop_assert_eq!((ours.count, ours.exact, ours.outcome), (plain.count, plain.exact, plain.outcome));
        prop_assert_eq!(ours.conflicts, plain.conflicts);
    }
    if plain.exact {
        ours.solutions.sort_unstable_by_key(|grid| *grid.digits());
        plain.solutions.sort_unstable_by_key(|grid| *grid.digits());
        prop_assert_eq!(&ours.solutions, &plain.solutions);
    }
    for max_solutions in [1, 2] {
        let limits = Limits { max_solutions, count_limit: max_solutions.into(), node_limit: u64::MAX };
        let alone = solve::solve(kernel, puzzle, limits);
        let batch = BatchLimits { max_solutions: max_solutions as u8, node_limit: u64::MAX };
        let mut out = [None];
        solve_batch(kernel, &[*puzzle], batch, &mut out, &mut || Pace::Continue);
        let solved = out[0].expect("not stopped");
        prop_assert_eq!(solved.outcome, alone.outcome);
        let shown = if alone.outcome.shows_grid() { alone.solutions[0] } else { Grid::EMPTY };
        prop_assert_eq!(solved.grid, shown);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn on_masked_grids(seed: u64, givens in 20usize..=81) {
        agree(&masked(seed, givens))?;
    }

    #[test]
    fn on_grids_with_a_digit_changed(seed: u64, givens in 24usize..=81, cell in 0usize..81, digit in 1u8..=9) {
        let mut puzzle = masked(seed, givens);
        puzzle.set(Cell::new(cell).expect("below 81"), digit);
        agree(&puzzle)?;
    }

    #[test]
    fn on_grids_of_any_digits(digits in prop::collection::vec(0u8..=9, 81), keep in 1usize..40) {
        let mut digits: [u8; 81] = digits.try_into().expect("81 digits");
        digits.iter_mut().enumerate().filter(|(i, _)| i * 29 % 81 >= keep).for_each(|(_, d)| *d = 0);
        agree(&Grid::from_digits(digits).expect("digits"))?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn on_minimal_puzzles(seed: u64, cell in 0usize..81, digit in 1u8..=9) {
        let mut puzzle = minimal(seed);
        agree(&puzzle)?;
        puzzle.set(Cell::new(cell).expect("below 81"), digit);
        agree(&puzzle)?;
    }
}

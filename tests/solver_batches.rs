//! Whole batches through every kernel: against the reference solver, against each other, and cut into pieces.

#[path = "solver/edges.rs"]
mod edges;
#[path = "solver/puzzles.rs"]
mod puzzles;
#[path = "solver/run.rs"]
mod run;

use puzzles::{masked, minimal};
use run::{fast, run};
use sudokud::sudoku::generate::{CompleteSpec, Completer, Family};
use sudokud::sudoku::random::{Purpose, Random};
use sudokud::sudoku::{BatchLimits, Cell, Grid, Kernel, Limits, Outcome, Pace, solve, solve_batch};

/// Digits that the reference may try before a puzzle is left out.
const PATIENCE: u64 = 20_000;
/// Three times the lanes of the widest kernel.
const LONGEST: usize = 96;

fn limits(count_limit: u64, node_limit: u64) -> Limits {
    Limits { max_solutions: count_limit as u32, count_limit, node_limit }
}

/// Random, minimal and perturbed puzzles and edge cases in random order, each with what the reference says to a proof.
fn judged() -> Vec<(Grid, Outcome, Option<Grid>)> {
    let mut random = Random::new(11, Purpose::Fill, 0);
    let mut all: Vec<Grid> = (0..150).map(|seed| masked(seed, 21 + seed as usize % 61)).collect();
    let minimal: Vec<Grid> = (0..50).map(minimal).collect();
    for puzzle in all.clone().iter().chain(&minimal) {
        let cell = Cell::new(random.below(81) as usize).expect("below 81");
        let mut changed = *puzzle;
        changed.set(cell, 1 + random.below(9) as u8);
        let given =
            Cell::all().filter(|&cell| puzzle.get(cell) != 0).nth(random.below(17) as usize).expect("17 givens");
        let mut removed = *puzzle;
        removed.set(given, 0);
        all.extend([changed, removed]);
    }
    all.extend(minimal);
    all.extend(edges::puzzles());
    random.shuffle(&mut all);
    let count = all.len();
    let judged: Vec<_> = all.into_iter().filter_map(judge).collect();
    assert!(judged.len() * 10 >= count * 9, "the reference decided only {} of {count}", judged.len());
    judged
}

fn judge(puzzle: Grid) -> Option<(Grid, Outcome, Option<Grid>)> {
    let answer = solve::solve(Kernel::Reference, &puzzle, limits(2, PATIENCE));
    let unique = (answer.outcome == Outcome::Unique).then(|| answer.solutions[0]);
    (answer.outcome != Outcome::Undecided).then_some((puzzle, answer.outcome, unique))
}

/// What a kernel may say of a puzzle under these limits.
fn check(judged: &[(Grid, Outcome, Option<Grid>)], ran: &run::Ran, limits: &Limits, kernel: Kernel) {
    for (i, (puzzle, truth, unique)) in judged.iter().enumerate() {
        let (tally, outcome) = (ran.tallies[i], ran.tallies[i].outcome(limits));
        let what = format!("{kernel}, {limits:?}, {i} of {}: {puzzle}: {tally:?}", judged.len());
        if outcome == Outcome::Undecided {
            assert!(tally.nodes == limits.node_limit && tally.closed, "{what}");
        } else if limits.count_limit == 1 && *truth != Outcome::Unsolvable {
            assert_eq!(outcome, Outcome::Found, "{what}");
        } else {
            assert_eq!(outcome, *truth, "{what}");
        }
        if let Some(unique) = unique {
            assert!(ran.solutions[i].iter().all(|solution| solution == unique), "{what}");
        }
    }
}

#[test]
fn batches_of_every_length_agree_with_the_reference() {
    let judged = judged();
    for kernel in fast() {
        let mut from = 0;
        for length in 0..=LONGEST {
            let batch: Vec<_> = judged.iter().cycle().skip(from).take(length).cloned().collect();
            let grids: Vec<Grid> = batch.iter().map(|(puzzle, ..)| *puzzle).collect();
            for (count, nodes) in [(1, u64::MAX), (2, u64::MAX), (2, 0), (2, 1), (2, 10), (1, 1)] {
                let limits = limits(count, nodes);
                let ran = run(kernel, &grids, limits, u32::MAX);
                check(&batch, &ran, &limits, kernel);
                if nodes == u64::MAX {
                    assert!((0..length).all(|i| ran.tallies[i].outcome(&limits) != Outcome::Undecided));
                }
            }
            from = (from + length) % judged.len();
        }
    }
}

#[test]
fn a_batch_in_pieces_is_the_batch_in_one_go() {
    let mut grids: Vec<Grid> = judged().into_iter().map(|(puzzle, ..)| puzzle).collect();
    // Some that branch a lot.
    (0..20).for_each(|i| grids.insert(11 * i, Grid::EMPTY));
    for (kernel, limits) in fast().flat_map(|kernel| [(kernel, limits(2, u64::MAX)), (kernel, limits(300, 200))]) {
        let whole = run(kernel, &grids, limits, u32::MAX);
        for passes in [1, 2, 7] {
            assert!(run(kernel, &grids, limits, passes) == whole, "{kernel}, {passes} passes at a time, {limits:?}");
        }
    }
}

/// Puzzles of the generator's grids, 22-45 givens left at random: some have one solution, most have many.
fn drawn(first: u64, count: usize) -> Vec<Grid> {
    let mut grids = vec![Grid::EMPTY; count];
    let completer = Completer::new(CompleteSpec { first_cell: 0, family: Family::Orbit }, 5);
    completer.fill(first, &mut grids, &mut || Pace::Continue);
    let mut random = Random::new(5, Purpose::Fill, first);
    for grid in &mut grids {
        let mut left = 22 + random.below(24);
        for (cell, cells) in Cell::all().zip((1..=81).rev()) {
            if random.below(cells) < left {
                left -= 1;
            } else {
                grid.set(cell, 0);
            }
        }
    }
    grids
}

#[test]
fn all_kernels_agree_on_a_million_puzzles() {
    let (blocks, size) = if cfg!(debug_assertions) { (4, 2_000) } else { (50, 20_000) };
    let (mut unique, mut multiple) = (0, 0);
    for block in 0..blocks {
        let puzzles = drawn(block * size as u64, size);
        let mut answers = fast().map(|kernel| {
            let limits = BatchLimits { max_solutions: 2, node_limit: u64::MAX };
            let mut out = vec![None; size];
            let stats = solve_batch(kernel, &puzzles, limits, &mut out, &mut || Pace::Continue);
            assert_eq!(stats.done, size, "{kernel}");
            (kernel, out.into_iter().flatten().collect::<Vec<_>>())
        });
        let (_, first) = answers.next().expect("a kernel");
        for (kernel, answer) in answers {
            let odd = (0..size).find(|&i| answer[i] != first[i]);
            assert!(odd.is_none(), "{kernel}: {:?}", odd.map(|i| (puzzles[i], answer[i], first[i])));
        }
        for (puzzle, solved) in puzzles.iter().zip(&first) {
            assert!(solved.outcome != Outcome::Unique || solved.grid.is_solved() && solved.grid.extends(puzzle));
            unique += usize::from(solved.outcome == Outcome::Unique);
            multiple += usize::from(solved.outcome == Outcome::Multiple);
        }
    }
    assert_eq!(unique + multiple, blocks as usize * size, "each was made from a solution");
    assert!(unique * 10 > multiple && multiple * 10 > unique, "{unique} unique, {multiple} with several");
}

//! From a puzzle to an irreducible one: no given can be taken away without losing the one solution.

use super::batch::{Batch, BatchLimits};
use super::geometry::Cell;
use super::grid::Grid;
use super::kernel::{Kernel, Port};
use super::outcome::{Outcome, Pace};
use super::random::{Purpose, Random};

/// Uniqueness is to be proven.
const LIMITS: BatchLimits = BatchLimits { max_solutions: 2, node_limit: u64::MAX };
/// Givens taken away at a time: the puzzles tested in vain once one is needed have many solutions and take the longest.
const STRIDE: usize = 8;

/// The puzzle that is left when each given in turn is taken away unless the solution would no longer be the only one: in
/// reading order, or in an order drawn from a seed. The same on every kernel.
///
/// What is left is irreducible, but seldom has as few givens as could be. Takes about 0.15 ms from a
/// completed grid.
///
/// # Errors
/// What a puzzle is that has not exactly one solution; `Undecided` where `pace`, asked at least each millisecond, says
/// stop.
pub fn minimize(
    kernel: Kernel,
    puzzle: &Grid,
    seed: Option<u64>,
    pace: &mut dyn FnMut() -> Pace,
) -> Result<Grid, Outcome> {
    let mut prover = Prover { batch: Batch::new(kernel), pace };
    let outcome = prover.prove(&[*puzzle])?[0];
    if outcome != Outcome::Unique {
        return Err(outcome);
    }
    let mut puzzle = *puzzle;
    let mut open = removal_order(seed);
    open.retain(|&cell| puzzle.get(cell) != 0);
    while !open.is_empty() {
        // A given that is needed now is needed in whatever is left later.
        let less_one: Vec<Grid> = open.iter().map(|&cell| without(&puzzle, &[cell])).collect();
        let mut outcomes = prover.prove(&less_one)?.into_iter();
        open.retain(|_| outcomes.next() == Some(Outcome::Unique));
        let tried = open.len().min(STRIDE);
        let less_and_less: Vec<Grid> = (1..=tried).map(|count| without(&puzzle, &open[..count])).collect();
        let outcomes = prover.prove(&less_and_less)?;
        let removed = outcomes.iter().take_while(|&&outcome| outcome == Outcome::Unique).count();
        puzzle = without(&puzzle, &open[..removed]);
        // The next of those tried is needed once these are gone.
        open.drain(..tried.min(removed + 1));
    }
    Ok(puzzle)
}

/// All cells: in reading order without a seed.
fn removal_order(seed: Option<u64>) -> Vec<Cell> {
    let mut cells: Vec<Cell> = Cell::all().collect();
    if let Some(seed) = seed {
        Random::new(seed, Purpose::Minimize, 0).shuffle(&mut cells);
    }
    cells
}

fn without(puzzle: &Grid, cells: &[Cell]) -> Grid {
    let mut rest = *puzzle;
    cells.iter().for_each(|&cell| rest.set(cell, 0));
    rest
}

/// Tests many puzzles at once.
struct Prover<'a> {
    batch: Batch,
    pace: &'a mut dyn FnMut() -> Pace,
}

impl Prover<'_> {
    /// What each puzzle is; `Undecided` when stopped.
    fn prove(&mut self, puzzles: &[Grid]) -> Result<Vec<Outcome>, Outcome> {
        self.batch.begin(puzzles.len(), LIMITS);
        self.batch.run(&mut Puzzles(puzzles), self.pace);
        self.batch.outcomes().into_iter().map(|outcome| outcome.ok_or(Outcome::Undecided)).collect()
    }
}

/// Puzzles whose solutions nobody wants.
struct Puzzles<'a>(&'a [Grid]);

impl Port for Puzzles<'_> {
    fn puzzle(&mut self, puzzle: usize, digits: &mut [u8; 81]) {
        *digits = *self.0[puzzle].digits();
    }

    fn solution(&mut self, _: usize, _: &[u8; 81]) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sudoku::generate::{CompleteSpec, Completer, Family};
    use crate::sudoku::reference::{Reference, Step};

    fn grid(line: &str) -> Grid {
        let digits: Vec<u8> = line.bytes().map(|b| if b == b'.' { 0 } else { b - b'0' }).collect();
        Grid::from_digits(digits.try_into().expect("81 cells")).expect("digits")
    }

    fn completed(index: u64) -> Grid {
        Completer::new(CompleteSpec { first_cell: 0, family: Family::Search }, 6).item(index)
    }

    fn go_on() -> Pace {
        Pace::Continue
    }

    /// Solutions, of which it stops at the second, by the plain solver.
    fn count(puzzle: &Grid) -> usize {
        let mut search = Reference::default();
        search.load(puzzle);
        (0..2).take_while(|_| search.step(&mut u64::MAX.clone()) == Step::Solution).count()
    }

    /// One given after the other, by the plain solver.
    fn one_by_one(puzzle: &Grid, order: &[Cell]) -> Grid {
        let less = |puzzle: Grid, &cell: &Cell| {
            let rest = without(&puzzle, &[cell]);
            if count(&rest) == 1 { rest } else { puzzle }
        };
        order.iter().fold(*puzzle, less)
    }

    #[test]
    fn what_is_left_is_irreducible() {
        for index in 0..8 {
            let full = completed(index);
            for kernel in Kernel::all() {
                let seed = (index % 2 == 1).then_some(index);
                let puzzle = minimize(kernel, &full, seed, &mut go_on).expect("one solution");
                assert!(full.extends(&puzzle) && puzzle.clue_count() < 32);
                assert_eq!(count(&puzzle), 1, "{puzzle}");
                for cell in Cell::all().filter(|&cell| puzzle.get(cell) != 0) {
                    assert_eq!(count(&without(&puzzle, &[cell])), 2, "{puzzle} without {cell}");
                }
                assert_eq!(minimize(kernel, &puzzle, Some(99), &mut go_on), Ok(puzzle));
            }
        }
    }

    #[test]
    fn it_is_what_removing_one_by_one_leaves() {
        for (index, seed) in [(20, None), (21, Some(0)), (22, Some(7)), (22, Some(8))] {
            let expected = one_by_one(&completed(index), &removal_order(seed));
            for kernel in Kernel::all() {
                assert_eq!(minimize(kernel, &completed(index), seed, &mut go_on), Ok(expected), "{kernel}");
            }
        }
    }

    #[test]
    fn orders() {
        assert!(removal_order(None).into_iter().eq(Cell::all()));
        let mut drawn = removal_order(Some(1));
        assert!(drawn != removal_order(None) && drawn != removal_order(Some(2)));
        assert_eq!(drawn, removal_order(Some(1)));
        drawn.sort_unstable();
        assert_eq!(drawn, removal_order(None));
    }

    #[test]
    fn puzzles_without_exactly_one_solution_are_refused() {
        let cases = [
            (".".repeat(81), Outcome::Multiple),
            (format!("11{}", ".".repeat(79)), Outcome::Unsolvable),
            (format!("12345678.........9{}", ".".repeat(63)), Outcome::Unsolvable),
        ];
        for kernel in Kernel::all() {
            for (line, outcome) in &cases {
                assert_eq!(minimize(kernel, &grid(line), None, &mut go_on), Err(*outcome), "{kernel}: {line}");
            }
        }
    }

    #[test]
    fn a_stop_is_undecided() {
        for kernel in Kernel::all() {
            for allowed in 0..3 {
                let mut asked = 0;
                let mut pace = || {
                    asked += 1;
                    if asked > allowed { Pace::Stop } else { Pace::Continue }
                };
                assert_eq!(minimize(kernel, &completed(0), None, &mut pace), Err(Outcome::Undecided), "{kernel}");
            }
        }
    }
}

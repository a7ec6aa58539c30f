//! Solving many puzzles: the path that every batch takes.

use super::grid::Grid;
use super::kernel::Kernel;
use super::kernel::engine::Engine;
use super::kernel::step::Step;
use super::outcome::{Answer, Limits, Outcome, Pace};

/// Work between two questions to `pace`, a puzzle and a node counting one each: 0.1-0.6 ms.
const STRETCH: u64 = 256;

/// Where each puzzle of a batch ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchLimits {
    /// 1: the first solution will do; 2: uniqueness is proven.
    pub max_solutions: u8,
    /// Search nodes for each puzzle; `u64::MAX` for no limit.
    pub node_limit: u64,
}

/// The answer for one puzzle of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Solved {
    /// Never `Invalid` or `Failed`.
    pub outcome: Outcome,
    /// The solution where the outcome shows one, else empty.
    pub grid: Grid,
}

/// What a batch took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BatchStats {
    /// Puzzles with an answer: all of them unless stopped.
    pub done: usize,
    /// Search nodes spent.
    pub nodes: u64,
}

/// Solves `puzzles[i]` into `out[i]`, which stays `None` where `pace` stopped the batch first.
/// `pace` is asked before the first puzzle and then at least each millisecond, inside of a long search too.
///
/// # Panics
/// When the lengths differ.
pub fn solve_batch(
    kernel: Kernel,
    puzzles: &[Grid],
    limits: BatchLimits,
    out: &mut [Option<Solved>],
    pace: &mut dyn FnMut() -> Pace,
) -> BatchStats {
    assert_eq!(puzzles.len(), out.len(), "one place in `out` for each puzzle");
    let mut worker = Worker { engine: Engine::new(kernel), limits, nodes: 0, stretch: 0, pace };
    let mut done = 0;
    for (puzzle, place) in puzzles.iter().zip(out) {
        let Some(solved) = worker.solve(puzzle) else { break };
        *place = Some(solved);
        done += 1;
    }
    BatchStats { done, nodes: worker.nodes }
}

/// Solves puzzle after puzzle, stopping where `pace` says so.
struct Worker<'a> {
    engine: Engine,
    limits: BatchLimits,
    nodes: u64,
    /// Work left before `pace` is asked again.
    stretch: u64,
    pace: &'a mut dyn FnMut() -> Pace,
}

impl Worker<'_> {
    /// The answer for one puzzle, `None` when stopped.
    fn solve(&mut self, puzzle: &Grid) -> Option<Solved> {
        let BatchLimits { max_solutions, node_limit } = self.limits;
        let limits = Limits { max_solutions: max_solutions.into(), count_limit: max_solutions.into(), node_limit };
        self.breathe()?;
        self.stretch -= 1;
        self.engine.load(puzzle);
        let (mut count, mut exact, mut left, mut grid) = (0, false, node_limit, Grid::EMPTY);
        while count < limits.count_limit {
            match self.step(&mut left) {
                Step::Solution => {
                    count += 1;
                    if count == 1 {
                        grid = self.engine.solution();
                    }
                }
                Step::Exhausted => {
                    exact = true;
                    break;
                }
                Step::Paused if left == 0 => break,
                Step::Paused => self.breathe()?,
            }
        }
        let outcome = Answer::judge(count, exact, &limits);
        Some(Solved { outcome, grid: if outcome.shows_grid() { grid } else { Grid::EMPTY } })
    }

    /// Searches on within this stretch and the nodes `left` for the puzzle.
    fn step(&mut self, left: &mut u64) -> Step {
        let granted = self.stretch.min(*left);
        let mut budget = granted;
        let step = self.engine.step(&mut budget);
        let spent = granted - budget;
        self.stretch -= spent;
        self.nodes += spent;
        *left -= spent;
        step
    }

    /// Asks `pace` when the stretch is over; `None` to stop.
    fn breathe(&mut self) -> Option<()> {
        if self.stretch == 0 {
            self.stretch = STRETCH;
            return ((self.pace)() == Pace::Continue).then_some(());
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KERNELS: [Kernel; 2] = [Kernel::Portable, Kernel::Reference];
    const PROVE: BatchLimits = BatchLimits { max_solutions: 2, node_limit: u64::MAX };

    fn full() -> Grid {
        Grid::from_digits(std::array::from_fn(|i| ((i / 9 * 3 + i / 27 + i % 9) % 9 + 1) as u8)).expect("digits")
    }

    fn run(kernel: Kernel, puzzles: &[Grid], limits: BatchLimits) -> (Vec<Option<Solved>>, BatchStats) {
        let mut out = vec![None; puzzles.len()];
        let stats = solve_batch(kernel, puzzles, limits, &mut out, &mut || Pace::Continue);
        (out, stats)
    }

    #[test]
    fn each_puzzle_gets_its_own_answer() {
        let mut clash = full();
        clash.set(super::super::geometry::Cell::at(0, 0), 9);
        let puzzles = [full(), Grid::EMPTY, clash, full()];
        for kernel in KERNELS {
            let (out, stats) = run(kernel, &puzzles, PROVE);
            let outcomes = [Outcome::Unique, Outcome::Multiple, Outcome::Unsolvable, Outcome::Unique];
            let grids = [full(), Grid::EMPTY, Grid::EMPTY, full()];
            let expected = outcomes.into_iter().zip(grids).map(|(outcome, grid)| Some(Solved { outcome, grid }));
            assert_eq!(out, expected.collect::<Vec<_>>());
            assert!(stats.done == 4 && stats.nodes > 0);
            let (out, _) = run(kernel, &puzzles[..2], BatchLimits { max_solutions: 1, ..PROVE });
            for solved in out.into_iter().flatten() {
                assert!(solved.outcome == Outcome::Found && solved.grid.is_solved());
            }
        }
    }

    #[test]
    fn the_node_limit_holds_for_each_puzzle() {
        let limits = BatchLimits { node_limit: 10, ..PROVE };
        let (out, stats) = run(Kernel::Portable, &[Grid::EMPTY, full(), Grid::EMPTY], limits);
        let outcomes: Vec<_> = out.iter().flatten().map(|solved| solved.outcome).collect();
        assert_eq!(outcomes, [Outcome::Undecided, Outcome::Unique, Outcome::Undecided]);
        assert_eq!(stats, BatchStats { done: 3, nodes: 20 });
    }

    #[test]
    fn a_stop_leaves_the_rest_undone() {
        let puzzles = vec![full(); 2000];
        for (asked, done) in [(0, 0), (1, 256), (4, 1024)] {
            let mut out = vec![None; puzzles.len()];
            let mut left = asked;
            let mut pace = || {
                if left == 0 {
                    return Pace::Stop;
                }
                left -= 1;
                Pace::Continue
            };
            let stats = solve_batch(Kernel::Portable, &puzzles, PROVE, &mut out, &mut pace);
            assert_eq!(stats.done, done);
            assert!(out[..done].iter().all(Option::is_some) && out[done..].iter().all(Option::is_none));
        }
    }

    #[test]
    fn a_stop_reaches_into_a_long_search() {
        // No solution, and far to go for plain backtracking (Norvig, "Solving Every Sudoku Puzzle").
        let line = b".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4.........";
        let hard = Grid::from_digits(line.map(|c| if c == b'.' { 0 } else { c - b'0' })).expect("digits");
        let mut asked = 0;
        let mut pace = || {
            asked += 1;
            if asked < 20 { Pace::Continue } else { Pace::Stop }
        };
        let mut out = [None; 2];
        let stats = solve_batch(Kernel::Reference, &[hard, hard], PROVE, &mut out, &mut pace);
        assert_eq!((stats, out), (BatchStats { done: 0, nodes: 19 * STRETCH - 1 }, [None; 2]));
    }
}

//! Solving many puzzles: the path that every batch takes.

use super::grid::Grid;
use super::kernel::{Kernel, Port, Searcher};
use super::outcome::{Limits, Outcome, Pace};

/// Passes between two questions to the pace: 0.1-0.4 ms.
const STRETCH: u32 = 256;

/// Where each puzzle of a batch ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchLimits {
    /// 1: the first solution will do; 2: uniqueness is proven.
    pub max_solutions: u8,
    /// Search nodes for each puzzle; `u64::MAX` for no limit.
    pub node_limit: u64,
}

impl From<BatchLimits> for Limits {
    fn from(BatchLimits { max_solutions, node_limit }: BatchLimits) -> Limits {
        Limits { max_solutions: max_solutions.into(), count_limit: max_solutions.into(), node_limit }
    }
}

/// Many puzzles on their way through a kernel, to be interrupted and gone on with. Beginning anew allocates little.
///
/// Memory: 24 bytes a puzzle, some 120 more for each that takes over 400 guesses, and at most 1.6 MB for the search.
pub struct Batch {
    searcher: Box<dyn Searcher>,
    limits: Limits,
}

impl Batch {
    /// A batch without puzzles.
    pub fn new(kernel: Kernel) -> Batch {
        Batch { searcher: kernel.searcher(), limits: Limits::PROVE }
    }

    /// Starts over with puzzles 0..count.
    pub fn begin(&mut self, count: usize, limits: BatchLimits) {
        self.limits = limits.into();
        self.searcher.begin(count, self.limits);
    }

    /// Works until every puzzle has its outcome (true) or `pace`, asked at least each millisecond, says stop. The port's
    /// puzzle i is asked for once; its first solution is the one to show, if the outcome shows any.
    pub fn run(&mut self, port: &mut dyn Port, pace: &mut dyn FnMut() -> Pace) -> bool {
        loop {
            if pace() == Pace::Stop {
                return false;
            }
            if self.searcher.run(port, STRETCH) {
                return true;
            }
        }
    }

    /// For each puzzle what became of it; `None` where it is in work or not begun.
    pub fn outcomes(&self) -> Vec<Option<Outcome>> {
        let mut outcomes: Vec<_> =
            self.searcher.tallies().iter().map(|tally| Some(tally.outcome(&self.limits))).collect();
        self.searcher.open(&mut |puzzle| outcomes[puzzle] = None);
        outcomes
    }

    /// Search nodes spent.
    pub fn nodes(&self) -> u64 {
        self.searcher.tallies().iter().map(|tally| tally.nodes).sum()
    }
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
/// `pace` is asked before the first puzzle and then at least each millisecond.
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
    let mut batch = Batch::new(kernel);
    batch.begin(puzzles.len(), limits);
    out.fill(None);
    batch.run(&mut Grids { puzzles, out }, pace);
    let mut done = 0;
    for (place, outcome) in out.iter_mut().zip(batch.outcomes()) {
        let shown = |outcome: Outcome| outcome.shows_grid().then_some(*place).flatten();
        *place =
            outcome.map(|outcome| Solved { outcome, grid: shown(outcome).map_or(Grid::EMPTY, |found| found.grid) });
        done += usize::from(place.is_some());
    }
    BatchStats { done, nodes: batch.nodes() }
}

/// Grids in, first solutions out.
struct Grids<'a> {
    puzzles: &'a [Grid],
    out: &'a mut [Option<Solved>],
}

impl Port for Grids<'_> {
    fn puzzle(&mut self, puzzle: usize, digits: &mut [u8; 81]) {
        *digits = *self.puzzles[puzzle].digits();
    }

    fn solution(&mut self, puzzle: usize, digits: &[u8; 81]) {
        let place = &mut self.out[puzzle];
        if place.is_none() {
            let grid = Grid::from_digits(*digits).unwrap_or(Grid::EMPTY);
            *place = Some(Solved { outcome: Outcome::Found, grid });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        for kernel in Kernel::all() {
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
        for kernel in Kernel::all() {
            let (out, stats) = run(kernel, &[Grid::EMPTY, full(), Grid::EMPTY], limits);
            let outcomes: Vec<_> = out.iter().flatten().map(|solved| solved.outcome).collect();
            assert_eq!(outcomes, [Outcome::Undecided, Outcome::Unique, Outcome::Undecided], "{kernel}");
            assert_eq!(stats, BatchStats { done: 3, nodes: 20 });
        }
    }

    #[test]
    fn a_stop_leaves_the_rest_undone() {
        let puzzles = vec![full(); 20_000];
        for kernel in Kernel::all() {
            for asked in [0, 1, 2] {
                let mut out = vec![None; puzzles.len()];
                let mut left = asked;
                let mut pace = || {
                    if left == 0 {
                        return Pace::Stop;
                    }
                    left -= 1;
                    Pace::Continue
                };
                let stats = solve_batch(kernel, &puzzles, PROVE, &mut out, &mut pace);
                assert!(stats.done < puzzles.len() && (stats.done > 0) == (asked > 0), "{kernel}: {}", stats.done);
                assert_eq!(out.iter().flatten().count(), stats.done);
                let right = |solved: &Solved| *solved == Solved { outcome: Outcome::Unique, grid: full() };
                assert!(out.iter().flatten().all(right));
            }
        }
    }

    #[test]
    fn a_stop_reaches_into_a_long_search() {
        let limits = BatchLimits { max_solutions: 2, node_limit: u64::MAX };
        for kernel in Kernel::all() {
            let mut batch = Batch::new(kernel);
            batch.begin(2, limits);
            let (mut asked, mut out) = (0, [None; 2]);
            let puzzles = [hard(), hard()];
            let mut pace = || {
                asked += 1;
                if asked == 2 { Pace::Stop } else { Pace::Continue }
            };
            assert!(!batch.run(&mut Grids { puzzles: &puzzles, out: &mut out }, &mut pace), "{kernel}");
            assert_eq!(batch.outcomes(), [None, None]);
            if kernel != Kernel::Reference {
                // What was interrupted goes on.
                assert!(batch.run(&mut Grids { puzzles: &puzzles, out: &mut out }, &mut || Pace::Continue));
                assert_eq!(batch.outcomes(), [Some(Outcome::Unsolvable); 2]);
            }
        }
    }

    /// No solution, and far to go for plain backtracking (Norvig, "Solving Every Sudoku Puzzle").
    fn hard() -> Grid {
        let line = b".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4.........";
        Grid::from_digits(line.map(|c| if c == b'.' { 0 } else { c - b'0' })).expect("digits")
    }
}

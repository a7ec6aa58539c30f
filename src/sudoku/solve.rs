//! Solving one puzzle: at once, or in quanta for callers that take turns.

use super::grid::Grid;
use super::kernel::{Kernel, Port, Searcher, Tally};
use super::outcome::{Answer, Limits};

/// A search that can be paused.
///
/// Quanta are counted in passes, each a round of deduction with its guesses: 0.2-1.5 µs with the fast kernels.
/// Memory is bounded by the solutions listed.
pub struct Search {
    searcher: Box<dyn Searcher>,
    road: Road,
    limits: Limits,
    conflicts: super::CellSet,
    done: bool,
}

/// One puzzle in, the solutions to be listed out.
struct Road {
    puzzle: Grid,
    solutions: Vec<Grid>,
    room: usize,
}

impl Port for Road {
    fn puzzle(&mut self, _: usize, digits: &mut [u8; 81]) {
        *digits = *self.puzzle.digits();
    }

    fn solution(&mut self, _: usize, digits: &[u8; 81]) {
        if self.solutions.len() < self.room {
            self.solutions.extend(Grid::from_digits(*digits));
        }
    }
}

impl Search {
    /// A search for the solutions of `puzzle`. Givens that contradict each other are answered here, without search.
    pub fn new(kernel: Kernel, puzzle: &Grid, limits: Limits) -> Search {
        let mut searcher = kernel.searcher();
        searcher.begin(1, limits);
        let conflicts = puzzle.conflicts();
        let road = Road { puzzle: *puzzle, solutions: Vec::new(), room: limits.max_solutions as usize };
        Search { searcher, road, limits, conflicts, done: !conflicts.is_empty() }
    }

    /// Searches on for about this many passes; true once the answer stands.
    ///
    /// However the passes are cut into quanta, the answer is the same.
    pub fn run(&mut self, passes: u32) -> bool {
        self.done = self.done || self.searcher.run(&mut self.road, passes);
        self.done
    }

    /// What is known: the answer once `run` was true, else what was found so far with `exact` false.
    ///
    /// `exact` says that the search ended by itself. It is false where `count_limit` ended it, even if there
    /// happen to be no more solutions: the same on every kernel, and why a full grid is FOUND when one solution
    /// was asked for.
    pub fn answer(self) -> Answer {
        let Tally { found: count, nodes, closed } = self.searcher.tallies()[0];
        let exact = self.done && !closed;
        let outcome = Answer::judge(count, exact, &self.limits);
        Answer { outcome, solutions: self.road.solutions, count, exact, conflicts: self.conflicts, nodes }
    }
}

/// Solves one puzzle to its limits.
pub fn solve(kernel: Kernel, puzzle: &Grid, limits: Limits) -> Answer {
    let mut search = Search::new(kernel, puzzle, limits);
    while !search.run(u32::MAX) {}
    search.answer()
}

#[cfg(test)]
mod tests {
    use super::super::geometry::Cell;
    use super::super::outcome::Outcome;
    use super::*;

    fn full() -> Grid {
        Grid::from_digits(std::array::from_fn(|i| ((i / 9 * 3 + i / 27 + i % 9) % 9 + 1) as u8)).expect("digits")
    }

    fn limits(max_solutions: u32, count_limit: u64, node_limit: u64) -> Limits {
        Limits { max_solutions, count_limit, node_limit }
    }

    #[test]
    fn clashing_givens_are_answered_without_search() {
        let mut puzzle = Grid::EMPTY;
        puzzle.set(Cell::at(0, 0), 5);
        puzzle.set(Cell::at(8, 0), 5);
        for kernel in Kernel::all() {
            let answer = solve(kernel, &puzzle, limits(2, 2, 0));
            assert_eq!((answer.outcome, answer.nodes, answer.exact), (Outcome::Unsolvable, 0, true));
            let cells: Vec<String> = answer.conflicts.iter().map(|cell| cell.to_string()).collect();
            assert_eq!(cells, ["r1c1", "r9c1"]);
        }
    }

    #[test]
    fn a_full_grid_is_unique_or_found() {
        for kernel in Kernel::all() {
            let proven = solve(kernel, &full(), Limits::PROVE);
            assert_eq!((proven.outcome, proven.count, proven.exact), (Outcome::Unique, 1, true));
            assert_eq!(proven.solutions, [full()]);
            assert_eq!(solve(kernel, &full(), Limits::ANY).outcome, Outcome::Found);
            let mut broken = full();
            broken.set(Cell::at(4, 4), full().get(Cell::at(4, 5)));
            let answer = solve(kernel, &broken, Limits::PROVE);
            assert_eq!((answer.outcome, answer.conflicts.is_empty()), (Outcome::Unsolvable, false));
        }
    }

    #[test]
    fn an_empty_grid_counts_past_the_listed_solutions() {
        let answer = solve(Kernel::Portable, &Grid::EMPTY, limits(3, 500, u64::MAX));
        assert_eq!((answer.outcome, answer.count, answer.exact), (Outcome::Multiple, 500, false));
        assert_eq!(answer.solutions.len(), 3);
        assert!(answer.solutions.iter().all(Grid::is_solved));
    }

    #[test]
    fn sixteen_givens_have_several_solutions() {
        let mut puzzle = full();
        Cell::all().filter(|cell| cell.index() % 5 != 0).for_each(|cell| puzzle.set(cell, 0));
        Cell::all().skip(80).for_each(|cell| puzzle.set(cell, 0));
        assert_eq!(puzzle.clue_count(), 16);
        let answer = solve(Kernel::Portable, &puzzle, Limits::PROVE);
        assert_eq!((answer.outcome, answer.count, answer.exact), (Outcome::Multiple, 2, false));
    }

    #[test]
    fn a_node_limit_is_exact() {
        for kernel in Kernel::all() {
            let whole = solve(kernel, &Grid::EMPTY, limits(1, 100, u64::MAX));
            for limit in 0..40 {
                let answer = solve(kernel, &Grid::EMPTY, limits(1, 100, limit));
                assert!(answer.nodes == limit && !answer.exact && answer.count < whole.count);
            }
            let enough = solve(kernel, &Grid::EMPTY, limits(1, 100, whole.nodes));
            assert_eq!(enough, whole);
        }
        let none = solve(Kernel::Portable, &Grid::EMPTY, limits(2, 2, 0));
        assert_eq!((none.outcome, none.count), (Outcome::Undecided, 0));
    }

    #[test]
    fn quanta_do_not_change_the_answer() {
        for kernel in Kernel::all() {
            let limits = limits(7, 60, 400);
            let mut search = Search::new(kernel, &Grid::EMPTY, limits);
            while !search.run(3) {}
            assert_eq!(search.answer(), solve(kernel, &Grid::EMPTY, limits));
        }
    }

    #[test]
    fn an_unfinished_search_tells_what_it_knows() {
        let mut search = Search::new(Kernel::Portable, &Grid::EMPTY, limits(2, 1_000_000_000, u64::MAX));
        assert!(!search.run(1_000));
        let answer = search.answer();
        assert_eq!((answer.outcome, answer.exact), (Outcome::Multiple, false));
        assert!(answer.count > 2 && answer.solutions.len() == 2);
    }
}

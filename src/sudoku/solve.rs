//! Solving one puzzle: at once, or in quanta for callers that take turns.

use super::grid::Grid;
use super::kernel::Kernel;
use super::kernel::engine::Engine;
use super::kernel::step::Step;
use super::outcome::{Answer, Limits, Outcome};

/// A search that can be paused.
///
/// Quanta are counted in nodes. A node of the portable kernel is a guess and takes 0.5-2 µs, a node of the
/// reference kernel a digit tried, about 0.3 µs: 500 nodes fit a millisecond on any machine of the last ten years.
/// Memory is bounded by the solutions listed.
#[derive(Clone, Debug)]
pub struct Search {
    engine: Engine,
    limits: Limits,
    done: bool,
    answer: Answer,
}

impl Search {
    /// A search for the solutions of `puzzle`. Givens that contradict each other are answered here, without search.
    pub fn new(kernel: Kernel, puzzle: &Grid, limits: Limits) -> Search {
        let mut engine = Engine::new(kernel);
        engine.load(puzzle);
        let conflicts = puzzle.conflicts();
        let done = !conflicts.is_empty();
        let outcome = if done { Outcome::Unsolvable } else { Outcome::Undecided };
        let answer = Answer { outcome, solutions: Vec::new(), count: 0, exact: done, conflicts, nodes: 0 };
        Search { engine, limits, done, answer }
    }

    /// Spends up to `nodes` more search nodes; true once the answer stands.
    ///
    /// However the nodes are cut into quanta, the answer is the same.
    pub fn run(&mut self, nodes: u64) -> bool {
        let granted = nodes.min(self.limits.node_limit - self.answer.nodes);
        let mut budget = granted;
        while !self.done {
            match self.engine.step(&mut budget) {
                Step::Solution => {
                    self.answer.count += 1;
                    if self.answer.solutions.len() < self.limits.max_solutions as usize {
                        self.answer.solutions.push(self.engine.solution());
                    }
                    self.done = self.answer.count >= self.limits.count_limit;
                }
                Step::Exhausted => (self.done, self.answer.exact) = (true, true),
                Step::Paused => break,
            }
        }
        self.answer.nodes += granted - budget;
        // Paused with nothing left to spend: the limit decides.
        self.done |= self.answer.nodes == self.limits.node_limit;
        self.done
    }

    /// What is known: the answer once `run` was true, else what was found so far with `exact` false.
    ///
    /// `exact` says that the search ended by itself. It is false where `count_limit` ended it, even if there
    /// happen to be no more solutions: the same on every kernel, and why a full grid is FOUND when one solution
    /// was asked for.
    pub fn answer(mut self) -> Answer {
        self.answer.outcome = Answer::judge(self.answer.count, self.answer.exact, &self.limits);
        self.answer
    }
}

/// Solves one puzzle to its limits.
pub fn solve(kernel: Kernel, puzzle: &Grid, limits: Limits) -> Answer {
    let mut search = Search::new(kernel, puzzle, limits);
    while !search.run(u64::MAX) {}
    search.answer()
}

#[cfg(test)]
mod tests {
    use super::super::geometry::Cell;
    use super::*;

    const KERNELS: [Kernel; 2] = [Kernel::Portable, Kernel::Reference];

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
        for kernel in KERNELS {
            let answer = solve(kernel, &puzzle, limits(2, 2, 0));
            assert_eq!((answer.outcome, answer.nodes, answer.exact), (Outcome::Unsolvable, 0, true));
            let cells: Vec<String> = answer.conflicts.iter().map(|cell| cell.to_string()).collect();
            assert_eq!(cells, ["r1c1", "r9c1"]);
        }
    }

    #[test]
    fn a_full_grid_is_unique_or_found() {
        for kernel in KERNELS {
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
        for kernel in KERNELS {
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
        for kernel in KERNELS {
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
        assert_eq!((answer.outcome, answer.exact, answer.nodes), (Outcome::Multiple, false, 1_000));
        assert!(answer.count > 2 && answer.solutions.len() == 2);
    }
}

//! [`Window`]: a few puzzles of a chunk on their way through the solver, over as many slices as it takes.
//!
//! Solved together as long as that goes well; one by one after a panic, so that only the puzzle that panics
//! is FAILED; and by a search that keeps its place where one puzzle outlasts a whole slice.

use super::slice::Slice;
use super::solver::ChunkSolver;
use super::verdict::{crashed, invalid, panicked, solved};
use crate::job::codec::{InputChunk, ItemResult, ResultBuilder};
use crate::pool::guard;
use crate::sudoku::solve::Search;
use crate::sudoku::{BatchLimits, Grid, Kernel, Limits, Solved};

/// Nodes of a search between two looks at the clock: well under 1 ms.
const NODES_PER_LOOK: u64 = 256;

/// Consecutive items of one chunk.
pub(super) struct Window {
    items: Vec<Item>,
    puzzles: Vec<Grid>,
    /// For each puzzle its answer, or the message of the panic that it caused.
    answers: Vec<Option<Result<Solved, String>>>,
    /// Puzzles without an answer, in order.
    open: Vec<usize>,
    one_by_one: bool,
    /// The search of `open[0]` where that puzzle outlasted a slice.
    long: Option<Box<Search>>,
    /// Search nodes spent so far.
    pub(super) nodes: u64,
}

enum Item {
    /// Its puzzle's place among the window's.
    Puzzle(usize),
    /// There is nothing to solve.
    Known(Box<ItemResult>),
}

/// How windows are solved.
pub(super) struct Means<'a> {
    pub(super) solver: &'a dyn ChunkSolver,
    pub(super) kernel: Kernel,
    pub(super) limits: BatchLimits,
}

impl Window {
    /// `count` items of the chunk from its item `first` on; those that `condemned` names are not run.
    pub(super) fn open(input: &InputChunk, first: u32, count: u32, condemned: impl Fn(u32) -> bool) -> Window {
        let mut puzzles = Vec::with_capacity(count as usize);
        let items = (first..first + count).map(|i| match input.get(i) {
            _ if condemned(i) => Item::Known(Box::new(crashed())),
            Ok(puzzle) => {
                puzzles.push(puzzle);
                Item::Puzzle(puzzles.len() - 1)
            }
            Err(fault) => Item::Known(Box::new(invalid(fault))),
        });
        Window {
            items: items.collect(),
            answers: vec![None; puzzles.len()],
            open: (0..puzzles.len()).collect(),
            puzzles,
            one_by_one: false,
            long: None,
            nodes: 0,
        }
    }

    /// Solves until all is answered (true) or the slice is over.
    pub(super) fn solve(&mut self, means: &Means<'_>, slice: &Slice<'_>) -> bool {
        let open_before = self.open.len();
        while let Some(&first) = self.open.first() {
            if slice.is_over() {
                // No answer in a whole slice: that puzzle is long, and the solver would begin it anew each time.
                if self.open.len() == open_before && self.long.is_none() {
                    let limits = search_limits(means.limits);
                    self.long = Some(Box::new(Search::new(means.kernel, &self.puzzles[first], limits)));
                }
                return false;
            }
            match self.long.take() {
                Some(search) => self.search(first, search, slice),
                None if self.one_by_one => self.solve_some(1, means, slice),
                None => self.solve_some(self.open.len(), means, slice),
            }
            self.open.retain(|&i| self.answers[i].is_none());
        }
        true
    }

    /// How many items.
    pub(super) fn len(&self) -> u32 {
        self.items.len() as u32
    }

    /// Codes what `solve` answered.
    ///
    /// # Panics
    /// When it is not done.
    pub(super) fn code(self, results: &mut ResultBuilder) {
        for item in self.items {
            let answer = match item {
                Item::Known(known) => {
                    results.push(&known);
                    continue;
                }
                Item::Puzzle(i) => self.answers[i].as_ref().expect("every puzzle is answered"),
            };
            results.push(&match answer {
                Ok(answer) => solved(answer),
                Err(message) => panicked(message),
            });
        }
    }

    /// Gives the first `count` open puzzles to the solver.
    fn solve_some(&mut self, count: usize, means: &Means<'_>, slice: &Slice<'_>) {
        let open = &self.open[..count];
        let puzzles: Vec<Grid> = open.iter().map(|&i| self.puzzles[i]).collect();
        let mut out = vec![None; count];
        match guard(|| means.solver.solve(&puzzles, means.limits, &mut out, &mut || slice.pace())) {
            Ok(stats) => {
                self.nodes += stats.nodes;
                open.iter().zip(out).for_each(|(&i, solved)| self.answers[i] = solved.map(Ok));
            }
            Err(message) if count == 1 => self.answers[open[0]] = Some(Err(message)),
            Err(_) => self.one_by_one = true,
        }
    }

    /// Goes on with the long puzzle.
    fn search(&mut self, puzzle: usize, mut search: Box<Search>, slice: &Slice<'_>) {
        let run = guard(move || {
            while !search.run(NODES_PER_LOOK) {
                if slice.is_over() {
                    return Err(search);
                }
            }
            Ok(search.answer())
        });
        match run {
            Ok(Ok(answer)) => {
                self.nodes += answer.nodes;
                let grid = answer.solutions.first().filter(|_| answer.outcome.shows_grid());
                let grid = grid.copied().unwrap_or(Grid::EMPTY);
                self.answers[puzzle] = Some(Ok(Solved { outcome: answer.outcome, grid }));
            }
            Ok(Err(paused)) => self.long = Some(paused),
            Err(message) => self.answers[puzzle] = Some(Err(message)),
        }
    }
}

fn search_limits(limits: BatchLimits) -> Limits {
    let max_solutions = u32::from(limits.max_solutions);
    Limits { max_solutions, count_limit: u64::from(max_solutions), node_limit: limits.node_limit }
}

//! [`Window`]: a few puzzles of a chunk on their way through the solver, over as many slices as it takes.
//!
//! Solved together as long as that goes well; one by one after a panic, so that only the puzzle that panics
//! is FAILED; and by a search that keeps its place where one puzzle outlasts a whole slice.

use super::slice::Slice;
use super::solver::ChunkSolver;
use super::verdict::{crashed, invalid, panicked};
use crate::job::codec::{InputChunk, ItemResult, ResultBuilder};
use crate::pool::guard;
use crate::sudoku::solve::Search;
use crate::sudoku::{BatchLimits, Grid, Kernel, Limits, Solved};
use std::collections::BTreeMap;
use std::ops::Range;

/// Nodes of a search between two looks at the clock: well under 1 ms.
const NODES_PER_LOOK: u64 = 256;

/// Consecutive items of one chunk.
pub(super) struct Window {
    count: u32,
    /// Items in which there is nothing to solve, in order.
    known: Vec<(u32, ItemResult)>,
    /// The puzzles of the others, in order.
    puzzles: Vec<Grid>,
    /// For each puzzle its answer, unless it panicked or is open.
    answers: Vec<Option<Solved>>,
    /// Puzzles that panicked, each with its message.
    panics: BTreeMap<usize, String>,
    one_by_one: bool,
    /// The search of the first open puzzle where it outlasted a slice.
    long: Option<Box<Search>>,
    /// Search nodes spent so far.
    pub(super) nodes: u64,
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
        let (mut puzzles, mut faults) = (Vec::new(), Vec::new());
        input.unpack(first..first + count, &mut puzzles, &mut faults);
        let mut known: Vec<_> = faults.into_iter().map(|(i, fault)| (i - first, invalid(fault))).collect();
        for item in (0..count).filter(|item| condemned(first + item)) {
            match known.binary_search_by_key(&item, |&(known, _)| known) {
                Ok(at) => known[at].1 = crashed(),
                Err(at) => {
                    puzzles.remove(item as usize - at);
                    known.insert(at, (item, crashed()));
                }
            }
        }
        let (answers, panics) = (vec![None; puzzles.len()], BTreeMap::new());
        Window { count, known, puzzles, answers, panics, one_by_one: false, long: None, nodes: 0 }
    }

    /// Solves until all is answered (true) or the slice is over.
    pub(super) fn solve(&mut self, means: &Means<'_>, slice: &Slice<'_>) -> bool {
        let before = self.unanswered();
        let mut at = 0;
        while let Some(first) = self.first_open(at) {
            at = first;
            if slice.is_over() {
                // No answer in a whole slice: that puzzle is long, and the solver would begin it anew each time.
                if self.unanswered() == before && self.long.is_none() {
                    let limits = search_limits(means.limits);
                    self.long = Some(Box::new(Search::new(means.kernel, &self.puzzles[first], limits)));
                }
                return false;
            }
            match self.long.take() {
                Some(search) => self.search(first, search, slice),
                None if self.one_by_one => self.solve_some(first..first + 1, means, slice),
                None => self.solve_some(first..self.puzzles.len(), means, slice),
            }
        }
        true
    }

    fn is_open(&self, puzzle: usize) -> bool {
        self.answers[puzzle].is_none() && !self.panics.contains_key(&puzzle)
    }

    /// The first puzzle from `from` on without an answer.
    fn first_open(&self, from: usize) -> Option<usize> {
        (from..self.puzzles.len()).find(|&puzzle| self.is_open(puzzle))
    }

    /// Puzzles without an answer.
    fn unanswered(&self) -> usize {
        self.answers.iter().filter(|answer| answer.is_none()).count() - self.panics.len()
    }

    /// How many items.
    pub(super) fn len(&self) -> u32 {
        self.count
    }

    /// Codes what `solve` answered.
    ///
    /// # Panics
    /// When it is not done.
    pub(super) fn code(self, results: &mut ResultBuilder) {
        let mut known = self.known.into_iter().peekable();
        let mut puzzles = 0..self.puzzles.len();
        for item in 0..self.count {
            if let Some((_, result)) = known.next_if(|(at, _)| *at == item) {
                results.push(&result);
                continue;
            }
            let puzzle = puzzles.next().expect("each item is known or a puzzle");
            match &self.answers[puzzle] {
                Some(Solved { outcome, grid }) => results.push_solved(*outcome, outcome.shows_grid().then_some(grid)),
                None => results.push(&panicked(self.panics.get(&puzzle).expect("every puzzle is answered"))),
            }
        }
    }

    /// Gives the open ones of these puzzles to the solver.
    fn solve_some(&mut self, puzzles: Range<usize>, means: &Means<'_>, slice: &Slice<'_>) {
        let open: Vec<usize> = puzzles.clone().filter(|&puzzle| self.is_open(puzzle)).collect();
        let (all, limits) = (open.len() == puzzles.len(), means.limits);
        let solve =
            |puzzles: &[Grid], out: &mut [_]| guard(|| means.solver.solve(puzzles, limits, out, &mut || slice.pace()));
        let run = if all {
            solve(&self.puzzles[puzzles.clone()], &mut self.answers[puzzles])
        } else {
            let grids: Vec<Grid> = open.iter().map(|&puzzle| self.puzzles[puzzle]).collect();
            let mut out = vec![None; open.len()];
            let run = solve(&grids, &mut out);
            open.iter().zip(out).for_each(|(&puzzle, answer)| self.answers[puzzle] = answer);
            run
        };
        match run {
            Ok(stats) => self.nodes += stats.nodes,
            Err(message) => {
                // What a solver that panics leaves behind counts for nothing.
                open.iter().for_each(|&puzzle| self.answers[puzzle] = None);
                match open.as_slice() {
                    [puzzle] => drop(self.panics.insert(*puzzle, message)),
                    _ => self.one_by_one = true,
                }
            }
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
                self.answers[puzzle] = Some(Solved { outcome: answer.outcome, grid });
            }
            Ok(Err(paused)) => self.long = Some(paused),
            Err(message) => drop(self.panics.insert(puzzle, message)),
        }
    }
}

fn search_limits(limits: BatchLimits) -> Limits {
    let max_solutions = u32::from(limits.max_solutions);
    Limits { max_solutions, count_limit: u64::from(max_solutions), node_limit: limits.node_limit }
}

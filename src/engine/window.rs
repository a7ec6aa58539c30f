//! [`Window`]: some puzzles of a chunk on their way through the solver, over as many slices as it takes.
//!
//! Solved together as long as that goes well; one by one after a panic, so that only the puzzle that panics is FAILED.

use super::slice::Slice;
use super::solver::{ChunkSearch, ChunkSolver};
use super::verdict::{crashed, invalid, panicked};
use crate::job::codec::{InputChunk, ItemResult, ResultBuilder};
use crate::pool::guard;
use crate::sudoku::packed::{SOLVED_BYTES, pack_solved};
use crate::sudoku::{BatchLimits, Grid, Outcome, Port};
use std::collections::BTreeMap;
use std::ops::Range;

/// Consecutive items of one chunk.
pub(super) struct Window {
    count: u32,
    /// Items in which there is nothing to solve.
    known: BTreeMap<u32, ItemResult>,
    /// The chunk, and in it the places of the puzzles among the others, in order.
    input: InputChunk,
    puzzles: Vec<u32>,
    /// For each puzzle a solution, packed, if any was found.
    solutions: Vec<[u8; SOLVED_BYTES]>,
    /// For each puzzle what became of it, once that is known.
    outcomes: Vec<Option<Outcome>>,
    /// Puzzles that panicked, each with its message.
    panics: BTreeMap<usize, String>,
    /// The search on its way: of all puzzles, or of the one that is its turn.
    search: Option<Box<dyn ChunkSearch>>,
    /// After a panic, the puzzle whose turn it is.
    alone: Option<usize>,
    /// Search nodes spent so far.
    pub(super) nodes: u64,
}

impl Window {
    /// `count` items of the chunk from its item `first` on; those that `condemned` names are not run.
    pub(super) fn open(input: &InputChunk, first: u32, count: u32, condemned: impl Fn(u32) -> bool) -> Window {
        let faults = input.faults(first..first + count).into_iter().map(|(i, fault)| (i - first, invalid(fault)));
        let mut known: BTreeMap<u32, ItemResult> = faults.collect();
        known.extend((0..count).filter(|item| condemned(first + item)).map(|item| (item, crashed())));
        let puzzles: Vec<u32> = (0..count).filter(|item| !known.contains_key(item)).map(|item| first + item).collect();
        Window {
            count,
            known,
            input: input.clone(),
            solutions: vec![[0; SOLVED_BYTES]; puzzles.len()],
            outcomes: vec![None; puzzles.len()],
            puzzles,
            panics: BTreeMap::new(),
            search: None,
            alone: None,
            nodes: 0,
        }
    }

    /// Solves until all is answered (true) or the slice is over.
    pub(super) fn solve(&mut self, solver: &dyn ChunkSolver, limits: BatchLimits, slice: &Slice<'_>) -> bool {
        loop {
            let all = 0..self.puzzles.len();
            let turn = self.alone.map_or(all.clone(), |puzzle| puzzle..puzzle + 1);
            if turn.start >= all.end {
                return true;
            }
            if self.alone.is_some() && slice.is_over() {
                return false;
            }
            if !self.search(turn, solver, limits, slice) {
                return false;
            }
            if self.alone.is_none() {
                return true;
            }
        }
    }

    /// Searches among these puzzles; false when the slice was over first. Decides whose turn is next.
    fn search(&mut self, turn: Range<usize>, solver: &dyn ChunkSolver, limits: BatchLimits, slice: &Slice<'_>) -> bool {
        let search = self.search.take();
        let (puzzles, solutions) = (&self.puzzles[turn.clone()], &mut self.solutions[turn.clone()]);
        let mut port = Items { input: &self.input, puzzles, solutions };
        let count = turn.len();
        let run = guard(|| {
            let mut search = search.unwrap_or_else(|| solver.begin(count, limits));
            (search.run(&mut port, &mut || slice.pace()), search)
        });
        match run {
            Ok((false, search)) => {
                self.search = Some(search);
                return false;
            }
            Ok((true, search)) => {
                self.nodes += search.nodes();
                self.outcomes[turn].copy_from_slice(&search.outcomes());
                self.alone = self.alone.map(|puzzle| puzzle + 1);
            }
            // What a search that panicked found counts for nothing.
            Err(_) if count > 1 => self.alone = Some(turn.start),
            Err(message) => {
                self.panics.insert(turn.start, message);
                self.alone = Some(turn.end);
            }
        }
        true
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
        let mut puzzles = 0..self.puzzles.len();
        for item in 0..self.count {
            if let Some(result) = self.known.get(&item) {
                results.push(result);
                continue;
            }
            let puzzle = puzzles.next().expect("each item is known or a puzzle");
            match self.outcomes[puzzle] {
                Some(outcome) => {
                    results.push_solved(outcome, outcome.shows_grid().then_some(&self.solutions[puzzle]));
                }
                None => results.push(&panicked(self.panics.get(&puzzle).expect("every puzzle is answered"))),
            }
        }
    }
}

/// Puzzles from a packed chunk, packed solutions.
struct Items<'a> {
    input: &'a InputChunk,
    puzzles: &'a [u32],
    solutions: &'a mut [[u8; SOLVED_BYTES]],
}

impl Port for Items<'_> {
    fn puzzle(&mut self, puzzle: usize, digits: &mut [u8; 81]) {
        *digits = *self.input.get(self.puzzles[puzzle]).expect("an item that is no fault").digits();
    }

    fn solution(&mut self, puzzle: usize, digits: &[u8; 81]) {
        pack_solved(&Grid::from_digits(*digits).expect("digits 1-9"), &mut self.solutions[puzzle]);
    }
}

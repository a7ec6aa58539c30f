//! Work whose every item may take long, as [`Fiber`]s: puzzles of a chunk are rated, or made, each behind a guard. Knows no
//! store and no lease.

use super::solver::ChunkSolver;
use super::verdict::{crashed, invalid, made, panicked, rated};
use crate::job::codec::{InputChunk, ItemResult};
use crate::pool::{Fiber, Fibers, guard};
use crate::sudoku::generate::puzzle::{PuzzleMaker, PuzzleSpec};
use crate::sudoku::{Kernel, Pace};
use std::ops::Range;
use std::sync::Arc;

/// Consecutive items with their results. Cut short only where nobody waits for it any more.
#[derive(Default)]
pub(super) struct Stint {
    pub(super) items: Vec<ItemResult>,
    /// Search nodes spent.
    pub(super) nodes: u64,
}

/// Rates the puzzles of a chunk.
#[derive(Clone)]
pub(super) struct Rater {
    pub(super) fibers: Fibers,
    pub(super) input: InputChunk,
    /// Search nodes for each puzzle's proof.
    pub(super) node_limit: u64,
    /// Items of the chunk that are not to be run.
    pub(super) condemned: Vec<u32>,
    pub(super) solver: Arc<dyn ChunkSolver>,
}

impl Rater {
    /// Rates these items of the chunk.
    pub(super) fn fiber(&self, items: Range<u32>) -> Fiber<Stint> {
        let rater = self.clone();
        self.fibers.fiber(move |pace| {
            let mut stint = Stint::default();
            for item in items {
                if pace() == Pace::Stop {
                    break;
                }
                let (result, nodes) = rater.rate(item, pace);
                stint.items.push(result);
                stint.nodes += nodes;
            }
            stint
        })
    }

    fn rate(&self, item: u32, pace: &mut dyn FnMut() -> Pace) -> (ItemResult, u64) {
        if self.condemned.contains(&item) {
            return (crashed(), 0);
        }
        let puzzle = match self.input.get(item) {
            Ok(puzzle) => puzzle,
            Err(fault) => return (invalid(fault), 0),
        };
        match guard(|| self.solver.rate(&puzzle, self.node_limit, pace)) {
            Ok((answer, rating)) => (rated(&answer, rating), answer.nodes),
            Err(message) => (panicked(&message), 0),
        }
    }
}

/// Makes puzzles of a job.
#[derive(Clone)]
pub(super) struct Maker {
    pub(super) fibers: Fibers,
    pub(super) kernel: Kernel,
    pub(super) spec: PuzzleSpec,
    pub(super) seed: u64,
    /// Index in the job of the chunk's first item.
    pub(super) first_index: u32,
    /// Items of the chunk that are not to be run.
    pub(super) condemned: Vec<u32>,
}

impl Maker {
    /// Makes these items of the chunk.
    pub(super) fn fiber(&self, items: Range<u32>) -> Fiber<Stint> {
        let maker = self.clone();
        self.fibers.fiber(move |pace| {
            let mut stint = Stint::default();
            let mut next = items.start;
            while next < items.end && pace() == Pace::Continue {
                let end = (next..items.end).find(|item| maker.condemned.contains(item)).unwrap_or(items.end);
                if end == next {
                    stint.items.push(crashed());
                    next += 1;
                } else {
                    stint.items.extend(maker.make(next..end, pace));
                    next = end;
                }
            }
            stint
        })
    }

    /// Makes items together; one by one after a panic, so that only the item that panics is FAILED.
    fn make(&self, items: Range<u32>, pace: &mut dyn FnMut() -> Pace) -> Vec<ItemResult> {
        match guard(|| self.fill(items.clone(), pace)) {
            Ok(made) => made,
            Err(message) if items.len() == 1 => vec![panicked(&message)],
            Err(_) => items.flat_map(|item| self.make(item..item + 1, pace)).collect(),
        }
    }

    fn fill(&self, items: Range<u32>, pace: &mut dyn FnMut() -> Pace) -> Vec<ItemResult> {
        let mut maker = PuzzleMaker::new(self.kernel, &self.spec, self.seed).expect("checked when the job was opened");
        let mut places = vec![None; items.len()];
        maker.fill(u64::from(self.first_index + items.start), &mut places, pace);
        places.into_iter().flatten().map(|place| made(place, self.spec.allow_multiple)).collect()
    }
}

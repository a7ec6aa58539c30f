//! Rating puzzles of a chunk, as work for a fiber: one after another, each behind a guard of its own. Knows no store and
//! no lease.

use super::solver::ChunkSolver;
use super::verdict::{crashed, invalid, panicked, rated};
use crate::job::codec::{InputChunk, ItemResult};
use crate::pool::{Fiber, guard};
use crate::sudoku::Pace;
use std::ops::Range;
use std::sync::Arc;

/// Some items of a chunk with their results.
pub(super) struct Stint {
    pub(super) items: Vec<ItemResult>,
    /// Search nodes spent.
    pub(super) nodes: u64,
}

/// What rating takes.
#[derive(Clone)]
pub(super) struct Rater {
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
        Fiber::new(move |pace| {
            let mut stint = Stint { items: Vec::with_capacity(items.len()), nodes: 0 };
            for item in items {
                let (result, nodes) = rater.rate(item, pace);
                stint.items.push(result);
                stint.nodes += nodes;
                // Nobody waits for the others any more.
                if pace() == Pace::Stop {
                    break;
                }
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

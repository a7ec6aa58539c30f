//! [`ChunkSolver`]: the seam between a chunk in work and the solver.

use crate::sudoku::batch::Batch;
use crate::sudoku::{BatchLimits, Kernel, Outcome, Pace, Port};

/// Searches for the solutions of chunks, on batch threads.
pub trait ChunkSolver: Send + Sync + 'static {
    /// A search for the solutions of puzzles 0..count.
    fn begin(&self, count: usize, limits: BatchLimits) -> Box<dyn ChunkSearch>;
}

/// A search that can be interrupted. May panic: that fails only the puzzles concerned.
pub trait ChunkSearch: Send {
    /// As [`Batch::run`].
    fn run(&mut self, port: &mut dyn Port, pace: &mut dyn FnMut() -> Pace) -> bool;
    /// As [`Batch::outcomes`].
    fn outcomes(&self) -> Vec<Option<Outcome>>;
    /// As [`Batch::nodes`].
    fn nodes(&self) -> u64;
}

impl ChunkSolver for Kernel {
    fn begin(&self, count: usize, limits: BatchLimits) -> Box<dyn ChunkSearch> {
        let mut batch = Batch::new(*self);
        batch.begin(count, limits);
        Box::new(batch)
    }
}

impl ChunkSearch for Batch {
    fn run(&mut self, port: &mut dyn Port, pace: &mut dyn FnMut() -> Pace) -> bool {
        Batch::run(self, port, pace)
    }

    fn outcomes(&self) -> Vec<Option<Outcome>> {
        Batch::outcomes(self)
    }

    fn nodes(&self) -> u64 {
        Batch::nodes(self)
    }
}

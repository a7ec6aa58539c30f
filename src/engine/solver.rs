//! [`ChunkSolver`]: the seam between a chunk in work and the solver.

use crate::sudoku::batch::Batch;
use crate::sudoku::logic::{self, Effort, Rated};
use crate::sudoku::solve::Search;
use crate::sudoku::{Answer, BatchLimits, Grid, Kernel, Limits, Outcome, Pace, Port};

/// Passes of a search between two questions to its pace: 0.1-0.4 ms.
const STRETCH: u32 = 256;

/// Searches for the solutions of chunks, and rates their puzzles, on batch threads.
pub trait ChunkSolver: Send + Sync + 'static {
    /// A search for the solutions of puzzles 0..count.
    fn begin(&self, count: usize, limits: BatchLimits) -> Box<dyn ChunkSearch>;
    /// Proves that a puzzle has one solution, and rates it. Where the pace says `Stop`, what it gives counts for nothing.
    /// May panic: that fails only this puzzle.
    fn rate(&self, puzzle: &Grid, node_limit: u64, pace: &mut dyn FnMut() -> Pace) -> (Answer, Rated);
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

    fn rate(&self, puzzle: &Grid, node_limit: u64, pace: &mut dyn FnMut() -> Pace) -> (Answer, Rated) {
        let mut search = Search::new(*self, puzzle, Limits { node_limit, ..Limits::PROVE });
        while !search.run(STRETCH) && pace() == Pace::Continue {}
        let answer = search.answer();
        let rated = match answer.outcome {
            Outcome::Unique => logic::rate(puzzle, Effort { node_limit, ..Effort::unlimited(*self) }, pace),
            other => Rated::Refused(other),
        };
        (answer, rated)
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

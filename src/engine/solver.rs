//! [`ChunkSolver`]: the seam between a chunk in work and the solver.

use crate::sudoku::{BatchLimits, BatchStats, Grid, Kernel, Pace, Solved, solve_batch};

/// Solves the puzzles of chunks, on batch threads. May panic: that fails only the puzzles concerned.
pub trait ChunkSolver: Send + Sync + 'static {
    /// As [`solve_batch`] does: `puzzles[i]` into `out[i]`, which stays `None` where `pace` stopped it.
    fn solve(
        &self,
        puzzles: &[Grid],
        limits: BatchLimits,
        out: &mut [Option<Solved>],
        pace: &mut dyn FnMut() -> Pace,
    ) -> BatchStats;
}

impl ChunkSolver for Kernel {
    fn solve(
        &self,
        puzzles: &[Grid],
        limits: BatchLimits,
        out: &mut [Option<Solved>],
        pace: &mut dyn FnMut() -> Pace,
    ) -> BatchStats {
        solve_batch(*self, puzzles, limits, out, pace)
    }
}

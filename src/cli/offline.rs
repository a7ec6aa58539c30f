//! Offline work in blocks: every core computes, this thread reads and writes, results come in order, and only a
//! window of blocks is in memory.

use super::exit::Failure;
use super::litter::{Litter, SignalWatch};
use crate::engine::Compute;
use crate::pool::{Cancel, TaskError};
use crate::sudoku::Kernel;
use std::collections::VecDeque;
use std::sync::Arc;
use tokio::runtime::Runtime;
use tokio_util::task::AbortOnDropHandle;

/// Blocks in the window beyond two a thread: read and waiting, or done and waiting for their turn.
const SPARE_BLOCKS: usize = 2;

/// As much where blocks are small and one may take as long as thousands of others.
const SPARE_UNEVEN_BLOCKS: usize = 512;

/// The machine of an offline command.
pub struct Offline {
    runtime: Runtime,
    compute: Compute,
    /// Unfinished files.
    pub litter: Litter,
    _signals: SignalWatch,
}

impl Offline {
    /// Starts threads on every core.
    ///
    /// # Errors
    /// When the system refuses threads or signals.
    pub fn start(kernel: Kernel) -> Result<Offline, Failure> {
        let cannot = |e| Failure::io(format!("cannot start: {e}"));
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.map_err(cannot)?;
        let compute = crate::app::offline(kernel).map_err(cannot)?;
        let litter = Litter::default();
        let _signals = litter.removed_on_signals(runtime.handle()).map_err(cannot)?;
        Ok(Offline { runtime, compute, litter, _signals })
    }

    /// The kernel that runs.
    pub fn kernel(&self) -> Kernel {
        self.compute.kernel()
    }

    /// Runs `work` on each block on every core, `done` on each result here and in order. Work that is no longer wanted
    /// sees that in its `Cancel`.
    ///
    /// # Errors
    /// The first of reading, `done`, or a fault in `work`.
    pub fn run<B: Send + 'static, T: Send + 'static>(
        &self,
        blocks: impl Iterator<Item = Result<B, Failure>>,
        work: impl Fn(B, &Cancel) -> T + Send + Sync + 'static,
        done: impl FnMut(T) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        self.run_ahead(SPARE_BLOCKS, blocks, work, done)
    }

    /// As [`Offline::run`], for small blocks of which one may take very long: the other threads go on with many more.
    ///
    /// # Errors
    /// As [`Offline::run`].
    pub fn run_uneven<B: Send + 'static, T: Send + 'static>(
        &self,
        blocks: impl Iterator<Item = Result<B, Failure>>,
        work: impl Fn(B, &Cancel) -> T + Send + Sync + 'static,
        done: impl FnMut(T) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        self.run_ahead(SPARE_UNEVEN_BLOCKS, blocks, work, done)
    }

    fn run_ahead<B: Send + 'static, T: Send + 'static>(
        &self,
        spare: usize,
        blocks: impl Iterator<Item = Result<B, Failure>>,
        work: impl Fn(B, &Cancel) -> T + Send + Sync + 'static,
        mut done: impl FnMut(T) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let work = Arc::new(work);
        let room = 2 * self.compute.pool().batch_threads() + spare;
        // Dropped early, they end the work.
        let mut window: VecDeque<AbortOnDropHandle<Result<T, TaskError>>> = VecDeque::new();
        for block in blocks {
            if window.len() == room
                && let Some(oldest) = window.pop_front()
            {
                done(self.result(oldest)?)?;
            }
            let (block, work, pool) = (block?, Arc::clone(&work), self.compute.pool().clone());
            let task = self.runtime.spawn(async move { pool.batch(move |cancel| work(block, cancel)).await });
            window.push_back(AbortOnDropHandle::new(task));
        }
        window.into_iter().try_for_each(|oldest| done(self.result(oldest)?))
    }

    fn result<T>(&self, task: AbortOnDropHandle<Result<T, TaskError>>) -> Result<T, Failure> {
        let broken = |e: &dyn std::fmt::Display| Failure::io(format!("internal fault: {e}"));
        self.runtime.block_on(task).map_err(|e| broken(&e))?.map_err(|e| broken(&e))
    }
}

impl Drop for Offline {
    fn drop(&mut self) {
        let pool = self.compute.pool().clone();
        self.runtime.block_on(async move { pool.close().await });
    }
}

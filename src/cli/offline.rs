//! Offline work in blocks: every core computes, this thread reads and writes, results come in order, and only a
//! window of blocks is in memory.

use super::exit::Failure;
use super::litter::{Litter, SignalWatch};
use crate::engine::Compute;
use crate::pool::TaskError;
use crate::sudoku::Kernel;
use std::collections::VecDeque;
use std::sync::Arc;
use tokio::runtime::Runtime;
use tokio::task::JoinHandle;

/// Blocks in the window beyond two a thread: read and waiting, or done and waiting for their turn.
const SPARE_BLOCKS: usize = 2;

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

    /// Runs `work` on each block on every core, `done` on each result here and in order.
    ///
    /// # Errors
    /// The first of reading, `done`, or a fault in `work`.
    pub fn run<B: Send + 'static, T: Send + 'static>(
        &self,
        blocks: impl Iterator<Item = Result<B, Failure>>,
        work: impl Fn(B) -> T + Send + Sync + 'static,
        mut done: impl FnMut(T) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let work = Arc::new(work);
        let room = 2 * self.compute.pool().batch_threads() + SPARE_BLOCKS;
        let mut window: VecDeque<JoinHandle<Result<T, TaskError>>> = VecDeque::with_capacity(room);
        for block in blocks {
            if window.len() == room
                && let Some(oldest) = window.pop_front()
            {
                done(self.result(oldest)?)?;
            }
            let (block, work, pool) = (block?, Arc::clone(&work), self.compute.pool().clone());
            window.push_back(self.runtime.spawn(async move { pool.batch(move |_| work(block)).await }));
        }
        window.into_iter().try_for_each(|oldest| done(self.result(oldest)?))
    }

    fn result<T>(&self, task: JoinHandle<Result<T, TaskError>>) -> Result<T, Failure> {
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

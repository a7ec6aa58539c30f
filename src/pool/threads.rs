//! [`Pool`]: starts the threads of both lanes, hands work to them and joins them.

use super::batch::BatchLane;
use super::cancel::Cancel;
use super::error::TaskError;
use super::fiber::Fibers;
use super::interactive::{InteractiveLane, Stepwise};
use super::priority::BatchPriority;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use tokio::sync::Mutex;

/// How many threads, and how much may wait.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Batch threads; 0: none (a process that only answers calls).
    pub batch_threads: usize,
    /// How they stand beside other threads.
    pub batch_priority: BatchPriority,
    /// Interactive threads, at least 1.
    pub interactive_threads: usize,
    /// Interactive tasks that may wait before more are refused.
    pub interactive_queue: usize,
}

/// The threads. Clones share them; they end with `close`, or after the last clone is gone.
#[derive(Clone)]
pub struct Pool(Arc<Inner>);

struct Inner {
    options: Options,
    batch: Arc<BatchLane>,
    interactive: Arc<InteractiveLane>,
    fibers: Fibers,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

impl Pool {
    /// Starts the threads.
    ///
    /// # Errors
    /// When a thread cannot be started.
    pub fn start(options: Options) -> std::io::Result<Pool> {
        let options = Options { interactive_threads: options.interactive_threads.max(1), ..options };
        // An early return below drops it, which ends the threads started so far.
        let mut inner = Inner {
            options,
            batch: Arc::new(BatchLane::new(options.batch_threads)),
            interactive: Arc::new(InteractiveLane::new(options.interactive_queue)),
            fibers: Fibers::default(),
            threads: Mutex::default(),
        };
        for i in 0..options.batch_threads {
            let lane = Arc::clone(&inner.batch);
            let run = move || {
                options.batch_priority.apply();
                lane.serve();
            };
            inner.threads.get_mut().push(thread::Builder::new().name(format!("batch-{i}")).spawn(run)?);
        }
        for i in 0..options.interactive_threads {
            let lane = Arc::clone(&inner.interactive);
            let run = move || lane.serve();
            inner.threads.get_mut().push(thread::Builder::new().name(format!("interactive-{i}")).spawn(run)?);
        }
        Ok(Pool(Arc::new(inner)))
    }

    /// Batch threads.
    pub fn batch_threads(&self) -> usize {
        self.0.options.batch_threads
    }

    /// What begins fibers for either lane.
    pub fn fibers(&self) -> &Fibers {
        &self.0.fibers
    }

    /// Batch work that waits for a thread.
    pub fn batch_waiting(&self) -> usize {
        self.0.batch.waiting()
    }

    /// Batch threads at work.
    pub fn batch_busy(&self) -> usize {
        self.0.batch.busy()
    }

    /// Interactive threads.
    pub fn interactive_threads(&self) -> usize {
        self.0.options.interactive_threads
    }

    /// Interactive threads at work.
    pub fn interactive_busy(&self) -> usize {
        self.0.interactive.busy()
    }

    /// Interactive tasks that wait for their next turn.
    pub fn interactive_waiting(&self) -> usize {
        self.0.interactive.waiting()
    }

    /// Runs work on the batch lane. Waits while the lane's queue (2 a thread) is full, so that callers feel
    /// backpressure. Work whose caller has left before it began is skipped; dropping the future raises the
    /// `Cancel` that the work sees.
    ///
    /// # Errors
    /// `Panicked`, `Closing`.
    pub async fn batch<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Cancel) -> T + Send + 'static,
    ) -> Result<T, TaskError> {
        self.0.batch.run(work).await
    }

    /// Runs work on the interactive lane, in turn with the other tasks there. Dropping the future ends it at
    /// its next step.
    ///
    /// # Errors
    /// `Panicked`, `Busy`, `Closing`.
    pub async fn interactive<S: Stepwise>(&self, work: S) -> Result<S::Output, TaskError> {
        self.0.interactive.run(work).await
    }

    /// Refuses new tasks and ends the threads: batch work that waits is dropped (its callers get `Closing`),
    /// batch work that runs and all interactive tasks are waited for. To end those sooner, drop their futures.
    pub async fn close(&self) {
        self.0.close_lanes();
        let mut threads = self.0.threads.lock().await;
        let (handles, fibers) = (std::mem::take(&mut *threads), self.0.fibers.clone());
        let joined = tokio::task::spawn_blocking(move || {
            let panicked = handles.into_iter().filter_map(|t| t.join().err()).count();
            fibers.join();
            panicked
        });
        match joined.await {
            Ok(0) => {}
            Ok(panicked) => tracing::error!(panicked, "pool threads ended by a panic"),
            Err(error) => tracing::error!(%error, "the pool's threads were not joined"),
        }
    }
}

impl Inner {
    fn close_lanes(&self) {
        self.batch.close();
        self.interactive.close();
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.close_lanes();
    }
}

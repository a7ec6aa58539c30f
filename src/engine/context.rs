//! What every task of one engine shares, and how the tasks end.

use super::compute::Compute;
use super::in_work::InWork;
use super::options::Options;
use super::origins::Origins;
use super::solver::ChunkSolver;
use crate::store::JobStore;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// How long tasks told to end may take: each has at most a few calls of the store left.
const GRACE: Duration = Duration::from_secs(10);

pub(super) struct Context {
    pub(super) store: Arc<dyn JobStore>,
    pub(super) compute: Compute,
    pub(super) solver: Arc<dyn ChunkSolver>,
    pub(super) options: Options,
    /// Nothing new is begun any more.
    pub(super) draining: CancellationToken,
    /// Uploads store what they were given and end.
    pub(super) closing: CancellationToken,
    /// What is begun ends here and now.
    pub(super) abort: CancellationToken,
    /// The engine's tasks: `close` awaits them.
    pub(super) tasks: TaskTracker,
    /// The chunks that this process works on.
    pub(super) in_work: InWork,
    /// The calls that jobs came by.
    pub(super) origins: Origins,
    /// Bytes that all uploads together may hold.
    pub(super) upload_room: Arc<Semaphore>,
}

impl Context {
    pub(super) fn new(
        store: Arc<dyn JobStore>,
        compute: Compute,
        options: Options,
        solver: Arc<dyn ChunkSolver>,
    ) -> Context {
        Context {
            upload_room: Arc::new(Semaphore::new(options.upload_buffers_bytes)),
            store,
            compute,
            solver,
            options,
            draining: CancellationToken::new(),
            closing: CancellationToken::new(),
            abort: CancellationToken::new(),
            tasks: TaskTracker::new(),
            in_work: InWork::default(),
            origins: Origins::default(),
        }
    }

    /// Awaits the tasks of a draining engine: for `limit` as they are, then told to end here and now.
    pub(super) async fn end_tasks(&self, limit: Duration) {
        self.closing.cancel();
        self.tasks.close();
        if timeout(limit, self.tasks.wait()).await.is_err() {
            self.abort.cancel();
            if timeout(GRACE, self.tasks.wait()).await.is_err() {
                tracing::error!(tasks = self.tasks.len(), "tasks of the engine did not end in time");
            }
        }
    }
}

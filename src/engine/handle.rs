//! [`Engine`]: the one type that gRPC and the command line call.

use super::compute::Compute;
use super::context::Context;
use super::error::EngineError;
use super::options::Options;
use super::results::ResultFollow;
use super::solver::ChunkSolver;
use super::submit::OpenedBatch;
use super::{dispatch, feed, floor, retention, submit};
use crate::job::{BatchSpec, JobId, JobRecord, Principal, RequestId};
use crate::store::{JobStore, ListAfter, ListFilter, StoreError, StoreStats};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio_util::sync::DropGuard;

/// New generated jobs that may wait for the feeder; the others it finds by itself, later.
const NEWS: usize = 1_024;

/// The engine: jobs over a store and a pool. Clones share it. Its tasks end with `close`, or after the last
/// clone is gone.
#[derive(Clone)]
pub struct Engine(Arc<Inner>);

struct Inner {
    context: Arc<Context>,
    /// Tells the feeder of new generated jobs.
    created: mpsc::Sender<JobId>,
    _ends_tasks: [DropGuard; 3],
}

impl Engine {
    /// Starts the engine's tasks (dispatch, feeding generated jobs, sweeping) on the current runtime.
    ///
    /// # Panics
    /// Outside of a tokio runtime.
    pub fn start(store: Arc<dyn JobStore>, compute: Compute, options: Options) -> Engine {
        let solver = Arc::new(compute.kernel());
        Engine::start_with(store, compute, options, solver)
    }

    /// As [`Engine::start`], with a solver for the chunks of jobs.
    ///
    /// # Panics
    /// Outside of a tokio runtime.
    pub fn start_with(
        store: Arc<dyn JobStore>,
        compute: Compute,
        options: Options,
        solver: Arc<dyn ChunkSolver>,
    ) -> Engine {
        let context = Arc::new(Context::new(store, compute, options, solver));
        let _ends_tasks = [&context.draining, &context.closing, &context.abort].map(|token| token.clone().drop_guard());
        let (created, news) = mpsc::channel(NEWS);
        context.tasks.spawn(dispatch::dispatch(Arc::clone(&context)));
        context.tasks.spawn(feed::feed_forever(Arc::clone(&context), news));
        let (floor, store) = (Arc::clone(&context.floor), Arc::clone(&context.store));
        context.tasks.spawn(floor::watch_forever(floor, store, context.draining.clone()));
        context.tasks.spawn(retention::sweep_forever(Arc::clone(&context)));
        Engine(Arc::new(Inner { context, created, _ends_tasks }))
    }

    /// Work without jobs.
    pub fn compute(&self) -> &Compute {
        &self.0.context.compute
    }

    /// The settings in force.
    pub fn options(&self) -> &Options {
        &self.0.context.options
    }

    /// Opens a job, or takes over the one of the same request id. `request_id` unset: one is made.
    ///
    /// # Errors
    /// `Invalid`, `Conflict`, `Draining`, `Exhausted` where a job would be made and its principal has as many jobs or bytes
    /// stored as it may, or the medium is nearly full, and what the store says.
    pub async fn open(
        &self,
        principal: &Principal,
        request_id: Option<RequestId>,
        sent: BatchSpec,
    ) -> Result<OpenedBatch, EngineError> {
        let opened = submit::open(&self.0.context, principal, request_id, sent).await?;
        // A full channel delays the job until the feeder looks by itself.
        if opened.job.spec.work.is_generated() && self.0.created.try_send(opened.job.id).is_err() {
            tracing::debug!(job = %opened.job.id, "the feeder has much to do");
        }
        Ok(opened)
    }

    /// The job as it stands; another principal's is not found.
    ///
    /// # Errors
    /// `NotFound`, and what the store says.
    pub async fn job(&self, principal: &Principal, job: JobId) -> Result<JobRecord, EngineError> {
        let record = self.0.context.store.job(job).await?;
        if record.principal == *principal { Ok(record) } else { Err(StoreError::NotFound(job).into()) }
    }

    /// Whose job it is: for those who may see everyone's.
    ///
    /// # Errors
    /// `NotFound`, and what the store says.
    pub async fn owner(&self, job: JobId) -> Result<Principal, EngineError> {
        Ok(self.0.context.store.job(job).await?.principal)
    }

    /// The job once its revision exceeds `seen`, or as it stands after `wait`.
    ///
    /// # Errors
    /// `NotFound`, and what the store says.
    pub async fn changed(
        &self,
        principal: &Principal,
        job: JobId,
        seen: u64,
        wait: Duration,
    ) -> Result<JobRecord, EngineError> {
        let now = self.job(principal, job).await?;
        if now.revision > seen { Ok(now) } else { Ok(self.0.context.store.changed(job, seen, wait).await?) }
    }

    /// The principal's jobs, or everyone's, newest first.
    ///
    /// # Errors
    /// What the store says.
    pub async fn list(
        &self,
        principal: Option<&Principal>,
        filter: &ListFilter,
        after: Option<ListAfter>,
        limit: usize,
    ) -> Result<Vec<JobRecord>, EngineError> {
        Ok(self.0.context.store.list(principal, filter, after, limit).await?)
    }

    /// Results from item `from` on; with `follow` it waits for those not there yet.
    ///
    /// # Errors
    /// `NotFound`, `Draining`, and what the store says.
    pub async fn results(
        &self,
        principal: &Principal,
        job: JobId,
        from: u32,
        follow: bool,
    ) -> Result<ResultFollow, EngineError> {
        self.job(principal, job).await?;
        let context = &self.0.context;
        if context.draining.is_cancelled() {
            return Err(EngineError::Draining);
        }
        Ok(ResultFollow::new(Arc::clone(&context.store), context.draining.clone(), job, from, follow))
    }

    /// Cancels; idempotent. Chunks in work here stop at once.
    ///
    /// # Errors
    /// `NotFound`, and what the store says.
    pub async fn cancel(&self, principal: &Principal, job: JobId) -> Result<JobRecord, EngineError> {
        self.job(principal, job).await?;
        let record = self.0.context.store.cancel(job).await?;
        self.0.context.in_work.cancel(job);
        Ok(record)
    }

    /// Deletes an ended job.
    ///
    /// # Errors
    /// `NotFound`, `WrongState` on a live job, and what the store says.
    pub async fn delete(&self, principal: &Principal, job: JobId) -> Result<(), EngineError> {
        self.job(principal, job).await?;
        self.0.context.store.delete(job).await.map_err(|error| match error {
            StoreError::WrongState { job, state } => {
                EngineError::WrongState { job, state, problem: "only an ended job can be deleted: cancel it first" }
            }
            other => other.into(),
        })
    }

    /// How full the store is.
    ///
    /// # Errors
    /// What the store says.
    pub async fn stats(&self) -> Result<StoreStats, EngineError> {
        Ok(self.0.context.store.stats().await?)
    }

    /// From here on new jobs, blocks and calls are refused with `Draining`; followers end with it. Uploads may
    /// still be flushed and finished.
    pub fn drain(&self) {
        self.0.context.compute.drain();
        self.0.context.draining.cancel();
    }

    /// Ends within `limit`: chunks in work finish or are handed back, tasks are awaited, the store is closed.
    /// Uploads store what was flushed or cut, and no more.
    ///
    /// # Errors
    /// What the store says when closed.
    pub async fn close(&self, limit: Duration) -> Result<(), EngineError> {
        self.drain();
        self.end_tasks(limit).await;
        Ok(self.0.context.store.close().await?)
    }

    /// The part of `close` before the store is closed.
    pub(super) async fn end_tasks(&self, limit: Duration) {
        self.0.context.end_tasks(limit).await;
    }
}

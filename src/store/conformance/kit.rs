//! What the clauses build on: jobs, chunks and results of known content, and waits that end.

use super::Harness;
use crate::job::{
    BatchSpec, ChunkRef, Counts, GenerateSpec, GenerateWork, JobId, JobRecord, JobState, Principal, Priority,
    RequestId, ResultFormat, ResultMode, SolveWork, Work,
};
use crate::store::{Claim, Clock, Completion, Created, JobStore, NewJob, NextResult, PutChunk, StoreError, Usage};
use crate::sudoku::Outcome;
use crate::sudoku::generate::CompleteSpec;
use bytes::Bytes;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// How long a lease lasts by the manual clock.
pub const TTL: Duration = Duration::from_secs(30);
/// Real time in which something must have happened.
pub const SOON: Duration = Duration::from_secs(20);
/// Real time after which something has not happened.
pub const BRIEF: Duration = Duration::from_millis(20);

/// A store under test.
#[derive(Clone)]
pub struct Kit {
    /// The store.
    pub store: Arc<dyn JobStore>,
    /// Its clock.
    pub clock: Clock,
}

impl Kit {
    /// Of a backend.
    pub fn of(harness: &impl Harness) -> Kit {
        Kit { store: harness.store(), clock: harness.clock().clone() }
    }

    /// Creates a job that must be new.
    pub async fn create(&self, new: NewJob) -> JobRecord {
        match self.store.create(new).await.expect("creates") {
            Created::New(record) => record,
            other => panic!("not new: {other:?}"),
        }
    }

    /// Stores chunks of these sizes from `first` on.
    pub async fn put(&self, job: JobId, epoch: u32, first: u32, sizes: &[u32]) -> Result<u32, StoreError> {
        self.store.put_chunks(job, epoch, chunks(first, sizes)).await
    }

    /// A new job with chunks of these sizes, still UPLOADING; and its epoch.
    pub async fn uploading(&self, new: NewJob, sizes: &[u32]) -> (JobId, u32) {
        let job = self.create(new).await.id;
        let grant = self.store.open_upload(job).await.expect("opens");
        self.put(job, grant.epoch, 0, sizes).await.expect("stores");
        (job, grant.epoch)
    }

    /// A new sealed job with chunks of these sizes.
    pub async fn sealed(&self, new: NewJob, sizes: &[u32]) -> JobId {
        let (job, epoch) = self.uploading(new, sizes).await;
        self.store.seal(job, epoch, sizes.iter().sum()).await.expect("seals");
        job
    }

    /// Claims one chunk; there must be one.
    pub async fn claim(&self) -> Claim {
        let claims = self.claims(1).await;
        claims.into_iter().next().expect("a claim holds a chunk")
    }

    /// Claims up to `max` chunks; there must be one.
    pub async fn claims(&self, max: usize) -> Vec<Claim> {
        soon(self.store.claim(max, usize::MAX, TTL)).await.expect("claims")
    }

    /// Nothing can be claimed.
    pub async fn idle(&self) {
        let claimed = timeout(BRIEF, self.store.claim(1, usize::MAX, TTL)).await;
        assert!(claimed.is_err(), "claimed although nothing should wait: {claimed:?}");
    }

    /// Completes a chunk, every item UNIQUE, with [`result_of`] it.
    pub async fn complete(&self, claim: &Claim) -> Completion {
        let counts = counts_of(claim.chunk);
        self.store.complete(claim.token, counts, result_of(claim.chunk)).await.expect("completes")
    }

    /// Claims and completes `count` chunks.
    pub async fn work(&self, count: usize) {
        for _ in 0..count {
            let claim = self.claim().await;
            assert_eq!(self.complete(&claim).await, Completion::Stored);
        }
    }

    /// The job's record.
    pub async fn job(&self, job: JobId) -> JobRecord {
        self.store.job(job).await.expect("is there")
    }

    /// The job's state.
    pub async fn state(&self, job: JobId) -> JobState {
        self.job(job).await.state
    }

    /// The chunk of results at `from`, if it is there; its bytes must be [`result_of`] it.
    pub async fn result(&self, job: JobId, from: u32) -> Option<ChunkRef> {
        match self.store.next_result(job, from, Duration::ZERO).await.expect("reads") {
            NextResult::Chunk(chunk, bytes) => {
                assert_eq!(bytes, result_of(chunk));
                Some(chunk)
            }
            NextResult::Pending | NextResult::End(_) => None,
        }
    }
}

/// Waits for what must happen.
pub async fn soon<T>(what: impl Future<Output = T>) -> T {
    timeout(SOON, what).await.expect("must not take long")
}

/// A principal.
pub fn who(name: &str) -> Principal {
    Principal::new(name).expect("a name")
}

/// A job of anonymous' to solve puzzles.
pub fn solve(request: &str) -> NewJob {
    solve_for("anonymous", request, Priority::Normal)
}

/// A job to solve puzzles.
pub fn solve_for(principal: &str, request: &str, priority: Priority) -> NewJob {
    new_job(principal, request, priority, Work::Solve(SolveWork { max_solutions: 2, node_limit: Some(1_000) }))
}

/// A job to generate grids.
pub fn generate(request: &str, count: u32) -> NewJob {
    let work = GenerateWork {
        spec: GenerateSpec::Grids(CompleteSpec::default()),
        count,
        seed: Some(1),
        generator_version: Some(1),
    };
    new_job("anonymous", request, Priority::Normal, Work::Generate(work))
}

fn new_job(principal: &str, request: &str, priority: Priority, work: Work) -> NewJob {
    let spec = BatchSpec {
        work,
        result_mode: ResultMode::Stream,
        result_format: ResultFormat::Block,
        priority,
        time_to_live_s: Some(60),
        labels: [("request".to_owned(), request.to_owned())].into(),
    };
    let mut sent = spec.clone();
    sent.time_to_live_s = None;
    NewJob {
        id: fresh_id(),
        principal: who(principal),
        request_id: RequestId::new(request).expect("a request id"),
        sent,
        resolved: spec,
        quota: Usage::UNLIMITED,
    }
}

/// An id that no job has.
pub fn fresh_id() -> JobId {
    JobId::from_bytes(*uuid::Uuid::new_v4().as_bytes())
}

/// The items `first_index .. first_index + count`.
pub fn chunk(first_index: u32, count: u32) -> ChunkRef {
    ChunkRef { first_index, count }
}

/// Chunks of these sizes from `first` on, each with [`payload_of`] it.
pub fn chunks(first: u32, sizes: &[u32]) -> Vec<PutChunk> {
    let mut next = first;
    let mut cut = |size| {
        let chunk = chunk(next, size);
        next += size;
        PutChunk { chunk, payload: payload_of(chunk) }
    };
    sizes.iter().map(|size| cut(*size)).collect()
}

/// 100 bytes of input that tell the chunk.
pub fn payload_of(chunk: ChunkRef) -> Bytes {
    format!("{:<100}", format!("input {} + {}", chunk.first_index, chunk.count)).into()
}

/// Bytes of a result that tell the chunk.
pub fn result_of(chunk: ChunkRef) -> Bytes {
    format!("result {} + {}", chunk.first_index, chunk.count).into()
}

/// Every item UNIQUE.
pub fn counts_of(chunk: ChunkRef) -> Counts {
    let mut counts = Counts::default();
    counts.add(Outcome::Unique, u64::from(chunk.count));
    counts
}

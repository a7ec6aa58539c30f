//! The [`JobStore`] trait: its docs are the contract that every backend keeps and `conformance` checks.
//!
//! Knows jobs and packed bytes; must never know gRPC, the pool, or which backend runs.

use crate::job::{BatchSpec, ChunkRef, Counts, JobId, JobRecord, JobState, Principal, Priority, RequestId, Timestamp};
use async_trait::async_trait;
use bytes::Bytes;
use std::time::Duration;

pub use super::usage::Usage;

/// Why a store could not do as asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// No such job (or it was deleted).
    #[error("no job {0}")]
    NotFound(JobId),
    /// A newer upload stream took over; this epoch may write no more.
    #[error("job {job}: upload epoch {epoch} was taken over by a newer stream")]
    Fenced {
        /// The job.
        job: JobId,
        /// The stale epoch.
        epoch: u32,
    },
    /// A chunk that begins after the next index: something before it is missing.
    #[error("job {job}: items {expected}..{got} are missing")]
    Gap {
        /// The job.
        job: JobId,
        /// The next index to store.
        expected: u32,
        /// Where the chunk began.
        got: u32,
    },
    /// The job's state does not allow it.
    #[error("job {job} is {state:?}")]
    WrongState {
        /// The job.
        job: JobId,
        /// Its state.
        state: JobState,
    },
    /// A total that is not the number of stored items.
    #[error("job {job} holds {stored} items, not {total}")]
    TotalMismatch {
        /// The job.
        job: JobId,
        /// Items stored.
        stored: u32,
        /// Items announced.
        total: u32,
    },
    /// A stored payload fails its checksum: that chunk is lost, the rest is served.
    #[error("job {job}: items {}..{} are damaged on disk", .chunk.first_index, .chunk.end())]
    Damaged {
        /// The job.
        job: JobId,
        /// The chunk.
        chunk: ChunkRef,
    },
    /// The principal has as much stored as it may: there is room for no more jobs.
    #[error("{} jobs of {} bytes are stored, and no more may be than {} of {}", .usage.jobs, .usage.bytes, .quota.jobs, .quota.bytes)]
    OverQuota {
        /// What it has.
        usage: Usage,
        /// What it may have.
        quota: Usage,
    },
    /// The store is closing; a retry will find another process.
    #[error("the store is closing")]
    Closing,
    /// No room on the medium.
    #[error("no space left: {0}")]
    Full(String),
    /// The medium failed.
    #[error("the store failed: {0}")]
    Broken(String),
}

/// A job to create.
#[derive(Clone, Debug)]
pub struct NewJob {
    /// A fresh random id, used only if the job is new.
    pub id: JobId,
    /// Whose it is.
    pub principal: Principal,
    /// The client's id for it.
    pub request_id: RequestId,
    /// The spec as sent: equal specs make equal jobs.
    pub sent: BatchSpec,
    /// The spec with every option filled in.
    pub resolved: BatchSpec,
    /// What its principal must have less than, if the job is new.
    pub quota: Usage,
}

/// What `create` found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Created {
    /// A new job.
    New(JobRecord),
    /// The job that this request id and spec made before.
    Same(JobRecord),
    /// The request id belongs to a job with another spec.
    Conflict(JobRecord),
}

/// The right to write a job's input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UploadGrant {
    /// The epoch to write with.
    pub epoch: u32,
    /// The first index not stored yet.
    pub next_index: u32,
}

/// A chunk of input to store.
#[derive(Clone, Debug)]
pub struct PutChunk {
    /// Which items.
    pub chunk: ChunkRef,
    /// Packed input (`job::InputChunk`); empty for generated work.
    pub payload: Bytes,
}

/// A lease: whoever holds it may store the chunk's result. Opaque outside of its store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Token {
    /// Which incarnation of the store gave it.
    pub boot: u64,
    /// Which lease.
    pub lease: u64,
}

/// A chunk to work on.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The lease.
    pub token: Token,
    /// Its job, as it stood when claimed.
    pub job: std::sync::Arc<JobRecord>,
    /// Which items.
    pub chunk: ChunkRef,
    /// Packed input; empty for generated work. A damaged one is an error of the claim alone.
    pub payload: Result<Bytes, StoreError>,
    /// What is known against it.
    pub record: ChunkRecord,
}

/// What counts against a chunk: never mere deliveries.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChunkRecord {
    /// Times that work on it failed (`fail`).
    pub failures: u32,
    /// Times that the process died after a durable `begin` and before a result.
    pub crashes: u32,
    /// The item last marked by `begin` when the process died, and how often in a row it was that one.
    pub suspect: Option<(u32, u32)>,
    /// Items given up for good: their outcome is FAILED, they are not run again.
    pub condemned: Vec<u32>,
}

/// Whether a lease still stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lease {
    /// It does.
    Held,
    /// It ran out (from that moment on, noticed or not), ended, or is of another boot: stop, nothing may be
    /// stored.
    Lost,
    /// The job is being cancelled, has ended or is gone: stop and release.
    Cancelled,
}

/// What became of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completion {
    /// Durable.
    Stored,
    /// The chunk already had a result; the first one stays. A store that has forgotten the lease by then says
    /// `Lost` instead.
    Duplicate,
    /// The lease was lost: nothing was stored.
    Lost,
    /// The job is being cancelled, has ended or is gone: nothing was stored.
    Cancelled,
}

/// What follows in a job's results.
#[derive(Clone, Debug)]
pub enum NextResult {
    /// The chunk that holds the asked index, or on an ended job the next that has a result.
    Chunk(ChunkRef, Bytes),
    /// Not there yet: the job is live and the wait ran out.
    Pending,
    /// Nothing follows: the job ended, as the record says.
    End(Box<JobRecord>),
}

/// Which jobs to list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListFilter {
    /// Only these states; empty: all.
    pub states: Vec<JobState>,
    /// Only with all these labels.
    pub labels: Vec<(String, String)>,
}

/// Where a listing goes on: after this job, newest first, of equal age the greater id first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListAfter {
    /// Creation time of the last one shown.
    pub created: Timestamp,
    /// Its id.
    pub id: JobId,
}

/// How full the store is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoreStats {
    /// Chunks that wait, by priority (low, normal, high).
    pub queued_chunks: [u64; 3],
    /// Items in them.
    pub queued_items: [u64; 3],
    /// When the oldest of them became ready, by priority.
    pub oldest: [Option<Timestamp>; 3],
    /// Chunks leased out.
    pub leased_chunks: u64,
    /// Jobs by state.
    pub jobs: Vec<(JobState, u64)>,
    /// Bytes on disk or in memory.
    pub bytes: u64,
}

/// How long things may idle; see [`JobStore::sweep`].
#[derive(Clone, Copy, Debug)]
pub struct SweepLimits {
    /// An upload without input for longer fails its job.
    pub upload_idle: Duration,
}

/// What a sweep did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Swept {
    /// Jobs failed for an idle upload.
    pub idle: u32,
    /// Ended jobs past their time to live, deleted.
    pub expired: u32,
    /// Leases that ran out, whose chunks wait again.
    pub leases: u32,
}

/// Durable jobs. Every method may be called from many tasks at once; each is atomic and, where it writes,
/// durable when it returns (`memory` excepted, which promises it for the life of the process). A call whose
/// future is dropped happened wholly or not at all.
#[async_trait]
pub trait JobStore: Send + Sync + 'static {
    /// Creates a job, or finds the one that this principal's request id made. A new job of generated work is
    /// QUEUED with its total known; any other is UPLOADING. A new one is refused with `OverQuota` unless its principal
    /// has both fewer jobs and fewer bytes stored than the quota says.
    async fn create(&self, new: NewJob) -> Result<Created, StoreError>;

    /// Takes over the job's input: raises the epoch, so that older streams are fenced. Refused with
    /// `WrongState` unless the job is UPLOADING, or is generated work that is live.
    async fn open_upload(&self, job: JobId) -> Result<UploadGrant, StoreError>;

    /// Stores chunks, in order, contiguous with each other. One that ends at or before the next index was
    /// stored before: skipped. One that straddles it is a `Gap` error too (callers trim). Ok means durable.
    /// Returns the next index. All or none of the call's chunks are stored. Refused with `Fenced` under any
    /// epoch but the newest, else with `WrongState` as `open_upload` is, and with `TotalMismatch` beyond the
    /// total of generated work.
    async fn put_chunks(&self, job: JobId, epoch: u32, chunks: Vec<PutChunk>) -> Result<u32, StoreError>;

    /// Ends the input: `total` must be the number of items stored. The job becomes QUEUED, RUNNING or (all
    /// results there) SUCCEEDED. Where the total is known already (sealed, even ended, or generated work), the
    /// same total under any epoch is a repeat: Ok, nothing changes; another is a `TotalMismatch`.
    async fn seal(&self, job: JobId, epoch: u32, total: u32) -> Result<JobRecord, StoreError>;

    /// Notes that an upload is alive although nothing was stored. Refused as `put_chunks` is.
    async fn touch_upload(&self, job: JobId, epoch: u32) -> Result<(), StoreError>;

    /// The job as it stands.
    async fn job(&self, job: JobId) -> Result<JobRecord, StoreError>;

    /// The principal's jobs, newest first, at most `limit`. Principal `None`: everyone's.
    async fn list(
        &self,
        principal: Option<&Principal>,
        filter: &ListFilter,
        after: Option<ListAfter>,
        limit: usize,
    ) -> Result<Vec<JobRecord>, StoreError>;

    /// The job once its revision exceeds `seen`, or as it stands when `wait` is over. `NotFound` as soon as it
    /// is deleted.
    async fn changed(&self, job: JobId, seen: u64, wait: Duration) -> Result<JobRecord, StoreError>;

    /// Ends a live job as FAILED with a reason; its leases are told `Cancelled`. `WrongState` on an ended one.
    async fn fail_job(&self, job: JobId, why: &str) -> Result<JobRecord, StoreError>;

    /// Cancels: an unended job becomes CANCELLED, or CANCELLING until its leases end; its waiting chunks are
    /// not handed out any more, and results that come from here on are not stored. On an ended job nothing
    /// changes. Idempotent.
    async fn cancel(&self, job: JobId) -> Result<JobRecord, StoreError>;

    /// Removes an ended job and all its data for good: afterwards it is `NotFound` everywhere, and a late
    /// writer's lease is `Cancelled`. `WrongState` on a live one. Payloads may go later, in small steps.
    async fn delete(&self, job: JobId) -> Result<(), StoreError>;

    /// Up to `max` chunks to work on, of at most `bytes` payload in all (but always one): waits until there
    /// is one, fairly among priorities, principals and jobs (`job::fair`), within a job in the order of its
    /// items. Of one job only so many chunks are out at a time (the store's window). Leases last `lease_ttl`
    /// unless renewed by `heartbeat`; chunks of leases that ran out are handed out again, but a claim that
    /// waits already hears of them only from `sweep`. Safe to drop: an undelivered claim goes back.
    async fn claim(&self, max: usize, bytes: usize, lease_ttl: Duration) -> Result<Vec<Claim>, StoreError>;

    /// Says durably that work on the chunk (or on one item of it) begins; a crash from here on counts
    /// against it. The job's first one makes a QUEUED job RUNNING. The item is an index in the job; one that is
    /// not in the chunk is `Broken`.
    async fn begin(&self, token: Token, item: Option<u32>) -> Result<Lease, StoreError>;

    /// Renews a lease, for as long as it was claimed for.
    async fn heartbeat(&self, token: Token) -> Result<Lease, StoreError>;

    /// Hands a chunk back unharmed: it waits again, before all that follow it in its job, and its `begin` counts
    /// no more. Of a lease that is lost nothing happens, of a cancelled one only the lease ends.
    async fn release(&self, token: Token) -> Result<(), StoreError>;

    /// Hands a chunk back as `release` does, after a fault: counts one failure against it; `condemn` names an
    /// item (an index in the job) given up for good. `why` is for the log.
    async fn fail(&self, token: Token, why: &str, condemn: Option<u32>) -> Result<(), StoreError>;

    /// Stores a result (`job::ResultChunk`, with its counts) and ends the lease, in one step; completes the
    /// job when it was the last one missing. The first writer wins. Counts that are not those of the chunk's
    /// number of items are `Broken`; the lease stands then.
    async fn complete(&self, token: Token, counts: Counts, result: Bytes) -> Result<Completion, StoreError>;

    /// What follows in the job's results at item `from`, waiting up to `wait` on a live job. Results come in
    /// the order of their items; `from` may lie within a chunk. A live job's gap is waited for; an ended job's is
    /// skipped. A `Damaged` chunk names itself: go on behind it. `NotFound` as soon as the job is deleted.
    async fn next_result(&self, job: JobId, from: u32, wait: Duration) -> Result<NextResult, StoreError>;

    /// Puts chunks of a workable job that have neither result, lease nor place in the queue back in line, and
    /// says how many; on a sound store of one process there are none.
    async fn requeue_missing(&self, job: JobId) -> Result<u32, StoreError>;

    /// Fails idle uploads, deletes ended jobs past their time to live, takes back leases that ran out.
    async fn sweep(&self, limits: SweepLimits) -> Result<Swept, StoreError>;

    /// A lock among all processes on this store, for at most `ttl`; `None` while another holds it.
    async fn lock(&self, name: &str, ttl: Duration) -> Result<Option<Token>, StoreError>;

    /// Gives a lock back; one that ran out is ignored.
    async fn unlock(&self, name: &str, token: Token) -> Result<(), StoreError>;

    /// What the principal has stored: the jobs that are there, ended or not, and the bytes of every input and result
    /// stored for them, whether the store still keeps them or not. All of a job's go when it is deleted. Cheap: it may be
    /// asked before each write.
    async fn usage(&self, principal: &Principal) -> Result<Usage, StoreError>;

    /// Bytes that the medium can still take from this process; `None` where there is no such bound.
    async fn available(&self) -> Result<Option<u64>, StoreError>;

    /// Checks the medium as a whole; Ok when sound, else what is wrong.
    async fn verify(&self) -> Result<(), StoreError>;

    /// How full it is.
    async fn stats(&self) -> Result<StoreStats, StoreError>;

    /// Refuses new work and wakes those who wait (`Closing`), lets what is in hand become durable, and closes.
    /// Leases still out end as by a crash. Closing again is fine.
    async fn close(&self) -> Result<(), StoreError>;
}

/// Priorities as indices of [`StoreStats`] arrays.
pub fn priority_index(priority: Priority) -> usize {
    priority as usize
}

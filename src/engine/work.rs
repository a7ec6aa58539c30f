//! One claimed chunk from its lease to its durable result: begun, kept alive, run on the pool, completed; or
//! handed back.

use super::care::{Care, care};
use super::context::Context;
use super::in_work::Ticket;
use super::lanes::Lanes;
use super::metrics::{self, ChunkEnd};
use super::retry::retry;
use super::run::{ChunkRun, Finished, Task, Turn};
use super::verdict::{damaged, panicked};
use crate::job::{ChunkRef, JobId, JobRecord, Work};
use crate::pool::TaskError;
use crate::store::{ChunkRecord, Claim, Completion, Lease, StoreError, Token};
use crate::sudoku::generate::GENERATOR_VERSION;
use std::time::Duration;
use tokio::sync::OwnedSemaphorePermit;
use tracing::Span;

/// A chunk's turn on a batch thread when others wait: most are done within one.
const TURN: Duration = Duration::from_millis(100);

/// What became of a chunk in work.
enum End {
    /// The store has answered.
    Completed(Completion),
    /// The lease is gone: another has the chunk.
    Lost,
    /// The chunk goes back unharmed, and why.
    HandedBack(ChunkEnd),
    /// The chunk goes back with a mark against it, or against one of its items.
    Blamed(String, Option<u32>),
}

/// Works on a claimed chunk until it is off this process's hands.
pub(super) async fn work(context: &Context, lanes: &Lanes, claim: Claim, slot: Option<OwnedSemaphorePermit>) {
    let (job, chunk, token) = (claim.job.id, claim.chunk, claim.token);
    let ticket = context.in_work.enter(job);
    let end = tokio::select! {
        end = keep(context, token, &ticket) => end,
        end = run(context, lanes, claim, slot, &ticket) => end.unwrap_or_else(|error| {
            let first_index = chunk.first_index;
            tracing::warn!(job_id = %job, first_index, %error, "a chunk is handed back: the store failed");
            End::HandedBack(ChunkEnd::StoreError)
        }),
    };
    let end = settle(context, job, chunk, token, end).await;
    metrics::chunk_ended(end);
    Span::current().record("result", end.word());
}

/// Tells the store how work on a chunk ended, where it does not know yet, and the operator where it did not end well.
async fn settle(context: &Context, job: JobId, chunk: ChunkRef, token: Token, end: End) -> ChunkEnd {
    let first_index = chunk.first_index;
    match end {
        End::Completed(Completion::Stored) => ChunkEnd::Stored,
        End::Completed(Completion::Duplicate) => ChunkEnd::Duplicate,
        End::Completed(Completion::Cancelled) => ChunkEnd::Cancelled,
        End::Completed(Completion::Lost) | End::Lost => {
            tracing::warn!(job_id = %job, first_index, "a lease was lost: another works on the chunk");
            ChunkEnd::Lost
        }
        End::HandedBack(why) => {
            give_back(context, token).await;
            why
        }
        End::Blamed(why, item) => {
            match item {
                Some(item) => tracing::error!(job_id = %job, first_index, item, why, "an item is condemned"),
                None => tracing::error!(job_id = %job, first_index, why, "a chunk failed"),
            }
            left(retry("fail", || context.store.fail(token, &why, item)).await);
            metrics::chunk_failed(item.is_some());
            ChunkEnd::Failed
        }
    }
}

/// Hands a chunk back unharmed.
pub(super) async fn give_back(context: &Context, token: Token) {
    left(retry("release", || context.store.release(token)).await);
}

fn left(answer: Result<(), StoreError>) {
    match answer {
        // Gone with its job, or closing: there is nothing to hand back to.
        Ok(()) | Err(StoreError::NotFound(_) | StoreError::Closing) => {}
        Err(error) => tracing::error!(%error, "a lease is left to run out"),
    }
}

/// Keeps the lease alive; returns when the chunk is not to be worked on any more.
async fn keep(context: &Context, token: Token, ticket: &Ticket) -> End {
    let every = context.options.lease_ttl / 3;
    let mut wait = every;
    loop {
        tokio::select! {
            () = ticket.cancelled() => return End::HandedBack(ChunkEnd::Cancelled),
            () = context.abort.cancelled() => return End::HandedBack(ChunkEnd::Drained),
            () = tokio::time::sleep(wait) => {}
        }
        wait = every;
        match context.store.heartbeat(token).await {
            Ok(Lease::Held) => {}
            Ok(Lease::Lost) => return End::Lost,
            Ok(Lease::Cancelled) => return End::HandedBack(ChunkEnd::Cancelled),
            Err(error) => {
                tracing::warn!(%error, "a heartbeat failed: trying again");
                wait = every / 8;
            }
        }
    }
}

/// Begins, runs and completes the chunk.
async fn run(
    context: &Context,
    lanes: &Lanes,
    claim: Claim,
    mut slot: Option<OwnedSemaphorePermit>,
    ticket: &Ticket,
) -> Result<End, StoreError> {
    let care = care(&claim.record);
    if let Care::Condemn(item) = care {
        let why = format!("the process ended {:?} with item {item} in work", claim.record.suspect);
        return Ok(End::Blamed(why, Some(item)));
    }
    if let Some(version) = unknown_version(&claim.job.spec.work) {
        let why = format!("generator version {version} is not known here, only {GENERATOR_VERSION}");
        context.store.fail_job(claim.job.id, &why).await?;
        return Ok(End::HandedBack(ChunkEnd::Cancelled));
    }
    if let Some(end) = begin(context, claim.token, None).await? {
        return Ok(end);
    }
    if claim.record != ChunkRecord::default() {
        metrics::chunk_rerun();
    }
    let token = claim.token;
    let mut begun = None;
    let mut next = claim.chunk.first_index;
    let (job, condemned) = (claim.job.clone(), claim.record.condemned.clone());
    let mut stage = Stage::Fresh(Box::new(task(context, claim, care)));
    let finished = loop {
        if care == Care::ItemByItem && begun != Some(next) && !condemned.contains(&next) {
            begun = Some(next);
            if let Some(end) = begin(context, token, begun).await? {
                return Ok(end);
            }
        }
        let turn = context.compute.pool().batch(move |cancel| stage.open().turn(cancel, TURN)).await;
        match turn {
            Ok(Turn::Done(finished)) => break finished,
            Ok(Turn::More(run)) => {
                next = run.next_item();
                stage = Stage::Open(run);
                lanes.outlast(&mut slot, ticket);
            }
            Err(TaskError::Panicked(message)) => return Ok(End::Blamed(message, None)),
            Err(TaskError::Closing | TaskError::Busy(_)) => return Ok(End::HandedBack(ChunkEnd::Drained)),
        }
    };
    // From here on the chunk costs memory alone: another may be claimed.
    let _storing = lanes.store().await;
    drop(slot);
    complete(context, token, &job, finished).await
}

/// A chunk before and after its first turn.
enum Stage {
    Fresh(Box<Task>),
    Open(Box<ChunkRun>),
}

impl Stage {
    fn open(self) -> Box<ChunkRun> {
        match self {
            Stage::Fresh(task) => ChunkRun::open(*task),
            Stage::Open(run) => run,
        }
    }
}

fn task(context: &Context, claim: Claim, care: Care) -> Task {
    let payload = match care {
        Care::GiveUp => Err(Box::new(panicked(&format!("work on its chunk failed {} times", claim.record.failures)))),
        _ => claim.payload.map_err(|error| Box::new(damaged(&error.to_string()))),
    };
    Task {
        work: claim.job.spec.work.clone(),
        chunk: claim.chunk,
        payload,
        condemned: claim.record.condemned,
        item_by_item: care == Care::ItemByItem,
        solver: context.solver.clone(),
        kernel: context.compute.kernel(),
        fibers: context.compute.pool().fibers().clone(),
    }
}

/// The version of generated work that this program does not know.
fn unknown_version(work: &Work) -> Option<u32> {
    work.generator_version().filter(|&version| version != GENERATOR_VERSION)
}

/// Says durably that work begins; how it ends if it may not.
async fn begin(context: &Context, token: Token, item: Option<u32>) -> Result<Option<End>, StoreError> {
    Ok(match retry("begin", || context.store.begin(token, item)).await? {
        Lease::Held => None,
        Lease::Lost => Some(End::Lost),
        Lease::Cancelled => Some(End::HandedBack(ChunkEnd::Cancelled)),
    })
}

async fn complete(context: &Context, token: Token, job: &JobRecord, finished: Finished) -> Result<End, StoreError> {
    let Finished { counts, result, nodes, spent } = finished;
    let completion = retry("complete", || context.store.complete(token, counts, result.clone())).await?;
    if completion == Completion::Stored {
        metrics::chunk_stored(&job.spec.work, &counts, nodes, spent);
    }
    Ok(End::Completed(completion))
}

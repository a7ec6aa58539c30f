//! One claimed chunk from its lease to its durable result: begun, kept alive, run on the pool, completed; or
//! handed back.

use super::care::{Care, care};
use super::context::Context;
use super::in_work::Ticket;
use super::lanes::Lanes;
use super::metrics;
use super::retry::retry;
use super::run::{ChunkRun, Finished, Task, Turn};
use super::verdict::{damaged, panicked};
use crate::job::Work;
use crate::pool::TaskError;
use crate::store::{Claim, Completion, Lease, StoreError, Token};
use crate::sudoku::generate::GENERATOR_VERSION;
use std::time::Duration;
use tokio::sync::OwnedSemaphorePermit;

/// A chunk's turn on a batch thread when others wait: most are done within one.
const TURN: Duration = Duration::from_millis(100);

/// What became of a chunk in work.
enum End {
    /// The store has answered.
    Completed(Completion),
    /// The lease is gone: another has the chunk.
    Lost,
    /// The chunk goes back unharmed; the word says why.
    HandedBack(&'static str),
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
            tracing::warn!(%job, first_index = chunk.first_index, %error, "a chunk is handed back: the store failed");
            End::HandedBack("store_error")
        }),
    };
    let word = match end {
        End::Completed(Completion::Stored) => "stored",
        End::Completed(Completion::Duplicate) => "duplicate",
        End::Completed(Completion::Lost) | End::Lost => "lost",
        End::Completed(Completion::Cancelled) => "cancelled",
        End::HandedBack(why) => {
            give_back(context, token).await;
            why
        }
        End::Blamed(why, item) => {
            tracing::error!(%job, first_index = chunk.first_index, ?item, why, "a chunk failed");
            left(retry("fail", || context.store.fail(token, &why, item)).await);
            "failed"
        }
    };
    metrics::chunk_ended(word);
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
            () = ticket.cancelled() => return End::HandedBack("cancelled"),
            () = context.abort.cancelled() => return End::HandedBack("drained"),
            () = tokio::time::sleep(wait) => {}
        }
        wait = every;
        match context.store.heartbeat(token).await {
            Ok(Lease::Held) => {}
            Ok(Lease::Lost) => return End::Lost,
            Ok(Lease::Cancelled) => return End::HandedBack("cancelled"),
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
        return Ok(End::HandedBack("cancelled"));
    }
    if let Some(end) = begin(context, claim.token, None).await? {
        return Ok(end);
    }
    let token = claim.token;
    let mut begun = None;
    let mut next = claim.chunk.first_index;
    let condemned = claim.record.condemned.clone();
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
            Err(TaskError::Closing | TaskError::Busy(_)) => return Ok(End::HandedBack("drained")),
        }
    };
    // From here on the chunk costs memory alone: another may be claimed.
    let _storing = lanes.store().await;
    drop(slot);
    complete(context, token, finished).await
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
        Lease::Cancelled => Some(End::HandedBack("cancelled")),
    })
}

async fn complete(context: &Context, token: Token, finished: Finished) -> Result<End, StoreError> {
    let Finished { counts, result, nodes, spent } = finished;
    let completion = retry("complete", || context.store.complete(token, counts, result.clone())).await?;
    if completion == Completion::Stored {
        metrics::chunk_stored(&counts, nodes, spent);
    }
    Ok(End::Completed(completion))
}

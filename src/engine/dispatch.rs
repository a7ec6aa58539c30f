//! The claim loop: takes from the store only what the pool can work on soon, and gives each chunk a task.
//!
//! A chunk holds a slot until it is solved. One that outlasts its first turn on a thread moves to a place among
//! the long ones, so that hard work does not keep the slots from everyone else; and where even those places are
//! full, the loop looks now and then for a job that has none of them, so that a small job never waits for the
//! end of a hard one.

use super::context::Context;
use super::lanes::Lanes;
use super::retry::Backoff;
use super::work::{give_back, work};
use crate::store::{Claim, StoreError};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::sleep;
use tracing::Instrument;

/// Packed input that one claim brings at the most.
const CLAIM_BYTES: usize = 8 << 20;
/// Without a free slot for so long, jobs without long chunks are looked for.
const LOOK_AFTER: Duration = Duration::from_millis(100);

/// Claims until the engine drains. Does nothing without batch threads.
pub(super) async fn dispatch(context: Arc<Context>) {
    let threads = context.compute.pool().batch_threads();
    if threads == 0 {
        return;
    }
    let lanes = Arc::new(Lanes::new(threads));
    let draining = context.draining.clone();
    // A claim that is dropped half-way goes back by itself.
    draining.run_until_cancelled(claim_forever(&context, &lanes)).await;
}

async fn claim_forever(context: &Arc<Context>, lanes: &Arc<Lanes>) {
    let mut backoff = Backoff::default();
    loop {
        match claim_some(context, lanes).await {
            Ok(()) => backoff = Backoff::default(),
            Err(StoreError::Closing) => return,
            Err(error) => {
                tracing::warn!(%error, "claiming chunks failed: trying again");
                backoff.wait().await;
            }
        }
    }
}

/// Fills the free slots, or looks for a job that should not wait for one.
async fn claim_some(context: &Arc<Context>, lanes: &Arc<Lanes>) -> Result<(), StoreError> {
    let mut slots = tokio::select! {
        biased;
        slots = lanes.free_slots() => slots,
        found = look(context) => {
            place_aside(context, lanes, found?);
            return Ok(());
        }
    };
    for claim in claim(context, slots.len()).await? {
        start(context, lanes, claim, slots.pop());
    }
    Ok(())
}

/// A chunk, after a while.
async fn look(context: &Context) -> Result<Vec<Claim>, StoreError> {
    sleep(LOOK_AFTER).await;
    claim(context, 1).await
}

/// Starts claims without a slot whose jobs have no long chunk in work; the others go back.
fn place_aside(context: &Arc<Context>, lanes: &Arc<Lanes>, claims: Vec<Claim>) {
    for claim in claims {
        if context.in_work.is_long(claim.job.id) {
            let context = Arc::clone(context);
            context.tasks.clone().spawn(async move { give_back(&context, claim.token).await });
        } else {
            start(context, lanes, claim, None);
        }
    }
}

async fn claim(context: &Context, max: usize) -> Result<Vec<Claim>, StoreError> {
    context.store.claim(max, CLAIM_BYTES, context.options.lease_ttl).await
}

fn start(context: &Arc<Context>, lanes: &Arc<Lanes>, claim: Claim, slot: Option<OwnedSemaphorePermit>) {
    let (shared, lanes) = (Arc::clone(context), Arc::clone(lanes));
    let span = context.origins.chunk_span(claim.job.id, claim.chunk);
    context.tasks.spawn(async move { work(&shared, &lanes, claim, slot).await }.instrument(span));
}

//! Feeding generated jobs: keeps a few chunks of each ahead of the workers until all are there, then seals it.
//! One process of all on a store feeds a job at a time; what one leaves undone the next takes up.

use super::chunk_size::chunk_items;
use super::context::Context;
use super::told;
use crate::job::{ChunkRef, JobId, JobRecord, JobState, Work};
use crate::store::{ListAfter, ListFilter, PutChunk, StoreError, UploadGrant};
use bytes::Bytes;
use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::{Instant, MissedTickBehavior, interval};

/// Chunks of a job that wait for workers, at the most; topped up when half are gone.
const AHEAD: u32 = 64;
/// Jobs read from the store at a time.
const PAGE: usize = 100;
/// How often a feeder looks whether the disk has room again.
const ROOM_EVERY: Duration = Duration::from_secs(1);
/// How long one process feeds a job before another may.
const TURN: Duration = Duration::from_secs(20);
/// Longer than a turn, or another would begin before it ends.
const LOCK_TTL: Duration = Duration::from_secs(30);

/// Feeds each job that it is told of, and looks now and then for those that nobody feeds.
pub(super) async fn feed_forever(context: Arc<Context>, mut created: mpsc::Receiver<JobId>) {
    let mut looks = interval(context.options.sweep_every.max(Duration::from_millis(1)));
    looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let fed = Fed::default();
    loop {
        let jobs = tokio::select! {
            () = context.draining.cancelled() => return,
            Some(job) = created.recv() => vec![job],
            _ = looks.tick() => unfed(&context).await,
        };
        for feeder in jobs.into_iter().filter_map(|job| fed.begin(job)) {
            let shared = Arc::clone(&context);
            context.tasks.spawn(async move {
                if let Err(error) = feed(&shared, feeder.job).await {
                    let job = feeder.job;
                    tracing::warn!(job_id = %job, %error, "feeding a generated job failed: it will be tried again");
                }
            });
        }
    }
}

/// The jobs that are fed here.
#[derive(Clone, Default)]
struct Fed(Arc<Mutex<HashSet<JobId>>>);

/// The one feeder of a job here.
struct Feeder {
    fed: Fed,
    job: JobId,
}

impl Fed {
    /// The right to feed the job, unless another has it.
    fn begin(&self, job: JobId) -> Option<Feeder> {
        self.lock().insert(job).then(|| Feeder { fed: self.clone(), job })
    }

    fn lock(&self) -> MutexGuard<'_, HashSet<JobId>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Feeder {
    fn drop(&mut self) {
        self.fed.lock().remove(&self.job);
    }
}

/// Live generated jobs of which chunks are missing, or the seal.
async fn unfed(context: &Context) -> Vec<JobId> {
    let live = ListFilter { states: vec![JobState::Queued, JobState::Running], ..ListFilter::default() };
    let (mut jobs, mut after) = (Vec::new(), None);
    loop {
        let page = match context.store.list(None, &live, after, PAGE).await {
            Ok(page) => page,
            Err(error) => {
                tracing::warn!(%error, "listing the generated jobs failed: it will be tried again");
                return jobs;
            }
        };
        jobs.extend(page.iter().filter(|job| is_unfed(job)).map(|job| job.id));
        match page.last() {
            Some(last) if page.len() == PAGE => after = Some(ListAfter { created: last.created, id: last.id }),
            _ => return jobs,
        }
    }
}

fn is_unfed(job: &JobRecord) -> bool {
    job.spec.work.is_generated() && job.total.is_none_or(|total| job.stored < total)
}

/// Feeds a job in turns until it is sealed, ended, or another's, or the engine drains.
async fn feed(context: &Context, job: JobId) -> Result<(), StoreError> {
    let name = format!("feed/{job}");
    let mut more = true;
    while more {
        let Some(lock) = context.store.lock(&name, LOCK_TTL).await? else { return Ok(()) };
        let fed = context.draining.run_until_cancelled(feed_for_a_turn(context, job)).await;
        // Another process need not wait until it runs out.
        context.store.unlock(&name, lock).await?;
        more = match fed {
            // Draining, ended, or taken over: nothing is left to do here.
            None | Some(Err(StoreError::WrongState { .. } | StoreError::NotFound(_) | StoreError::Fenced { .. })) => {
                false
            }
            Some(fed) => fed?,
        };
    }
    Ok(())
}

/// Whether there is more to feed.
async fn feed_for_a_turn(context: &Context, id: JobId) -> Result<bool, StoreError> {
    let store = &context.store;
    let until = Instant::now() + TURN;
    let grant = store.open_upload(id).await?;
    loop {
        let job = store.job(id).await?;
        let (Work::Generate(work), true) = (&job.spec.work, job.state.is_workable()) else { return Ok(false) };
        let total = job.total.unwrap_or(work.count);
        if job.stored >= total {
            told::sealed(&store.seal(id, grant.epoch, total).await?);
            return Ok(false);
        }
        let items = chunk_items(context.options.chunk_items, &job.spec.work);
        let ahead = u32::try_from(job.backlog() / u64::from(items)).unwrap_or(u32::MAX);
        let left = until.saturating_duration_since(Instant::now());
        // Results of what is fed take room, and no limit but this one keeps a job from filling the disk.
        let room = !context.floor.is_reached();
        if ahead <= AHEAD / 2 && room {
            put(context, id, grant, chunks(job.stored, total, items, AHEAD - ahead)).await?;
        } else if left.is_zero() {
            return Ok(true);
        } else {
            store.changed(id, job.revision, if room { left } else { left.min(ROOM_EVERY) }).await?;
        }
    }
}

async fn put(context: &Context, job: JobId, grant: UploadGrant, chunks: Vec<ChunkRef>) -> Result<u32, StoreError> {
    let chunks = chunks.into_iter().map(|chunk| PutChunk { chunk, payload: Bytes::new() });
    context.store.put_chunks(job, grant.epoch, chunks.collect()).await
}

/// The next chunks, at most `count`, of a job whose first `stored` items are there.
fn chunks(stored: u32, total: u32, items: u32, count: u32) -> Vec<ChunkRef> {
    let firsts = (stored..total).step_by(items as usize).take(count as usize);
    firsts.map(|first_index| ChunkRef { first_index, count: items.min(total - first_index) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_follow_each_other_to_the_total() {
        let cut = |stored, total, items, count| -> Vec<(u32, u32)> {
            chunks(stored, total, items, count).iter().map(|chunk| (chunk.first_index, chunk.count)).collect()
        };
        assert_eq!(cut(0, 25, 10, 9), [(0, 10), (10, 10), (20, 5)]);
        assert_eq!(cut(10, 25, 10, 1), [(10, 10)]);
        assert_eq!(cut(25, 25, 10, 9), []);
        assert_eq!(cut(u32::MAX - 15, u32::MAX, 10, 9), [(u32::MAX - 15, 10), (u32::MAX - 5, 5)]);
    }

    #[test]
    fn a_job_has_one_feeder() {
        let (fed, job) = (Fed::default(), JobId::from_bytes([1; 16]));
        let feeder = fed.begin(job).expect("the first one");
        assert!(fed.begin(job).is_none());
        drop(feeder);
        assert!(fed.begin(job).is_some());
    }
}

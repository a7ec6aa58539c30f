//! Jobs in memory: for tests, and for servers told to keep nothing.
//!
//! One mutex over plain data (`State`) and two kinds of bell: one for those who wait for chunks, one a job for
//! its watchers. Nobody awaits while holding the mutex; a waiter takes its place at the bell under the mutex,
//! right after its look, so that no ring in between is missed. Must never know other backends.

mod input;
mod state;
mod work;

use super::api::*;
use super::clock::Clock;
use super::ready::DEFAULT_WINDOW;
use crate::job::{Counts, JobId, JobRecord, Principal, Timestamp};
use async_trait::async_trait;
use bytes::Bytes;
use state::{Job, State};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::timeout;

/// How a memory store behaves.
#[derive(Clone, Debug)]
pub struct MemoryOptions {
    /// The time it goes by.
    pub clock: Clock,
    /// Chunks of one job that are out at a time.
    pub window: u32,
}

impl Default for MemoryOptions {
    fn default() -> MemoryOptions {
        MemoryOptions { clock: Clock::system(), window: DEFAULT_WINDOW }
    }
}

/// Jobs for the life of the process.
#[derive(Debug)]
pub struct MemoryStore {
    clock: Clock,
    state: Mutex<State>,
    /// Rings when chunks may have become claimable, and when the store closes.
    claimable: Notify,
}

/// What a waiter's look shows.
enum Look<T> {
    /// What it waits for.
    Found(T),
    /// Not yet: what to say if the wait ends here, and the bell that rings on a change.
    Not(T, Arc<Notify>),
}

impl Default for MemoryStore {
    fn default() -> MemoryStore {
        MemoryStore::new(MemoryOptions::default())
    }
}

impl MemoryStore {
    /// An empty store.
    pub fn new(options: MemoryOptions) -> MemoryStore {
        // Random, so that no other store's token fits.
        let (boot, _) = uuid::Uuid::new_v4().as_u64_pair();
        let state = Mutex::new(State::new(boot, options.window));
        MemoryStore { clock: options.clock, state, claimable: Notify::new() }
    }

    /// The state, unless the store is closed. Another holder's panic does not end the service: operations
    /// look first and change after.
    fn state(&self) -> Result<MutexGuard<'_, State>, StoreError> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.closed { Err(StoreError::Closing) } else { Ok(state) }
    }

    /// An operation after which chunks may be claimable that were not.
    fn change<T>(&self, run: impl FnOnce(&mut State, Timestamp) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let result = run(&mut *self.state()?, self.clock.now());
        self.claimable.notify_waiters();
        result
    }

    async fn wait_for<T>(
        &self,
        wait: Duration,
        look: impl Fn(&State) -> Result<Look<T>, StoreError>,
    ) -> Result<T, StoreError> {
        let found = timeout(wait, async {
            loop {
                let rung = {
                    let state = self.state()?;
                    match look(&state)? {
                        Look::Found(found) => return Ok(found),
                        Look::Not(_, bell) => bell.notified_owned(),
                    }
                };
                rung.await;
            }
        });
        match found.await {
            Ok(found) => found,
            Err(_elapsed) => match look(&*self.state()?)? {
                Look::Found(found) | Look::Not(found, _) => Ok(found),
            },
        }
    }
}

/// Frees the data of removed jobs, which takes a while for large ones, on a thread that may be kept busy.
async fn free(removed: Vec<Job>) -> Result<(), StoreError> {
    if removed.is_empty() {
        return Ok(());
    }
    let freed = tokio::task::spawn_blocking(move || drop(removed)).await;
    freed.map_err(|fault| StoreError::Broken(fault.to_string()))
}

#[async_trait]
impl JobStore for MemoryStore {
    async fn create(&self, new: NewJob) -> Result<Created, StoreError> {
        self.change(|state, now| state.create(new, now))
    }

    async fn open_upload(&self, job: JobId) -> Result<UploadGrant, StoreError> {
        self.change(|state, now| state.open_upload(job, now))
    }

    async fn put_chunks(&self, job: JobId, epoch: u32, chunks: Vec<PutChunk>) -> Result<u32, StoreError> {
        self.change(|state, now| state.put_chunks(job, epoch, chunks, now))
    }

    async fn seal(&self, job: JobId, epoch: u32, total: u32) -> Result<JobRecord, StoreError> {
        self.change(|state, now| state.seal(job, epoch, total, now))
    }

    async fn touch_upload(&self, job: JobId, epoch: u32) -> Result<(), StoreError> {
        self.change(|state, now| state.touch_upload(job, epoch, now))
    }

    async fn job(&self, job: JobId) -> Result<JobRecord, StoreError> {
        Ok(self.state()?.job(job)?.record.clone())
    }

    async fn list(
        &self,
        principal: Option<&Principal>,
        filter: &ListFilter,
        after: Option<ListAfter>,
        limit: usize,
    ) -> Result<Vec<JobRecord>, StoreError> {
        Ok(self.state()?.list(principal, filter, after, limit))
    }

    async fn changed(&self, job: JobId, seen: u64, wait: Duration) -> Result<JobRecord, StoreError> {
        self.wait_for(wait, |state| {
            let job = state.job(job)?;
            let record = job.record.clone();
            Ok(if record.revision > seen { Look::Found(record) } else { Look::Not(record, job.bell.clone()) })
        })
        .await
    }

    async fn fail_job(&self, job: JobId, why: &str) -> Result<JobRecord, StoreError> {
        self.change(|state, now| state.fail_job(job, why, now))
    }

    async fn cancel(&self, job: JobId) -> Result<JobRecord, StoreError> {
        self.change(|state, now| state.cancel(job, now))
    }

    async fn delete(&self, job: JobId) -> Result<(), StoreError> {
        let removed = self.change(|state, _| state.delete(job))?;
        free(vec![removed]).await
    }

    async fn claim(&self, max: usize, bytes: usize, lease_ttl: Duration) -> Result<Vec<Claim>, StoreError> {
        loop {
            let rung = {
                let mut state = self.state()?;
                let claims = state.claim(max, bytes, lease_ttl, self.clock.now());
                if !claims.is_empty() || max == 0 {
                    return Ok(claims);
                }
                self.claimable.notified()
            };
            rung.await;
        }
    }

    async fn begin(&self, token: Token, item: Option<u32>) -> Result<Lease, StoreError> {
        self.change(|state, now| state.begin(token, item, now))
    }

    async fn heartbeat(&self, token: Token) -> Result<Lease, StoreError> {
        Ok(self.state()?.ready.renew(token, self.clock.now()))
    }

    async fn release(&self, token: Token) -> Result<(), StoreError> {
        self.change(|state, now| {
            state.release(token, now);
            Ok(())
        })
    }

    async fn fail(&self, token: Token, _why: &str, condemn: Option<u32>) -> Result<(), StoreError> {
        self.change(|state, now| state.fail(token, condemn, now))
    }

    async fn complete(&self, token: Token, counts: Counts, result: Bytes) -> Result<Completion, StoreError> {
        self.change(|state, now| state.complete(token, counts, result, now))
    }

    async fn next_result(&self, job: JobId, from: u32, wait: Duration) -> Result<NextResult, StoreError> {
        self.wait_for(wait, |state| {
            let next = state.next_result(job, from)?;
            Ok(match next {
                NextResult::Pending => Look::Not(next, state.job(job)?.bell.clone()),
                _ => Look::Found(next),
            })
        })
        .await
    }

    async fn requeue_missing(&self, job: JobId) -> Result<u32, StoreError> {
        self.change(|state, now| state.requeue_missing(job, now))
    }

    async fn sweep(&self, limits: SweepLimits) -> Result<Swept, StoreError> {
        let (swept, removed) = self.change(|state, now| Ok(state.sweep(limits, now)))?;
        free(removed).await.map(|()| swept)
    }

    async fn lock(&self, name: &str, ttl: Duration) -> Result<Option<Token>, StoreError> {
        Ok(self.state()?.lock(name, ttl, self.clock.now()))
    }

    async fn unlock(&self, name: &str, token: Token) -> Result<(), StoreError> {
        self.state()?.unlock(name, token);
        Ok(())
    }

    async fn usage(&self, principal: &Principal) -> Result<Usage, StoreError> {
        Ok(self.state()?.usages.of(principal))
    }

    async fn available(&self) -> Result<Option<u64>, StoreError> {
        self.state().map(|_| None)
    }

    async fn verify(&self) -> Result<(), StoreError> {
        self.state().map(drop)
    }

    async fn stats(&self) -> Result<StoreStats, StoreError> {
        Ok(self.state()?.stats())
    }

    async fn close(&self) -> Result<(), StoreError> {
        match self.change(|state, _| {
            state.close();
            Ok(())
        }) {
            Err(StoreError::Closing) => Ok(()),
            closed => closed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::conformance::kit::{Kit, chunk, result_of, solve};
    use crate::store::conformance::{Harness, WINDOW, conformance_tests};

    struct Memory {
        store: Arc<MemoryStore>,
        clock: Clock,
    }

    impl Harness for Memory {
        async fn fresh() -> Memory {
            let clock = Clock::manual(Timestamp(1_000_000));
            let options = MemoryOptions { clock: clock.clone(), window: WINDOW };
            Memory { store: Arc::new(MemoryStore::new(options)), clock }
        }

        fn store(&self) -> Arc<dyn JobStore> {
            self.store.clone()
        }

        fn clock(&self) -> &Clock {
            &self.clock
        }
    }

    conformance_tests!(Memory);

    /// Inputs have 100 bytes each; they go once their result is there, and all goes with the job.
    #[tokio::test]
    async fn bytes_are_given_back() {
        let kit = Kit::of(&Memory::fresh().await);
        let bytes = async || kit.store.stats().await.expect("counts").bytes;
        let job = kit.sealed(solve("a"), &[5, 5]).await;
        assert_eq!(bytes().await, 200);
        kit.work(1).await;
        assert_eq!(bytes().await, 100 + result_of(chunk(0, 5)).len() as u64);
        kit.store.cancel(job).await.expect("cancels");
        kit.store.delete(job).await.expect("deletes");
        assert_eq!(bytes().await, 0);
    }
}

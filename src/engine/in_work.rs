//! [`InWork`]: the jobs with chunks in work here, so that a cancel reaches them at once and not with the next
//! heartbeat.

use crate::job::JobId;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio_util::sync::CancellationToken;

/// The jobs in work. Clones share them.
#[derive(Clone, Default)]
pub(super) struct InWork(Arc<Mutex<HashMap<JobId, Entry>>>);

#[derive(Default)]
struct Entry {
    cancelled: CancellationToken,
    chunks: usize,
    long: usize,
}

/// One chunk in work; leaves when dropped.
pub(super) struct Ticket {
    all: InWork,
    job: JobId,
    cancelled: CancellationToken,
    long: AtomicBool,
}

impl InWork {
    /// Notes that a chunk of this job is in work.
    pub(super) fn enter(&self, job: JobId) -> Ticket {
        let mut jobs = self.lock();
        let entry = jobs.entry(job).or_default();
        entry.chunks += 1;
        Ticket { all: self.clone(), job, cancelled: entry.cancelled.clone(), long: AtomicBool::new(false) }
    }

    /// Tells the job's chunks to stop; for a job that the store has cancelled.
    pub(super) fn cancel(&self, job: JobId) {
        if let Some(entry) = self.lock().get(&job) {
            entry.cancelled.cancel();
        }
    }

    /// Whether a chunk of the job has outlasted a turn.
    pub(super) fn is_long(&self, job: JobId) -> bool {
        self.lock().get(&job).is_some_and(|entry| entry.long > 0)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<JobId, Entry>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ticket {
    /// Returns once the job is cancelled.
    pub(super) async fn cancelled(&self) {
        self.cancelled.cancelled().await;
    }

    /// Notes that the chunk has outlasted a turn; whether that is news.
    pub(super) fn outlast(&self) -> bool {
        let news = !self.long.swap(true, Ordering::Relaxed);
        if let (true, Some(entry)) = (news, self.all.lock().get_mut(&self.job)) {
            entry.long += 1;
        }
        news
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let mut jobs = self.all.lock();
        if let Some(entry) = jobs.get_mut(&self.job) {
            entry.chunks -= 1;
            entry.long -= usize::from(self.long.load(Ordering::Relaxed));
            if entry.chunks == 0 {
                jobs.remove(&self.job);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_chunks_are_known_while_they_last() {
        let (jobs, [one, other]) = (InWork::default(), [1, 2].map(|b| JobId::from_bytes([b; 16])));
        let (a, b, _c) = (jobs.enter(one), jobs.enter(one), jobs.enter(other));
        assert!(!jobs.is_long(one));
        assert_eq!([a.outlast(), a.outlast(), b.outlast()], [true, false, true]);
        drop(a);
        assert!(jobs.is_long(one) && !jobs.is_long(other));
        drop(b);
        assert!(!jobs.is_long(one));
    }

    #[test]
    fn a_cancel_reaches_the_chunks_of_its_job_alone() {
        let (jobs, [one, other]) = (InWork::default(), [1, 2].map(|b| JobId::from_bytes([b; 16])));
        let (a, b, c) = (jobs.enter(one), jobs.enter(one), jobs.enter(other));
        drop(a);
        jobs.cancel(one);
        assert!(b.cancelled.is_cancelled() && !c.cancelled.is_cancelled());
        assert!(jobs.enter(one).cancelled.is_cancelled(), "a claim that came meanwhile");
        drop((b, c));
        assert!(jobs.lock().is_empty());
    }
}

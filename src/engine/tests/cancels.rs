//! Ending work: cancels, lost leases, draining.

use super::fixture::*;
use crate::engine::{EngineError, Options};
use crate::job::JobState;
use crate::store::{JobStore, SweepLimits};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Notify;

/// A solver that works until told to stop and answers nothing, and rings when it begins.
fn endless() -> (Arc<Hooked>, Arc<Notify>) {
    let begun = Arc::new(Notify::new());
    let rings = Arc::clone(&begun);
    let solver = Hooked::new(move |_, pace| {
        rings.notify_one();
        spin(pace);
        false
    });
    (solver, begun)
}

#[tokio::test]
async fn a_cancel_reaches_running_work_and_frees_the_thread() {
    let (solver, begun) = endless();
    let f = Fixture::with_solver(1, options(4), solver);
    let job = f.submit("cancelled", &vec![UNIQUE.to_owned(); 1_000]).await;
    begun.notified().await;
    let first = f.engine.cancel(&f.me, job).await.expect("cancelled");
    assert!(matches!(first.state, JobState::Cancelling | JobState::Cancelled));
    // Long before any heartbeat: the lease lasts 30 s.
    assert_eq!(f.ended(job).await.state, JobState::Cancelled);
    let again = f.engine.cancel(&f.me, job).await.expect("idempotent");
    assert_eq!(again.state, JobState::Cancelled);
    assert_eq!(f.engine.compute().pool().batch(|_| 5).await, Ok(5), "the thread is free");
    assert_eq!(f.engine.stats().await.expect("stats").leased_chunks, 0);
    f.engine.delete(&f.me, job).await.expect("deleted");
    assert!(f.engine.job(&f.me, job).await.is_err());
}

#[tokio::test]
async fn a_job_that_fails_elsewhere_is_noticed_by_heartbeat() {
    let (solver, begun) = endless();
    let f = Fixture::with_solver(1, Options { lease_ttl: Duration::from_millis(60), ..options(4) }, solver);
    let job = f.submit("failed", &vec![UNIQUE.to_owned(); 4]).await;
    begun.notified().await;
    f.store.fail_job(job, "by another process").await.expect("failed");
    while f.engine.stats().await.expect("stats").leased_chunks > 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert_eq!(f.engine.compute().pool().batch(|_| 5).await, Ok(5), "the thread is free");
}

#[tokio::test]
async fn live_jobs_are_not_deleted() {
    let f = Fixture::new(0, options(4));
    let job = f.submit("live", &[UNIQUE.to_owned()]).await;
    let refused = f.engine.delete(&f.me, job).await;
    assert!(matches!(refused, Err(EngineError::WrongState { state: JobState::Queued, .. })), "{refused:?}");
}

#[tokio::test]
async fn draining_hands_back_what_does_not_end_in_time() {
    let (solver, begun) = endless();
    let f = Fixture::with_solver(1, options(4), solver);
    let job = f.submit("drained", &vec![UNIQUE.to_owned(); 4]).await;
    begun.notified().await;
    f.engine.drain();
    f.engine.end_tasks(Duration::from_millis(20)).await;
    let claims = f.store.claim(9, usize::MAX, LONG).await.expect("claimed");
    assert_eq!(claims.len(), 1, "without waiting for the lease to run out");
    assert_eq!((claims[0].job.id, claims[0].record.failures), (job, 0));
    f.engine.close(LONG).await.expect("closed");
    assert!(f.store.sweep(SweepLimits { upload_idle: LONG }).await.is_err(), "the store is closed");
}

#[tokio::test]
async fn draining_lets_work_end_within_the_limit() {
    let f = Fixture::new(1, options(4));
    let job = f.submit("ends", &vec![UNIQUE.to_owned(); 8]).await;
    f.ended(job).await;
    f.engine.close(LONG).await.expect("closed");
    assert_eq!(f.engine.compute().solve(grid(UNIQUE), crate::sudoku::Limits::PROVE).await, Err(EngineError::Draining));
}

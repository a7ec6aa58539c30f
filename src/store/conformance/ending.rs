//! Clauses about cancelling, failing, deleting and expiring jobs.

use super::kit::*;
use crate::job::{JobId, JobState};
use crate::store::{Completion, Created, Lease, ListFilter, NextResult, StoreError, SweepLimits};
use std::time::Duration;

const LIMITS: SweepLimits = SweepLimits { upload_idle: Duration::from_secs(3_600) };

pub async fn cancelling_an_idle_job_ends_it(kit: Kit) {
    let (uploading, _) = kit.uploading(solve("a"), &[5, 5]).await;
    let queued = kit.sealed(solve("b"), &[5, 5]).await;
    kit.clock.advance(Duration::from_secs(1));
    for job in [uploading, queued] {
        let cancelled = kit.store.cancel(job).await.expect("cancels");
        assert_eq!((cancelled.state, cancelled.ended), (JobState::Cancelled, Some(kit.clock.now())));
        assert_eq!(kit.job(job).await, cancelled);
    }
    kit.idle().await;
}

pub async fn cancelling_waits_for_leases(kit: Kit) {
    // A lease ends by a result, a release, a fault or by running out.
    for way in 0..4 {
        let job = kit.sealed(solve(&format!("way {way}")), &[5, 5, 5]).await;
        let claims = kit.claims(2).await;
        kit.store.begin(claims[0].token, None).await.expect("begins");
        let cancelling = kit.store.cancel(job).await.expect("cancels");
        assert_eq!((cancelling.state, cancelling.ended), (JobState::Cancelling, None));
        kit.idle().await;
        kit.store.release(claims[1].token).await.expect("releases");
        assert_eq!(kit.state(job).await, JobState::Cancelling);
        match way {
            0 => assert_eq!(kit.complete(&claims[0]).await, Completion::Cancelled),
            1 => kit.store.release(claims[0].token).await.expect("releases"),
            2 => kit.store.fail(claims[0].token, "why", None).await.expect("fails"),
            _ => {
                kit.clock.advance(TTL);
                assert_eq!(kit.store.sweep(LIMITS).await.expect("sweeps").leases, 1);
            }
        }
        let ended = kit.job(job).await;
        assert_eq!((ended.state, ended.ended, ended.done()), (JobState::Cancelled, Some(kit.clock.now()), 0));
        assert!(ended.revision > cancelling.revision);
        kit.idle().await;
    }
}

pub async fn a_cancelled_result_is_not_stored(kit: Kit) {
    let job = kit.sealed(solve("a"), &[5, 5]).await;
    let claims = kit.claims(2).await;
    kit.store.cancel(job).await.expect("cancels");
    for claim in &claims {
        assert_eq!(kit.store.heartbeat(claim.token).await, Ok(Lease::Cancelled));
        assert_eq!(kit.store.begin(claim.token, None).await, Ok(Lease::Cancelled));
        assert_eq!(kit.complete(claim).await, Completion::Cancelled);
    }
    let ended = kit.job(job).await;
    assert_eq!((ended.state, ended.done(), ended.started), (JobState::Cancelled, 0, None));
    assert_eq!(kit.result(job, 0).await, None);
}

pub async fn cancelling_keeps_what_is_done(kit: Kit) {
    let job = kit.sealed(solve("a"), &[5, 5]).await;
    kit.work(1).await;
    let ended = kit.store.cancel(job).await.expect("cancels");
    assert_eq!((ended.state, ended.done(), ended.backlog()), (JobState::Cancelled, 5, 5));
    assert_eq!(kit.result(job, 0).await, Some(chunk(0, 5)));
}

pub async fn cancelling_again_changes_nothing(kit: Kit) {
    let cancelling = kit.sealed(solve("a"), &[5]).await;
    kit.claim().await;
    let cancelled = kit.sealed(solve("b"), &[5]).await;
    let succeeded = kit.sealed(solve("c"), &[]).await;
    for job in [cancelling, cancelled, succeeded] {
        let first = kit.store.cancel(job).await.expect("cancels");
        kit.clock.advance(Duration::from_secs(1));
        assert_eq!(kit.store.cancel(job).await, Ok(first.clone()));
        assert_eq!(kit.job(job).await, first);
    }
    assert_eq!(kit.state(cancelling).await, JobState::Cancelling);
    assert_eq!(kit.state(succeeded).await, JobState::Succeeded);
}

pub async fn a_failed_job_says_why(kit: Kit) {
    let job = kit.sealed(solve("a"), &[5, 5]).await;
    let claim = kit.claim().await;
    let failed = kit.store.fail_job(job, "no generator").await.expect("fails");
    assert_eq!((failed.state, failed.error.as_deref()), (JobState::Failed, Some("no generator")));
    assert_eq!(failed.ended, Some(kit.clock.now()));
    kit.idle().await;
    assert_eq!(kit.store.heartbeat(claim.token).await, Ok(Lease::Cancelled));
    assert_eq!(kit.complete(&claim).await, Completion::Cancelled);
    let refused = StoreError::WrongState { job, state: JobState::Failed };
    assert_eq!(kit.store.fail_job(job, "again").await.expect_err("ended"), refused);
    assert_eq!(kit.job(job).await, failed);
    // One that is being cancelled may fail too.
    let job = kit.sealed(solve("b"), &[5]).await;
    let claim = kit.claim().await;
    kit.store.cancel(job).await.expect("cancels");
    assert_eq!(kit.store.fail_job(job, "why").await.expect("fails").state, JobState::Failed);
    kit.store.release(claim.token).await.expect("releases");
    assert_eq!(kit.state(job).await, JobState::Failed);
}

pub async fn only_ended_jobs_are_deleted(kit: Kit) {
    let refused = async |job: JobId, state| {
        let wrong = StoreError::WrongState { job, state };
        assert_eq!(kit.store.delete(job).await.expect_err("is live"), wrong);
        assert_eq!(kit.state(job).await, state);
    };
    let (job, epoch) = kit.uploading(solve("a"), &[5]).await;
    refused(job, JobState::Uploading).await;
    kit.store.seal(job, epoch, 5).await.expect("seals");
    refused(job, JobState::Queued).await;
    let claim = kit.claim().await;
    kit.store.begin(claim.token, None).await.expect("begins");
    refused(job, JobState::Running).await;
    kit.store.cancel(job).await.expect("cancels");
    refused(job, JobState::Cancelling).await;
    kit.store.release(claim.token).await.expect("releases");
    kit.store.delete(job).await.expect("has ended");
}

pub async fn a_deleted_job_is_gone(kit: Kit) {
    let job = kit.sealed(solve("a"), &[5, 5]).await;
    kit.work(2).await;
    kit.store.delete(job).await.expect("deletes");
    let gone = StoreError::NotFound(job);
    assert_eq!(kit.store.job(job).await.expect_err("gone"), gone);
    assert_eq!(kit.store.cancel(job).await.expect_err("gone"), gone);
    assert_eq!(kit.store.delete(job).await.expect_err("gone"), gone);
    assert_eq!(kit.store.open_upload(job).await.expect_err("gone"), gone);
    assert_eq!(kit.put(job, 1, 0, &[5]).await.expect_err("gone"), gone);
    assert_eq!(kit.store.next_result(job, 0, SOON).await.expect_err("gone"), gone);
    assert_eq!(kit.store.list(None, &ListFilter::default(), None, 10).await, Ok(vec![]));
    // Its request id is free again; the next incarnation has an id and data of its own.
    let next = kit.store.create(solve("a")).await.expect("creates");
    let Created::New(next) = next else { panic!("not new: {next:?}") };
    assert_ne!(next.id, job);
    let end = kit.store.next_result(next.id, 0, Duration::ZERO).await;
    assert!(matches!(end, Ok(NextResult::Pending)), "{end:?}");
}

pub async fn a_late_writer_is_told(kit: Kit) {
    let job = kit.sealed(solve("a"), &[5, 5]).await;
    let claims = kit.claims(2).await;
    kit.store.fail_job(job, "why").await.expect("fails");
    kit.store.delete(job).await.expect("deletes");
    assert_eq!(kit.store.heartbeat(claims[0].token).await, Ok(Lease::Cancelled));
    assert_eq!(kit.store.begin(claims[0].token, None).await, Ok(Lease::Cancelled));
    assert_eq!(kit.complete(&claims[0]).await, Completion::Cancelled);
    kit.store.fail(claims[1].token, "why", None).await.expect("is ignored");
    assert_eq!(kit.store.stats().await.expect("counts").leased_chunks, 0);
    assert_eq!(kit.store.job(job).await, Err(StoreError::NotFound(job)));
    kit.idle().await;
}

pub async fn an_idle_upload_fails(kit: Kit) {
    let half = LIMITS.upload_idle / 2;
    let sweep = async || kit.store.sweep(LIMITS).await.expect("sweeps").idle;
    let sealed = kit.sealed(solve("sealed"), &[5]).await;
    let idle = kit.create(solve("idle")).await.id;
    let (fed, fed_epoch) = kit.uploading(solve("fed"), &[5]).await;
    let (touched, epoch) = kit.uploading(solve("touched"), &[5]).await;
    let (opened, _) = kit.uploading(solve("opened"), &[5]).await;
    kit.clock.advance(half);
    assert_eq!(sweep().await, 0);
    kit.put(fed, fed_epoch, 5, &[5]).await.expect("stores");
    kit.store.touch_upload(touched, epoch).await.expect("touches");
    kit.store.open_upload(opened).await.expect("opens");
    kit.clock.advance(half + Duration::from_secs(1));
    assert_eq!(sweep().await, 1);
    let failed = kit.job(idle).await;
    assert_eq!((failed.state, failed.ended), (JobState::Failed, Some(kit.clock.now())));
    assert!(failed.error.is_some_and(|why| why.contains("3600")));
    for job in [fed, touched, opened] {
        assert_eq!(kit.state(job).await, JobState::Uploading);
    }
    assert_eq!(kit.state(sealed).await, JobState::Queued);
    kit.clock.advance(half);
    assert_eq!(sweep().await, 3);
}

pub async fn an_ended_job_expires(kit: Kit) {
    // Jobs of this kit have 60 s to live, from their end on.
    let live = kit.sealed(solve("live"), &[5]).await;
    let ended = kit.sealed(solve("ended"), &[]).await;
    kit.clock.advance(Duration::from_secs(50));
    let later = kit.sealed(solve("later"), &[]).await;
    let sweep = async || kit.store.sweep(LIMITS).await.expect("sweeps").expired;
    assert_eq!(sweep().await, 0);
    kit.clock.advance(Duration::from_secs(10));
    assert_eq!(sweep().await, 1);
    assert_eq!(kit.store.job(ended).await, Err(StoreError::NotFound(ended)));
    assert_eq!(kit.state(later).await, JobState::Succeeded);
    kit.clock.advance(Duration::from_secs(50));
    assert_eq!(sweep().await, 1);
    assert_eq!(kit.state(live).await, JobState::Queued);
}

//! Clauses about creating jobs and storing their input.

use super::kit::*;
use crate::job::{Counts, JobState, Priority, Work};
use crate::store::{Created, StoreError, SweepLimits};
use std::time::Duration;

pub async fn a_new_job_is_as_asked(kit: Kit) {
    let new = solve("a");
    let job = kit.create(new.clone()).await;
    assert_eq!((job.id, &job.principal, &job.request_id), (new.id, &new.principal, &new.request_id));
    assert_eq!((job.state, job.stored, job.total, job.counts), (JobState::Uploading, 0, None, Counts::default()));
    assert_eq!((job.created, job.started, job.ended, &job.error), (kit.clock.now(), None, None, &None));
    assert_eq!(job.spec, new.resolved);
    assert_eq!(kit.job(job.id).await, job);

    let generated = kit.create(generate("b", 70)).await;
    assert_eq!((generated.state, generated.stored, generated.total), (JobState::Queued, 0, Some(70)));
}

pub async fn the_same_request_is_the_same_job(kit: Kit) {
    let (first, _) = kit.uploading(solve("a"), &[5]).await;
    // Options that were left unset may be filled in otherwise by now.
    let mut again = solve("a");
    again.resolved.time_to_live_s = Some(1);
    assert_eq!(kit.store.create(again).await, Ok(Created::Same(kit.job(first).await)));
    kit.store.cancel(first).await.expect("cancels");
    assert_eq!(kit.store.create(solve("a")).await, Ok(Created::Same(kit.job(first).await)));
}

pub async fn another_spec_is_a_conflict(kit: Kit) {
    let first = kit.create(solve("a")).await;
    let mut other = solve("a");
    other.sent.priority = Priority::Low;
    assert_eq!(kit.store.create(other.clone()).await, Ok(Created::Conflict(first)));
    assert_eq!(kit.store.job(other.id).await, Err(StoreError::NotFound(other.id)));
}

pub async fn principals_share_no_request_ids(kit: Kit) {
    let ann = kit.create(solve_for("ann", "a", Priority::Normal)).await;
    let bob = kit.create(solve_for("bob", "a", Priority::High)).await;
    assert_ne!(ann.id, bob.id);
    let again = kit.store.create(solve_for("ann", "a", Priority::Normal)).await;
    assert_eq!(again, Ok(Created::Same(ann)));
}

pub async fn an_unknown_job_is_not_found(kit: Kit) {
    let job = fresh_id();
    let missing = StoreError::NotFound(job);
    assert_eq!(kit.store.job(job).await.expect_err("unknown"), missing);
    assert_eq!(kit.store.open_upload(job).await.expect_err("unknown"), missing);
    assert_eq!(kit.put(job, 1, 0, &[5]).await.expect_err("unknown"), missing);
    assert_eq!(kit.store.touch_upload(job, 1).await.expect_err("unknown"), missing);
    assert_eq!(kit.store.seal(job, 1, 0).await.expect_err("unknown"), missing);
    assert_eq!(kit.store.changed(job, 0, SOON).await.expect_err("unknown"), missing);
    assert_eq!(kit.store.fail_job(job, "why").await.expect_err("unknown"), missing);
    assert_eq!(kit.store.cancel(job).await.expect_err("unknown"), missing);
    assert_eq!(kit.store.delete(job).await.expect_err("unknown"), missing);
    assert_eq!(kit.store.next_result(job, 0, SOON).await.expect_err("unknown"), missing);
    assert_eq!(kit.store.requeue_missing(job).await.expect_err("unknown"), missing);
}

pub async fn a_newer_stream_fences_older_ones(kit: Kit) {
    let (job, old) = kit.uploading(solve("a"), &[5]).await;
    let new = kit.store.open_upload(job).await.expect("takes over");
    assert!(new.epoch > old);
    assert_eq!(new.next_index, 5);
    let fenced = StoreError::Fenced { job, epoch: old };
    assert_eq!(kit.put(job, old, 5, &[5]).await.expect_err("stale"), fenced);
    assert_eq!(kit.store.touch_upload(job, old).await.expect_err("stale"), fenced);
    assert_eq!(kit.store.seal(job, old, 5).await.expect_err("stale"), fenced);
    assert_eq!(kit.put(job, new.epoch, 5, &[5]).await, Ok(10));
    // Nobody was ever granted epoch 0.
    let untouched = kit.create(solve("b")).await.id;
    let fenced = StoreError::Fenced { job: untouched, epoch: 0 };
    assert_eq!(kit.put(untouched, 0, 0, &[5]).await.expect_err("no grant"), fenced);
}

pub async fn an_upload_goes_on_where_it_stopped(kit: Kit) {
    let (job, epoch) = kit.uploading(solve("a"), &[5, 7]).await;
    assert_eq!(kit.put(job, epoch, 12, &[1, 2, 3]).await, Ok(18));
    let grant = kit.store.open_upload(job).await.expect("takes over");
    assert_eq!(grant.next_index, 18);
    assert_eq!(kit.put(job, grant.epoch, 18, &[2]).await, Ok(20));
    assert_eq!(kit.job(job).await.stored, 20);
}

pub async fn stored_chunks_are_skipped(kit: Kit) {
    let (job, epoch) = kit.uploading(solve("a"), &[5]).await;
    let mut again = chunks(0, &[5, 5]);
    again[0].payload = "other bytes".into();
    assert_eq!(kit.store.put_chunks(job, epoch, again).await, Ok(10));
    // Chunks need not have been cut alike.
    assert_eq!(kit.put(job, epoch, 3, &[4, 3]).await, Ok(10));
    assert_eq!(kit.store.put_chunks(job, epoch, vec![]).await, Ok(10));
    let claims = kit.claims(2).await;
    let stored: Vec<_> = claims.iter().map(|claim| (claim.chunk, claim.payload.clone())).collect();
    let want = [chunk(0, 5), chunk(5, 5)].map(|chunk| (chunk, Ok(payload_of(chunk))));
    assert_eq!(stored, want);
    kit.idle().await;
}

pub async fn gaps_and_straddles_store_nothing(kit: Kit) {
    let (job, epoch) = kit.uploading(solve("a"), &[5]).await;
    let before = kit.job(job).await;
    let gap = |expected, got| Err(StoreError::Gap { job, expected, got });
    assert_eq!(kit.put(job, epoch, 6, &[1]).await, gap(5, 6));
    assert_eq!(kit.put(job, epoch, 3, &[5]).await, gap(5, 3));
    // A good chunk in the same call is not stored either.
    let mut mixed = chunks(5, &[5]);
    mixed.extend(chunks(11, &[1]));
    assert_eq!(kit.store.put_chunks(job, epoch, mixed).await, gap(10, 11));
    assert_eq!(kit.job(job).await, before);
    assert_eq!(kit.claim().await.chunk, chunk(0, 5));
    kit.idle().await;
}

pub async fn a_sealed_job_takes_no_input(kit: Kit) {
    let (job, epoch) = kit.uploading(solve("a"), &[5]).await;
    kit.store.seal(job, epoch, 5).await.expect("seals");
    for end in [false, true] {
        if end {
            kit.work(1).await;
        }
        let refused = StoreError::WrongState { job, state: kit.state(job).await };
        assert_eq!(kit.put(job, epoch, 5, &[5]).await.expect_err("sealed"), refused);
        assert_eq!(kit.store.open_upload(job).await.expect_err("sealed"), refused);
        assert_eq!(kit.store.touch_upload(job, epoch).await.expect_err("sealed"), refused);
    }
    let (cancelled, epoch) = kit.uploading(solve("b"), &[5]).await;
    kit.store.cancel(cancelled).await.expect("cancels");
    let refused = StoreError::WrongState { job: cancelled, state: JobState::Cancelled };
    assert_eq!(kit.put(cancelled, epoch, 5, &[5]).await.expect_err("ended"), refused);
    assert_eq!(kit.store.seal(cancelled, epoch, 5).await.expect_err("ended"), refused);
}

pub async fn the_total_must_be_what_is_stored(kit: Kit) {
    let (job, epoch) = kit.uploading(solve("a"), &[5]).await;
    for total in [0, 4, 6] {
        let mismatch = StoreError::TotalMismatch { job, stored: 5, total };
        assert_eq!(kit.store.seal(job, epoch, total).await.expect_err("wrong total"), mismatch);
        assert_eq!((kit.state(job).await, kit.job(job).await.total), (JobState::Uploading, None));
    }
    let sealed = kit.store.seal(job, epoch, 5).await.expect("seals");
    assert_eq!((sealed.state, sealed.total), (JobState::Queued, Some(5)));
}

pub async fn sealing_again_is_a_repeat(kit: Kit) {
    let job = kit.sealed(solve("a"), &[5]).await;
    let sealed = kit.job(job).await;
    for epoch in [0, 1, 99] {
        assert_eq!(kit.store.seal(job, epoch, 5).await.as_ref(), Ok(&sealed));
    }
    let mismatch = StoreError::TotalMismatch { job, stored: 5, total: 6 };
    assert_eq!(kit.store.seal(job, 1, 6).await.expect_err("wrong total"), mismatch);
    kit.work(1).await;
    assert_eq!(kit.store.seal(job, 1, 5).await, Ok(kit.job(job).await));
}

pub async fn an_empty_job_succeeds(kit: Kit) {
    let job = kit.sealed(solve("a"), &[]).await;
    let ended = kit.job(job).await;
    assert_eq!((ended.state, ended.total, ended.done()), (JobState::Succeeded, Some(0), 0));
    assert_eq!(ended.ended, Some(kit.clock.now()));
}

pub async fn sealing_finds_how_far_the_work_is(kit: Kit) {
    let (begun, epoch) = kit.uploading(solve("a"), &[5]).await;
    let claim = kit.claim().await;
    kit.store.begin(claim.token, None).await.expect("begins");
    assert_eq!(kit.state(begun).await, JobState::Uploading);
    assert_eq!(kit.store.seal(begun, epoch, 5).await.expect("seals").state, JobState::Running);

    let (done, epoch) = kit.uploading(solve("b"), &[5, 5]).await;
    kit.work(2).await;
    let uploading = kit.job(done).await;
    assert_eq!((uploading.state, uploading.done()), (JobState::Uploading, 10));
    kit.clock.advance(Duration::from_secs(1));
    let sealed = kit.store.seal(done, epoch, 10).await.expect("seals");
    assert_eq!((sealed.state, sealed.ended), (JobState::Succeeded, Some(kit.clock.now())));
}

pub async fn generated_jobs_are_fed(kit: Kit) {
    let new = generate("a", 20);
    assert!(matches!(new.sent.work, Work::Generate(_)));
    let job = kit.create(new).await.id;
    let epoch = kit.store.open_upload(job).await.expect("opens").epoch;
    assert_eq!(kit.put(job, epoch, 0, &[5, 5]).await, Ok(10));
    let fed = kit.job(job).await;
    assert_eq!((fed.state, fed.stored, fed.total), (JobState::Queued, 10, Some(20)));
    kit.work(2).await;
    assert_eq!(kit.state(job).await, JobState::Running);
    // Its feeder may be another by now, and an idle feed is no idle upload.
    kit.clock.advance(Duration::from_secs(7_200));
    let swept = kit.store.sweep(SweepLimits { upload_idle: Duration::from_secs(3_600) }).await;
    assert_eq!(swept.expect("sweeps").idle, 0);
    let grant = kit.store.open_upload(job).await.expect("takes over");
    assert_eq!(grant.next_index, 10);
    let mismatch = StoreError::TotalMismatch { job, stored: 21, total: 20 };
    assert_eq!(kit.put(job, grant.epoch, 10, &[5, 6]).await.expect_err("too many"), mismatch);
    assert_eq!(kit.put(job, grant.epoch, 10, &[10]).await, Ok(20));
    assert_eq!(kit.store.seal(job, grant.epoch, 20).await.expect("a repeat").total, Some(20));
    kit.work(1).await;
    let refused = StoreError::WrongState { job, state: JobState::Succeeded };
    assert_eq!(kit.store.open_upload(job).await.expect_err("ended"), refused);
}

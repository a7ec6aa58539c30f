//! Clauses about crashes: what was acknowledged is there, who held a lease does not hold it any more, and what
//! was begun counts.

use super::Durable;
use super::kit::*;
use super::quota::{self, of, usage};
use crate::job::{JobId, JobState};
use crate::store::{ChunkRecord, Completion, Created, Lease, NextResult, StoreError, Token};

/// A crash, and the store after it. The kit of the time before must be gone.
async fn crash<D: Durable>(harness: D) -> (D, Kit) {
    let harness = harness.crash().await;
    let kit = Kit::of(&harness);
    (harness, kit)
}

/// A store with a job of these chunks.
async fn with_job<D: Durable>(harness: &D, sizes: &[u32]) -> (Kit, JobId) {
    let kit = Kit::of(harness);
    let job = kit.sealed(solve("a"), sizes).await;
    (kit, job)
}

pub async fn jobs_and_input_survive<D: Durable>(harness: D) {
    let kit = Kit::of(&harness);
    let (uploading, _) = kit.uploading(solve("a"), &[5, 7]).await;
    let sealed = kit.sealed(solve("b"), &[3]).await;
    let generated = kit.create(generate("c", 9)).await.id;
    let failed = kit.create(solve("d")).await.id;
    kit.store.fail_job(failed, "why").await.expect("fails");
    let jobs = [uploading, sealed, generated, failed];
    let mut before = Vec::new();
    for job in jobs {
        before.push(kit.job(job).await);
    }
    drop(kit);
    let (harness, kit) = crash(harness).await;
    for (job, before) in jobs.into_iter().zip(before) {
        assert_eq!(kit.job(job).await, before);
    }
    assert_eq!(kit.store.create(solve("b")).await, Ok(Created::Same(kit.job(sealed).await)));
    let mut other = solve("b");
    other.sent.time_to_live_s = Some(1);
    assert_eq!(kit.store.create(other).await, Ok(Created::Conflict(kit.job(sealed).await)));
    let mut found = Vec::new();
    for _ in 0..3 {
        let claim = kit.claim().await;
        assert_eq!((claim.payload, claim.record), (Ok(payload_of(claim.chunk)), ChunkRecord::default()));
        found.push((claim.job.id, claim.chunk));
    }
    let mut want = [(uploading, chunk(0, 5)), (uploading, chunk(5, 7)), (sealed, chunk(0, 3))];
    found.sort();
    want.sort();
    assert_eq!(found, want);
    kit.idle().await;
    assert_eq!(kit.store.verify().await, Ok(()));
    close(harness, kit).await;
}

pub async fn results_survive<D: Durable>(harness: D) {
    let (kit, job) = with_job(&harness, &[5, 7, 3]).await;
    let half = kit.sealed(solve("b"), &[5, 5]).await;
    let claims = kit.claims(5).await;
    let of = |job, first| claims.iter().find(|claim| claim.job.id == job && claim.chunk.first_index == first);
    for (job, first) in [(job, 0), (job, 5), (job, 12), (half, 5)] {
        assert_eq!(kit.complete(of(job, first).expect("is claimed")).await, Completion::Stored);
    }
    let before = (kit.job(job).await, kit.job(half).await);
    assert_eq!((before.0.state, before.1.done()), (JobState::Succeeded, 5));
    drop(kit);
    let (harness, kit) = crash(harness).await;
    assert_eq!((kit.job(job).await, kit.job(half).await), before);
    for want in [chunk(0, 5), chunk(5, 7), chunk(12, 3)] {
        assert_eq!(kit.result(job, want.first_index).await, Some(want));
    }
    assert!(matches!(kit.store.next_result(job, 15, SOON).await, Ok(NextResult::End(_))));
    assert_eq!((kit.result(half, 0).await, kit.result(half, 5).await), (None, Some(chunk(5, 5))));
    kit.work(1).await;
    assert_eq!(kit.state(half).await, JobState::Succeeded);
    kit.idle().await;
    close(harness, kit).await;
}

pub async fn tokens_do_not_survive<D: Durable>(harness: D) {
    let (kit, job) = with_job(&harness, &[5, 5]).await;
    let old = kit.claims(2).await;
    drop(kit);
    let (harness, kit) = crash(harness).await;
    let new = kit.claims(2).await;
    for (old, new) in old.iter().zip(&new) {
        assert_ne!(old.token, new.token);
        lost(&kit, old.token).await;
        assert_eq!(kit.complete(old).await, Completion::Lost);
    }
    assert_eq!(kit.job(job).await.done(), 0);
    for claim in new {
        assert_eq!(claim.record, ChunkRecord::default());
        assert_eq!(kit.complete(&claim).await, Completion::Stored);
    }
    close(harness, kit).await;
}

async fn lost(kit: &Kit, token: Token) {
    assert_eq!(kit.store.heartbeat(token).await, Ok(Lease::Lost));
    assert_eq!(kit.store.begin(token, None).await, Ok(Lease::Lost));
    kit.store.release(token).await.expect("is ignored");
    kit.store.fail(token, "late", None).await.expect("is ignored");
}

pub async fn a_crash_counts_once_begun<D: Durable>(harness: D) {
    let (kit, job) = with_job(&harness, &[5, 5, 5]).await;
    let claims = kit.claims(2).await;
    kit.store.begin(claims[0].token, None).await.expect("begins");
    let before = kit.job(job).await;
    drop(kit);
    let (harness, kit) = crash(harness).await;
    assert_eq!(kit.job(job).await, before);
    let records: Vec<_> = kit.claims(3).await.into_iter().map(|claim| claim.record).collect();
    let crashed = ChunkRecord { crashes: 1, ..ChunkRecord::default() };
    // Merely claimed, or not even that, counts nothing.
    assert_eq!(records, [crashed, ChunkRecord::default(), ChunkRecord::default()]);
    close(harness, kit).await;
}

pub async fn a_crash_counts_for_the_item_begun<D: Durable>(harness: D) {
    let (kit, _) = with_job(&harness, &[5, 5]).await;
    drop(kit);
    let mut harness = harness;
    // Items begun before the crash, and what the next claim knows.
    let crashes = [
        (vec![Some(1), Some(2)], Some((2, 1))),
        (vec![Some(2)], Some((2, 2))),
        (vec![None, Some(1), Some(2)], Some((2, 3))),
        (vec![Some(4)], Some((4, 1))),
        (vec![None], None),
    ];
    for (crash_number, (begun, suspect)) in (1..).zip(crashes) {
        let kit = Kit::of(&harness);
        let claim = kit.claim().await;
        for item in begun {
            assert_eq!(kit.store.begin(claim.token, item).await, Ok(Lease::Held));
        }
        drop(kit);
        let (next, kit) = crash(harness).await;
        harness = next;
        let claim = kit.claim().await;
        assert_eq!(claim.record, ChunkRecord { crashes: crash_number, suspect, ..ChunkRecord::default() });
        kit.store.release(claim.token).await.expect("releases");
    }
}

pub async fn ended_work_counts_no_crash<D: Durable>(harness: D) {
    let (kit, job) = with_job(&harness, &[5, 5, 5]).await;
    let claims = kit.claims(3).await;
    for claim in &claims {
        kit.store.begin(claim.token, Some(claim.chunk.first_index)).await.expect("begins");
    }
    assert_eq!(kit.complete(&claims[0]).await, Completion::Stored);
    kit.store.release(claims[1].token).await.expect("releases");
    kit.store.fail(claims[2].token, "why", None).await.expect("fails");
    drop(kit);
    let (harness, kit) = crash(harness).await;
    let claims = kit.claims(3).await;
    let records: Vec<_> = claims.into_iter().map(|claim| (claim.chunk.first_index, claim.record)).collect();
    let failed = ChunkRecord { failures: 1, ..ChunkRecord::default() };
    assert_eq!(records, [(5, ChunkRecord::default()), (10, failed)]);
    assert_eq!(kit.job(job).await.done(), 5);
    close(harness, kit).await;
}

pub async fn faults_survive<D: Durable>(harness: D) {
    let (kit, _) = with_job(&harness, &[5]).await;
    for condemn in [None, Some(3), Some(1)] {
        let claim = kit.claim().await;
        kit.store.begin(claim.token, condemn).await.expect("begins");
        kit.store.fail(claim.token, "why", condemn).await.expect("fails");
    }
    drop(kit);
    let (harness, kit) = crash(harness).await;
    let claim = kit.claim().await;
    let want = ChunkRecord { failures: 3, condemned: vec![1, 3], ..ChunkRecord::default() };
    assert_eq!(claim.record, want);
    kit.store.begin(claim.token, None).await.expect("begins");
    drop(kit);
    let (harness, kit) = crash(harness).await;
    assert_eq!(kit.claim().await.record, ChunkRecord { crashes: 1, ..want });
    close(harness, kit).await;
}

pub async fn epochs_go_on<D: Durable>(harness: D) {
    let kit = Kit::of(&harness);
    let (job, old) = kit.uploading(solve("a"), &[5]).await;
    drop(kit);
    let (harness, kit) = crash(harness).await;
    let grant = kit.store.open_upload(job).await.expect("takes over");
    assert!(grant.epoch > old);
    assert_eq!(grant.next_index, 5);
    let fenced = StoreError::Fenced { job, epoch: old };
    assert_eq!(kit.put(job, old, 5, &[5]).await.expect_err("stale"), fenced);
    assert_eq!(kit.put(job, grant.epoch, 5, &[5]).await, Ok(10));
    assert_eq!(kit.store.seal(job, grant.epoch, 10).await.expect("seals").state, JobState::Queued);
    kit.work(2).await;
    assert_eq!(kit.state(job).await, JobState::Succeeded);
    close(harness, kit).await;
}

pub async fn cancelling_ends_with_the_process<D: Durable>(harness: D) {
    let (kit, job) = with_job(&harness, &[5, 5]).await;
    kit.claim().await;
    let cancelling = kit.store.cancel(job).await.expect("cancels");
    assert_eq!(cancelling.state, JobState::Cancelling);
    drop(kit);
    let (harness, kit) = crash(harness).await;
    // The leases went with the process.
    let ended = kit.job(job).await;
    assert_eq!((ended.state, ended.ended), (JobState::Cancelled, Some(kit.clock.now())));
    assert!(ended.revision > cancelling.revision);
    kit.idle().await;
    close(harness, kit).await;
}

pub async fn deleted_stays_deleted<D: Durable>(harness: D) {
    let (kit, job) = with_job(&harness, &[5]).await;
    kit.work(1).await;
    kit.store.delete(job).await.expect("deletes");
    drop(kit);
    let (harness, kit) = crash(harness).await;
    assert_eq!(kit.store.job(job).await, Err(StoreError::NotFound(job)));
    assert_eq!(kit.store.list(None, &Default::default(), None, 9).await, Ok(vec![]));
    assert!(matches!(kit.store.create(solve("a")).await, Ok(Created::New(_))));
    close(harness, kit).await;
}

/// A job that is uploaded, worked on and read across several crashes.
pub async fn several_crashes<D: Durable>(harness: D) {
    let job = Kit::of(&harness).create(solve("a")).await.id;
    let mut harness = harness;
    for round in 0..5 {
        let kit = Kit::of(&harness);
        let grant = kit.store.open_upload(job).await.expect("takes over");
        assert_eq!(grant.next_index, 20 * round);
        kit.put(job, grant.epoch, 20 * round, &[10, 10]).await.expect("stores");
        kit.work(1).await;
        kit.claim().await;
        drop(kit);
        harness = crash(harness).await.0;
    }
    let kit = Kit::of(&harness);
    let grant = kit.store.open_upload(job).await.expect("takes over");
    kit.store.seal(job, grant.epoch, 100).await.expect("seals");
    kit.work(5).await;
    let ended = kit.job(job).await;
    assert_eq!((ended.state, ended.counts), (JobState::Succeeded, counts_of(chunk(0, 100))));
    for first in (0..100).step_by(10) {
        assert_eq!(kit.result(job, first).await, Some(chunk(first, 10)));
    }
    close(harness, kit).await;
}

async fn close<D: Durable>(harness: D, kit: Kit) {
    assert_eq!(kit.store.close().await, Ok(()));
    drop(kit);
    drop(harness);
}

pub async fn usage_survives<D: Durable>(harness: D) {
    let kit = Kit::of(&harness);
    let (ended, bytes) = quota::job(&kit, "a").await;
    kit.work(1).await;
    let live = kit.sealed(solve("b"), &[5, 5]).await;
    let before = of(&kit, "anonymous").await;
    assert!(before.jobs == 2 && before.bytes > bytes + 200, "{before:?}");
    drop(kit);
    let (harness, kit) = crash(harness).await;
    assert_eq!(of(&kit, "anonymous").await, before);
    kit.store.delete(ended).await.expect("deletes");
    assert_eq!(of(&kit, "anonymous").await, usage(1, 200));
    kit.store.cancel(live).await.expect("cancels");
    kit.store.delete(live).await.expect("deletes");
    assert_eq!(of(&kit, "anonymous").await, usage(0, 0));
    close(harness, kit).await;
}

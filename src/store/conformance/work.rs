//! Clauses about claiming chunks, beginning and completing them, and handing them back.

use super::kit::*;
use crate::job::JobState;
use crate::store::{ChunkRecord, Completion, Lease, StoreError};
use std::time::Duration;
use tokio::time::timeout;

pub async fn a_claim_shows_what_was_stored(kit: Kit) {
    let job = kit.sealed(solve("a"), &[5, 7]).await;
    let claims = kit.claims(2).await;
    assert_eq!(claims.len(), 2);
    for (claim, want) in claims.iter().zip([chunk(0, 5), chunk(5, 7)]) {
        assert_eq!(claim.chunk, want);
        assert_eq!(claim.payload, Ok(payload_of(want)));
        assert_eq!(*claim.job, kit.job(job).await);
        assert_eq!(claim.record, ChunkRecord::default());
    }
    assert_ne!(claims[0].token, claims[1].token);
    kit.idle().await;
}

pub async fn claims_are_bounded(kit: Kit) {
    kit.sealed(solve("a"), &[1, 1]).await;
    kit.sealed(solve("b"), &[1, 1]).await;
    let claims = |max, bytes| soon(kit.store.claim(max, bytes, TTL));
    assert_eq!(claims(0, usize::MAX).await.expect("claims").len(), 0);
    // Each payload has 100 bytes; one chunk is always given.
    for (max, bytes, want) in [(3, 0, 1), (3, 199, 1), (1, 200, 1), (3, 200, 1)] {
        assert_eq!(claims(max, bytes).await.expect("claims").len(), want, "{max} chunks, {bytes} bytes");
    }
    kit.sealed(solve("c"), &[1, 1, 1]).await;
    assert_eq!(claims(3, 200).await.expect("claims").len(), 2);
}

pub async fn a_claim_waits_and_is_woken(kit: Kit) {
    let waiting = || {
        let kit = kit.clone();
        tokio::spawn(async move { kit.claim().await })
    };
    // By new input.
    let job = kit.create(solve("a")).await.id;
    let epoch = kit.store.open_upload(job).await.expect("opens").epoch;
    let woken = waiting();
    tokio::time::sleep(BRIEF).await;
    kit.put(job, epoch, 0, &[5]).await.expect("stores");
    let first = soon(woken).await.expect("claims");
    assert_eq!(first.chunk, chunk(0, 5));
    // By a chunk handed back unharmed, and by one handed back after a fault.
    let woken = waiting();
    tokio::time::sleep(BRIEF).await;
    kit.store.release(first.token).await.expect("releases");
    let second = soon(woken).await.expect("claims");
    let woken = waiting();
    tokio::time::sleep(BRIEF).await;
    kit.store.fail(second.token, "a fault", None).await.expect("fails");
    assert_eq!(soon(woken).await.expect("claims").chunk, chunk(0, 5));
}

pub async fn dropped_claims_lose_nothing(kit: Kit) {
    for _ in 0..3 {
        kit.idle().await;
    }
    let job = kit.sealed(solve("a"), &[1, 1, 1]).await;
    // A future that is never polled, and one that is polled once.
    drop(kit.store.claim(1, usize::MAX, TTL));
    let once = timeout(Duration::ZERO, kit.store.claim(1, usize::MAX, TTL)).await;
    let delivered = once.map_or(0, |claims| claims.expect("claims").len());
    for _ in delivered..3 {
        kit.claim().await;
    }
    kit.idle().await;
    assert_eq!(kit.job(job).await.done(), 0);
}

pub async fn beginning_makes_a_job_running(kit: Kit) {
    let job = kit.sealed(solve("a"), &[5, 5]).await;
    let claims = kit.claims(2).await;
    // Claims alone begin nothing.
    assert_eq!((kit.state(job).await, kit.job(job).await.started), (JobState::Queued, None));
    kit.clock.advance(Duration::from_secs(1));
    let begun = kit.clock.now();
    assert_eq!(kit.store.begin(claims[0].token, None).await, Ok(Lease::Held));
    let running = kit.job(job).await;
    assert_eq!((running.state, running.started), (JobState::Running, Some(begun)));
    kit.clock.advance(Duration::from_secs(1));
    assert_eq!(kit.store.begin(claims[1].token, Some(7)).await, Ok(Lease::Held));
    assert_eq!(kit.store.begin(claims[1].token, Some(8)).await, Ok(Lease::Held));
    assert_eq!(kit.job(job).await, running);
}

pub async fn a_release_counts_nothing(kit: Kit) {
    let job = kit.sealed(solve("a"), &[5, 5, 5]).await;
    let claims = kit.claims(2).await;
    kit.store.begin(claims[0].token, Some(2)).await.expect("begins");
    kit.store.release(claims[0].token).await.expect("releases");
    assert_eq!(kit.complete(&claims[0]).await, Completion::Lost);
    // It goes before all that follow it.
    let again = kit.claim().await;
    assert_eq!((again.chunk, &again.record), (chunk(0, 5), &ChunkRecord::default()));
    assert_eq!(again.payload, Ok(payload_of(again.chunk)));
    assert_ne!(again.token, claims[0].token);
    assert_eq!(kit.claim().await.chunk, chunk(10, 5));
    assert_eq!(kit.complete(&again).await, Completion::Stored);
    assert_eq!(kit.job(job).await.done(), 5);
    // Handing back what one does not hold (any more) does nothing.
    kit.store.release(again.token).await.expect("is ignored");
    kit.idle().await;
}

pub async fn a_fault_counts(kit: Kit) {
    kit.sealed(solve("a"), &[5, 5]).await;
    let mut want = ChunkRecord::default();
    for (condemn, condemned) in [(None, vec![]), (Some(3), vec![3]), (Some(1), vec![1, 3]), (Some(3), vec![1, 3])] {
        let claim = kit.claim().await;
        assert_eq!((claim.chunk, &claim.record), (chunk(0, 5), &want));
        kit.store.begin(claim.token, condemn).await.expect("begins");
        kit.store.fail(claim.token, "a fault", condemn).await.expect("fails");
        assert_eq!(kit.complete(&claim).await, Completion::Lost);
        want = ChunkRecord { failures: want.failures + 1, condemned, ..want };
    }
    // Neither releases nor another chunk's claims change the record.
    kit.store.release(kit.claim().await.token).await.expect("releases");
    let claims = kit.claims(2).await;
    assert_eq!(claims[0].record, want);
    assert_eq!((claims[1].chunk, &claims[1].record), (chunk(5, 5), &ChunkRecord::default()));
    assert_eq!(kit.complete(&claims[0]).await, Completion::Stored);
    // A fault of what one does not hold (any more) does not count.
    kit.store.fail(claims[0].token, "late", Some(2)).await.expect("is ignored");
    kit.idle().await;
}

pub async fn the_first_result_stays(kit: Kit) {
    let job = kit.sealed(solve("a"), &[5, 5]).await;
    let claim = kit.claim().await;
    assert_eq!(kit.complete(&claim).await, Completion::Stored);
    let stored = kit.job(job).await;
    let second = kit.store.complete(claim.token, counts_of(claim.chunk), "other".into()).await;
    assert!(matches!(second, Ok(Completion::Lost | Completion::Duplicate)), "{second:?}");
    assert_eq!(kit.job(job).await, stored);
    assert_eq!(kit.result(job, 0).await, Some(chunk(0, 5)));
}

pub async fn the_last_result_ends_the_job(kit: Kit) {
    let job = kit.sealed(solve("a"), &[5, 7]).await;
    let claims = kit.claims(2).await;
    kit.clock.advance(Duration::from_secs(1));
    let started = kit.clock.now();
    // A result tells that work began, even if nobody said so.
    assert_eq!(kit.complete(&claims[1]).await, Completion::Stored);
    let half = kit.job(job).await;
    assert_eq!((half.state, half.done(), half.started), (JobState::Running, 7, Some(started)));
    kit.clock.advance(Duration::from_secs(1));
    assert_eq!(kit.complete(&claims[0]).await, Completion::Stored);
    let ended = kit.job(job).await;
    assert_eq!((ended.state, ended.started), (JobState::Succeeded, Some(started)));
    assert_eq!((ended.counts, ended.ended), (counts_of(chunk(0, 12)), Some(kit.clock.now())));
}

pub async fn counts_must_fit_the_chunk(kit: Kit) {
    let job = kit.sealed(solve("a"), &[5]).await;
    let claim = kit.claim().await;
    let before = kit.job(job).await;
    let refused = kit.store.complete(claim.token, counts_of(chunk(0, 4)), result_of(claim.chunk)).await;
    assert!(matches!(refused, Err(StoreError::Broken(_))), "{refused:?}");
    assert_eq!(kit.job(job).await, before);
    // The lease stands: the right counts are taken.
    assert_eq!(kit.complete(&claim).await, Completion::Stored);
}

pub async fn nothing_is_missing_on_a_sound_store(kit: Kit) {
    let (job, _) = kit.uploading(solve("a"), &[5, 5, 5]).await;
    kit.work(1).await;
    let claim = kit.claim().await;
    assert_eq!(kit.store.requeue_missing(job).await, Ok(0));
    assert_eq!(kit.complete(&claim).await, Completion::Stored);
    assert_eq!(kit.claim().await.chunk, chunk(10, 5));
    kit.idle().await;
    kit.store.cancel(job).await.expect("cancels");
    assert_eq!(kit.store.requeue_missing(job).await, Ok(0));
    assert_eq!(kit.store.verify().await, Ok(()));
}

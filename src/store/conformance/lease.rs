//! Clauses about leases that end and locks that exclude: whoever comes back from the dead changes nothing.

use super::kit::*;
use crate::job::JobState;
use crate::store::{ChunkRecord, Completion, Lease, SweepLimits, Token};
use std::time::Duration;

const LIMITS: SweepLimits = SweepLimits { upload_idle: Duration::from_secs(3_600) };
const TWO_THIRDS: Duration = Duration::from_secs(20);

pub async fn heartbeats_keep_a_lease(kit: Kit) {
    kit.sealed(solve("a"), &[5]).await;
    let claim = kit.claim().await;
    for _ in 0..5 {
        kit.clock.advance(TWO_THIRDS);
        assert_eq!(kit.store.sweep(LIMITS).await.expect("sweeps").leases, 0);
        assert_eq!(kit.store.heartbeat(claim.token).await, Ok(Lease::Held));
        kit.idle().await;
    }
    assert_eq!(kit.complete(&claim).await, Completion::Stored);
}

pub async fn a_lease_that_ran_out_is_lost(kit: Kit) {
    let job = kit.sealed(solve("a"), &[5]).await;
    let claim = kit.claim().await;
    kit.clock.advance(TTL);
    let before = kit.job(job).await;
    // Lost at once, whether or not anybody has noticed.
    assert_eq!(kit.store.heartbeat(claim.token).await, Ok(Lease::Lost));
    assert_eq!(kit.store.begin(claim.token, None).await, Ok(Lease::Lost));
    assert_eq!(kit.complete(&claim).await, Completion::Lost);
    assert_eq!(kit.job(job).await, before);
    assert_eq!(kit.store.sweep(LIMITS).await.expect("sweeps").leases, 1);
    assert_eq!(kit.store.sweep(LIMITS).await.expect("sweeps").leases, 0);
    let next = kit.claim().await;
    assert_eq!((next.chunk, &next.record), (chunk(0, 5), &ChunkRecord::default()));
    assert_eq!(kit.complete(&next).await, Completion::Stored);
}

pub async fn a_stale_holder_changes_nothing(kit: Kit) {
    let job = kit.sealed(solve("a"), &[5, 5]).await;
    let stale = kit.claim().await;
    kit.clock.advance(TTL);
    // A claim finds leases that ran out by itself.
    let holder = kit.claim().await;
    assert_eq!(holder.chunk, stale.chunk);
    let before = kit.job(job).await;
    assert_eq!(kit.store.heartbeat(stale.token).await, Ok(Lease::Lost));
    assert_eq!(kit.store.begin(stale.token, Some(1)).await, Ok(Lease::Lost));
    kit.store.release(stale.token).await.expect("is ignored");
    kit.store.fail(stale.token, "late", Some(1)).await.expect("is ignored");
    let late = kit.store.complete(stale.token, counts_of(stale.chunk), "stale".into()).await;
    assert_eq!(late, Ok(Completion::Lost));
    assert_eq!(kit.job(job).await, before);
    assert_eq!(kit.store.heartbeat(holder.token).await, Ok(Lease::Held));
    assert_eq!(kit.complete(&holder).await, Completion::Stored);
    let late = kit.store.complete(stale.token, counts_of(stale.chunk), "stale".into()).await;
    assert!(matches!(late, Ok(Completion::Lost | Completion::Duplicate)), "{late:?}");
    assert_eq!(kit.result(job, 0).await, Some(chunk(0, 5)));
    assert_eq!(kit.claim().await.chunk, chunk(5, 5));
    kit.idle().await;
}

pub async fn foreign_tokens_are_lost(kit: Kit) {
    let job = kit.sealed(solve("a"), &[5]).await;
    let claim = kit.claim().await;
    let Token { boot, lease } = claim.token;
    let other_boot = Token { boot: boot.wrapping_add(1), lease };
    let never_given = Token { boot, lease: lease + 1_000 };
    for token in [other_boot, never_given] {
        assert_eq!(kit.store.heartbeat(token).await, Ok(Lease::Lost));
        assert_eq!(kit.store.begin(token, None).await, Ok(Lease::Lost));
        kit.store.release(token).await.expect("is ignored");
        kit.store.fail(token, "why", None).await.expect("is ignored");
        let result = kit.store.complete(token, counts_of(claim.chunk), "foreign".into()).await;
        assert_eq!(result, Ok(Completion::Lost));
    }
    assert_eq!(kit.state(job).await, JobState::Queued);
    assert_eq!(kit.complete(&claim).await, Completion::Stored);
}

pub async fn a_sweep_wakes_who_waits(kit: Kit) {
    kit.sealed(solve("a"), &[5]).await;
    let dead = kit.claim().await;
    let waiting = {
        let kit = kit.clone();
        tokio::spawn(async move { kit.claim().await })
    };
    tokio::time::sleep(BRIEF).await;
    kit.clock.advance(TTL);
    assert_eq!(kit.store.sweep(LIMITS).await.expect("sweeps").leases, 1);
    assert_eq!(soon(waiting).await.expect("claims").chunk, dead.chunk);
}

pub async fn locks_exclude_others(kit: Kit) {
    let lock = async |name| kit.store.lock(name, TTL).await.expect("locks");
    let first = lock("sweep").await.expect("is free");
    assert_eq!(lock("sweep").await, None);
    let other = lock("feed").await.expect("another name is free");
    // Only the holder unlocks.
    kit.store.unlock("sweep", other).await.expect("is ignored");
    kit.store.unlock("unknown", other).await.expect("is ignored");
    assert_eq!(lock("sweep").await, None);
    kit.store.unlock("sweep", first).await.expect("unlocks");
    let second = lock("sweep").await.expect("is free again");
    // One that runs out is free; its former holder can't unlock the next.
    kit.clock.advance(TTL);
    let third = lock("sweep").await.expect("ran out");
    kit.store.unlock("sweep", second).await.expect("is ignored");
    assert_eq!(lock("sweep").await, None);
    kit.store.unlock("sweep", third).await.expect("unlocks");
    assert!(lock("sweep").await.is_some());
}

//! Clauses about whose chunk is handed out next.

use super::WINDOW;
use super::kit::*;
use crate::job::Priority;
use crate::store::Completion;
use std::collections::BTreeMap;

pub async fn chunks_come_in_order(kit: Kit) {
    let (job, epoch) = kit.uploading(solve("a"), &[3, 3]).await;
    kit.put(job, epoch, 6, &[3, 3, 3]).await.expect("stores");
    let mut claims = kit.claims(3).await;
    // Two go back, in the wrong order; they come again in the right one, before what follows.
    for back in [1, 0] {
        kit.store.release(claims.remove(back).token).await.expect("releases");
    }
    for first in [0, 3, 9, 12] {
        let claim = kit.claim().await;
        assert_eq!(claim.chunk, chunk(first, 3));
        assert_eq!(kit.complete(&claim).await, Completion::Stored);
    }
    kit.idle().await;
}

pub async fn one_jobs_chunks_fill_no_more_than_the_window(kit: Kit) {
    let job = kit.sealed(solve("a"), &[1; 10]).await;
    let window = WINDOW as usize;
    let claims = kit.claims(10).await;
    assert_eq!(claims.len(), window);
    kit.idle().await;
    // Each that ends makes room for one, and wakes who waits for it.
    let waiting = {
        let kit = kit.clone();
        tokio::spawn(async move { kit.claims(10).await })
    };
    tokio::time::sleep(BRIEF).await;
    assert_eq!(kit.complete(&claims[0]).await, Completion::Stored);
    assert_eq!(soon(waiting).await.expect("claims").len(), 1);
    kit.idle().await;
    kit.store.release(claims[1].token).await.expect("releases");
    assert_eq!(kit.claim().await.chunk, chunk(1, 1));
    // Another job is not held up.
    let other = kit.sealed(solve("b"), &[1]).await;
    assert_eq!(kit.claim().await.job.id, other);
    assert_eq!(kit.job(job).await.done(), 1);
}

pub async fn a_small_job_is_next(kit: Kit) {
    kit.sealed(solve("big"), &[1; 50]).await;
    kit.work(10).await;
    let mut in_work = kit.claims(WINDOW as usize).await;
    let small = kit.sealed(solve("small"), &[1]).await;
    assert_eq!(kit.claim().await.job.id, small);
    // Likewise another principal's, though the window of the big one has room again.
    assert_eq!(kit.complete(&in_work.remove(0)).await, Completion::Stored);
    assert_eq!(kit.complete(&in_work.remove(0)).await, Completion::Stored);
    let theirs = kit.sealed(solve_for("ann", "small", Priority::Normal), &[1]).await;
    let next: Vec<_> = [kit.claim().await, kit.claim().await].iter().map(|claim| claim.job.id).collect();
    assert!(next.contains(&theirs), "two turns must reach two principals");
}

pub async fn principals_take_turns(kit: Kit) {
    // One with three jobs gets no more than one with a single job.
    for request in ["a", "b", "c"] {
        kit.sealed(solve_for("many", request, Priority::Normal), &[1; 20]).await;
    }
    kit.sealed(solve_for("single", "a", Priority::Normal), &[1; 20]).await;
    let mut turns = BTreeMap::new();
    for _ in 0..24 {
        let claim = kit.claim().await;
        let name = format!("{} {}", claim.job.principal.as_str(), claim.job.request_id.as_str());
        *turns.entry(name).or_insert(0) += 1;
        assert_eq!(kit.complete(&claim).await, Completion::Stored);
    }
    let want = [("many a", 4), ("many b", 4), ("many c", 4), ("single a", 12)];
    assert_eq!(turns, want.map(|(name, count)| (name.to_owned(), count)).into());
}

pub async fn priorities_are_weighted(kit: Kit) {
    let priorities = [Priority::Low, Priority::Normal, Priority::High];
    for priority in priorities {
        kit.sealed(solve_for("ann", &format!("{priority:?}"), priority), &[1; 40]).await;
    }
    let mut turns = [0; 3];
    for _ in 0..42 {
        let claim = kit.claim().await;
        turns[claim.job.spec.priority as usize] += 1;
        assert_eq!(kit.complete(&claim).await, Completion::Stored);
    }
    assert_eq!(turns, [2, 8, 32]);
}

//! Clauses about many tasks at once: whoever wins, the whole adds up.

use super::kit::*;
use crate::job::{JobId, JobState, Priority};
use crate::store::{Completion, Created, Lease, NextResult, StoreError};
use std::future::Future;
use std::time::Duration;
use tokio::task::{JoinSet, yield_now};

/// Runs `count` tasks at once and returns what they return, in the order in which they end.
async fn at_once<T, F>(count: u32, task: impl Fn(u32) -> F) -> Vec<T>
where
    T: Send + 'static,
    F: Future<Output = T> + Send + 'static,
{
    let mut tasks = JoinSet::new();
    for i in 0..count {
        tasks.spawn(task(i));
    }
    soon(tasks.join_all()).await
}

pub async fn creating_once(kit: Kit) {
    let created = at_once(8, |_| {
        let kit = kit.clone();
        async move { kit.store.create(solve("a")).await.expect("creates") }
    })
    .await;
    let mut ids = Vec::new();
    let mut new = 0;
    for found in created {
        match found {
            Created::New(job) => {
                new += 1;
                ids.push(job.id);
            }
            Created::Same(job) => ids.push(job.id),
            Created::Conflict(job) => panic!("equal specs do not conflict: {job:?}"),
        }
    }
    ids.dedup();
    assert_eq!((new, ids.len()), (1, 1));
}

pub async fn uploading_from_many_streams(kit: Kit) {
    let job = kit.create(solve("a")).await.id;
    let stream = |name: u32| {
        let kit = kit.clone();
        async move {
            let mut stored = Vec::new();
            for _ in 0..10 {
                let grant = kit.store.open_upload(job).await.expect("opens");
                yield_now().await;
                let mut put = chunks(grant.next_index, &[3]);
                put[0].payload = name.to_string().into();
                match kit.store.put_chunks(job, grant.epoch, put).await {
                    Ok(next) => {
                        assert_eq!(next, grant.next_index + 3, "nobody else wrote under this epoch");
                        stored.push((grant.next_index, name.to_string()));
                    }
                    Err(StoreError::Fenced { .. }) => {}
                    Err(other) => panic!("{other}"),
                }
            }
            stored
        }
    };
    // What Ok acknowledged is what is there: nothing twice, nothing lost, nothing of another.
    let mut acknowledged = at_once(4, stream).await.concat();
    acknowledged.sort();
    let mut there = Vec::new();
    for _ in &acknowledged {
        let claim = kit.claim().await;
        let payload = claim.payload.clone().expect("is sound");
        there.push((claim.chunk.first_index, String::from_utf8_lossy(&payload).into_owned()));
        assert_eq!(kit.complete(&claim).await, Completion::Stored);
    }
    assert_eq!(there, acknowledged);
    assert_eq!(kit.job(job).await.stored as usize, 3 * acknowledged.len());
    kit.idle().await;
}

pub async fn working_from_many_tasks(kit: Kit) {
    let mut jobs = Vec::new();
    for (request, priority) in [("a", Priority::Low), ("b", Priority::Normal), ("c", Priority::High)] {
        jobs.push(kit.sealed(solve_for("ann", request, priority), &[2; 30]).await);
    }
    let mut workers = JoinSet::new();
    for worker in 0..4 {
        workers.spawn(work_for_ever(kit.clone(), worker));
    }
    for job in jobs {
        soon(ended(&kit, job)).await;
        let record = kit.job(job).await;
        assert_eq!((record.state, record.counts), (JobState::Succeeded, counts_of(chunk(0, 60))));
        for first in (0..60).step_by(2) {
            assert_eq!(kit.result(job, first).await, Some(chunk(first, 2)));
        }
    }
    workers.shutdown().await;
    kit.idle().await;
}

/// Completes two chunks of three and hands the third back.
async fn work_for_ever(kit: Kit, worker: u32) {
    for turn in worker.. {
        for claim in kit.claims(2).await {
            assert_eq!(kit.store.begin(claim.token, None).await, Ok(Lease::Held));
            if turn % 3 == 0 {
                kit.store.release(claim.token).await.expect("releases");
            } else {
                assert_eq!(kit.complete(&claim).await, Completion::Stored);
            }
        }
    }
}

async fn ended(kit: &Kit, job: JobId) {
    let mut record = kit.job(job).await;
    while !record.state.is_final() {
        record = kit.store.changed(job, record.revision, SOON).await.expect("is there");
    }
}

pub async fn completing_once(kit: Kit) {
    for round in 0..20 {
        let job = kit.sealed(solve(&round.to_string()), &[5, 5]).await;
        let claim = kit.claim().await;
        let (token, chunk) = (claim.token, claim.chunk);
        let completions = at_once(4, |worker| {
            let store = kit.store.clone();
            async move {
                let result = worker.to_string();
                let completion = store.complete(token, counts_of(chunk), result.clone().into()).await;
                (completion.expect("completes") == Completion::Stored).then_some(result)
            }
        })
        .await;
        let stored: Vec<_> = completions.into_iter().flatten().collect();
        assert_eq!(stored.len(), 1, "{stored:?}");
        match kit.store.next_result(job, 0, Duration::ZERO).await {
            Ok(NextResult::Chunk(_, bytes)) => assert_eq!(bytes, stored[0]),
            other => panic!("no result: {other:?}"),
        }
        assert_eq!(kit.job(job).await.counts, counts_of(chunk));
        kit.work(1).await;
    }
}

pub async fn cancelling_meets_completing(kit: Kit) {
    for round in 0..20 {
        let job = kit.sealed(solve(&round.to_string()), &[5, 5, 5]).await;
        let claims = kit.claims(3).await;
        let completions = at_once(4, |i| {
            let (kit, claim) = (kit.clone(), claims.get(i as usize).cloned());
            async move {
                match claim {
                    Some(claim) => kit.complete(&claim).await == Completion::Stored,
                    None => kit.store.cancel(job).await.is_err(),
                }
            }
        })
        .await;
        let stored = completions.iter().filter(|stored| **stored).count();
        let record = kit.job(job).await;
        assert_eq!(record.done(), 5 * stored as u64);
        let want = if stored == 3 { JobState::Succeeded } else { JobState::Cancelled };
        assert_eq!(record.state, want);
    }
}

pub async fn sealing_meets_completing(kit: Kit) {
    for round in 0..20 {
        let (job, epoch) = kit.uploading(solve(&round.to_string()), &[5, 5]).await;
        let claims = kit.claims(2).await;
        at_once(3, |i| {
            let (kit, claim) = (kit.clone(), claims.get(i as usize).cloned());
            async move {
                match claim {
                    Some(claim) => assert_eq!(kit.complete(&claim).await, Completion::Stored),
                    None => drop(kit.store.seal(job, epoch, 10).await.expect("seals")),
                }
            }
        })
        .await;
        let record = kit.job(job).await;
        assert_eq!((record.state, record.done()), (JobState::Succeeded, 10));
    }
}

pub async fn aborted_claims_lose_nothing(kit: Kit) {
    let (job, epoch) = kit.uploading(solve("a"), &[]).await;
    for round in 0..100 {
        let claiming = {
            let kit = kit.clone();
            tokio::spawn(async move { kit.claim().await })
        };
        // The abort meets the claim waiting, about to be woken, or done.
        if round % 3 == 0 {
            yield_now().await;
        }
        kit.put(job, epoch, round, &[1]).await.expect("stores");
        if round % 2 == 0 {
            yield_now().await;
        }
        claiming.abort();
        let claim = match claiming.await {
            Ok(claim) => claim,
            Err(aborted) => {
                assert!(aborted.is_cancelled(), "{aborted}");
                kit.claim().await
            }
        };
        assert_eq!(claim.chunk, chunk(round, 1));
        assert_eq!(kit.complete(&claim).await, Completion::Stored);
    }
}

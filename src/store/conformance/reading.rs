//! Clauses about reading: results in order, changes, listings, figures, and the end of the store.

use super::kit::*;
use crate::job::{JobId, JobRecord, JobState, Priority};
use crate::store::{Completion, ListAfter, ListFilter, NextResult, StoreError, SweepLimits};
use std::time::Duration;

pub async fn results_come_in_order(kit: Kit) {
    let job = kit.sealed(solve("a"), &[5, 7, 3]).await;
    let claims = kit.claims(3).await;
    assert_eq!(kit.complete(&claims[1]).await, Completion::Stored);
    // The gap before it is waited for; behind the gap it is there.
    assert!(matches!(kit.store.next_result(job, 0, Duration::ZERO).await, Ok(NextResult::Pending)));
    assert!(matches!(kit.store.next_result(job, 4, BRIEF).await, Ok(NextResult::Pending)));
    // A start in the middle of a chunk gives the whole chunk.
    for from in [5, 8, 11] {
        assert_eq!(kit.result(job, from).await, Some(chunk(5, 7)), "from {from}");
    }
    assert_eq!(kit.result(job, 12).await, None);
    assert_eq!(kit.complete(&claims[0]).await, Completion::Stored);
    assert_eq!(kit.complete(&claims[2]).await, Completion::Stored);
    let mut from = 0;
    for want in [chunk(0, 5), chunk(5, 7), chunk(12, 3)] {
        assert_eq!(kit.result(job, from).await, Some(want));
        from = want.end();
    }
    match kit.store.next_result(job, from, SOON).await {
        Ok(NextResult::End(record)) => assert_eq!(*record, kit.job(job).await),
        other => panic!("no end: {other:?}"),
    }
}

pub async fn a_follower_is_woken(kit: Kit) {
    let (job, epoch) = kit.uploading(solve("a"), &[5]).await;
    let follow = |from| {
        let store = kit.store.clone();
        tokio::spawn(async move { store.next_result(job, from, SOON * 2).await })
    };
    // By a result, by one of a chunk that was not there yet, and by the end.
    let waiting = follow(0);
    tokio::time::sleep(BRIEF).await;
    kit.work(1).await;
    let next = soon(waiting).await.expect("runs");
    assert!(matches!(next, Ok(NextResult::Chunk(found, _)) if found == chunk(0, 5)), "{next:?}");
    let waiting = follow(5);
    tokio::time::sleep(BRIEF).await;
    kit.put(job, epoch, 5, &[5]).await.expect("stores");
    kit.work(1).await;
    let next = soon(waiting).await.expect("runs");
    assert!(matches!(next, Ok(NextResult::Chunk(found, _)) if found == chunk(5, 5)), "{next:?}");
    let waiting = follow(10);
    tokio::time::sleep(BRIEF).await;
    kit.store.seal(job, epoch, 10).await.expect("seals");
    let next = soon(waiting).await.expect("runs");
    assert!(matches!(&next, Ok(NextResult::End(record)) if record.state == JobState::Succeeded), "{next:?}");
}

pub async fn an_ended_job_skips_holes(kit: Kit) {
    let job = kit.sealed(solve("a"), &[5, 5, 5, 5]).await;
    let claims = kit.claims(4).await;
    for done in [1, 3] {
        assert_eq!(kit.complete(&claims[done]).await, Completion::Stored);
    }
    kit.store.cancel(job).await.expect("cancels");
    // Until the leases end the job is live.
    assert_eq!(kit.result(job, 0).await, None);
    for rest in [0, 2] {
        kit.store.release(claims[rest].token).await.expect("releases");
    }
    let cases = [(0, 5), (4, 5), (5, 5), (9, 5), (10, 15), (14, 15), (19, 15)];
    for (from, first) in cases {
        assert_eq!(kit.result(job, from).await, Some(chunk(first, 5)), "from {from}");
    }
    assert!(matches!(kit.store.next_result(job, 20, SOON).await, Ok(NextResult::End(_))));
}

pub async fn nothing_lies_beyond_the_end(kit: Kit) {
    let job = kit.sealed(solve("a"), &[5]).await;
    for from in [5, 6, u32::MAX] {
        assert!(matches!(kit.store.next_result(job, from, Duration::ZERO).await, Ok(NextResult::Pending)));
    }
    kit.work(1).await;
    for from in [5, 6, u32::MAX] {
        assert!(matches!(kit.store.next_result(job, from, SOON).await, Ok(NextResult::End(_))));
    }
    let empty = kit.sealed(solve("b"), &[]).await;
    assert!(matches!(kit.store.next_result(empty, 0, SOON).await, Ok(NextResult::End(_))));
}

pub async fn every_change_raises_the_revision(kit: Kit) {
    let mut seen = 0;
    let (job, epoch) = kit.uploading(solve("a"), &[5]).await;
    let mut raised = async |job| {
        let revision = kit.job(job).await.revision;
        assert!(std::mem::replace(&mut seen, revision) < revision, "{revision} is not new");
        // Whoever has not seen it is not kept waiting; whoever has is.
        assert_eq!(kit.store.changed(job, revision - 1, SOON).await, kit.store.job(job).await);
        assert_eq!(kit.store.changed(job, revision, BRIEF).await, kit.store.job(job).await);
    };
    raised(job).await;
    kit.put(job, epoch, 5, &[5]).await.expect("stores");
    raised(job).await;
    kit.store.seal(job, epoch, 10).await.expect("seals");
    raised(job).await;
    let claim = kit.claim().await;
    kit.store.begin(claim.token, None).await.expect("begins");
    raised(job).await;
    assert_eq!(kit.complete(&claim).await, Completion::Stored);
    raised(job).await;
    let claim = kit.claim().await;
    kit.store.cancel(job).await.expect("cancels");
    raised(job).await;
    kit.store.release(claim.token).await.expect("releases");
    raised(job).await;
}

pub async fn a_watcher_is_woken(kit: Kit) {
    let (job, epoch) = kit.uploading(solve("a"), &[5]).await;
    let watch = |job: JobRecord| {
        let store = kit.store.clone();
        tokio::spawn(async move { store.changed(job.id, job.revision, SOON * 2).await })
    };
    let watching = watch(kit.job(job).await);
    tokio::time::sleep(BRIEF).await;
    kit.put(job, epoch, 5, &[5]).await.expect("stores");
    assert_eq!(soon(watching).await.expect("runs").expect("is there").stored, 10);
    let watching = watch(kit.job(job).await);
    tokio::time::sleep(BRIEF).await;
    let claim = kit.claim().await;
    assert_eq!(kit.complete(&claim).await, Completion::Stored);
    assert_eq!(soon(watching).await.expect("runs").expect("is there").done(), 5);
    let watching = watch(kit.job(job).await);
    tokio::time::sleep(BRIEF).await;
    kit.store.cancel(job).await.expect("cancels");
    assert_eq!(soon(watching).await.expect("runs").expect("is there").state, JobState::Cancelled);
    // By a sweep too.
    let watching = watch(kit.create(solve("b")).await);
    tokio::time::sleep(BRIEF).await;
    kit.clock.advance(Duration::from_secs(10));
    kit.store.sweep(SweepLimits { upload_idle: Duration::from_secs(9) }).await.expect("sweeps");
    assert_eq!(soon(watching).await.expect("runs").expect("is there").state, JobState::Failed);
}

pub async fn a_watcher_of_a_deleted_job_is_told(kit: Kit) {
    let job = kit.sealed(solve("a"), &[]).await;
    let (store, seen) = (kit.store.clone(), kit.job(job).await.revision);
    let watching = tokio::spawn(async move { store.changed(job, seen, SOON * 2).await });
    tokio::time::sleep(BRIEF).await;
    kit.store.delete(job).await.expect("deletes");
    assert_eq!(soon(watching).await.expect("runs"), Err(StoreError::NotFound(job)));
}

pub async fn jobs_are_listed_newest_first(kit: Kit) {
    let mut jobs = Vec::new();
    for i in 0..7 {
        // Some of equal age: these come by id, the greater first.
        kit.clock.advance(Duration::from_millis(i % 2));
        jobs.push(kit.create(solve(&format!("request {i}"))).await);
    }
    jobs.sort_by_key(|job| std::cmp::Reverse((job.created, job.id)));
    let list = async |after, limit| kit.store.list(None, &ListFilter::default(), after, limit).await.expect("lists");
    assert_eq!(list(None, 100).await, jobs);
    assert_eq!(list(None, 0).await, vec![]);
    for size in [1, 2, 3, 7] {
        let mut shown: Vec<JobRecord> = Vec::new();
        loop {
            let after = shown.last().map(|last| ListAfter { created: last.created, id: last.id });
            let page = list(after, size).await;
            assert!(page.len() <= size);
            if page.is_empty() {
                break;
            }
            shown.extend(page);
        }
        assert_eq!(shown, jobs, "in pages of {size}");
    }
}

pub async fn listings_are_filtered(kit: Kit) {
    let ann = kit.sealed(solve_for("ann", "a", Priority::Normal), &[5]).await;
    let bob = kit.sealed(solve_for("bob", "a", Priority::Normal), &[]).await;
    let mut labelled = solve_for("bob", "b", Priority::Normal);
    labelled.resolved.labels.insert("team".into(), "red".into());
    let labelled = kit.create(labelled).await.id;
    let list = async |principal: Option<&str>, states: &[JobState], labels: &[(&str, &str)]| {
        let labels = labels.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        let filter = ListFilter { states: states.to_vec(), labels };
        let principal = principal.map(who);
        let jobs = kit.store.list(principal.as_ref(), &filter, None, 10).await.expect("lists");
        let mut ids: Vec<JobId> = jobs.iter().map(|job| job.id).collect();
        ids.sort();
        ids
    };
    let sorted = |mut ids: Vec<JobId>| {
        ids.sort();
        ids
    };
    assert_eq!(list(Some("ann"), &[], &[]).await, [ann]);
    assert_eq!(list(Some("bob"), &[], &[]).await, sorted(vec![bob, labelled]));
    assert_eq!(list(Some("eve"), &[], &[]).await, []);
    assert_eq!(list(None, &[JobState::Queued, JobState::Uploading], &[]).await, sorted(vec![ann, labelled]));
    assert_eq!(list(Some("bob"), &[JobState::Succeeded], &[]).await, [bob]);
    assert_eq!(list(None, &[], &[("request", "a")]).await, sorted(vec![ann, bob]));
    assert_eq!(list(None, &[], &[("request", "b"), ("team", "red")]).await, [labelled]);
    assert_eq!(list(None, &[], &[("request", "a"), ("team", "red")]).await, []);
    assert_eq!(list(None, &[], &[("team", "blue")]).await, []);
    assert_eq!(list(None, &[JobState::Queued], &[("team", "red")]).await, []);
}

pub async fn figures_add_up(kit: Kit) {
    let stats = async || kit.store.stats().await.expect("counts");
    let empty = stats().await;
    assert_eq!((empty.queued_chunks, empty.queued_items, empty.leased_chunks), ([0; 3], [0; 3], 0));
    assert_eq!(empty.oldest, [None; 3]);
    let first = kit.clock.now();
    kit.sealed(solve_for("ann", "a", Priority::Normal), &[5, 7]).await;
    kit.clock.advance(Duration::from_secs(1));
    let second = kit.clock.now();
    kit.uploading(solve_for("bob", "b", Priority::Normal), &[3]).await;
    let low = kit.sealed(solve_for("bob", "c", Priority::Low), &[1, 1]).await;
    let full = stats().await;
    assert_eq!((full.queued_chunks, full.queued_items), ([2, 3, 0], [2, 15, 0]));
    assert_eq!(full.oldest, [Some(second), Some(first), None]);
    assert!(full.bytes > 0);
    assert_eq!((empty.backlog_items, full.backlog_items), (0, 17));
    let count = |stats: &crate::store::StoreStats, state| {
        stats.jobs.iter().filter(|(of, _)| *of == state).map(|(_, count)| count).sum::<u64>()
    };
    assert_eq!([JobState::Uploading, JobState::Queued].map(|state| count(&full, state)), [1, 2]);
    let claims = kit.claims(5).await;
    let claimed = stats().await;
    assert_eq!((claimed.queued_chunks, claimed.leased_chunks, claimed.oldest), ([0; 3], 5, [None; 3]));
    kit.store.cancel(low).await.expect("cancels");
    for claim in &claims {
        kit.store.release(claim.token).await.expect("releases");
    }
    let back = stats().await;
    assert_eq!((back.queued_chunks, back.queued_items, back.leased_chunks), ([0, 3, 0], [0, 15, 0], 0));
    assert_eq!(count(&back, JobState::Cancelled), 1);
    kit.create(generate("d", 100)).await;
    assert_eq!(stats().await.backlog_items, 115, "what is to be generated counts before it is stored");
}

pub async fn a_closed_store_refuses_all(kit: Kit) {
    let (job, epoch) = kit.uploading(solve("a"), &[5]).await;
    let claim = kit.claim().await;
    assert_eq!(kit.store.close().await, Ok(()));
    let closing = StoreError::Closing;
    assert_eq!(kit.store.create(solve("b")).await.expect_err("closed"), closing);
    assert_eq!(kit.store.open_upload(job).await.expect_err("closed"), closing);
    assert_eq!(kit.put(job, epoch, 5, &[5]).await.expect_err("closed"), closing);
    assert_eq!(kit.store.seal(job, epoch, 5).await.expect_err("closed"), closing);
    assert_eq!(kit.store.cancel(job).await.expect_err("closed"), closing);
    assert_eq!(soon(kit.store.claim(1, 1, TTL)).await.expect_err("closed"), closing);
    assert_eq!(kit.store.begin(claim.token, None).await.expect_err("closed"), closing);
    let result = kit.store.complete(claim.token, counts_of(claim.chunk), result_of(claim.chunk)).await;
    assert_eq!(result.expect_err("closed"), closing);
    assert_eq!(kit.store.lock("sweep", TTL).await.expect_err("closed"), closing);
    // Closing again is fine.
    assert_eq!(kit.store.close().await, Ok(()));
}

pub async fn closing_wakes_who_waits(kit: Kit) {
    let job = kit.create(solve("a")).await;
    let claiming = {
        let store = kit.store.clone();
        tokio::spawn(async move { store.claim(1, 1, TTL).await.map(|claims| claims.len()) })
    };
    let watching = {
        let store = kit.store.clone();
        tokio::spawn(async move { store.changed(job.id, job.revision, SOON * 2).await })
    };
    let following = {
        let store = kit.store.clone();
        tokio::spawn(async move { store.next_result(job.id, 0, SOON * 2).await.map(drop) })
    };
    tokio::time::sleep(BRIEF).await;
    assert_eq!(kit.store.close().await, Ok(()));
    assert_eq!(soon(claiming).await.expect("runs"), Err(StoreError::Closing));
    assert_eq!(soon(watching).await.expect("runs"), Err(StoreError::Closing));
    assert_eq!(soon(following).await.expect("runs"), Err(StoreError::Closing));
}

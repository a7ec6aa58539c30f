//! Clauses about what a principal has stored and may have.

use super::kit::*;
use crate::job::{JobId, Priority};
use crate::store::{Created, NewJob, StoreError, Usage};

pub fn usage(jobs: u64, bytes: u64) -> Usage {
    Usage { jobs, bytes }
}

pub async fn of(kit: &Kit, name: &str) -> Usage {
    kit.store.usage(&who(name)).await.expect("is told")
}

fn under(quota: Usage, new: NewJob) -> NewJob {
    NewJob { quota, ..new }
}

/// Two chunks of input, 100 bytes each, and one's result.
pub async fn job(kit: &Kit, request: &str) -> (JobId, u64) {
    let job = kit.sealed(solve(request), &[5, 5]).await;
    kit.work(1).await;
    (job, 200 + result_of(chunk(0, 5)).len() as u64)
}

pub async fn usage_is_of_jobs_and_of_what_was_stored_for_them(kit: Kit) {
    assert_eq!(of(&kit, "anonymous").await, usage(0, 0));
    kit.create(generate("g", 10)).await;
    assert_eq!(of(&kit, "anonymous").await, usage(1, 0));
    let (job, bytes) = job(&kit, "a").await;
    assert_eq!(of(&kit, "anonymous").await, usage(2, bytes));
    assert_eq!(kit.job(job).await.payload_bytes, bytes);
    kit.create(solve_for("other", "o", Priority::Normal)).await;
    assert_eq!((of(&kit, "other").await, of(&kit, "anonymous").await), (usage(1, 0), usage(2, bytes)));
    kit.store.cancel(job).await.expect("cancels");
    assert_eq!(of(&kit, "anonymous").await, usage(2, bytes), "an ended job is still there");
    kit.store.delete(job).await.expect("deletes");
    assert_eq!(of(&kit, "anonymous").await, usage(1, 0));
}

pub async fn a_full_quota_refuses_new_jobs_alone(kit: Kit) {
    let (first, bytes) = job(&kit, "a").await;
    let now = usage(1, bytes);
    for quota in [usage(1, u64::MAX), usage(2, bytes), usage(0, 0)] {
        let refused = kit.store.create(under(quota, solve("b"))).await;
        assert_eq!(refused, Err(StoreError::OverQuota { usage: now, quota }));
        let again = kit.store.create(under(quota, solve("a"))).await.expect("it is there");
        assert_eq!(again, Created::Same(kit.job(first).await));
    }
    assert_eq!(of(&kit, "anonymous").await, now);
    let other = under(usage(1, bytes), solve_for("other", "a", Priority::Normal));
    kit.create(other).await;
    kit.create(under(usage(2, bytes + 1), solve("b"))).await;
    // What is there goes on, and what goes gives its room back.
    kit.work(1).await;
    kit.store.delete(first).await.expect("deletes");
    kit.create(under(usage(2, 1), solve("c"))).await;
}

pub async fn a_quota_holds_whoever_comes_at_once(kit: Kit) {
    let quota = usage(5, u64::MAX);
    let creating = (0..20).map(|i| {
        let store = kit.store.clone();
        tokio::spawn(async move { store.create(under(quota, solve(&format!("{i}")))).await })
    });
    let mut made = 0;
    for create in creating.collect::<Vec<_>>() {
        match create.await.expect("no panic") {
            Ok(Created::New(_)) => made += 1,
            Err(StoreError::OverQuota { .. }) => {}
            other => panic!("{other:?}"),
        }
    }
    assert_eq!((made, of(&kit, "anonymous").await), (5, usage(5, 0)));
}

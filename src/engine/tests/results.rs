//! Following results: order, starts within chunks, damage, ends.

use super::fixture::*;
use crate::engine::{EngineError, Followed};
use crate::job::{ChunkRef, Counts, JobState};
use crate::store::{JobStore, StoreError};
use crate::sudoku::Outcome;
use bytes::Bytes;
use std::time::Duration;

fn lines(count: usize) -> Vec<String> {
    (0..count).map(|i| shifted(UNIQUE, i % 9)).collect()
}

#[tokio::test]
async fn followers_get_every_item_once_and_in_order_while_the_upload_runs() {
    let f = Fixture::new(2, options(16));
    let (job, mut upload) = f.upload("followed").await;
    let lines = lines(500);
    let uploading = async {
        for block in lines.chunks(37) {
            upload.puzzles(None, block).await.expect("taken");
            tokio::task::yield_now().await;
        }
        upload.finish(None).await.expect("sealed");
    };
    let ((), all, tail) = tokio::join!(uploading, f.follow(job, 0), f.follow(job, 155));
    let expected: Vec<_> = (0..500u32).map(|i| (i, grid(&shifted(SOLUTION, i as usize % 9)))).collect();
    let grids = |items: Vec<(u32, _)>| -> Vec<_> {
        items
            .into_iter()
            .map(|(i, item): (u32, crate::job::codec::ItemResult)| (i, item.grid.expect("solved")))
            .collect()
    };
    assert_eq!(grids(all), expected);
    assert_eq!(grids(tail), expected[155..]);
    assert!(f.follow(job, 500).await.is_empty());
}

#[tokio::test]
async fn without_following_what_is_there_is_all() {
    let f = Fixture::new(0, options(4));
    let (job, mut upload) = f.upload("live").await;
    upload.puzzles(None, &lines(8)).await.expect("taken");
    upload.flush().await.expect("stored");
    let mut results = f.engine.results(&f.me, job, 0, false).await.expect("results");
    assert!(matches!(results.next(LONG).await, Ok(Followed::End(None))));
    let mut waiting = f.engine.results(&f.me, job, 0, true).await.expect("results");
    assert!(matches!(waiting.next(Duration::from_millis(1)).await, Ok(Followed::Pending)));
    let (next, ()) = tokio::join!(waiting.next(LONG), async { f.engine.drain() });
    assert_eq!(next.err(), Some(EngineError::Draining));
    assert_eq!(f.engine.results(&f.me, job, 0, true).await.err(), Some(EngineError::Draining));
}

#[tokio::test]
async fn a_damaged_chunk_is_met_once_and_the_rest_is_served() {
    let f = Fixture::new(0, options(4));
    let job = f.submit("damaged", &lines(8)).await;
    let claim = f.store.claim(1, usize::MAX, LONG).await.expect("claimed").remove(0);
    assert_eq!(claim.chunk, ChunkRef { first_index: 0, count: 4 });
    let mut counts = Counts::default();
    counts.add(Outcome::Unique, 4);
    f.store.complete(claim.token, counts, Bytes::from_static(b"no result")).await.expect("stored");
    f.engine.cancel(&f.me, job).await.expect("cancelled");
    assert_eq!(f.ended(job).await.state, JobState::Cancelled);
    let mut results = f.engine.results(&f.me, job, 2, true).await.expect("results");
    let damaged = results.next(LONG).await.expect_err("damaged");
    assert_eq!(damaged, EngineError::Store(StoreError::Damaged { job, chunk: claim.chunk }));
    assert_eq!(results.next_index(), 4);
    let Ok(Followed::End(Some(record))) = results.next(LONG).await else { panic!("nothing follows") };
    assert_eq!(record.state, JobState::Cancelled);
}

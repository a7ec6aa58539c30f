//! What is this backend's own: files, crashes, damage. The contract is `store::conformance`'s.

mod contract;
mod crash;
mod damage;
mod segments;
mod space;
mod upgrade;

use super::*;
use crate::job::*;
use crate::store::api::*;
use crate::store::conformance::kit::{fresh_id, solve, who};
use crate::sudoku::Outcome;
use bytes::Bytes;
use std::path::PathBuf;
use std::time::Duration;

const TTL: Duration = Duration::from_secs(60);

/// With small segments, so that many tests need several.
fn open(dir: &Path) -> Embedded {
    let options = Options { segment_bytes: 1 << 20, ..Options::default() };
    Embedded::open(dir, options, Clock::system()).expect("open")
}

/// A payload that only this chunk has.
fn payload(first_index: u32, bytes: usize) -> Bytes {
    (0..bytes).map(|i| (i as u32).wrapping_mul(first_index + 1).to_le_bytes()[0]).collect::<Vec<u8>>().into()
}

/// A payload that is nowhere else, not even in part.
fn noise(seed: u64, bytes: usize) -> Bytes {
    let mut state = seed * 2 + 1;
    let next = |_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    };
    (0..bytes).map(next).collect::<Vec<u8>>().into()
}

/// A segment's file.
fn segment(dir: &Path, number: u32) -> PathBuf {
    dir.join(format!("segments/{number:08}.seg"))
}

/// The segments and their sizes.
fn segments(dir: &Path) -> Vec<(String, u64)> {
    let entries = std::fs::read_dir(dir.join(open::SEGMENTS)).expect("list").map(|entry| entry.expect("entry"));
    let name = |entry: &std::fs::DirEntry| entry.file_name().into_string().expect("name");
    let mut segments: Vec<_> = entries.filter_map(|entry| Some((name(&entry), entry.metadata().ok()?.len()))).collect();
    segments.sort();
    segments
}

fn puts(from: u32, chunks: u32, items: u32, bytes: usize) -> Vec<PutChunk> {
    let chunk = |n| ChunkRef { first_index: from + n * items, count: items };
    (0..chunks).map(chunk).map(|chunk| PutChunk { chunk, payload: payload(chunk.first_index, bytes) }).collect()
}

fn unique(items: u32) -> Counts {
    let mut counts = Counts::default();
    counts.add(Outcome::Unique, u64::from(items));
    counts
}

/// The only chunk that can be claimed now.
async fn claim_one(store: &Embedded) -> Claim {
    let mut claims = store.claim(1, usize::MAX, TTL).await.expect("claim");
    assert_eq!(claims.len(), 1);
    claims.remove(0)
}

async fn job_with(store: &Embedded, name: &str, chunks: u32, bytes: usize) -> JobId {
    let Created::New(record) = store.create(solve(name)).await.expect("create") else { panic!("not new") };
    let grant = store.open_upload(record.id).await.expect("open");
    let next = store.put_chunks(record.id, grant.epoch, puts(0, chunks, 10, bytes)).await.expect("put");
    assert_eq!(next, chunks * 10);
    store.seal(record.id, grant.epoch, next).await.expect("seal");
    record.id
}

#[tokio::test]
async fn a_job_from_create_to_its_last_result() {
    let dir = tempfile::tempdir().expect("dir");
    let store = open(dir.path());
    let job = job_with(&store, "a", 5, 3_000).await;
    let claims = store.claim(8, usize::MAX, TTL).await.expect("claim");
    assert_eq!(claims.len(), 5);
    for claim in claims {
        assert_eq!(claim.payload, Ok(payload(claim.chunk.first_index, 3_000)));
        assert_eq!(store.begin(claim.token, None).await, Ok(Lease::Held));
        let result = payload(claim.chunk.first_index, 5_000);
        assert_eq!(store.complete(claim.token, unique(10), result).await, Ok(Completion::Stored));
    }
    let record = store.job(job).await.expect("job");
    assert_eq!((record.state, record.done()), (JobState::Succeeded, 50));
    for first in [0, 10, 20, 30, 40] {
        let NextResult::Chunk(chunk, bytes) = store.next_result(job, first + 3, TTL).await.expect("result") else {
            panic!("no result at {first}")
        };
        assert_eq!((chunk.first_index, bytes), (first, payload(first, 5_000)));
    }
    assert!(matches!(store.next_result(job, 50, TTL).await, Ok(NextResult::End(end)) if *end == record));
    assert_eq!(store.verify().await, Ok(()));
    store.close().await.expect("close");
    assert_eq!(store.job(job).await, Err(StoreError::Closing));
}

#[tokio::test]
async fn what_waits_beyond_the_caches_comes_from_the_database() {
    let dir = tempfile::tempdir().expect("dir");
    let options = Options { input_cache_bytes: 5_000, result_cache_bytes: 5_000, ..Options::default() };
    let store = Embedded::open(dir.path(), options, Clock::system()).expect("open");
    let job = job_with(&store, "a", 8, 2_000).await;
    for first in (0..80).step_by(10) {
        let claim = claim_one(&store).await;
        assert_eq!((claim.chunk.first_index, claim.payload), (first, Ok(payload(first, 2_000))));
        let stored = store.complete(claim.token, unique(10), payload(first, 3_000)).await;
        assert_eq!(stored, Ok(Completion::Stored));
    }
    for first in (0..80).step_by(10) {
        match store.next_result(job, first, TTL).await {
            Ok(NextResult::Chunk(chunk, bytes)) => {
                assert_eq!((chunk.first_index, bytes), (first, payload(first, 3_000)));
            }
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn an_operation_that_is_refused_or_fails_leaves_its_group_alone() {
    let dir = tempfile::tempdir().expect("dir");
    let store = open(dir.path());
    let other = rusqlite::Connection::open(dir.path().join(open::FILE)).expect("second connection");
    other
        .execute_batch(
            "CREATE TRIGGER t BEFORE INSERT ON input WHEN NEW.count = 13 BEGIN SELECT RAISE(ABORT, 'thirteen'); END",
        )
        .expect("trigger");
    let mut jobs = Vec::new();
    for n in 0..30 {
        let Ok(Created::New(record)) = store.create(solve(&n.to_string())).await else { panic!("not new") };
        jobs.push((record.id, store.open_upload(record.id).await.expect("open").epoch));
    }
    let put = |(n, (job, epoch)): (usize, &(JobId, u32))| {
        let (from, items) = [(0, 10), (0, 13), (5, 10)][n % 3];
        store.put_chunks(*job, *epoch, puts(from, 1, items, 100))
    };
    let outcomes = futures::future::join_all(jobs.iter().enumerate().map(put)).await;
    for (n, ((job, _), outcome)) in jobs.iter().zip(outcomes).enumerate() {
        let stored = store.job(*job).await.expect("job").stored;
        match n % 3 {
            0 => assert_eq!((outcome, stored), (Ok(10), 10)),
            1 => assert_eq!((outcome, stored), (Err(StoreError::Broken("thirteen".into())), 0)),
            _ => assert_eq!((outcome, stored), (Err(StoreError::Gap { job: *job, expected: 0, got: 5 }), 0)),
        }
    }
}

#[tokio::test]
async fn a_panic_of_the_writer_hangs_nobody() {
    let dir = tempfile::tempdir().expect("dir");
    let store = open(dir.path());
    let job = job_with(&store, "a", 1, 100).await;
    let broken = Err(StoreError::Broken("the writer ended unexpectedly".into()));
    let panicked = store.writer.run(writer::Load::None, |_| -> Result<(), stage::Halt> { panic!("on purpose") }).await;
    assert_eq!(panicked, broken);
    assert_eq!(store.cancel(job).await.map(drop), broken);
    assert!(store.job(job).await.is_ok(), "what is known can be read");
    assert_eq!(store.close().await, broken);
}

#[tokio::test]
async fn a_directory_is_used_by_one_store_at_a_time() {
    let dir = tempfile::tempdir().expect("dir");
    let store = open(dir.path());
    let refused = Embedded::open(dir.path(), Options::default(), Clock::system()).expect_err("in use");
    assert!(matches!(&refused, OpenError::Locked { dir: named } if named == dir.path()), "{refused}");
    assert!(refused.to_string().contains(&dir.path().display().to_string()), "{refused}");
    store.close().await.expect("close");
    let after_close = open(dir.path());
    drop(store);
    drop(after_close);
    assert_eq!(open(dir.path()).shared.boot, 3);
}

//! Room on the disk: deletes, checkpoints, a full disk.

use super::*;
use crate::store::embedded::writer::Load;
use std::time::Instant;

/// Waits for what the store does by itself.
pub(super) async fn eventually(what: &str, is_true: impl Fn() -> bool) {
    let start = Instant::now();
    while !is_true() {
        assert!(start.elapsed() < Duration::from_secs(100), "{what}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

fn bytes(file: &Path) -> u64 {
    std::fs::metadata(file).expect("size").len()
}

#[tokio::test]
async fn a_deleted_job_gives_its_room_back() {
    let dir = tempfile::tempdir().expect("dir");
    let store = open(dir.path());
    let job = job_with(&store, "goes", 100, 300_000).await;
    let stays = job_with(&store, "stays", 20, 10_000).await;
    assert!(store.stats().await.expect("stats").bytes > 30_000_000);
    assert_eq!(store.delete(job).await.map(drop), Err(StoreError::WrongState { job, state: JobState::Queued }));
    store.cancel(job).await.expect("cancel");
    store.delete(job).await.expect("delete");
    assert_eq!(store.job(job).await, Err(StoreError::NotFound(job)));
    assert_eq!(store.next_result(job, 0, TTL).await.map(drop), Err(StoreError::NotFound(job)));
    eventually("the segments go", || segments(dir.path()).is_empty()).await;
    assert_eq!(store.job(stays).await.expect("job").stored, 200);
    assert!(matches!(store.create(solve("goes")).await, Ok(Created::New(_))), "its request id is free");
    store.close().await.expect("close");

    let store = open(dir.path());
    assert_eq!(store.verify().await, Ok(()));
    let claims = store.claim(5, usize::MAX, TTL).await.expect("claim");
    assert_eq!(claims.iter().map(|claim| claim.job.id).collect::<Vec<_>>(), [stays; 5]);
}

#[tokio::test]
async fn the_database_shrinks_when_small_payloads_go() {
    let dir = tempfile::tempdir().expect("dir");
    let store = open(dir.path());
    let job = job_with(&store, "goes", 2_000, 10_000).await;
    store.cancel(job).await.expect("cancel");
    store.delete(job).await.expect("delete");
    eventually("the file shrinks", || bytes(&store.file) < 8_000_000 && left(&store.file) == 0).await;
}

#[tokio::test]
async fn a_purge_cut_short_goes_on_at_the_next_opening() {
    let dir = tempfile::tempdir().expect("dir");
    let store = open(dir.path());
    let job = job_with(&store, "goes", 100, 300_000).await;
    store.cancel(job).await.expect("cancel");
    store.delete(job).await.expect("delete");
    drop(store);
    let store = open(dir.path());
    eventually("all is purged", || left(&store.file) == 0 && segments(dir.path()).is_empty()).await;
}

/// Rows of deleted jobs.
fn left(file: &Path) -> i64 {
    let db = open::reader(file).expect("reader");
    let count = "SELECT (SELECT count(*) FROM input) + (SELECT count(*) FROM tombstone)";
    db.query_row(count, [], |row| row.get::<_, i64>(0)).expect("count")
}

#[tokio::test]
async fn a_long_log_is_written_back_while_commits_go_on() {
    let dir = tempfile::tempdir().expect("dir");
    let options = Options { checkpoint_bytes: 1 << 20, ..Options::default() };
    let store = Embedded::open(dir.path(), options, Clock::system()).expect("open");
    let job = job_with(&store, "a", 600, 10_000).await;
    eventually("the database holds the input", || bytes(&store.file) > 6_000_000).await;
    assert_eq!(store.job(job).await.expect("job").stored, 6_000);
}

#[tokio::test]
async fn a_full_disk_is_said_and_survived() {
    let dir = tempfile::tempdir().expect("dir");
    let store = open(dir.path());
    let Ok(Created::New(record)) = store.create(solve("a")).await else { panic!("not new") };
    let epoch = store.open_upload(record.id).await.expect("open").epoch;
    let limit = async |pages: u32| {
        let pragma = format!("PRAGMA max_page_count = {pages}");
        let run = move |stage: &mut stage::Stage<'_>| Ok(stage.db.execute_batch(&pragma)?);
        store.writer.run(Load::None, run).await.expect("limit");
    };
    limit(100).await;
    let full = store.put_chunks(record.id, epoch, puts(0, 100, 10, 10_000)).await;
    assert!(matches!(full, Err(StoreError::Full(_))), "{full:?}");
    assert_eq!(store.job(record.id).await.expect("job").stored, 0);
    assert_eq!(store.put_chunks(record.id, epoch, puts(0, 1, 10, 1_000)).await, Ok(10), "a small one fits");
    limit(1_000_000).await;
    assert_eq!(store.put_chunks(record.id, epoch, puts(10, 100, 10, 10_000)).await, Ok(1_010));
    assert_eq!(store.verify().await, Ok(()));
}

#[tokio::test]
async fn a_full_disk_under_the_segments_is_said_and_survived() {
    let dir = tempfile::tempdir().expect("dir");
    let store = open(dir.path());
    let Ok(Created::New(record)) = store.create(solve("a")).await else { panic!("not new") };
    let epoch = store.open_upload(record.id).await.expect("open").epoch;
    let limit = async |bytes: Option<u64>| {
        let run = move |stage: &mut stage::Stage<'_>| {
            stage.segments.limit_room(bytes);
            Ok(())
        };
        store.writer.run(Load::None, run).await.expect("limit");
    };
    let mut reused = 0;
    for (from, room) in [(0, 50_000), (20, 150_000)] {
        let before = segments(dir.path());
        limit(Some(room)).await;
        let full = store.put_chunks(record.id, epoch, puts(from, 2, 10, 100_000)).await;
        assert!(matches!(full, Err(StoreError::Full(_))), "{full:?}");
        assert_eq!(segments(dir.path()), before, "nothing is left of it");
        assert_eq!(store.job(record.id).await.expect("job").stored, from);
        let log = || bytes(&dir.path().join("sudokud.db-wal"));
        let before = log();
        limit(None).await;
        assert_eq!(store.put_chunks(record.id, epoch, puts(from, 2, 10, 100_000)).await, Ok(from + 20));
        reused += usize::from(log() == before);
    }
    // Not where the log was just being written back.
    assert!(reused > 0, "the log is used again");
    drop(store);
    let store = open(dir.path());
    assert_eq!(store.verify().await, Ok(()));
    let claims = store.claim(9, usize::MAX, TTL).await.expect("claim");
    assert!(claims.iter().all(|claim| claim.payload == Ok(payload(claim.chunk.first_index, 100_000))));
    assert_eq!(claims.len(), 4);
}

//! Faults of ours: panics, damaged input, poison. Each costs the items concerned and nothing else.

use super::fixture::*;
use crate::engine::context::Context;
use crate::engine::lanes::Lanes;
use crate::engine::work::work;
use crate::job::codec::{Detail, ItemError};
use crate::job::{ChunkRef, GenerateSpec, GenerateWork, JobId, JobState, RateWork, Work};
use crate::store::memory::MemoryStore;
use crate::store::{ChunkRecord, JobStore, PutChunk};
use crate::sudoku::generate::puzzle::PuzzleSpec;
use crate::sudoku::{Kernel, Outcome};
use bytes::Bytes;
use std::sync::Arc;

/// Where an item is FAILED: its index and why.
fn failed(items: &[(u32, crate::job::codec::ItemResult)]) -> Vec<(u32, String, String)> {
    let failed = items.iter().filter(|(_, item)| item.outcome == Outcome::Failed);
    let why = failed.map(|(i, item)| match &item.error {
        Some(ItemError::Fault { reason, message }) => (*i, reason.clone(), message.clone()),
        other => panic!("item {i} is FAILED without a fault: {other:?}"),
    });
    why.collect()
}

#[tokio::test]
async fn a_panic_fails_its_own_item_only() {
    let poison = grid(&shifted(UNIQUE, 1));
    let solver = Hooked::new(move |puzzles, _| {
        assert!(!puzzles.contains(&poison), "a bad bug");
        true
    });
    let f = Fixture::with_solver(1, options(64), solver);
    let lines: Vec<String> = (0..40).map(|i| shifted(UNIQUE, if i == 17 { 1 } else { 0 })).collect();
    let job = f.submit("panics", &lines).await;
    let ended = f.ended(job).await;
    assert_eq!(ended.state, JobState::Succeeded);
    assert_eq!((ended.counts.get(Outcome::Unique), ended.counts.get(Outcome::Failed)), (39, 1));
    let items = f.follow(job, 0).await;
    assert_eq!(failed(&items), [(17, "WORKER_PANIC".into(), "a bad bug".into())]);
    assert_eq!(items[18].1.grid, Some(grid(SOLUTION)));
}

#[tokio::test]
async fn damaged_input_fails_its_chunk_only() {
    let f = Fixture::new(1, options(4));
    let (job, mut upload) = f.upload("damaged").await;
    upload.puzzles(None, &vec![UNIQUE.to_owned(); 4]).await.expect("taken");
    upload.flush().await.expect("stored");
    let grant = f.store.open_upload(job).await.expect("taken over");
    let chunk = ChunkRef { first_index: 4, count: 3 };
    let damaged = PutChunk { chunk, payload: Bytes::from_static(b"no puzzles") };
    f.store.put_chunks(job, grant.epoch, vec![damaged]).await.expect("stored");
    f.store.seal(job, grant.epoch, 7).await.expect("sealed");
    assert_eq!(f.ended(job).await.state, JobState::Succeeded);
    let items = f.follow(job, 0).await;
    let (indices, reasons): (Vec<u32>, Vec<String>) = failed(&items).into_iter().map(|(i, r, _)| (i, r)).unzip();
    assert_eq!((indices, reasons), (vec![4, 5, 6], vec!["INPUT_DAMAGED".to_owned(); 3]));
}

/// A chunk of 5 in a store that nobody else works on, worked on with this record.
async fn with_record(record: ChunkRecord) -> (Arc<MemoryStore>, Fixture, JobId) {
    let f = Fixture::new(0, options(8));
    let job = f.submit("poison", &vec![UNIQUE.to_owned(); 5]).await;
    work_on(&f, record).await;
    (Arc::clone(&f.store), f, job)
}

/// Works on the store's only chunk with this record.
async fn work_on(f: &Fixture, record: ChunkRecord) {
    let compute = compute(1, f.engine.options());
    let context = Context::new(f.store.clone(), compute, options(8), Arc::new(Kernel::default()));
    let mut claim = f.store.claim(1, usize::MAX, LONG).await.expect("claimed").remove(0);
    claim.record = record;
    work(&context, &Lanes::new(1), claim, None).await;
}

#[tokio::test]
async fn condemned_items_of_other_work_are_failed_too() {
    for suspect in [None, Some((3, 3))] {
        let record = ChunkRecord { crashes: 7, suspect, condemned: vec![3, 1], ..ChunkRecord::default() };
        // Chunks of 16: 32 times smaller than those to solve.
        let f = Fixture::new(0, options(512));
        let rate = spec(Work::Rate(RateWork { node_limit: None }));
        let opened = f.open("rate", rate).await.expect("opened");
        let mut upload = opened.upload.expect("an upload");
        upload.puzzles(None, &vec![UNIQUE.to_owned(); 5]).await.expect("taken");
        upload.finish(None).await.expect("sealed");
        work_on(&f, record.clone()).await;
        check_condemned(&f, opened.job.id).await;

        let f = Fixture::new(0, options(512));
        let puzzles = GenerateSpec::Puzzles { puzzles: PuzzleSpec::default() };
        let work = GenerateWork { spec: puzzles, count: 5, seed: Some(7), generator_version: None };
        let job = f.open("make", spec(Work::Generate(work))).await.expect("opened").job.id;
        f.until(job, |job| job.stored == 5).await;
        work_on(&f, record).await;
        check_condemned(&f, job).await;
        let made = f.engine.compute().generate_puzzles(PuzzleSpec::default(), 5, 7).await.expect("made");
        let (i, last) = f.follow(job, 4).await.remove(0);
        assert_eq!((i, last.detail), (4, Some(Detail::Puzzle(made[4].puzzle))), "the others are what they would be");
    }
}

async fn check_condemned(f: &Fixture, job: JobId) {
    let items = f.follow(job, 0).await;
    let (indices, reasons): (Vec<u32>, Vec<String>) = failed(&items).into_iter().map(|(i, r, _)| (i, r)).unzip();
    assert_eq!((indices, reasons), (vec![1, 3], vec!["WORKER_CRASH".to_owned(); 2]));
    assert_eq!(f.ended(job).await.counts.get(Outcome::Unique), 3);
}

#[tokio::test]
async fn condemned_items_are_failed_and_the_others_run_one_by_one() {
    let record = ChunkRecord { crashes: 12, suspect: Some((3, 3)), condemned: vec![3, 1], ..ChunkRecord::default() };
    let (_, f, job) = with_record(record).await;
    assert_eq!(f.ended(job).await.state, JobState::Succeeded);
    let items = f.follow(job, 0).await;
    let (indices, reasons): (Vec<u32>, Vec<String>) = failed(&items).into_iter().map(|(i, r, _)| (i, r)).unzip();
    assert_eq!((indices, reasons), (vec![1, 3], vec!["WORKER_CRASH".to_owned(); 2]));
    assert_eq!(f.ended(job).await.counts.get(Outcome::Unique), 3);
}

#[tokio::test]
async fn a_suspect_is_condemned_before_anything_runs() {
    let record = ChunkRecord { crashes: 11, suspect: Some((3, 3)), ..ChunkRecord::default() };
    let (store, f, job) = with_record(record).await;
    assert_eq!(f.engine.job(&f.me, job).await.expect("a job").done(), 0);
    let claim = store.claim(1, usize::MAX, LONG).await.expect("claimed").remove(0);
    assert_eq!((claim.record.condemned, claim.record.failures), (vec![3], 1));
}

#[tokio::test]
async fn a_chunk_that_failed_too_often_is_given_up() {
    let (_, f, job) = with_record(ChunkRecord { failures: 8, ..ChunkRecord::default() }).await;
    let ended = f.ended(job).await;
    assert_eq!((ended.state, ended.counts.get(Outcome::Failed)), (JobState::Succeeded, 5));
    assert!(failed(&f.follow(job, 0).await).iter().all(|(_, reason, _)| reason == "WORKER_PANIC"));
}

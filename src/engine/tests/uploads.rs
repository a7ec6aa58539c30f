//! Uploading: places, resuming, taking over, cutting, limits.

use super::fixture::*;
use crate::engine::{EngineError, Options};
use crate::job::JobState;
use crate::store::StoreError;
use crate::sudoku::Outcome::{Invalid, Multiple, Unique, Unsolvable};
use crate::sudoku::text::FaultKind;
use std::time::Duration;

/// Lines of every kind, and what becomes of them.
fn mixed(count: usize) -> (Vec<String>, Vec<crate::sudoku::Outcome>) {
    let kinds = [(UNIQUE, Unique), (MULTIPLE, Multiple), (INVALID, Invalid), (UNSOLVABLE, Unsolvable)];
    (0..count).map(|i| if i % 7 > 3 { kinds[0] } else { kinds[i % 7] }).map(|(line, o)| (line.to_owned(), o)).unzip()
}

#[tokio::test]
async fn a_job_of_all_kinds_in_odd_blocks_answers_every_item() {
    let f = Fixture::new(2, options(64));
    let (lines, expected) = mixed(1_000);
    let (job, mut upload) = f.upload("mixed").await;
    let mut rest = &lines[..];
    for size in [1, 63, 2, 129, 7].into_iter().cycle() {
        let (block, after) = rest.split_at(size.min(rest.len()));
        if size % 2 == 0 {
            upload.puzzles(None, block).await.expect("taken");
        } else {
            upload.text(None, format!("# a block\n\n{}\r\n", block.join("\r\n")).as_bytes()).await.expect("taken");
        }
        rest = after;
        if rest.is_empty() {
            break;
        }
    }
    upload.finish(Some(1_000)).await.expect("sealed");
    assert_eq!(f.outcomes(job).await, expected);
    let ended = f.ended(job).await;
    assert_eq!((ended.state, ended.total, ended.done()), (JobState::Succeeded, Some(1_000), 1_000));
    let items = f.follow(job, 0).await;
    assert_eq!(items[0].1.grid.expect("a grid"), grid(SOLUTION));
    let Some(crate::job::codec::ItemError::Text(fault)) = &items[2].1.error else { panic!("{:?}", items[2]) };
    assert_eq!((fault.kind, fault.column, fault.detail), (FaultKind::Character, 8, u32::from('?')));
    f.engine.close(LONG).await.expect("closed");
}

#[tokio::test]
async fn an_empty_job_succeeds_at_once() {
    let f = Fixture::new(1, options(64));
    let (_, mut upload) = f.upload("empty").await;
    upload.text(None, b"# nothing\n\n").await.expect("taken");
    let sealed = upload.finish(None).await.expect("sealed");
    assert_eq!((sealed.state, sealed.total), (JobState::Succeeded, Some(0)));
}

#[tokio::test]
async fn blocks_say_where_they_begin() {
    let f = Fixture::new(0, options(4));
    let lines = mixed(10).0;
    let (_, mut upload) = f.upload("places").await;
    upload.puzzles(Some(0), &lines[..3]).await.expect("the first block may say it too");
    let gap = upload.puzzles(Some(4), &lines[4..]).await;
    assert_eq!(gap, Err(EngineError::Gap { expected: 3, got: 4 }));
    upload.puzzles(Some(1), &lines[1..5]).await.expect("items taken before are skipped");
    upload.text(Some(0), lines[..2].join("\n").as_bytes()).await.expect("all of them skipped");
    assert_eq!(upload.flush().await, Ok(5));
    upload.puzzles(None, &lines[5..]).await.expect("the stream that created the job need not say");
    assert_eq!(upload.flush().await, Ok(10));
    let wrong = upload.finish(Some(11)).await.expect_err("11 were announced");
    assert!(matches!(&wrong, EngineError::Invalid { field, .. } if field == "finish.total_count"), "{wrong}");
    assert_eq!(upload.finish(Some(10)).await.expect("sealed").total, Some(10));
    let late = upload.puzzles(None, &lines).await;
    let late = if late.is_ok() { upload.flush().await.map(drop) } else { late };
    assert!(matches!(late, Err(EngineError::WrongState { state: JobState::Queued, .. })), "{late:?}");
}

#[tokio::test]
async fn a_newer_stream_takes_over_and_goes_on_where_the_store_stands() {
    let f = Fixture::new(1, options(4));
    let (lines, expected) = mixed(30);
    let (job, mut old) = f.upload("resumed").await;
    old.puzzles(None, &lines[..10]).await.expect("taken");
    assert_eq!(old.flush().await, Ok(10));
    old.puzzles(None, &lines[10..11]).await.expect("taken, never flushed");

    let again = f.open("resumed", solve_spec()).await.expect("opened");
    assert_eq!((again.job.id, again.created), (job, false));
    let mut new = again.upload.expect("an upload");
    assert_eq!((new.next_index(), *new.progress().borrow()), (10, 10));
    let unplaced = new.puzzles(None, &lines[10..]).await.expect_err("it must say where");
    assert!(matches!(&unplaced, EngineError::Invalid { field, .. } if field == "block.first_index"), "{unplaced}");
    new.puzzles(Some(3), &lines[3..17]).await.expect("a block that straddles what is stored");
    assert_eq!(new.flush().await, Ok(17));

    let fenced = old.flush().await.expect_err("fenced");
    assert!(matches!(fenced, EngineError::Store(StoreError::Fenced { .. })), "{fenced}");
    let still = old.puzzles(None, &lines[11..]).await.expect_err("and stays so");
    assert!(matches!(still, EngineError::Store(StoreError::Fenced { .. })), "{still}");
    assert!(old.progress().wait_for(|&stored| stored > 10).await.is_err(), "the cell tells it to who only waits");

    new.text(Some(17), lines[17..].join("\n").as_bytes()).await.expect("taken");
    new.finish(Some(30)).await.expect("sealed");
    assert_eq!(f.outcomes(job).await, expected);
    let sealed = f.open("resumed", solve_spec()).await.expect("opened");
    assert!(sealed.upload.is_none() && sealed.job.total == Some(30));
}

#[tokio::test]
async fn another_spec_or_principal_is_another_matter() {
    let mut f = Fixture::new(0, options(4));
    let (job, _upload) = f.upload("mine").await;
    let mut other = solve_spec();
    other.time_to_live_s = Some(60);
    let conflict = f.open("mine", other.clone()).await.err();
    assert_eq!(conflict, Some(EngineError::Conflict { request_id: "mine".into(), job }));
    other.time_to_live_s = Some(u64::MAX);
    assert!(matches!(f.open("new", other).await.err(), Some(EngineError::Invalid { .. })));
    f.me = crate::job::Principal::new("somebody").expect("a name");
    assert_ne!(f.upload("mine").await.0, job);
    let missing = Err(EngineError::Store(StoreError::NotFound(job)));
    assert_eq!(f.engine.job(&f.me, job).await, missing);
    assert_eq!(f.engine.changed(&f.me, job, 0, Duration::ZERO).await, missing);
    assert_eq!(f.engine.cancel(&f.me, job).await, missing);
    assert_eq!(f.engine.delete(&f.me, job).await.err(), missing.clone().err());
    assert_eq!(f.engine.results(&f.me, job, 0, false).await.err(), missing.err());
    let unnamed = f.engine.open(&f.me, None, solve_spec()).await.expect("opened");
    assert!(unnamed.created && unnamed.upload.is_some());
}

#[tokio::test]
async fn partial_chunks_wait_until_they_are_cut() {
    let f = Fixture::new(0, options(4));
    let lines = mixed(6).0;
    let (_, mut upload) = f.upload("partial").await;
    let mut progress = upload.progress();
    upload.puzzles(None, &lines).await.expect("taken");
    progress.wait_for(|&stored| stored == 4).await.expect("the full chunk goes by itself");
    assert!(upload.has_partial());
    upload.cut().await.expect("cut");
    assert!(!upload.has_partial());
    progress.wait_for(|&stored| stored == 6).await.expect("and then the rest");
    assert_eq!(upload.flush().await, Ok(6));
}

#[tokio::test]
async fn limits_are_named_and_what_fits_is_taken() {
    // A buffer smaller than one chunk still lets chunks through, one at a time.
    let f = Fixture::new(0, Options { max_job_items: 9, upload_buffer_bytes: 64, ..options(4) });
    let (_, mut upload) = f.upload("many").await;
    let full = upload.puzzles(None, &mixed(10).0).await.expect_err("one too many");
    assert!(matches!(&full, EngineError::Exhausted { problem, .. } if problem.contains("at most 9 items")), "{full}");
    assert_eq!(upload.flush().await, Ok(9));
    f.engine.drain();
    assert_eq!(upload.puzzles(Some(0), &mixed(1).0).await, Err(EngineError::Draining));
    assert_eq!(f.open("late", solve_spec()).await.err(), Some(EngineError::Draining));
    assert_eq!(upload.finish(None).await.expect("finishing is still possible").total, Some(9));
}

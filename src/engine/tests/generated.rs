//! Generated jobs: fed, made, resumed.

use super::fixture::{self, *};
use crate::engine::{EngineError, Explain, Options};
use crate::job::codec::{Detail, ItemError};
use crate::job::{GenerateSpec, GenerateWork, JobState, Work};
use crate::store::memory::MemoryStore;
use crate::sudoku::generate::puzzle::{Blanks, PuzzleSpec, Symmetry, Wish};
use crate::sudoku::generate::{CompleteSpec, Completer, Family};
use crate::sudoku::logic::Level;
use crate::sudoku::{Kernel, Outcome};
use std::sync::Arc;
use std::time::{Duration, Instant};

const SHIFTED: CompleteSpec = CompleteSpec { first_cell: 5, family: Family::Shift };

fn grids(count: u32, seed: Option<u64>) -> crate::job::BatchSpec {
    let spec = GenerateSpec::Grids(SHIFTED);
    fixture::spec(Work::Generate(GenerateWork { spec, count, seed, generator_version: None }))
}

#[tokio::test]
async fn every_grid_of_the_sequence_is_made_once() {
    let f = Fixture::new(2, options(256));
    let opened = f.open("grids", grids(20_000, Some(7))).await.expect("opened");
    assert!(opened.upload.is_none() && opened.created);
    let items = f.follow(opened.job.id, 0).await;
    assert_eq!(items.len(), 20_000);
    let completer = Completer::new(SHIFTED, 7);
    for (i, (index, item)) in items.iter().enumerate() {
        assert_eq!((*index as usize, item.outcome, item.grid), (i, Outcome::Found, Some(completer.item(i as u64))));
    }
    let ended = f.ended(opened.job.id).await;
    assert_eq!((ended.state, ended.counts.get(Outcome::Found)), (JobState::Succeeded, 20_000));
}

fn puzzles(puzzles: PuzzleSpec, count: u32) -> crate::job::BatchSpec {
    let spec = GenerateSpec::Puzzles { puzzles };
    fixture::spec(Work::Generate(GenerateWork { spec, count, seed: Some(7), generator_version: None }))
}

#[tokio::test]
async fn puzzles_are_those_of_the_call_in_chunks_of_any_size() {
    let wished = PuzzleSpec { min_clues: Some(26), max_clues: Some(30), ..PuzzleSpec::default() };
    for (spec, outcome) in [
        (wished, Outcome::Unique),
        (PuzzleSpec { level: Some(Level::Easy), ..PuzzleSpec::default() }, Outcome::Unique),
        (PuzzleSpec { allow_multiple: true, max_clues: Some(20), ..PuzzleSpec::default() }, Outcome::Found),
    ] {
        let expected = compute(0, &Options::default()).generate_puzzles(spec, 40, 7).await.expect("made");
        for chunk_items in [48, 8_192] {
            let f = Fixture::new(2, options(chunk_items));
            let job = f.open("puzzles", puzzles(spec, 40)).await.expect("opened").job.id;
            let items = f.follow(job, 0).await;
            assert_eq!(items.len(), 40);
            for ((i, item), made) in items.iter().zip(&expected) {
                assert_eq!((item.outcome, item.grid), (outcome, Some(made.solution)), "item {i}");
                assert_eq!(item.detail, Some(Detail::Puzzle(made.puzzle)), "item {i}");
            }
            assert_eq!(f.ended(job).await.counts.get(outcome), 40);
        }
    }
}

/// Wishes that no pattern meets, which no check finds out: one given in each row, in full symmetry.
const HOPELESS: PuzzleSpec = PuzzleSpec {
    level: None,
    er: None,
    min_clues: None,
    max_clues: None,
    symmetry: Symmetry::Full,
    minimal: false,
    blanks_per_row: Some(Blanks { min: 8, max: 8 }),
    allow_multiple: true,
};

#[tokio::test]
async fn a_wish_that_no_attempt_meets_is_named() {
    let unmet = compute(0, &Options::default()).generate_puzzles(HOPELESS, 1, 7).await.expect_err("not met");
    let EngineError::Unmet { item: 0, shortfall } = unmet else { panic!("{unmet:?}") };
    assert_eq!(shortfall.wish, Wish::Clues);
    let f = Fixture::new(1, options(8_192));
    let job = f.open("hopeless", puzzles(HOPELESS, 1)).await.expect("opened").job.id;
    let items = f.follow(job, 0).await;
    let Some(ItemError::Fault { reason, message }) = &items[0].1.error else { panic!("{items:?}") };
    assert_eq!((reason.as_str(), message), ("GENERATION_FAILED", &shortfall.to_string()));
}

#[tokio::test]
async fn making_without_end_is_left_by_a_dropped_call_and_a_cancel() {
    let f = Fixture::new(1, options(8_192));
    let call = f.engine.compute().generate_puzzles(HOPELESS, 1_000, 7);
    assert!(tokio::time::timeout(Duration::from_millis(20), call).await.is_err());
    let job = f.open("endless", puzzles(HOPELESS, 1_000_000)).await.expect("opened").job.id;
    f.until(job, |job| job.started.is_some()).await;
    let begin = Instant::now();
    f.engine.cancel(&f.me, job).await.expect("cancelled");
    assert_eq!(f.ended(job).await.state, JobState::Cancelled);
    // The lane and the thread are free.
    let compute = f.engine.compute();
    compute
        .explain(Explain { puzzle: grid(UNIQUE), max_steps: 1, node_limit: 9, until: None })
        .await
        .expect("explained");
    assert_eq!(compute.pool().batch(|_| 5).await, Ok(5));
    assert!(begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());
}

#[tokio::test]
async fn a_drawn_seed_is_kept_and_equal_specs_are_one_job() {
    let f = Fixture::new(0, options(256));
    let first = f.open("drawn", grids(10, None)).await.expect("opened");
    let again = f.open("drawn", grids(10, None)).await.expect("opened");
    assert_eq!(first.job.spec, again.job.spec);
    assert!(matches!(&first.job.spec.work, Work::Generate(work) if work.seed.is_some()));
    assert!(f.open("drawn", grids(10, Some(1))).await.is_err());
}

#[tokio::test]
async fn feeding_stays_ahead_and_goes_on_after_a_restart() {
    let (store, solver) = (Arc::new(MemoryStore::default()), Arc::new(Kernel::default()));
    let f = Fixture::over(Arc::clone(&store), 0, options(10), solver.clone());
    let job = f.open("restarted", grids(2_000, Some(7))).await.expect("opened").job.id;
    let waiting = f.until(job, |job| job.stored > 0).await;
    assert_eq!((waiting.stored, waiting.total), (640, Some(2_000)), "64 chunks of 10 ahead, no more");
    f.engine.drain();
    f.engine.end_tasks(LONG).await;
    drop(f);
    let f = Fixture::over(store, 1, Options { sweep_every: Duration::from_millis(20), ..options(10) }, solver);
    assert_eq!(f.ended(job).await.counts.get(Outcome::Found), 2_000);
}

#[tokio::test]
async fn calls_are_checked_and_give_the_same_sequence() {
    let compute = compute(0, &Options::default());
    let made = compute.generate(SHIFTED, 1_000, 7).await.expect("made");
    let completer = Completer::new(SHIFTED, 7);
    assert!(made.iter().enumerate().all(|(i, grid)| *grid == completer.item(i as u64)));
    for (spec, count, wrong) in [
        (SHIFTED, 0, "count"),
        (SHIFTED, 1_001, "count"),
        (CompleteSpec { first_cell: 10, ..SHIFTED }, 1, "grid.first_cell"),
    ] {
        let refused = compute.generate(spec, count, 7).await.expect_err("out of range");
        assert!(matches!(&refused, EngineError::Invalid { field, .. } if field == wrong), "{refused}");
    }
    let contradiction = PuzzleSpec { min_clues: Some(30), max_clues: Some(20), ..PuzzleSpec::default() };
    for (spec, count, wrong) in
        [(HOPELESS, 0, "count"), (HOPELESS, 1_001, "count"), (contradiction, 1, "puzzle.min_clues")]
    {
        let refused = compute.generate_puzzles(spec, count, 7).await.expect_err("out of range");
        assert!(matches!(&refused, EngineError::Invalid { field, .. } if field == wrong), "{refused}");
    }
}

//! Generated jobs: fed, made, resumed.

use super::fixture::*;
use crate::engine::{EngineError, Options};
use crate::job::{GenerateWork, JobState, Work};
use crate::store::memory::MemoryStore;
use crate::sudoku::generate::{CompleteSpec, Completer, Family};
use crate::sudoku::{Kernel, Outcome};
use std::sync::Arc;
use std::time::Duration;

const SHIFTED: CompleteSpec = CompleteSpec { first_cell: 5, family: Family::Shift };

fn grids(count: u32, seed: Option<u64>) -> crate::job::BatchSpec {
    spec(Work::Generate(GenerateWork { spec: SHIFTED, count, seed, generator_version: None }))
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
}

//! Fairness: small jobs beside large ones, and beside hard ones.

use super::fixture::*;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};

#[tokio::test]
async fn a_small_job_is_done_long_before_a_large_one() {
    let (gate, wait) = mpsc::channel::<()>();
    let wait = Mutex::new(Some(wait));
    let solver = Hooked::new(move |_, _| {
        if let Some(wait) = wait.lock().expect("not poisoned").take() {
            assert!(wait.recv().is_err());
        }
        true
    });
    let f = Fixture::with_solver(1, options(8), Arc::clone(&solver) as _);
    let large = f.submit("large", &vec![UNIQUE.to_owned(); 8 * 200]).await;
    let small_puzzle = shifted(UNIQUE, 1);
    let small = f.submit("small", &vec![small_puzzle.clone(); 10]).await;
    drop(gate);
    assert_eq!(f.ended(small).await.done(), 10);
    assert_eq!(f.ended(large).await.done(), 1_600);
    let calls = solver.calls.lock().expect("not poisoned");
    let last = calls.iter().rposition(|(puzzle, _)| *puzzle == grid(&small_puzzle)).expect("solved");
    assert_eq!(calls.len(), 202);
    assert!(last < 12, "the last of the small job's two chunks was number {last} of 202");
}

#[tokio::test]
async fn a_small_job_does_not_wait_for_hard_ones() {
    let easy = shifted(UNIQUE, 1);
    let easy_grid = grid(&easy);
    let solver = Hooked::new(move |puzzles, pace| {
        if puzzles[0] == easy_grid {
            return true;
        }
        spin(pace);
        false
    });
    let f = Fixture::with_solver(1, options(100), solver);
    // Each puzzle takes a whole turn of 100 ms: the ten chunks would take 100 s.
    let hard = f.submit("hard", &vec![UNIQUE.to_owned(); 1_000]).await;
    f.until(hard, |job| job.started.is_some()).await;
    let small = f.submit("small", &vec![easy; 10]).await;
    assert_eq!(f.ended(small).await.done(), 10);
    assert_eq!(f.engine.job(&f.me, hard).await.expect("a job").done(), 0, "no hard chunk is done yet");
    f.engine.cancel(&f.me, hard).await.expect("cancelled");
    f.ended(hard).await;
}

#[tokio::test]
async fn what_outlasts_its_turns_goes_on_where_it_stood() {
    let turns = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&turns);
    let solver = Hooked::new(move |_, pace| {
        if counted.fetch_add(1, Ordering::Relaxed) >= 2 {
            return true;
        }
        spin(pace);
        false
    });
    let f = Fixture::with_solver(1, options(8), Arc::clone(&solver) as _);
    let job = f.submit("long", &[UNIQUE.to_owned(), shifted(UNIQUE, 1), UNIQUE.to_owned()]).await;
    let grids: Vec<_> = f.follow(job, 0).await.into_iter().map(|(_, item)| item.grid).collect();
    assert_eq!(grids, [0, 1, 0].map(|shift| Some(grid(&shifted(SOLUTION, shift)))));
    assert!(turns.load(Ordering::Relaxed) >= 3);
    assert_eq!(*solver.calls.lock().expect("not poisoned"), [(grid(UNIQUE), 3)], "one search over all puzzles");
}

//! Ratings: of batches, and explanations of one puzzle.

use super::fixture::*;
use crate::engine::{EngineError, Explain, Explanation, Options};
use crate::job::codec::{Detail, ItemError, ItemResult};
use crate::job::{BatchSpec, JobId, JobState, RateWork, Work};
use crate::sudoku::Outcome::{self, Failed, Invalid, Multiple, Undecided, Unique, Unsolvable};
use crate::sudoku::logic::{Rated, Rating, Score};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// ER 3.6, EP and ED 1.2: a naked triplet.
const MEDIUM: &str = "..16.8..4.5......9...4.3.....8..6.71...74........89..514..6.......5.7....3....96.";
/// ER 4.5, EP and ED 1.2: a unique rectangle.
const HARD: &str = "......23.......1.7.......49.1.8.6....2.3.46..8.9.1......1.7.3..2......8.43..289..";
/// Its first steps are long searches.
const HARDEST: &str = "...5..6.9....2..3..7...9..8..2.....5.6.8..9..1......4.3..2.1....9.7.5.....1.4....";
/// No two givens clash, yet there is no solution.
const DEAD: &str = "12345678.........9...............................................................";

fn rating_spec(node_limit: Option<u64>) -> BatchSpec {
    spec(Work::Rate(RateWork { node_limit }))
}

async fn submit(f: &Fixture, spec: BatchSpec, lines: &[&str]) -> JobId {
    let opened = f.open("rated", spec).await.expect("opened");
    let mut upload = opened.upload.expect("an upload");
    upload.text(None, lines.join("\n").as_bytes()).await.expect("taken");
    upload.finish(None).await.expect("sealed");
    opened.job.id
}

fn tenths(item: &ItemResult) -> Option<[u8; 3]> {
    match item.detail {
        Some(Detail::Rating(Rating { er, ep, ed })) => Some([er.0, ep.0, ed.0]),
        _ => None,
    }
}

/// Of each kind of item what it is, and what becomes of it.
const KINDS: [(&str, Outcome, Option<[u8; 3]>); 7] = [
    (UNIQUE, Unique, Some([12, 12, 12])),
    (MULTIPLE, Multiple, None),
    (MEDIUM, Unique, Some([36, 12, 12])),
    (INVALID, Invalid, None),
    (HARD, Unique, Some([45, 12, 12])),
    (DEAD, Unsolvable, None),
    (SOLUTION, Unique, Some([0, 0, 0])),
];

#[tokio::test]
async fn each_kind_of_item_has_its_result() {
    // Chunks of one item, of some, and of all.
    for chunk_items in [1, 96, 32_768] {
        let f = Fixture::new(2, options(chunk_items));
        let lines: Vec<&str> = KINDS.iter().map(|kind| kind.0).cycle().take(70).collect();
        let job = submit(&f, rating_spec(None), &lines).await;
        let items = f.follow(job, 0).await;
        assert_eq!(items.len(), 70);
        for ((i, item), (line, outcome, rating)) in items.iter().zip(KINDS.iter().cycle()) {
            assert_eq!((item.outcome, tenths(item)), (*outcome, *rating), "item {i}");
            assert_eq!(item.grid.is_some_and(|grid| grid.extends(&self::grid(line))), *outcome == Unique, "item {i}");
        }
        let ended = f.ended(job).await;
        assert_eq!((ended.state, ended.counts.get(Unique)), (JobState::Succeeded, 40));
    }
}

#[tokio::test]
async fn a_node_limit_leaves_items_undecided() {
    let f = Fixture::new(1, options(64));
    let job = submit(&f, rating_spec(Some(1)), &[UNIQUE, MULTIPLE]).await;
    assert_eq!(f.outcomes(job).await, [Unique, Undecided]);
}

#[tokio::test]
async fn a_panic_fails_its_own_item_only() {
    let poison = grid(MEDIUM);
    let solver = Hooked::new(move |puzzles, _| {
        assert!(puzzles[0] != poison, "a bad bug");
        true
    });
    let f = Fixture::with_solver(1, options(256), solver);
    let job = submit(&f, rating_spec(None), &[UNIQUE, MEDIUM, HARD]).await;
    let items = f.follow(job, 0).await;
    assert_eq!(items.iter().map(|(_, item)| item.outcome).collect::<Vec<_>>(), [Unique, Failed, Unique]);
    let Some(ItemError::Fault { reason, message }) = &items[1].1.error else { panic!("{items:?}") };
    assert_eq!((reason.as_str(), message.as_str()), ("WORKER_PANIC", "a bad bug"));
}

/// A solver whose ratings work until told to stop.
fn endless() -> Arc<Hooked> {
    Hooked::new(|_, pace| {
        spin(pace);
        false
    })
}

#[tokio::test]
async fn ratings_without_end_take_turns_and_are_cancelled_at_once() {
    let f = Fixture::with_solver(1, options(256), endless());
    let job = submit(&f, rating_spec(None), &[HARD; 100]).await;
    f.until(job, |job| job.started.is_some()).await;
    // The only thread is free between turns.
    for _ in 0..3 {
        assert_eq!(f.engine.compute().pool().batch(|_| 5).await, Ok(5));
    }
    let begin = Instant::now();
    f.engine.cancel(&f.me, job).await.expect("cancelled");
    assert_eq!(f.ended(job).await.state, JobState::Cancelled);
    assert!(begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());
    assert_eq!(f.engine.compute().pool().batch(|_| 5).await, Ok(5));
}

fn asked(puzzle: &str, max_steps: u32) -> Explain {
    Explain { puzzle: grid(puzzle), max_steps, node_limit: 1_000_000, until: None }
}

#[tokio::test]
async fn a_puzzle_is_explained_to_its_end_or_by_a_hint() {
    let compute = compute(0, &Options::default());
    let Explanation { explained: whole, canonical } =
        compute.explain(asked(MEDIUM, u32::MAX)).await.expect("explained");
    assert_eq!(canonical, crate::sudoku::canonical(&grid(MEDIUM)));
    let rating = Rating { er: Score(36), ep: Score(12), ed: Score(12) };
    assert_eq!(whole.rated, Rated::Rated(rating));
    let first = whole.steps[0].placement.expect("a digit");
    assert_eq!((first.0.to_string().as_str(), first.1), ("r5c8", 9));
    let hint = compute.explain(asked(MEDIUM, 1)).await.expect("explained").explained;
    assert_eq!(
        (hint.steps.as_slice(), hint.rated),
        (&whole.steps[..1], Rated::AtLeast(Rating { er: rating.ed, ..rating }))
    );
}

#[tokio::test]
async fn what_has_no_rating_is_refused_with_the_reason() {
    let compute = compute(0, &Options::default());
    for (puzzle, outcome, words) in [
        (DEAD, Unsolvable, "puzzle has no solution, so"),
        (UNSOLVABLE, Unsolvable, "puzzle has no solution: equal givens clash in r1c1 r1c2"),
        (MULTIPLE, Multiple, "puzzle has several solutions"),
    ] {
        let refused = compute.explain(asked(puzzle, u32::MAX)).await.expect_err("it has no rating");
        assert!(matches!(&refused, EngineError::NotUnique { outcome: why, .. } if *why == outcome), "{refused:?}");
        assert!(refused.to_string().starts_with(words), "{refused}");
    }
    let limited = Explain { node_limit: 1, ..asked(MULTIPLE, 1) };
    let refused = compute.explain(limited).await.expect_err("not known");
    assert!(
        matches!(&refused, EngineError::Exhausted { problem, .. } if problem.contains("1 search nodes")),
        "{refused}"
    );
    let late = Explain { until: Some(Instant::now()), ..asked(MEDIUM, u32::MAX) };
    let part = compute.explain(late).await;
    assert!(part.is_err() || matches!(&part, Ok(part) if part.explained.steps.is_empty()), "{part:?}");
}

#[tokio::test]
async fn a_long_explanation_delays_nobody_and_gives_its_part_when_it_must() {
    // One interactive thread, and a search of far more than a quantum on it.
    let compute = compute(0, &Options::default());
    let until = Instant::now() + Duration::from_millis(300);
    let long = tokio::spawn({
        let compute = compute.clone();
        async move { compute.explain(Explain { until: Some(until), ..asked(HARDEST, u32::MAX) }).await }
    });
    tokio::time::sleep(Duration::from_millis(20)).await;
    let hint = compute.explain(asked(MEDIUM, 1)).await.expect("explained").explained;
    assert!(hint.steps.len() == 1 && !long.is_finished(), "it need not wait for the long one");
    let part = long.await.expect("no panic").expect("a part").explained;
    assert!(matches!(part.rated, Rated::AtLeast(_)), "{:?}", part.rated);
    assert!(Instant::now() < until + Duration::from_secs(5), "the search minds the time");
}

//! Slow puzzles among easy ones: the easy ones don't wait for them, and a node limit ends them.

use super::support::{Road, digits, on_each_vector};
use crate::sudoku::kernel::search::Search;
use crate::sudoku::kernel::searcher::Searcher;
use crate::sudoku::kernel::vector::Vector;
use crate::sudoku::outcome::{Limits, Outcome};

/// Puzzles that take a guess or two at most.
const EASY: [&str; 3] = [
    "16...2.9...487...67.8.193.......6..3935.8..7...2.5....4.72....1..9.65..83....15.4",
    ".73.8...29.43...812......6.495.176..6...4.....8.2...5...1.7854.75..2...9...16..3.",
    ".78...1...5.6.9...3.4.2..5.26..87..3.19..3......5...46.....257...173.8..9...15.62",
];
const EASY_COUNT: usize = 3_000;

/// No solution, and some thousand guesses until that is proven (Norvig, "Solving Every Sudoku Puzzle").
const NORVIG: &str = ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4.........";

/// This puzzle so many times, then easy ones.
fn in_front(slow: &str, count: usize) -> Vec<[u8; 81]> {
    let easy = (0..EASY_COUNT).map(|i| digits(EASY[i % 3]));
    std::iter::repeat_n(digits(slow), count).chain(easy).collect()
}

/// Passes until all but the slow puzzles in front are answered; how many slow ones are open then.
fn passes_for_easy<V: Vector>(proof: V::Proof, puzzles: Vec<[u8; 81]>, slow: usize, limits: Limits) -> (usize, usize) {
    let mut search = Search::<V>::new(proof);
    search.begin(puzzles.len(), limits);
    let mut road = Road::new(puzzles);
    for passes in 1.. {
        let done = search.run(&mut road, 1);
        let mut open = vec![false; road.puzzles.len()];
        // Telling what is open takes long beside a pass.
        if passes % 16 == 0 || done {
            search.open(&mut |puzzle| open[puzzle] = true);
            if !open[slow..].contains(&true) {
                assert!(road.found[slow..].iter().all(|&found| found == 1));
                return (passes, open[..slow].iter().filter(|&&open| open).count());
            }
        }
    }
    unreachable!("a search ends");
}

fn lets_others_pass<V: Vector>(proof: V::Proof) {
    let (alone, _) = passes_for_easy::<V>(proof, in_front(NORVIG, 0), 0, Limits::PROVE);
    let (passes, open) = passes_for_easy::<V>(proof, in_front(NORVIG, 8), 8, Limits::PROVE);
    assert!(open >= 4, "only {open} of the slow ones are open after {passes} passes");
    assert!(passes < 4 * alone + 3_000, "{passes} passes, {alone} without slow ones");
}

#[test]
fn easy_puzzles_do_not_wait_for_slow_ones() {
    on_each_vector!(lets_others_pass());
}

fn ends_at_the_limit<V: Vector>(proof: V::Proof, node_limit: u64) {
    let mut puzzles = in_front(NORVIG, 2);
    puzzles.truncate(200);
    puzzles.insert(100, [0; 81]);
    let limits = Limits { max_solutions: 1, count_limit: 1_000_000_000, node_limit };
    let mut search = Search::<V>::new(proof);
    search.begin(puzzles.len(), limits);
    let mut road = Road::new(puzzles);
    while !search.run(&mut road, 5) {}
    for (i, tally) in search.tallies().iter().enumerate() {
        let outcome = match i {
            0 | 1 => Outcome::Undecided,
            100 => Outcome::Multiple,
            _ => Outcome::Unique,
        };
        assert_eq!(tally.outcome(&limits), outcome, "puzzle {i}");
        let slow = matches!(i, 0 | 1 | 100);
        assert!(tally.closed == slow && (tally.nodes == node_limit) == slow, "puzzle {i}: {tally:?}");
    }
}

#[test]
fn a_node_limit_ends_slow_puzzles_alone() {
    for node_limit in [1_000, 1_500] {
        on_each_vector!(ends_at_the_limit(node_limit));
    }
}

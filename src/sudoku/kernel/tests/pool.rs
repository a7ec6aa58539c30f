//! Searches that run out of room: they find all the same, and the pool keeps its bound.

use super::support::{Road, digits, on_each_vector};
use crate::sudoku::kernel::search::Search;
use crate::sudoku::kernel::searcher::{Searcher, Tally};
use crate::sudoku::kernel::vector::Vector;
use crate::sudoku::outcome::Limits;

/// Puzzles with many solutions, counted by another program, among others with one and none.
const MANY: [(&str, u64); 8] = [
    ("16...2.9...487...67.8.193.......6..3935.8..7...2.5....4.72....1..9.65..83....15.4", 1),
    (".4...891.1........8......424....915..9......7.5...6.....4..158.....6.......9.....", 847),
    (".4...89..1........8......424....915..9......7.5...6.....4..158.....6.......9.....", 2163),
    ("..8.3.15...3.5..2.9....1...........6......4....278..3...75.8..........7.23..7....", 0),
    (".63......8...4.6....4....7...8.3.2..6.......92....1....8..6.3.......8.1....5....7", 2579),
    (".8.....379.....8.....8.........4.....9.3..7....4..1..2.....6....3.7..9..6...2..1.", 1750),
    (".63..5.......4.6....4....7...8.3.2..6.......92....1....8..6.3.......8.1....5....7", 6144),
    (".63..5...8...4.6....4....7...8.3.2..6.......92....1....8....3.......8.1....5....7", 16219),
];

/// How many of them: few without optimisation.
const TAKEN: usize = if cfg!(debug_assertions) { 4 } else { 8 };

fn counts_within<V: Vector>(proof: V::Proof, spare: usize) {
    let room = spare + if spare == 0 { 0 } else { V::LANES };
    let mut search = Search::<V>::new(proof).with_room(room);
    let mut road = Road::new(MANY[..TAKEN].iter().map(|(line, _)| digits(line)).collect());
    search.begin(TAKEN, Limits { max_solutions: 1, count_limit: 1_000_000, node_limit: u64::MAX });
    let (mut narrow, mut most) = (0, 0);
    loop {
        let (before, was_narrow) = (search.pool.len(), search.is_narrow());
        let done = search.run(&mut road, 1);
        let now = search.pool.len();
        // Lanes that fill the room up, or one lane that makes one more.
        assert!(now <= room.max(before + 1), "{before} branches, then {now}");
        assert!(now <= room + 81 * V::LANES + 648, "{now} branches");
        narrow += usize::from(was_narrow);
        most = most.max(now);
        if done {
            break;
        }
    }
    assert!(narrow > 100 && most + V::LANES > room, "narrow {narrow} times, at most {most} branches");
    assert_eq!(search.pool.len(), 0);
    let counts: Vec<u64> = MANY[..TAKEN].iter().map(|&(_, count)| count).collect();
    assert_eq!(road.found, counts);
    assert!(search.tallies().iter().zip(counts).all(|(&Tally { found, closed, .. }, count)| found == count && !closed));
}

#[test]
fn a_narrow_search_finds_every_solution() {
    // No room at all, for a single branch, for some.
    for spare in [0, 1, 20] {
        on_each_vector!(counts_within(spare));
    }
}

#[test]
fn a_search_may_begin_anew_at_any_time() {
    fn begun_anew<V: Vector>(proof: V::Proof) {
        let puzzles: Vec<[u8; 81]> = MANY[..4].iter().map(|(line, _)| digits(line)).collect();
        let mut search = Search::<V>::new(proof).with_room(V::LANES + 20);
        for passes in [1, 7, 50, 300, u32::MAX] {
            let mut road = Road::new(puzzles.clone());
            search.begin(4, Limits { max_solutions: 1, count_limit: 1_000_000, node_limit: u64::MAX });
            if search.run(&mut road, passes) {
                assert_eq!(road.found, [1, 847, 2163, 0]);
            }
        }
        let mut road = Road::new(puzzles[..1].to_vec());
        search.begin(0, Limits::PROVE);
        assert!(search.run(&mut road, 1) && search.tallies().is_empty());
    }
    on_each_vector!(begun_anew());
}

/// A puzzle with more solutions than anyone waits for: its branches fill the room before it counts as slow.
fn keeps_the_bound<V: Vector>(proof: V::Proof, easy: usize) {
    const ROOM: usize = 4096;
    let node_limit = if cfg!(debug_assertions) { 40_000 } else { 100_000 };
    let mut search = Search::<V>::new(proof).with_room(ROOM);
    let mut road = Road::new(std::iter::once([0; 81]).chain((0..easy).map(|_| digits(MANY[0].0))).collect());
    search.begin(1 + easy, Limits { max_solutions: 1, count_limit: 1_000_000_000, node_limit });
    let mut most = 0;
    while !search.run(&mut road, 1) {
        most = most.max(search.pool.len());
    }
    let bound = ROOM + 81 * V::LANES + 648;
    assert!(most <= bound, "{most} branches waited, at most {bound} may; {} lanes, {easy} easy puzzles", V::LANES);
}

#[test]
fn the_pool_keeps_its_bound_when_a_puzzle_becomes_slow() {
    for easy in [0, 200] {
        on_each_vector!(keeps_the_bound(easy));
    }
}

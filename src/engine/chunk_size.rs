//! How many items a chunk holds: fewer where each takes long, so that what a crash or a cancel throws away, and what waits
//! for a thread, stays short. A pure function of the work.

use crate::job::Work;
use crate::sudoku::generate::Family;

/// Chunks of grids that are searched for, and not computed, are smaller by this.
const SEARCH_COSTS: u32 = 16;
/// Chunks of puzzles to rate are smaller by this: easy ones take some 20 µs, the hardest seconds.
const RATING_COSTS: u32 = 32;

/// Items of a chunk of this work, where one of the cheapest holds `most`.
pub(super) fn chunk_items(most: u32, work: &Work) -> u32 {
    let costs = match work {
        Work::Solve(_) => 1,
        Work::Rate(_) => RATING_COSTS,
        Work::Generate(work) => match work.spec.family {
            Family::Orbit | Family::Shift => 1,
            Family::Search => SEARCH_COSTS,
        },
    };
    (most / costs).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::{GenerateWork, RateWork, SolveWork};
    use crate::sudoku::generate::CompleteSpec;

    #[test]
    fn what_takes_long_comes_in_small_chunks() {
        let grids = |family| {
            let spec = CompleteSpec { first_cell: 0, family };
            Work::Generate(GenerateWork { spec, count: 1, seed: None, generator_version: None })
        };
        let expected = [
            (Work::Solve(SolveWork { max_solutions: 2, node_limit: None }), 8_192),
            (Work::Rate(RateWork { node_limit: None }), 256),
            (grids(Family::Orbit), 8_192),
            (grids(Family::Search), 512),
        ];
        for (work, items) in expected {
            assert_eq!(chunk_items(8_192, &work), items, "{work:?}");
            assert!(chunk_items(1, &work) == 1, "never none");
        }
    }
}

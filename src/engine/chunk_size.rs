//! How many items a chunk holds: fewer where each takes long, so that what a crash or a cancel throws away, and what waits
//! for a thread, stays short. A pure function of the work.

use crate::job::{GenerateSpec, Work};
use crate::sudoku::generate::{CompleteSpec, Family};

/// Chunks of grids that are searched for, and not computed, are smaller by this.
const SEARCH_COSTS: u32 = 16;
/// Chunks of puzzles to make are smaller by this: they still fill the lanes with attempts.
const MAKING_COSTS: u32 = 16;
/// The same where puzzles must be of a level: few attempts come to one, and each takes long to judge.
const LEVEL_COSTS: u32 = 128;
/// Chunks of puzzles to rate are smaller by this: easy ones take some 20 µs, the hardest seconds.
const RATING_COSTS: u32 = 32;

/// Items of a chunk of this work, where one of the cheapest holds `most`.
pub(super) fn chunk_items(most: u32, work: &Work) -> u32 {
    let costs = match work {
        Work::Solve(_) => 1,
        Work::Rate(_) => RATING_COSTS,
        Work::Generate(work) => match work.spec {
            GenerateSpec::Grids(CompleteSpec { family: Family::Orbit | Family::Shift, .. }) => 1,
            GenerateSpec::Grids(CompleteSpec { family: Family::Search, .. }) => SEARCH_COSTS,
            GenerateSpec::Puzzles { puzzles } if puzzles.level.is_some() || puzzles.er.is_some() => LEVEL_COSTS,
            GenerateSpec::Puzzles { .. } => MAKING_COSTS,
        },
    };
    (most / costs).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::{GenerateWork, RateWork, SolveWork};
    use crate::sudoku::generate::puzzle::PuzzleSpec;
    use crate::sudoku::logic::Level;

    #[test]
    fn what_takes_long_comes_in_small_chunks() {
        let generate = |spec| Work::Generate(GenerateWork { spec, count: 1, seed: None, generator_version: None });
        let grids = |family| generate(GenerateSpec::Grids(CompleteSpec { first_cell: 0, family }));
        let puzzles =
            |level| generate(GenerateSpec::Puzzles { puzzles: PuzzleSpec { level, ..PuzzleSpec::default() } });
        let expected = [
            (Work::Solve(SolveWork { max_solutions: 2, node_limit: None }), 8_192),
            (Work::Rate(RateWork { node_limit: None }), 256),
            (grids(Family::Orbit), 8_192),
            (grids(Family::Search), 512),
            (puzzles(None), 512),
            (puzzles(Some(Level::Easy)), 64),
        ];
        for (work, items) in expected {
            assert_eq!(chunk_items(8_192, &work), items, "{work:?}");
            assert!(chunk_items(1, &work) == 1, "never none");
        }
    }
}

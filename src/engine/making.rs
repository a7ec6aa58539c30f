//! Making the puzzles of one call, as work for a fiber.

use super::error::EngineError;
use crate::pool::{Fiber, Fibers};
use crate::sudoku::generate::puzzle::{Contradiction, Made, PuzzleMaker, PuzzleSpec};
use crate::sudoku::{Kernel, Pace};

/// Items made together: enough for the lanes, and few to make in vain where one fails.
const TOGETHER: usize = 256;

/// Makes items 0..count of the sequence; the first that fails ends it.
pub(super) fn fiber(
    fibers: &Fibers,
    kernel: Kernel,
    spec: PuzzleSpec,
    count: u32,
    seed: u64,
) -> Result<Fiber<Result<Vec<Made>, EngineError>>, EngineError> {
    let mut maker = PuzzleMaker::new(kernel, &spec, seed).map_err(invalid)?;
    Ok(fibers.fiber(move |pace| {
        let mut made = Vec::with_capacity(count as usize);
        while made.len() < count as usize && pace() == Pace::Continue {
            let first = made.len();
            let mut places = vec![None; TOGETHER.min(count as usize - first)];
            maker.fill(first as u64, &mut places, pace);
            for (item, place) in (first..).zip(places.into_iter().flatten()) {
                made.push(place.map_err(|shortfall| EngineError::Unmet { item, shortfall })?);
            }
        }
        Ok(made)
    }))
}

fn invalid(Contradiction { field, problem }: Contradiction) -> EngineError {
    EngineError::Invalid { field: format!("puzzle.{field}"), problem }
}

//! Unique rectangles and loops: cells that two digits could fill in two ways must hold something else somewhere.
//!
//! Must never know of other techniques.

mod hint;
mod loops;
mod types;

use super::state::State;
use super::step::Found;
use hint::Hint;
use loops::for_each_loop;
use std::ops::ControlFlow;

/// The steps of all rectangles and loops, the easiest first. `cells` are the loop's, `digits` the two. Type 1 removes both
/// from one cell of the loop; type 2 the digit `extra` from cells beside it; type 4 one of them from two cells of the loop
/// in the house given. Type 3 is a set with the cells `beside` on the digits `extra` in the house given: naked if the
/// removals are elsewhere, hidden if they are in those cells.
pub fn find(state: &State, found: Found) -> ControlFlow<()> {
    let mut hints: Vec<Hint> = Vec::new();
    for_each_loop(state, &mut |cycle| {
        types::steps(state, cycle, &mut |hint| {
            if !hint.step.removals.is_empty() && !hints.iter().any(|known| known.same_as(&hint)) {
                hints.push(hint);
            }
        });
    });
    hints.sort_by(Hint::by_difficulty);
    hints.into_iter().try_for_each(|hint| found(hint.step))
}

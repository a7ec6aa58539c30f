//! Locked candidates: a digit's places in one house all lie in a second one, so the rest of that loses it. Pointing from a
//! box into a line, claiming from a line into a box; direct if a hidden single follows at once.
//!
//! Must never know of other techniques.

use super::digits::Digits;
use super::order::{BOXES, COLUMNS, ROWS};
use super::score::Score;
use super::state::State;
use super::step::{Found, Step};
use super::technique::Technique;
use crate::sudoku::geometry::CellSet;
use std::ops::{ControlFlow, Range};

/// Pointing, then claiming.
pub fn find(state: &State, found: Found) -> ControlFlow<()> {
    locks(state, &mut |lock| {
        let removals = state.having(lock.rest(state), Digits::of(lock.digit));
        if removals.is_empty() { ControlFlow::Continue(()) } else { found(Step { removals, ..lock.step(state) }) }
    })
}

/// Direct pointing, then direct claiming: where another house of the first one's kind keeps one place.
pub fn find_direct(state: &State, found: Found) -> ControlFlow<()> {
    locks(state, &mut |lock| {
        let cells = state.cells_with(lock.digit);
        for third in lock.kind.clone().filter(|&house| house != lock.from && crosses(house, lock.into)) {
            let places = cells & CellSet::house(third);
            let left = places - CellSet::house(lock.into);
            if let (1, Some(single)) = (left.len(), left.iter().next())
                && places.len() > 1
            {
                let placement = Some((single, lock.digit));
                let houses = [lock.from, lock.into, third].map(|house| house as u8).to_vec();
                found(Step { placement, houses, ..lock.direct(state) })?;
            }
        }
        ControlFlow::Continue(())
    })
}

/// A digit whose places, two or three, in house `from` lie in house `into`.
struct Lock {
    digit: u8,
    from: usize,
    into: usize,
    /// The houses of the kind of `from`.
    kind: Range<usize>,
}

impl Lock {
    /// The places that `into` loses.
    fn rest(&self, state: &State) -> CellSet {
        state.cells_with(self.digit) & (CellSet::house(self.into) - CellSet::house(self.from))
    }

    fn step(&self, state: &State) -> Step {
        let points = self.kind == BOXES;
        let (technique, score) = if points { (Technique::Pointing, 26) } else { (Technique::Claiming, 28) };
        self.pattern(state, technique, score)
    }

    fn direct(&self, state: &State) -> Step {
        let points = self.kind == BOXES;
        let (technique, score) = if points { (Technique::DirectPointing, 17) } else { (Technique::DirectClaiming, 19) };
        self.pattern(state, technique, score)
    }

    fn pattern(&self, state: &State, technique: Technique, score: u8) -> Step {
        Step {
            cells: state.cells_with(self.digit) & CellSet::house(self.from),
            digits: Digits::of(self.digit),
            houses: vec![self.from as u8, self.into as u8],
            ..Step::new(technique, Score(score))
        }
    }
}

fn crosses(a: usize, b: usize) -> bool {
    !(CellSet::house(a) & CellSet::house(b)).is_empty()
}

/// Every lock, also those that remove nothing.
fn locks(state: &State, take: &mut dyn FnMut(Lock) -> ControlFlow<()>) -> ControlFlow<()> {
    for (kind, other) in [(BOXES, COLUMNS), (BOXES, ROWS), (COLUMNS, BOXES), (ROWS, BOXES)] {
        for from in kind.clone() {
            for into in other.clone().filter(|&into| crosses(from, into)) {
                for digit in 1..=9 {
                    let places = state.cells_with(digit) & CellSet::house(from);
                    if places.len() > 1 && (places - CellSet::house(into)).is_empty() {
                        take(Lock { digit, from, into, kind: kind.clone() })?;
                    }
                }
            }
        }
    }
    ControlFlow::Continue(())
}

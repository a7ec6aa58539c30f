//! X-Wing, Swordfish, Jellyfish: a digit whose places in some lines lie in as many crossing ones, which lose it elsewhere.
//!
//! Must never know of other techniques.

use super::digits::Digits;
use super::order::{COLUMNS, ROWS, members, tuples};
use super::score::Score;
use super::state::State;
use super::step::{Found, Step};
use super::technique::Technique;
use crate::sudoku::geometry::CellSet;
use std::ops::{ControlFlow, Range};

/// Fish of `size` lines, 2 to 4: those that lie in columns, then those in rows; in each the lines decide, then the digit.
pub fn find(state: &State, size: u32, found: Found) -> ControlFlow<()> {
    find_in(state, size, COLUMNS, ROWS, found)?;
    find_in(state, size, ROWS, COLUMNS, found)
}

fn find_in(state: &State, size: u32, base: Range<usize>, cover: Range<usize>, found: Found) -> ControlFlow<()> {
    let (technique, score) = match size {
        2 => (Technique::XWing, 32),
        3 => (Technique::Swordfish, 38),
        _ => (Technique::Jellyfish, 52),
    };
    let mut fish: Vec<_> = open_digits(state, 2 * size).flat_map(|digit| fish_of(state, digit, size, &base)).collect();
    fish.sort_unstable();
    for (lines, digit, crossing) in fish {
        let (base, cover) = (houses(&base, lines), houses(&cover, crossing));
        let (own, crossed) = (cells_of(&base), cells_of(&cover));
        let removals = state.having(crossed - own, Digits::of(digit));
        if !removals.is_empty() {
            found(Step {
                cells: own & crossed & state.cells_with(digit),
                digits: Digits::of(digit),
                houses: [base, cover].concat(),
                removals,
                ..Step::new(technique, Score(score))
            })?;
        }
    }
    ControlFlow::Continue(())
}

/// The digits that are missing in so many lines. With fewer than twice its size a fish has a smaller one in the crossing
/// lines.
fn open_digits(state: &State, lines: u32) -> impl Iterator<Item = u8> {
    let mut missing = [9; 10];
    state.placed().digits().iter().for_each(|&digit| missing[usize::from(digit)] -= 1);
    (1..=9).filter(move |&digit| missing[usize::from(digit)] >= lines as i32)
}

/// A digit's fish, whether they remove anything or not: their lines, the digit, the crossing lines.
fn fish_of(state: &State, digit: u8, size: u32, base: &Range<usize>) -> impl Iterator<Item = (u16, u8, u16)> {
    let places: [u16; 9] = std::array::from_fn(|line| state.places(base.start + line, digit));
    tuples(places, size).map(move |(lines, crossing)| (lines, digit, crossing))
}

fn houses(kind: &Range<usize>, lines: u16) -> Vec<u8> {
    members(lines).map(|line| (kind.start + line) as u8).collect()
}

fn cells_of(houses: &[u8]) -> CellSet {
    houses.iter().fold(CellSet::EMPTY, |cells, &house| cells | CellSet::house(usize::from(house)))
}

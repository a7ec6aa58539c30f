//! X-Wing, Swordfish, Jellyfish: a digit whose places in some lines lie in as many crossing ones, which lose it elsewhere.
//!
//! Must never know of other techniques.

use super::digits::Digits;
use super::order::{COLUMNS, ROWS, subsets};
use super::score::Score;
use super::state::State;
use super::step::{Found, Step};
use super::technique::Technique;
use crate::sudoku::geometry::CellSet;
use std::ops::{ControlFlow, Range};

/// Fish of `size` lines, 2 to 4: those that lie in columns, then those in rows.
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
    let places: [[u16; 9]; 9] = std::array::from_fn(|digit| places_in(state, digit as u8 + 1, size, &base));
    for lines in subsets(size) {
        for digit in 1..=9 {
            let Some(crossing) = crossing_lines(&places[usize::from(digit) - 1], lines, size) else { continue };
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
    }
    ControlFlow::Continue(())
}

/// A digit's places in each base line; none where the line can't be part of such a fish. With fewer than twice as many
/// lines open, none at all: there would be a smaller fish in the crossing lines.
fn places_in(state: &State, digit: u8, size: u32, base: &Range<usize>) -> [u16; 9] {
    let open = 9 - state.placed().digits().iter().filter(|&&placed| placed == digit).count();
    let fits = |places: u16| (2..=size).contains(&places.count_ones()) && open >= 2 * size as usize;
    std::array::from_fn(|line| Some(state.places(base.start + line, digit)).filter(|&p| fits(p)).unwrap_or(0))
}

/// The `size` crossing lines in which all places of these lines lie.
fn crossing_lines(places: &[u16; 9], lines: u16, size: u32) -> Option<u16> {
    let mut union = 0;
    for line in (0..9).filter(|line| lines >> line & 1 == 1) {
        if places[line] == 0 {
            return None;
        }
        union |= places[line];
    }
    (union.count_ones() == size).then_some(union)
}

fn houses(kind: &Range<usize>, lines: u16) -> Vec<u8> {
    (0..9).filter(|line| lines >> line & 1 == 1).map(|line| (kind.start + line) as u8).collect()
}

fn cells_of(houses: &[u8]) -> CellSet {
    houses.iter().fold(CellSet::EMPTY, |cells, &house| cells | CellSet::house(usize::from(house)))
}

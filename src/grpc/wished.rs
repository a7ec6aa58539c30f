//! What was asked to be generated, as answers.

use super::proto::v1;
use super::steps;
use crate::sudoku::generate::puzzle::{Blanks, ErRange, PuzzleSpec, Symmetry};
use crate::sudoku::generate::{CompleteSpec, Family};

/// Completed grids.
pub fn grid_spec(spec: CompleteSpec) -> v1::CompleteGridSpec {
    let family = match spec.family {
        Family::Orbit => v1::GridFamily::Orbit,
        Family::Shift => v1::GridFamily::Shift,
        Family::Search => v1::GridFamily::Search,
    };
    v1::CompleteGridSpec { first_cell: spec.first_cell.into(), family: family.into() }
}

/// Puzzles.
pub fn puzzle_spec(spec: &PuzzleSpec) -> v1::PuzzleSpec {
    let symmetry = match spec.symmetry {
        Symmetry::None => v1::Symmetry::None,
        Symmetry::Rotational180 => v1::Symmetry::Rotational180,
        Symmetry::Rotational90 => v1::Symmetry::Rotational90,
        Symmetry::Mirror => v1::Symmetry::Mirror,
        Symmetry::Diagonal => v1::Symmetry::Diagonal,
        Symmetry::Full => v1::Symmetry::Full,
    };
    let range = |ErRange { min, max }| v1::ErRange { min: Some(steps::number(min)), max: Some(steps::number(max)) };
    let blanks = |Blanks { min, max }| v1::BlanksPerRow { min: min.into(), max: max.into() };
    v1::PuzzleSpec {
        level: spec.level.map_or(v1::Level::Unspecified, steps::level).into(),
        min_clues: spec.min_clues.map(u32::from),
        max_clues: spec.max_clues.map(u32::from),
        symmetry: symmetry.into(),
        minimal: spec.minimal,
        blanks_per_row: spec.blanks_per_row.map(blanks),
        allow_multiple: spec.allow_multiple,
        er: spec.er.map(range),
    }
}

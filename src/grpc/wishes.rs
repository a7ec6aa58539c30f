//! What is to be generated, as typed values.

use super::known::known;
use super::proto::v1;
use super::status::Refusal;
use crate::job::GenerateSpec;
use crate::sudoku::generate::puzzle::{Blanks, ErRange, PuzzleSpec, Symmetry};
use crate::sudoku::generate::{CompleteSpec, Family};
use crate::sudoku::logic::{Level, Score};

/// Completed grids.
///
/// # Errors
/// The first field that is wrong, its path from what holds the spec on.
pub fn grids(grid: &v1::CompleteGridSpec) -> Result<GenerateSpec, Refusal> {
    let first_cell = u8::try_from(grid.first_cell)
        .ok()
        .filter(|&digit| digit <= 9)
        .ok_or_else(|| Refusal::invalid("grid.first_cell", format!("is {}, must be 0 (free) to 9", grid.first_cell)))?;
    let family = match known::<v1::GridFamily>("grid.family", grid.family)? {
        v1::GridFamily::Unspecified | v1::GridFamily::Orbit => Family::Orbit,
        v1::GridFamily::Shift => Family::Shift,
        v1::GridFamily::Search => Family::Search,
    };
    Ok(GenerateSpec::Grids(CompleteSpec { first_cell, family }))
}

/// Puzzles.
///
/// # Errors
/// The first field that is wrong, and the first wish that contradicts others, its path from what holds the spec on.
pub fn puzzles(puzzle: &v1::PuzzleSpec) -> Result<GenerateSpec, Refusal> {
    let puzzles = puzzle_wishes(puzzle).map_err(|wrong| wrong.within("puzzle"))?;
    puzzles
        .check()
        .map_err(|contradiction| Refusal::invalid(format!("puzzle.{}", contradiction.field), contradiction.problem))?;
    Ok(GenerateSpec::Puzzles { puzzles })
}

fn puzzle_wishes(puzzle: &v1::PuzzleSpec) -> Result<PuzzleSpec, Refusal> {
    let clues = |field, clues: Option<u32>| clues.map(|clues| at_most(field, clues, 81)).transpose();
    Ok(PuzzleSpec {
        level: level(puzzle.level)?,
        er: puzzle.er.as_ref().map(er_range).transpose()?,
        min_clues: clues("min_clues", puzzle.min_clues)?,
        max_clues: clues("max_clues", puzzle.max_clues)?,
        symmetry: match known::<v1::Symmetry>("symmetry", puzzle.symmetry)? {
            v1::Symmetry::Unspecified | v1::Symmetry::None => Symmetry::None,
            v1::Symmetry::Rotational180 => Symmetry::Rotational180,
            v1::Symmetry::Rotational90 => Symmetry::Rotational90,
            v1::Symmetry::Mirror => Symmetry::Mirror,
            v1::Symmetry::Diagonal => Symmetry::Diagonal,
            v1::Symmetry::Full => Symmetry::Full,
        },
        minimal: puzzle.minimal,
        blanks_per_row: puzzle.blanks_per_row.map(blanks).transpose()?,
        allow_multiple: puzzle.allow_multiple,
    })
}

fn level(value: i32) -> Result<Option<Level>, Refusal> {
    Ok(match known::<v1::Level>("level", value)? {
        v1::Level::Unspecified => None,
        v1::Level::VeryEasy => Some(Level::VeryEasy),
        v1::Level::Easy => Some(Level::Easy),
        v1::Level::Medium => Some(Level::Medium),
        v1::Level::Hard => Some(Level::Hard),
        v1::Level::VeryHard => Some(Level::VeryHard),
        v1::Level::Extreme => Some(Level::Extreme),
    })
}

fn er_range(range: &v1::ErRange) -> Result<ErRange, Refusal> {
    let min = range.min.map_or(Ok(Score(0)), |min| tenths("er.min", min))?;
    let max = range.max.map_or(Ok(Score(u8::MAX)), |max| tenths("er.max", max))?;
    Ok(ErRange { min, max })
}

/// A score that the client wrote with one decimal.
fn tenths(field: &str, score: f64) -> Result<Score, Refusal> {
    /// Far more than the error of a double, far less than a tenth.
    const CLOSE: f64 = 1e-6;
    let tenths = score * 10.0;
    let near = tenths.round();
    if (0.0..=255.0).contains(&near) && (tenths - near).abs() < CLOSE {
        return Ok(Score(near as u8));
    }
    Err(Refusal::invalid(field, format!("is {score}, must be 0 to 25.5 in whole tenths")))
}

fn blanks(blanks: v1::BlanksPerRow) -> Result<Blanks, Refusal> {
    let min = at_most("blanks_per_row.min", blanks.min, 9)?;
    Ok(Blanks { min, max: at_most("blanks_per_row.max", blanks.max, 9)? })
}

fn at_most(field: &str, value: u32, most: u8) -> Result<u8, Refusal> {
    let small = u8::try_from(value).ok().filter(|&value| value <= most);
    small.ok_or_else(|| Refusal::invalid(field, format!("is {value}, must be 0 to {most}")))
}

#[cfg(test)]
mod tests {
    use super::super::wished::puzzle_spec;
    use super::*;

    fn all() -> v1::PuzzleSpec {
        v1::PuzzleSpec {
            level: v1::Level::Hard.into(),
            min_clues: Some(20),
            max_clues: Some(36),
            symmetry: v1::Symmetry::Rotational180.into(),
            minimal: true,
            blanks_per_row: Some(v1::BlanksPerRow { min: 3, max: 8 }),
            allow_multiple: false,
            er: Some(v1::ErRange { min: Some(4.2), max: Some(6.7) }),
        }
    }

    #[test]
    fn wishes_come_in_and_go_out() {
        let expected = PuzzleSpec {
            level: Some(Level::Hard),
            er: Some(ErRange { min: Score(42), max: Score(67) }),
            min_clues: Some(20),
            max_clues: Some(36),
            symmetry: Symmetry::Rotational180,
            minimal: true,
            blanks_per_row: Some(Blanks { min: 3, max: 8 }),
            allow_multiple: false,
        };
        assert_eq!(puzzles(&all()).expect("wishes"), GenerateSpec::Puzzles { puzzles: expected });
        assert_eq!(puzzle_spec(&expected), all());
        let any = GenerateSpec::Puzzles { puzzles: PuzzleSpec::default() };
        assert_eq!(puzzles(&v1::PuzzleSpec::default()).expect("no wishes"), any);
        for value in 1..=6 {
            let wished = v1::PuzzleSpec { level: value, ..v1::PuzzleSpec::default() };
            let GenerateSpec::Puzzles { puzzles: spec } = puzzles(&wished).expect("a level") else { panic!("puzzles") };
            assert_eq!(puzzle_spec(&spec).level, value);
            let wished = v1::PuzzleSpec { symmetry: value, ..v1::PuzzleSpec::default() };
            let GenerateSpec::Puzzles { puzzles: spec } = puzzles(&wished).expect("a symmetry") else {
                panic!("puzzles")
            };
            assert_eq!(puzzle_spec(&spec).symmetry, value);
        }
        let open = v1::PuzzleSpec { er: Some(v1::ErRange { min: Some(7.3), max: None }), ..v1::PuzzleSpec::default() };
        let GenerateSpec::Puzzles { puzzles: spec } = puzzles(&open).expect("a range") else { panic!("puzzles") };
        assert_eq!(spec.er, Some(ErRange { min: Score(73), max: Score(255) }));
    }

    #[test]
    fn what_is_wrong_names_its_field() {
        type Change = fn(&mut v1::PuzzleSpec);
        let wrong: [(&str, Change); 9] = [
            ("puzzle.min_clues: is 82, must be 0 to 81", |p| p.min_clues = Some(82)),
            ("puzzle.max_clues: is 300, must be 0 to 81", |p| p.max_clues = Some(300)),
            ("puzzle.min_clues: 37 is more than max_clues, 36", |p| p.min_clues = Some(37)),
            ("puzzle.level: 7 is no value of this enum", |p| p.level = 7),
            ("puzzle.symmetry: -1 is no value of this enum", |p| p.symmetry = -1),
            ("puzzle.blanks_per_row.max: is 10, must be 0 to 9", |p| {
                p.blanks_per_row = Some(v1::BlanksPerRow { min: 0, max: 10 });
            }),
            ("puzzle.er.min: is 4.25, must be 0 to 25.5 in whole tenths", |p| {
                p.er = Some(v1::ErRange { min: Some(4.25), max: None });
            }),
            ("puzzle.er.max: is NaN, must be 0 to 25.5 in whole tenths", |p| {
                p.er = Some(v1::ErRange { min: None, max: Some(f64::NAN) });
            }),
            ("puzzle.er: 1.0 to 2.0 has no part in the level, 3.7 to 6.7", |p| {
                p.er = Some(v1::ErRange { min: Some(1.0), max: Some(2.0) });
            }),
        ];
        for (problem, change) in wrong {
            let mut spec = all();
            change(&mut spec);
            assert_eq!(puzzles(&spec).expect_err(problem).to_string(), problem);
        }
    }
}

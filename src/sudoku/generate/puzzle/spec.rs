//! [`PuzzleSpec`]: what is wished of puzzles, and which wishes contradict each other. Must never know how they are made.

use super::symmetry::Symmetry;
use crate::sudoku::logic::{Level, Score};

/// Which puzzles are wanted. The default is any with exactly one solution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PuzzleSpec {
    /// How hard, in words.
    pub level: Option<Level>,
    /// How hard, in numbers. With a level, both hold.
    pub er: Option<ErRange>,
    /// Givens at least; unset, there is no bound, and usual numbers are chosen.
    pub min_clues: Option<u8>,
    /// Givens at most; unset, there is no bound, and usual numbers are chosen.
    pub max_clues: Option<u8>,
    /// The pattern of givens.
    pub symmetry: Symmetry,
    /// No given can be taken away without another solution appearing: no single one, whatever the symmetry.
    pub minimal: bool,
    /// Empty cells in each row.
    pub blanks_per_row: Option<Blanks>,
    /// Several solutions are fine; the one given is that which the puzzle was masked from.
    pub allow_multiple: bool,
}

/// The least and the greatest ER, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ErRange {
    /// At least this.
    pub min: Score,
    /// At most this, 1.0 or more.
    pub max: Score,
}

/// How many cells of each row are empty, both bounds included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Blanks {
    /// At least this.
    pub min: u8,
    /// At most this, 9 or less.
    pub max: u8,
}

/// A wish that cannot be met, whatever the puzzle.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {problem}")]
pub struct Contradiction {
    /// The field of the spec.
    pub field: &'static str,
    /// What is wrong with it, and what would be right.
    pub problem: String,
}

fn refuse<T>(field: &'static str, problem: String) -> Result<T, Contradiction> {
    Err(Contradiction { field, problem })
}

/// The fewest givens of a puzzle with one solution (McGuire, Tugemann and Civario, "There is no 16-clue Sudoku", 2012).
const FEWEST: u8 = 17;
/// The most givens of a minimal puzzle that are known.
const MOST_OF_MINIMAL: u8 = 40;

impl PuzzleSpec {
    /// Refuses wishes that contradict each other.
    ///
    /// # Errors
    /// The first contradiction found.
    pub fn check(&self) -> Result<(), Contradiction> {
        self.possible_clues()?;
        self.difficulty()?;
        Ok(())
    }

    /// The bounds of ER that level and range come to.
    pub(super) fn difficulty(&self) -> Result<Option<ErRange>, Contradiction> {
        let level = self.level.map(|level| level.range()).map(|(min, max)| ErRange { min, max });
        if self.allow_multiple && (self.level.is_some() || self.er.is_some()) {
            let field = if self.level.is_some() { "level" } else { "er" };
            return refuse(field, "a puzzle with several solutions has none: leave it out or allow_multiple".into());
        }
        let Some(er) = self.er else { return Ok(level) };
        if er.min > er.max || er.max < Score(10) {
            let problem = format!("{} to {} is no range: the least first, the greatest 1.0 or more", er.min, er.max);
            return refuse("er", problem);
        }
        let Some(level) = level else { return Ok(Some(er)) };
        if er.min > level.max || er.max < level.min {
            let problem = format!("{} to {} has no part in the level, {} to {}", er.min, er.max, level.min, level.max);
            return refuse("er", problem);
        }
        Ok(Some(ErRange { min: er.min.max(level.min), max: er.max.min(level.max) }))
    }

    /// The numbers of givens, in order, that no wish rules out; never none.
    pub(super) fn possible_clues(&self) -> Result<Vec<u8>, Contradiction> {
        let (min, max) = self.clue_bounds()?;
        let (fewest, most) = self.blanks_bounds(min, max)?;
        let reachable = reachable(self.symmetry);
        let possible: Vec<u8> = (fewest..=most).filter(|&clues| reachable >> clues & 1 == 1).collect();
        if possible.is_empty() {
            let name = self.symmetry.name();
            let problem = format!("no {name} pattern has {fewest} to {most} givens: widen min_clues or max_clues");
            return refuse("symmetry", problem);
        }
        Ok(possible)
    }

    /// The bounds of the givens, from all fields but symmetry and blanks.
    fn clue_bounds(&self) -> Result<(u8, u8), Contradiction> {
        let (min, max) = (self.min_clues.unwrap_or(0), self.max_clues.unwrap_or(81));
        for (field, clues) in [("min_clues", min), ("max_clues", max)] {
            if clues > 81 {
                return refuse(field, format!("{clues} givens in a grid of 81 cells"));
            }
        }
        if min > max {
            return refuse("min_clues", format!("{min} is more than max_clues, {max}"));
        }
        if self.minimal && self.allow_multiple {
            return refuse(
                "minimal",
                "means that each given is needed for one solution: not with allow_multiple".into(),
            );
        }
        if self.minimal && min > MOST_OF_MINIMAL {
            let problem = format!("{min}: minimal puzzles have {MOST_OF_MINIMAL} givens at most");
            return refuse("min_clues", problem);
        }
        if !self.allow_multiple && max < FEWEST {
            let problem = format!("{max}: a single solution takes {FEWEST} givens at least, or allow_multiple");
            return refuse("max_clues", problem);
        }
        let min = if self.allow_multiple { min } else { min.max(FEWEST) };
        Ok((min, if self.minimal { max.min(MOST_OF_MINIMAL) } else { max }))
    }

    /// The bounds of the givens, narrowed by the blanks of nine rows.
    fn blanks_bounds(&self, min: u8, max: u8) -> Result<(u8, u8), Contradiction> {
        let Some(blanks) = self.blanks_per_row else { return Ok((min, max)) };
        if blanks.min > blanks.max || blanks.max > 9 {
            let problem = format!("{} to {} of a row's 9 cells is no range", blanks.min, blanks.max);
            return refuse("blanks_per_row", problem);
        }
        let (fewest, most) = (81 - 9 * blanks.max, 81 - 9 * blanks.min);
        if fewest > max || most < min {
            let (low, high) = (blanks.min, blanks.max);
            let problem =
                format!("{low} to {high} leave {fewest} to {most} givens, but {min} to {max} are wished or needed");
            return refuse("blanks_per_row", problem);
        }
        Ok((min.max(fewest), max.min(most)))
    }
}

/// The numbers of givens that a pattern can have, as bits.
fn reachable(symmetry: Symmetry) -> u128 {
    symmetry.orbits().iter().fold(1, |sums, orbit| sums | sums << orbit.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(spec: PuzzleSpec) -> String {
        spec.check().expect_err("refused").to_string()
    }

    fn clues(min: u8, max: u8) -> PuzzleSpec {
        PuzzleSpec { min_clues: Some(min), max_clues: Some(max), ..PuzzleSpec::default() }
    }

    fn blanks(min: u8, max: u8) -> Option<Blanks> {
        Some(Blanks { min, max })
    }

    #[test]
    fn contradictions_are_refused_by_name() {
        let er = |min, max| Some(ErRange { min: Score(min), max: Score(max) });
        let any = PuzzleSpec::default();
        let expected = [
            (clues(30, 25), "min_clues: 30 is more than max_clues, 25"),
            (clues(17, 82), "max_clues: 82 givens in a grid of 81 cells"),
            (clues(5, 16), "max_clues: 16: a single solution takes 17 givens at least, or allow_multiple"),
            (PuzzleSpec { minimal: true, ..clues(41, 45) }, "min_clues: 41: minimal puzzles have 40 givens at most"),
            (
                PuzzleSpec { minimal: true, allow_multiple: true, ..any },
                "minimal: means that each given is needed for one solution: not with allow_multiple",
            ),
            (
                PuzzleSpec { level: Some(Level::Easy), allow_multiple: true, ..any },
                "level: a puzzle with several solutions has none: leave it out or allow_multiple",
            ),
            (
                PuzzleSpec { symmetry: Symmetry::Full, ..clues(22, 23) },
                "symmetry: no full pattern has 22 to 23 givens: widen min_clues or max_clues",
            ),
            (
                PuzzleSpec { blanks_per_row: blanks(3, 10), ..any },
                "blanks_per_row: 3 to 10 of a row's 9 cells is no range",
            ),
            (
                PuzzleSpec { blanks_per_row: blanks(3, 5), ..clues(20, 30) },
                "blanks_per_row: 3 to 5 leave 36 to 54 givens, but 20 to 30 are wished or needed",
            ),
            (
                PuzzleSpec { blanks_per_row: blanks(8, 8), ..any },
                "blanks_per_row: 8 to 8 leave 9 to 9 givens, but 17 to 81 are wished or needed",
            ),
            (
                PuzzleSpec { er: er(30, 25), ..any },
                "er: 3.0 to 2.5 is no range: the least first, the greatest 1.0 or more",
            ),
            (
                PuzzleSpec { er: er(15, 25), level: Some(Level::Hard), ..any },
                "er: 1.5 to 2.5 has no part in the level, 3.7 to 6.7",
            ),
        ];
        for (spec, message) in expected {
            assert_eq!(refusal(spec), message);
        }
    }

    #[test]
    fn what_can_be_is_not_refused() {
        let any = PuzzleSpec::default();
        let specs = [any, clues(17, 17), clues(81, 81), PuzzleSpec { allow_multiple: true, ..clues(0, 0) }];
        assert!(specs.iter().all(|spec| spec.check().is_ok()));
        for (min, max) in [(1, 8), (2, 8), (3, 8), (0, 9), (7, 7)] {
            assert!(PuzzleSpec { blanks_per_row: blanks(min, max), ..any }.check().is_ok());
        }
        let full = PuzzleSpec { symmetry: Symmetry::Full, ..clues(22, 29) };
        assert_eq!(full.possible_clues(), Ok(vec![24, 25, 28, 29]));
    }
}

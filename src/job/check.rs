//! Whether a spec as sent can be done: what is wrong is named by its field, with what would be right.

use super::chunk::MAX_JOB_ITEMS;
use super::spec::{BatchSpec, GenerateSpec, GenerateWork, InvalidSpec, RateWork, SolveWork, SpecDefaults, Work};
use std::collections::BTreeMap;

/// Labels a job may have.
pub const MAX_LABELS: usize = 16;
/// Bytes of a label's key at the most; at least 1.
pub const MAX_LABEL_KEY: usize = 63;
/// Bytes of a label's value at the most.
pub const MAX_LABEL_VALUE: usize = 255;

impl BatchSpec {
    /// Checks a spec as sent against the server's limits.
    ///
    /// # Errors
    /// The first field that is wrong.
    pub fn check(&self, defaults: &SpecDefaults) -> Result<(), InvalidSpec> {
        match &self.work {
            Work::Solve(solve) => solve.check()?,
            Work::Generate(generate) => generate.check(defaults)?,
            Work::Rate(rate) => rate.check()?,
        }
        let longest = defaults.max_time_to_live_s;
        if let Some(seconds) = self.time_to_live_s
            && !(1..=longest).contains(&seconds)
        {
            return wrong("open.time_to_live", format!("{seconds} s is not within 1..={longest} s"));
        }
        check_labels(&self.labels)
    }
}

impl SolveWork {
    fn check(&self) -> Result<(), InvalidSpec> {
        if !(1..=2).contains(&self.max_solutions) {
            let problem = format!("{} is neither 1 (any solution) nor 2 (prove uniqueness)", self.max_solutions);
            return wrong("open.solve.max_solutions", problem);
        }
        check_nodes("open.solve.node_limit", self.node_limit)
    }
}

impl RateWork {
    fn check(&self) -> Result<(), InvalidSpec> {
        check_nodes("open.rate.node_limit", self.node_limit)
    }
}

fn check_nodes(field: &str, node_limit: Option<u64>) -> Result<(), InvalidSpec> {
    match node_limit {
        Some(0) => wrong(field, "0 nodes solve nothing: give 1 or more, or leave it unset".into()),
        _ => Ok(()),
    }
}

impl GenerateWork {
    fn check(&self, defaults: &SpecDefaults) -> Result<(), InvalidSpec> {
        const COUNT: &str = "open.generate.count";
        match &self.spec {
            GenerateSpec::Grids(grids) if grids.first_cell > 9 => {
                let problem = format!("{} is no digit: 1-9 fix row 1 column 1, 0 leaves it free", grids.first_cell);
                return wrong("open.generate.grid.first_cell", problem);
            }
            GenerateSpec::Grids(_) => {}
            GenerateSpec::Puzzles { puzzles } => puzzles.check().or_else(|contradiction| {
                wrong(&format!("open.generate.puzzle.{}", contradiction.field), contradiction.problem)
            })?,
        }
        let most = defaults.max_job_items.min(MAX_JOB_ITEMS);
        if !(1..=most).contains(&self.count) {
            return wrong(COUNT, format!("{} is not within 1..={most} items", self.count));
        }
        match self.spec.capacity() {
            Some(capacity) if u64::from(self.count) > capacity => {
                let problem = format!("{} distinct grids do not exist: this family holds {capacity}", self.count);
                wrong(COUNT, problem)
            }
            _ => Ok(()),
        }
    }
}

fn check_labels(labels: &BTreeMap<String, String>) -> Result<(), InvalidSpec> {
    const LABELS: &str = "open.labels";
    if labels.len() > MAX_LABELS {
        return wrong(LABELS, format!("{} labels are too many: at most {MAX_LABELS}", labels.len()));
    }
    for (key, value) in labels {
        if !(1..=MAX_LABEL_KEY).contains(&key.len()) {
            let problem = format!("key {key:?} has {} bytes, not 1-{MAX_LABEL_KEY}", key.len());
            return wrong(LABELS, problem);
        }
        if value.len() > MAX_LABEL_VALUE {
            let problem = format!("the value of {key:?} has {} bytes, not 0-{MAX_LABEL_VALUE}", value.len());
            return wrong(LABELS, problem);
        }
    }
    Ok(())
}

fn wrong(field: &str, problem: String) -> Result<(), InvalidSpec> {
    Err(InvalidSpec { field: field.into(), problem })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::samples::{DEFAULTS, generate, rate, solve, spec};
    use crate::sudoku::generate::Family;
    use crate::sudoku::generate::puzzle::PuzzleSpec;

    fn puzzles(puzzles: PuzzleSpec, count: u32) -> BatchSpec {
        let spec_of_puzzles = GenerateSpec::Puzzles { puzzles };
        spec(Work::Generate(GenerateWork { spec: spec_of_puzzles, count, seed: None, generator_version: None }))
    }

    fn labelled(pairs: impl IntoIterator<Item = (String, String)>) -> BatchSpec {
        BatchSpec { labels: pairs.into_iter().collect(), ..solve(2, None) }
    }

    fn lasting(seconds: u64) -> BatchSpec {
        BatchSpec { time_to_live_s: Some(seconds), ..solve(2, None) }
    }

    fn pairs(count: usize) -> impl Iterator<Item = (String, String)> {
        (0..count).map(|i| (format!("k{i}"), String::new()))
    }

    #[test]
    fn what_is_right() {
        let right = [
            solve(1, Some(1)),
            solve(2, None),
            rate(None),
            rate(Some(1)),
            lasting(1),
            lasting(3_600),
            labelled(pairs(16)),
            labelled([("k".repeat(63), "v".repeat(255))]),
            generate(0, Family::Orbit, 4_000_000_000),
            generate(9, Family::Search, 1),
            generate(1, Family::Shift, 2_903_040),
            puzzles(PuzzleSpec::default(), 4_000_000_000),
            puzzles(PuzzleSpec { minimal: true, max_clues: Some(17), ..PuzzleSpec::default() }, 1),
        ];
        for spec in right {
            assert_eq!(spec.check(&DEFAULTS), Ok(()), "{spec:?}");
        }
    }

    #[test]
    fn what_is_wrong_names_the_field_and_the_right_form() {
        let wrong = [
            (solve(0, None), "open.solve.max_solutions: 0 is neither 1 (any solution) nor 2 (prove uniqueness)"),
            (solve(3, None), "open.solve.max_solutions: 3 is neither 1 (any solution) nor 2 (prove uniqueness)"),
            (solve(2, Some(0)), "open.solve.node_limit: 0 nodes solve nothing: give 1 or more, or leave it unset"),
            (rate(Some(0)), "open.rate.node_limit: 0 nodes solve nothing: give 1 or more, or leave it unset"),
            (lasting(0), "open.time_to_live: 0 s is not within 1..=3600 s"),
            (lasting(3_601), "open.time_to_live: 3601 s is not within 1..=3600 s"),
            (labelled(pairs(17)), "open.labels: 17 labels are too many: at most 16"),
            (labelled([(String::new(), String::new())]), "open.labels: key \"\" has 0 bytes, not 1-63"),
            (labelled([("k".into(), "v".repeat(256))]), "open.labels: the value of \"k\" has 256 bytes, not 0-255"),
            (
                generate(10, Family::Orbit, 1),
                "open.generate.grid.first_cell: 10 is no digit: 1-9 fix row 1 column 1, 0 leaves it free",
            ),
            (generate(0, Family::Orbit, 0), "open.generate.count: 0 is not within 1..=4000000000 items"),
            (
                generate(0, Family::Search, 4_000_000_001),
                "open.generate.count: 4000000001 is not within 1..=4000000000 items",
            ),
            (puzzles(PuzzleSpec::default(), 0), "open.generate.count: 0 is not within 1..=4000000000 items"),
            (
                puzzles(PuzzleSpec { min_clues: Some(30), max_clues: Some(25), ..PuzzleSpec::default() }, 1),
                "open.generate.puzzle.min_clues: 30 is more than max_clues, 25",
            ),
            (
                generate(1, Family::Shift, 2_903_041),
                "open.generate.count: 2903041 distinct grids do not exist: this family holds 2903040",
            ),
        ];
        for (spec, want) in wrong {
            assert_eq!(spec.check(&DEFAULTS).expect_err("is wrong").to_string(), want);
        }
        let small = SpecDefaults { max_job_items: 9, ..DEFAULTS };
        let refused = generate(0, Family::Search, 10).check(&small).expect_err("is wrong");
        assert_eq!(refused.to_string(), "open.generate.count: 10 is not within 1..=9 items");
    }
}

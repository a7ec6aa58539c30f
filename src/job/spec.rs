//! What a batch job is asked to do, valid by construction (see [`BatchSpec::check`]).

use crate::sudoku::generate::CompleteSpec;
use crate::sudoku::generate::puzzle::PuzzleSpec;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A batch job's spec. As sent, options are unset where the client left them so; [`BatchSpec::resolve`]
/// fills them in. Two submissions with one request id are the same job when their specs as sent are equal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BatchSpec {
    /// What to do.
    pub work: Work,
    /// Whether the submitting stream carries the results.
    pub result_mode: ResultMode,
    /// How results are shaped on the wire.
    pub result_format: ResultFormat,
    /// Which jobs go first (weighted, never strict).
    pub priority: Priority,
    /// How long an ended job stays, in seconds; unset: the server's default.
    pub time_to_live_s: Option<u64>,
    /// Free key-value pairs to find jobs by: at most 16, keys 1-63 bytes, values up to 255.
    pub labels: BTreeMap<String, String>,
}

/// The kinds of batch work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Work {
    /// Solve uploaded puzzles.
    Solve(SolveWork),
    /// Generate completed grids or puzzles.
    Generate(GenerateWork),
    /// Rate uploaded puzzles.
    Rate(RateWork),
}

impl Work {
    /// Whether the items come from the server itself: no upload, no finish.
    pub fn is_generated(&self) -> bool {
        matches!(self, Work::Generate(_))
    }

    /// The version of the generator that it is for; `None` for other work, and as sent.
    pub fn generator_version(&self) -> Option<u32> {
        match self {
            Work::Generate(work) => work.generator_version,
            Work::Solve(_) | Work::Rate(_) => None,
        }
    }
}

/// Solving uploaded puzzles.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SolveWork {
    /// 1: the first solution will do; 2: uniqueness is proven.
    pub max_solutions: u8,
    /// Search nodes for each puzzle; unset: the server's default.
    pub node_limit: Option<u64>,
}

/// Rating uploaded puzzles.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RateWork {
    /// Search nodes for each puzzle's proof; unset: the server's default.
    pub node_limit: Option<u64>,
}

/// Generating completed grids or puzzles.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GenerateWork {
    /// What.
    pub spec: GenerateSpec,
    /// How many, 1..=4·10^9.
    pub count: u32,
    /// Unset as sent: the server draws one.
    pub seed: Option<u64>,
    /// Version of the generator; set when resolved.
    pub generator_version: Option<u32>,
}

/// What is generated. Stored as the spec of grids, or as that of puzzles under its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum GenerateSpec {
    /// Completed grids.
    Grids(CompleteSpec),
    /// Puzzles.
    Puzzles {
        /// Which.
        puzzles: PuzzleSpec,
    },
}

impl GenerateSpec {
    /// How many distinct items there are, `None` where duplicates are merely improbable.
    pub fn capacity(&self) -> Option<u64> {
        match self {
            GenerateSpec::Grids(spec) => spec.capacity(),
            GenerateSpec::Puzzles { .. } => None,
        }
    }
}

/// Whether the submitting stream carries the results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ResultMode {
    /// Results come on the submitting stream as they complete.
    #[default]
    Stream,
    /// The submitting stream ends once the job is sealed.
    Detached,
}

/// How results are shaped on the wire.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ResultFormat {
    /// Blocks: packed outcomes and lines of digits.
    #[default]
    Block,
    /// One message an item.
    Items,
}

/// Which jobs go first. Weighted: a lower one still advances.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Priority {
    /// Work that may wait.
    Low,
    /// The usual.
    #[default]
    Normal,
    /// Work that should go first.
    High,
}

impl Priority {
    /// Every priority, lowest first.
    pub const ALL: [Priority; 3] = [Priority::Low, Priority::Normal, Priority::High];

    /// A word for it.
    pub fn name(self) -> &'static str {
        match self {
            Priority::Low => "low",
            Priority::Normal => "normal",
            Priority::High => "high",
        }
    }
}

/// What a server puts where a spec says nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpecDefaults {
    /// Node limit of each puzzle.
    pub node_limit: u64,
    /// Time to live of an ended job, seconds.
    pub time_to_live_s: u64,
    /// The longest time to live, seconds.
    pub max_time_to_live_s: u64,
    /// The most items a job may hold.
    pub max_job_items: u32,
    /// A freshly drawn seed.
    pub seed: u64,
    /// The generator's version.
    pub generator_version: u32,
}

/// Why a spec is refused: the field, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {problem}")]
pub struct InvalidSpec {
    /// Path of the field in `SubmitBatchRequest`, in the proto's names.
    pub field: String,
    /// What is wrong and what would be right.
    pub problem: String,
}

impl BatchSpec {
    /// Fills in what was left unset. Check first. The version of the generator is always this server's.
    pub fn resolve(&self, defaults: &SpecDefaults) -> BatchSpec {
        let mut spec = self.clone();
        match &mut spec.work {
            Work::Solve(solve) => {
                solve.node_limit.get_or_insert(defaults.node_limit);
            }
            Work::Rate(rate) => {
                rate.node_limit.get_or_insert(defaults.node_limit);
            }
            Work::Generate(generate) => {
                generate.seed.get_or_insert(defaults.seed);
                generate.generator_version = Some(defaults.generator_version);
            }
        }
        spec.time_to_live_s.get_or_insert(defaults.time_to_live_s);
        spec
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::samples::{DEFAULTS, generate, rate, solve, spec};
    use crate::sudoku::generate::Family;

    #[test]
    fn resolving_fills_in_what_is_unset_and_keeps_what_is_set() {
        let resolved = solve(2, None).resolve(&DEFAULTS);
        assert_eq!(resolved, BatchSpec { time_to_live_s: Some(60), ..solve(2, Some(1_000)) });
        assert_eq!(rate(None).resolve(&DEFAULTS).work, rate(Some(1_000)).work);
        assert_eq!(rate(Some(9)).resolve(&DEFAULTS).work, rate(Some(9)).work);
        let set = BatchSpec { time_to_live_s: Some(5), ..solve(1, Some(9)) };
        assert_eq!(set.resolve(&DEFAULTS), set);

        let Work::Generate(drawn) = generate(1, Family::Orbit, 5).resolve(&DEFAULTS).work else { unreachable!() };
        assert_eq!((drawn.seed, drawn.generator_version), (Some(7), Some(3)));
        let chosen = GenerateWork { seed: Some(0), ..drawn };
        assert_eq!(spec(Work::Generate(chosen.clone())).resolve(&DEFAULTS).work, Work::Generate(chosen));
    }
}

//! What a solver may be asked and what it answers. Outcomes, never errors.

use super::{CellSet, Grid};

/// What became of one puzzle. The discriminants are the packed and wire form: never reuse one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Outcome {
    /// Exactly one solution, proven.
    Unique = 1,
    /// At least two solutions found.
    Multiple = 2,
    /// One solution found; uniqueness was not asked for.
    Found = 3,
    /// Proven to have no solution.
    Unsolvable = 4,
    /// A limit came before an answer.
    Undecided = 5,
    /// Batch items only: the text was no puzzle.
    Invalid = 6,
    /// Batch items only: a fault of ours (panic, condemned item).
    Failed = 7,
}

impl Outcome {
    /// Every outcome, in the order of its discriminant (1..=7).
    pub const ALL: [Outcome; 7] = [
        Outcome::Unique,
        Outcome::Multiple,
        Outcome::Found,
        Outcome::Unsolvable,
        Outcome::Undecided,
        Outcome::Invalid,
        Outcome::Failed,
    ];

    /// The outcome with this discriminant, `None` outside 1..=7.
    pub fn from_code(code: u8) -> Option<Outcome> {
        Self::ALL.get(usize::from(code).checked_sub(1)?).copied()
    }

    /// Whether an item with this outcome shows a grid.
    pub fn shows_grid(self) -> bool {
        matches!(self, Outcome::Unique | Outcome::Found)
    }

    /// The lower-case word written where the item has no grid, and used as a metric label.
    pub fn word(self) -> &'static str {
        match self {
            Outcome::Unique => "unique",
            Outcome::Multiple => "multiple",
            Outcome::Found => "found",
            Outcome::Unsolvable => "unsolvable",
            Outcome::Undecided => "undecided",
            Outcome::Invalid => "invalid",
            Outcome::Failed => "failed",
        }
    }
}

/// Where one search ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Solutions to list, 1..=10,000.
    pub max_solutions: u32,
    /// Solutions to count, at least `max_solutions`, at most 10^9.
    pub count_limit: u64,
    /// Search nodes (guesses) to spend; `u64::MAX` for no limit.
    pub node_limit: u64,
}

impl Limits {
    /// Prove uniqueness: stop at the second solution.
    pub const PROVE: Limits = Limits { max_solutions: 2, count_limit: 2, node_limit: u64::MAX };
    /// Stop at the first solution.
    pub const ANY: Limits = Limits { max_solutions: 1, count_limit: 1, node_limit: u64::MAX };
}

/// The whole answer for one puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// What became of it; never `Invalid` or `Failed`.
    pub outcome: Outcome,
    /// The first `max_solutions` solutions found.
    pub solutions: Vec<Grid>,
    /// Solutions counted, up to `count_limit`.
    pub count: u64,
    /// Whether `count` is all there are: the search ended by itself.
    pub exact: bool,
    /// Cells whose equal givens clash in a house; empty unless the givens contradict each other.
    pub conflicts: CellSet,
    /// Search nodes (guesses) spent.
    pub nodes: u64,
}

impl Answer {
    /// The outcome that `count` solutions and `exact` mean under `limits`.
    pub fn judge(count: u64, exact: bool, limits: &Limits) -> Outcome {
        match (count, exact) {
            (0, true) => Outcome::Unsolvable,
            (1, true) => Outcome::Unique,
            (1, false) if limits.count_limit == 1 => Outcome::Found,
            (0 | 1, false) => Outcome::Undecided,
            _ => Outcome::Multiple,
        }
    }
}

/// What a caller tells a long computation at its yield points (at most 1 ms apart).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// Go on.
    Continue,
    /// Stop here: what is not done stays undone.
    Stop,
}

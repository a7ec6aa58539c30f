//! What the engine refuses, and why; `grpc/status.rs` turns it into a status.

use super::limit::Limit;
use crate::job::{JobId, JobState, spec::InvalidSpec};
use crate::pool::TaskError;
use crate::store::{StoreError, Usage};
use crate::sudoku::Outcome;
use crate::sudoku::generate::puzzle::Shortfall;
use std::time::Duration;

/// Why a request was refused or failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// A field of the request is wrong.
    #[error("{field}: {problem}")]
    Invalid {
        /// Path of the field, in the proto's names.
        field: String,
        /// What is wrong and what would be right.
        problem: String,
    },
    /// The puzzle has not exactly one solution, so it has no rating.
    #[error("puzzle {problem}")]
    NotUnique {
        /// UNSOLVABLE or MULTIPLE.
        outcome: Outcome,
        /// What is wrong with the puzzle.
        problem: String,
    },
    /// No attempt at an item met all wishes.
    #[error("item {item}: {shortfall}; another seed may do, or a wish less")]
    Unmet {
        /// Its index in the sequence.
        item: usize,
        /// Which wish, and how often it was tried.
        shortfall: Shortfall,
    },
    /// The request id belongs to a job with another spec.
    #[error("request_id {request_id:?} belongs to job {job}, which has another spec")]
    Conflict {
        /// The request id.
        request_id: String,
        /// The job it belongs to.
        job: JobId,
    },
    /// A block that begins after the next index.
    #[error("first_index is {got}, but item {expected} comes next: send the items between first")]
    Gap {
        /// The next index.
        expected: u32,
        /// Where the block began.
        got: u32,
    },
    /// The job's state does not allow it.
    #[error("job {job} is {state:?}: {problem}")]
    WrongState {
        /// The job.
        job: JobId,
        /// Its state.
        state: JobState,
        /// What can't be done, and what can.
        problem: &'static str,
    },
    /// A limit is reached.
    #[error("{problem} (limit: {})", .limit.setting())]
    Exhausted {
        /// Which.
        limit: Limit,
        /// What met it, its value, and what to do where waiting does not help.
        problem: String,
        /// When to try again, if that helps.
        retry_after: Option<Duration>,
    },
    /// A panic in our own code.
    #[error("internal fault: {0}")]
    Internal(String),
    /// The process is draining; another will answer.
    #[error("the server is draining")]
    Draining,
    /// The store refused or failed.
    #[error(transparent)]
    Store(StoreError),
}

impl From<InvalidSpec> for EngineError {
    fn from(wrong: InvalidSpec) -> EngineError {
        EngineError::Invalid { field: wrong.field, problem: wrong.problem }
    }
}

impl From<StoreError> for EngineError {
    fn from(error: StoreError) -> EngineError {
        match error {
            StoreError::OverQuota { usage, quota } => over_quota(usage, quota),
            other => EngineError::Store(other),
        }
    }
}

/// The refusal of a principal that has as much stored as it may.
fn over_quota(usage: Usage, quota: Usage) -> EngineError {
    const HELP: &str = "delete jobs that have ended, or wait until their time to live is over";
    let (limit, problem) = if usage.jobs >= quota.jobs {
        (Limit::Jobs, format!("{} jobs of the caller are stored, and no more may be than {}", usage.jobs, quota.jobs))
    } else {
        let (held, most) = (usage.bytes, quota.bytes);
        (Limit::StoredBytes, format!("the caller's jobs take {held} bytes, and may take no more than {most}"))
    };
    EngineError::Exhausted { limit, problem: format!("{problem}: {HELP}"), retry_after: None }
}

impl From<TaskError> for EngineError {
    fn from(error: TaskError) -> EngineError {
        match error {
            TaskError::Panicked(message) => EngineError::Internal(message),
            TaskError::Busy(waiting) => EngineError::Exhausted {
                limit: Limit::InteractiveQueue,
                problem: format!("{waiting} calls wait for the interactive threads, and no more may"),
                retry_after: Some(Duration::from_millis(100)),
            },
            TaskError::Closing => EngineError::Draining,
        }
    }
}

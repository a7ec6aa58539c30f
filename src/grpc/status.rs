//! Refusals as gRPC statuses: the only place that makes a [`Status`]. Each carries a machine-readable reason,
//! and details that say what would be right or when to try again.

use super::role::Role;
use crate::engine::EngineError;
use crate::job::{JobId, RequestId};
use crate::store::StoreError;
use crate::sudoku::Outcome;
use crate::sudoku::text::TextError;
use std::collections::HashMap;
use std::time::Duration;
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt};

/// The domain of every reason.
pub const DOMAIN: &str = "sudoku.v1";

/// The setting that bounds a message.
const MESSAGE_LIMIT: &str = "max-message-bytes";

/// When to try again a server that is going: its successor needs a moment.
const RETRY_DRAINING: Duration = Duration::from_secs(1);

/// Why a call has no (further) answer.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Refusal {
    /// The engine's word.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The text of a unary call's puzzle is no puzzle.
    #[error("{0}")]
    Puzzle(#[from] TextError),
    /// The call's deadline has passed.
    #[error("the call's deadline has passed")]
    Deadline,
    /// The input of a batch ended without a finish.
    #[error(
        "the input ended without finish: job {job} stays UPLOADING with {next_index} items; to resume, open it \
         again with request_id {:?}, send what follows with first_index {next_index}, then finish",
        .request_id.as_str()
    )]
    NotFinished {
        /// The job.
        job: JobId,
        /// The request id to open it again with.
        request_id: RequestId,
        /// The first item that is not stored.
        next_index: u32,
    },
    /// The caller shows nothing of who it is.
    #[error("credentials are needed: send the metadata `authorization: Bearer TOKEN`, or show a client certificate")]
    NoCredentials,
    /// What the caller shows is no good.
    #[error("the credentials are no good: {why}")]
    Credentials {
        /// Which, and why.
        why: &'static str,
    },
    /// The caller may not do this.
    #[error("this call takes the role `{0}`, which the caller does not have")]
    Role(Role),
    /// There is no such method.
    #[error("this server has no method {0}")]
    NoMethod(String),
    /// A message of the input could not be read.
    #[error("the input could not be read: {message}")]
    Unreadable {
        /// tonic's code for it.
        code: Code,
        /// tonic's words for it.
        message: String,
    },
}

impl Refusal {
    /// A field that is wrong.
    pub fn invalid(field: impl Into<String>, problem: impl Into<String>) -> Refusal {
        EngineError::Invalid { field: field.into(), problem: problem.into() }.into()
    }

    /// Puts the path of the message that holds it before the name of a wrong field.
    #[must_use]
    pub fn within(self, parent: &str) -> Refusal {
        match self {
            Refusal::Engine(EngineError::Invalid { field, problem }) => {
                Refusal::invalid(format!("{parent}.{field}"), problem)
            }
            other => other,
        }
    }
}

/// A message that tonic could not give us.
impl From<Status> for Refusal {
    fn from(status: Status) -> Refusal {
        let (code, mut message) = (status.code(), status.message().to_owned());
        if code == Code::OutOfRange {
            message += &format!("; send less at a time (limit: {MESSAGE_LIMIT})");
        }
        Refusal::Unreadable { code, message }
    }
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Refusal {
        EngineError::from(error).into()
    }
}

/// What a status says besides its message.
struct Told {
    code: Code,
    reason: &'static str,
    /// Facts for programs, beside the reason.
    facts: Vec<(&'static str, String)>,
    details: ErrorDetails,
}

impl Told {
    fn new(code: Code, reason: &'static str) -> Told {
        Told { code, reason, facts: Vec::new(), details: ErrorDetails::new() }
    }

    fn fact(mut self, name: &'static str, value: impl ToString) -> Told {
        self.facts.push((name, value.to_string()));
        self
    }

    fn retry(mut self, after: Option<Duration>) -> Told {
        if after.is_some() {
            self.details.set_retry_info(after);
        }
        self
    }

    /// The setting that is the limit, and what met it.
    fn limit(mut self, setting: &'static str, problem: &str) -> Told {
        self.details.add_quota_failure_violation(setting, problem);
        self.fact("limit", setting)
    }

    fn field(mut self, field: &str, problem: impl ToString) -> Told {
        self.details.add_bad_request_violation(field, problem.to_string());
        self
    }

    fn job(mut self, job: JobId, what: &str) -> Told {
        self.details.set_resource_info("sudoku.v1.Job", job.to_string(), "", what);
        self.fact("job_id", job)
    }
}

impl From<Refusal> for Status {
    fn from(refusal: Refusal) -> Status {
        let Told { code, reason, facts, mut details } = tell(&refusal);
        let facts: HashMap<String, String> = facts.into_iter().map(|(name, value)| (name.into(), value)).collect();
        details.set_error_info(reason, DOMAIN, facts);
        if code == Code::Internal || code == Code::DataLoss {
            tracing::error!(reason, "{refusal}");
        }
        Status::with_error_details(code, refusal.to_string(), details)
    }
}

fn tell(refusal: &Refusal) -> Told {
    match refusal {
        Refusal::Engine(error) => tell_engine(error),
        Refusal::Puzzle(error) => Told::new(Code::InvalidArgument, error.fault.reason()).field("puzzle", error),
        Refusal::Deadline => Told::new(Code::DeadlineExceeded, "DEADLINE_EXCEEDED"),
        Refusal::NotFinished { job, request_id, next_index } => {
            Told::new(Code::FailedPrecondition, "UPLOAD_NOT_FINISHED")
                .job(*job, "its upload is not finished")
                .fact("request_id", request_id.as_str())
                .fact("next_index", next_index)
        }
        Refusal::Unreadable { code: Code::OutOfRange, message } => {
            Told::new(Code::ResourceExhausted, "MESSAGE_TOO_LARGE").limit(MESSAGE_LIMIT, message)
        }
        Refusal::Unreadable { code: Code::Unimplemented, .. } => {
            Told::new(Code::Unimplemented, "COMPRESSION_UNSUPPORTED")
        }
        Refusal::Unreadable { .. } => Told::new(Code::InvalidArgument, "MESSAGE_UNREADABLE"),
        Refusal::NoCredentials => Told::new(Code::Unauthenticated, "CREDENTIALS_MISSING"),
        Refusal::Credentials { .. } => Told::new(Code::Unauthenticated, "CREDENTIALS_INVALID"),
        Refusal::Role(role) => Told::new(Code::PermissionDenied, "ROLE_MISSING").fact("role", role),
        Refusal::NoMethod(_) => Told::new(Code::Unimplemented, "METHOD_UNKNOWN"),
    }
}

fn tell_engine(error: &EngineError) -> Told {
    match error {
        EngineError::Invalid { field, problem } => {
            Told::new(Code::InvalidArgument, "INVALID_FIELD").field(field, problem)
        }
        EngineError::NotUnique { outcome, problem } => {
            let reason = if *outcome == Outcome::Unsolvable { "PUZZLE_UNSOLVABLE" } else { "PUZZLE_NOT_UNIQUE" };
            Told::new(Code::InvalidArgument, reason).field("puzzle", problem)
        }
        EngineError::Unmet { item, shortfall } => Told::new(Code::FailedPrecondition, "GENERATION_FAILED")
            .fact("index", item)
            .fact("wish", shortfall.wish.name())
            .fact("attempts", shortfall.attempts)
            .field("puzzle", shortfall),
        EngineError::Conflict { request_id, job } => Told::new(Code::AlreadyExists, "REQUEST_ID_TAKEN")
            .job(*job, "has this request_id and another spec")
            .fact("request_id", request_id),
        EngineError::Gap { expected, .. } => Told::new(Code::OutOfRange, "UPLOAD_GAP").fact("next_index", expected),
        EngineError::WrongState { job, state, .. } => {
            Told::new(Code::FailedPrecondition, "JOB_STATE").job(*job, "").fact("state", state.name())
        }
        EngineError::Exhausted { limit, problem, retry_after } => {
            Told::new(Code::ResourceExhausted, "LIMIT_REACHED").limit(limit.setting(), problem).retry(*retry_after)
        }
        EngineError::Internal(_) => Told::new(Code::Internal, "INTERNAL_FAULT"),
        EngineError::Draining => Told::new(Code::Unavailable, "DRAINING").retry(Some(RETRY_DRAINING)),
        EngineError::Store(error) => tell_store(error),
    }
}

fn tell_store(error: &StoreError) -> Told {
    match error {
        StoreError::NotFound(job) => Told::new(Code::NotFound, "JOB_NOT_FOUND").job(*job, "not found"),
        StoreError::Fenced { job, .. } => {
            Told::new(Code::Aborted, "UPLOAD_TAKEN_OVER").job(*job, "a newer stream uploads to it")
        }
        StoreError::Gap { job, expected, .. } => {
            Told::new(Code::OutOfRange, "UPLOAD_GAP").job(*job, "").fact("next_index", expected)
        }
        StoreError::WrongState { job, state } => {
            Told::new(Code::FailedPrecondition, "JOB_STATE").job(*job, "").fact("state", state.name())
        }
        StoreError::TotalMismatch { job, stored, .. } => Told::new(Code::InvalidArgument, "TOTAL_MISMATCH")
            .job(*job, "")
            .fact("next_index", stored)
            .field("finish.total_count", format!("must be the {stored} items sent, or unset")),
        StoreError::Damaged { job, chunk } => Told::new(Code::DataLoss, "RESULTS_DAMAGED")
            .job(*job, "a chunk is damaged")
            .fact("first_index", chunk.first_index)
            .fact("next_index", chunk.end()),
        StoreError::Closing => Told::new(Code::Unavailable, "STORE_CLOSING").retry(Some(RETRY_DRAINING)),
        StoreError::Full(what) => {
            let mut told = Told::new(Code::ResourceExhausted, "STORAGE_FULL");
            told.details.add_quota_failure_violation("storage", what);
            told
        }
        StoreError::Broken(_) => Told::new(Code::Internal, "STORE_FAILED"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Limit;
    use crate::job::{ChunkRef, JobState};
    use crate::sudoku::generate::puzzle::{Shortfall, Wish};
    use crate::sudoku::text::{Fault, FaultKind};

    fn engine(error: EngineError) -> Refusal {
        error.into()
    }

    fn not_unique(outcome: Outcome) -> Refusal {
        engine(EngineError::NotUnique { outcome, problem: "so it is".into() })
    }

    #[test]
    fn each_refusal_has_its_code_and_reason() {
        let job = JobId::from_bytes([7; 16]);
        let chunk = ChunkRef { first_index: 8, count: 4 };
        let fault = Fault { kind: FaultKind::TooFew, column: 81, cell: 80, detail: 80 };
        let state = JobState::Running;
        let shortfall = Shortfall { wish: Wish::Minimal, attempts: 5 };
        let request_id = RequestId::new("mine").expect("id");
        let retry_after = Some(Duration::from_secs(2));
        let exhausted = EngineError::Exhausted { limit: Limit::JobItems, problem: "at most 5".into(), retry_after };
        let table: Vec<(Refusal, Code, &str)> = vec![
            (Refusal::invalid("count", "1 to 5"), Code::InvalidArgument, "INVALID_FIELD"),
            (TextError { line: 1, fault }.into(), Code::InvalidArgument, "TOO_FEW_CELLS"),
            (Refusal::Deadline, Code::DeadlineExceeded, "DEADLINE_EXCEEDED"),
            (Refusal::NotFinished { job, request_id, next_index: 3 }, Code::FailedPrecondition, "UPLOAD_NOT_FINISHED"),
            (
                Refusal::Unreadable { code: Code::OutOfRange, message: "long".into() },
                Code::ResourceExhausted,
                "MESSAGE_TOO_LARGE",
            ),
            (
                Refusal::Unreadable { code: Code::Internal, message: "odd".into() },
                Code::InvalidArgument,
                "MESSAGE_UNREADABLE",
            ),
            (
                Refusal::Unreadable { code: Code::Unimplemented, message: "gzip".into() },
                Code::Unimplemented,
                "COMPRESSION_UNSUPPORTED",
            ),
            (Refusal::NoCredentials, Code::Unauthenticated, "CREDENTIALS_MISSING"),
            (Refusal::Credentials { why: "unknown" }, Code::Unauthenticated, "CREDENTIALS_INVALID"),
            (Refusal::Role(Role::Submit), Code::PermissionDenied, "ROLE_MISSING"),
            (Refusal::NoMethod("/a/B".into()), Code::Unimplemented, "METHOD_UNKNOWN"),
            (engine(EngineError::Conflict { request_id: "x".into(), job }), Code::AlreadyExists, "REQUEST_ID_TAKEN"),
            (not_unique(Outcome::Unsolvable), Code::InvalidArgument, "PUZZLE_UNSOLVABLE"),
            (not_unique(Outcome::Multiple), Code::InvalidArgument, "PUZZLE_NOT_UNIQUE"),
            (engine(EngineError::Unmet { item: 3, shortfall }), Code::FailedPrecondition, "GENERATION_FAILED"),
            (engine(EngineError::Gap { expected: 1, got: 2 }), Code::OutOfRange, "UPLOAD_GAP"),
            (engine(EngineError::WrongState { job, state, problem: "it runs" }), Code::FailedPrecondition, "JOB_STATE"),
            (engine(exhausted), Code::ResourceExhausted, "LIMIT_REACHED"),
            (engine(EngineError::Internal("panicked".into())), Code::Internal, "INTERNAL_FAULT"),
            (engine(EngineError::Draining), Code::Unavailable, "DRAINING"),
            (StoreError::NotFound(job).into(), Code::NotFound, "JOB_NOT_FOUND"),
            (StoreError::Fenced { job, epoch: 1 }.into(), Code::Aborted, "UPLOAD_TAKEN_OVER"),
            (StoreError::Gap { job, expected: 1, got: 2 }.into(), Code::OutOfRange, "UPLOAD_GAP"),
            (StoreError::WrongState { job, state }.into(), Code::FailedPrecondition, "JOB_STATE"),
            (StoreError::TotalMismatch { job, stored: 1, total: 2 }.into(), Code::InvalidArgument, "TOTAL_MISMATCH"),
            (StoreError::Damaged { job, chunk }.into(), Code::DataLoss, "RESULTS_DAMAGED"),
            (StoreError::Closing.into(), Code::Unavailable, "STORE_CLOSING"),
            (StoreError::Full("disk".into()).into(), Code::ResourceExhausted, "STORAGE_FULL"),
            (StoreError::Broken("disk".into()).into(), Code::Internal, "STORE_FAILED"),
        ];
        for (refusal, code, reason) in table {
            let status = Status::from(refusal.clone());
            assert_eq!(status.code(), code, "{refusal:?}");
            assert!(!status.message().is_empty(), "{refusal:?}");
            let info = status.get_details_error_info().expect("every status has a reason");
            assert_eq!((info.reason.as_str(), info.domain.as_str()), (reason, "sudoku.v1"), "{refusal:?}");
            // UNAVAILABLE invites a retry, so it says when.
            assert!(code != Code::Unavailable || status.get_details_retry_info().is_some(), "{refusal:?}");
        }
    }

    #[test]
    fn details_say_what_would_be_right() {
        let status = Status::from(Refusal::invalid("solve.max_solutions", "is 3: 1 or 2").within("open"));
        assert_eq!(status.message(), "open.solve.max_solutions: is 3: 1 or 2");
        let violation = &status.get_details_bad_request().expect("bad request").field_violations[0];
        assert_eq!(violation.field, "open.solve.max_solutions");
        assert_eq!(violation.description, "is 3: 1 or 2");

        let job = JobId::from_bytes([7; 16]);
        let damaged = StoreError::Damaged { job, chunk: ChunkRef { first_index: 8, count: 4 } };
        let facts = Status::from(Refusal::from(damaged)).get_details_error_info().expect("info").metadata;
        assert_eq!((facts["first_index"].as_str(), facts["next_index"].as_str()), ("8", "12"));
        assert_eq!(facts["job_id"], job.to_string());

        let retry_after = Some(Duration::from_secs(2));
        let refusal = EngineError::Exhausted { limit: Limit::JobItems, problem: "at most 5".into(), retry_after };
        let status = Status::from(engine(refusal));
        assert_eq!(status.message(), "at most 5 (limit: max-job-items)");
        assert_eq!(status.get_details_error_info().expect("info").metadata["limit"], "max-job-items");
        let quota = &status.get_details_quota_failure().expect("quota").violations[0];
        assert_eq!((quota.subject.as_str(), quota.description.as_str()), ("max-job-items", "at most 5"));
        assert_eq!(status.get_details_retry_info().expect("retry").retry_delay, retry_after);
    }
}

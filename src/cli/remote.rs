//! A server to talk to: the generated clients, and what its refusals mean for the exit code.

use super::args::ServerArgs;
use super::connect::{Connection, connect, root};
use super::exit::{Exit, Failure};
use crate::grpc::proto::v1::job_service_client::JobServiceClient;
use crate::grpc::proto::v1::sudoku_service_client::SudokuServiceClient;
use std::error::Error as _;
use std::future::Future;
use std::time::{Duration, Instant};
use tonic::{Code, Request, Status};
use tonic_types::StatusExt;

/// How long a unary call may take.
const CALL: Duration = Duration::from_secs(30);
/// Largest message taken from a server.
const MESSAGE: usize = 64 << 20;
/// Without any progress for longer, retrying ends.
const PATIENCE: Duration = Duration::from_secs(60);

/// A connection to a server.
#[derive(Clone, Debug)]
pub struct Remote(Connection);

impl Remote {
    /// Connects.
    ///
    /// # Errors
    /// As [`connect`].
    pub async fn connect(args: &ServerArgs) -> Result<Remote, Failure> {
        connect(args).await.map(Remote)
    }

    /// The connection itself.
    pub fn connection(&self) -> Connection {
        self.0.clone()
    }

    /// The client of `JobService`.
    pub fn jobs(&self) -> JobServiceClient<Connection> {
        JobServiceClient::new(self.connection()).max_decoding_message_size(MESSAGE)
    }

    /// The client of `SudokuService`.
    pub fn sudoku(&self) -> SudokuServiceClient<Connection> {
        SudokuServiceClient::new(self.connection()).max_decoding_message_size(MESSAGE)
    }
}

/// A unary call's message, with a deadline.
pub fn call<T>(message: T) -> Request<T> {
    let mut request = Request::new(message);
    request.set_timeout(CALL);
    request
}

/// What a refusal means: one line with its reason, and the exit code.
pub fn refused(status: &Status) -> Failure {
    let reason = status.get_details_error_info().map(|info| info.reason).filter(|reason| !reason.is_empty());
    let reason = reason.unwrap_or_else(|| format!("{:?}", status.code()));
    let message = match status.message() {
        "" => status.code().description().to_owned(),
        message => message.to_owned(),
    };
    let cause = status.source().and_then(root).filter(|cause| !message.contains(cause.as_str()));
    let cause = cause.map(|cause| format!(": {cause}")).unwrap_or_default();
    let exit = match status.code() {
        Code::InvalidArgument
        | Code::NotFound
        | Code::AlreadyExists
        | Code::OutOfRange
        | Code::FailedPrecondition
        | Code::PermissionDenied
        | Code::Unauthenticated => Exit::Usage,
        _ => Exit::Io,
    };
    Failure { exit, message: format!("{message}{cause} ({reason})").replace('\n', " ") }
}

/// Why a stream ended before its end.
pub enum Stop {
    /// The server refused, or the connection broke.
    Broken(Status),
    /// Something of ours, or an answer that makes no sense.
    Failed(Failure),
}

impl From<Status> for Stop {
    fn from(status: Status) -> Stop {
        Stop::Broken(status)
    }
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Stop {
        Stop::Failed(failure)
    }
}

/// Waits between attempts, and the end of patience.
#[derive(Debug)]
pub struct Retry {
    /// When something last went forward.
    progressed: Instant,
    /// Failures since then.
    failures: u32,
}

impl Retry {
    /// From now on.
    pub fn new() -> Retry {
        Retry { progressed: Instant::now(), failures: 0 }
    }

    /// Something went forward: patience begins anew.
    pub fn progressed(&mut self) {
        *self = Retry::new();
    }

    /// Waits before the next attempt.
    ///
    /// # Errors
    /// The refusal, when another attempt would change nothing or patience is at its end.
    pub async fn wait(&mut self, status: &Status) -> Result<(), Failure> {
        let mut failure = refused(status);
        let Some(asked) = retry_after(status) else { return Err(failure) };
        if self.progressed.elapsed() > PATIENCE {
            failure.message = format!("gave up after {} s without progress: {}", PATIENCE.as_secs(), failure.message);
            failure.exit = Exit::Io;
            return Err(failure);
        }
        self.failures += 1;
        tokio::time::sleep(asked.max(backoff(self.failures))).await;
        Ok(())
    }

    /// Does `attempt` until it succeeds, or fails for good. For calls that may be repeated.
    ///
    /// # Errors
    /// As [`Retry::wait`].
    pub async fn until<T, F: Future<Output = Result<T, Status>>>(attempt: impl Fn() -> F) -> Result<T, Failure> {
        let mut retry = Retry::new();
        loop {
            match attempt().await {
                Ok(value) => return Ok(value),
                Err(status) => retry.wait(&status).await?,
            }
        }
    }
}

/// 100 ms, doubled with each failure up to 5 s.
fn backoff(failures: u32) -> Duration {
    Duration::from_millis(100 << failures.saturating_sub(1).min(6)).min(Duration::from_secs(5))
}

/// Whether another attempt may succeed, and how long the server asks to wait first. UNAVAILABLE says so, a limit
/// with a time does, and so does a status that no server sent: the connection broke. ABORTED does not: another
/// stream took the upload over, and taking it back would begin a fight.
fn retry_after(status: &Status) -> Option<Duration> {
    let told = status.get_details_retry_info().and_then(|info| info.retry_delay);
    let broken = status.source().is_some();
    match status.code() {
        Code::Unavailable => Some(told.unwrap_or_default()),
        Code::ResourceExhausted => told,
        Code::Unknown | Code::Internal | Code::Cancelled if broken => Some(Duration::ZERO),
        _ => None,
    }
}

/// The status of a stream that ended too early: as if the connection broke.
pub fn cut_short() -> Status {
    Status::unavailable("the server ended the stream early")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use tonic_types::ErrorDetails;

    fn broken(code: Code) -> Status {
        let mut status = Status::new(code, "broken");
        status.set_source(Arc::new(std::io::Error::other("reset")));
        status
    }

    #[test]
    fn retried_are_outages_and_broken_connections_alone() {
        let second = Duration::from_secs(1);
        let wait = |code| Status::with_error_details(code, "later", ErrorDetails::with_retry_info(Some(second)));
        for (status, expected) in [
            (Status::unavailable("gone"), Some(Duration::ZERO)),
            (wait(Code::Unavailable), Some(second)),
            (wait(Code::ResourceExhausted), Some(second)),
            (Status::resource_exhausted("full"), None),
            (broken(Code::Unknown), Some(Duration::ZERO)),
            (broken(Code::Cancelled), Some(Duration::ZERO)),
            (Status::cancelled("by the server"), None),
            (Status::aborted("taken over"), None),
            (Status::internal("fault"), None),
            (Status::invalid_argument("no"), None),
        ] {
            assert_eq!(retry_after(&status), expected, "{status:?}");
        }
    }

    #[test]
    fn refusals_are_one_line_with_their_reason() {
        let details = ErrorDetails::with_error_info("JOB_NOT_FOUND", "sudoku.v1", std::collections::HashMap::new());
        let failure = refused(&Status::with_error_details(Code::NotFound, "no job x", details));
        assert_eq!((failure.exit, failure.message.as_str()), (Exit::Usage, "no job x (JOB_NOT_FOUND)"));
        let failure = refused(&broken(Code::Unknown));
        assert_eq!(failure.exit, Exit::Io);
        assert!(failure.message.starts_with("broken") && failure.message.ends_with("(Unknown)"));
    }

    #[test]
    fn waits_grow_to_a_bound() {
        let waits = [1, 2, 3, 7, 100].map(|n| backoff(n).as_millis());
        assert_eq!(waits, [100, 200, 400, 5_000, 5_000]);
    }
}

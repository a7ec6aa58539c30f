//! What a status means that ends a call: the exit code, the words, and whether another attempt may succeed.

use super::exit::{Exit, Failure};
use crate::grpc::REQUEST_ID;
use std::error::Error;
use std::io;
use std::time::Duration;
use tonic::{Code, Status};
use tonic_types::StatusExt;

/// Words of errors that every further attempt would meet, and what they mean.
const LASTING: [(&str, &str); 2] = [
    ("received fatal alert", "the server refuses this client's certificate or wants one, see --tls-client-cert"),
    ("frame with invalid size", "what answers there speaks no HTTP/2: is it an https:// server?"),
];

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
    let hint = lasting(status).map(|hint| format!("; {hint}")).unwrap_or_default();
    let call = faulty_call(status).map(|id| format!(", request {id}")).unwrap_or_default();
    Failure { exit, message: format!("{message}{cause} ({reason}{call}){hint}").replace('\n', " ") }
}

/// The id under which the server's log has a fault of its own.
fn faulty_call(status: &Status) -> Option<&str> {
    let ours = matches!(status.code(), Code::Internal | Code::DataLoss | Code::Unknown);
    status.metadata().get(REQUEST_ID).filter(|_| ours)?.to_str().ok()
}

/// What is wrong for as long as nobody changes it, where the connection itself failed so.
fn lasting(status: &Status) -> Option<&'static str> {
    let source = status.source()?;
    let mut words = std::iter::once(status.message().to_owned())
        .chain(std::iter::once(source).chain(causes(source)).map(ToString::to_string))
        .collect::<Vec<_>>()
        .join(" ");
    words.make_ascii_lowercase();
    LASTING.into_iter().find(|(sign, _)| words.contains(sign)).map(|(_, hint)| hint)
}

/// Whether another attempt may succeed, and how long the server asks to wait first. UNAVAILABLE says so, a limit with a
/// time does, CANCELLED does (nobody here cancels: a connection was closed, or a deadline on the way passed), and so does
/// a status that no server sent: the connection broke. ABORTED does not: another stream took the upload over, and taking
/// it back would begin a fight. Nor does a certificate that one side does not trust, or a server that speaks no HTTP/2.
pub fn passes(status: &Status) -> Option<Duration> {
    let told = status.get_details_retry_info().and_then(|info| info.retry_delay);
    let source = status.source();
    if source.is_some_and(is_distrust) || lasting(status).is_some() {
        return None;
    }
    match status.code() {
        Code::Unavailable | Code::Cancelled | Code::DeadlineExceeded => Some(told.unwrap_or_default()),
        Code::ResourceExhausted => told.or(source.map(|_| Duration::ZERO)),
        Code::Unknown | Code::Internal => source.map(|_| Duration::ZERO),
        _ => None,
    }
}

/// The status of a stream that ended too early: as if the connection broke.
pub fn cut_short() -> Status {
    Status::unavailable("the server ended the stream early")
}

/// The innermost cause.
pub fn root(error: &(dyn Error + 'static)) -> Option<String> {
    causes(error).last().map(ToString::to_string)
}

/// Whether a server that could not be reached may come: nobody listens, or the way there is down. Not so where the
/// address is none or the certificate is not trusted.
pub fn may_come(error: &(dyn Error + 'static)) -> bool {
    use io::ErrorKind as Kind;
    let passing = [
        Kind::ConnectionRefused,
        Kind::ConnectionReset,
        Kind::ConnectionAborted,
        Kind::NotConnected,
        Kind::BrokenPipe,
        Kind::UnexpectedEof,
        Kind::TimedOut,
        Kind::HostUnreachable,
        Kind::NetworkUnreachable,
        Kind::NetworkDown,
    ];
    kinds(error).any(|kind| passing.contains(&kind))
}

/// Whether TLS refused: it says so as malformed data.
fn is_distrust(error: &(dyn Error + 'static)) -> bool {
    kinds(error).any(|kind| kind == io::ErrorKind::InvalidData)
}

fn kinds<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = io::ErrorKind> + 'a {
    let all = std::iter::once(error).chain(causes(error));
    all.filter_map(|cause| cause.downcast_ref::<io::Error>()).map(io::Error::kind)
}

/// Outermost first.
fn causes<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    std::iter::successors(error.source(), |&cause| cause.source())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use tonic_types::ErrorDetails;

    fn broken(code: Code, kind: io::ErrorKind) -> Status {
        let mut status = Status::new(code, "broken");
        status.set_source(Arc::new(io::Error::new(kind, "reset")));
        status
    }

    fn said(words: &'static str) -> Status {
        let mut status = Status::unknown("h2 protocol error");
        status.set_source(Arc::new(io::Error::new(io::ErrorKind::BrokenPipe, words)));
        status
    }

    #[test]
    fn retried_are_outages_and_broken_connections_alone() {
        use io::ErrorKind::{ConnectionReset, InvalidData};
        let second = Duration::from_secs(1);
        let wait = |code| Status::with_error_details(code, "later", ErrorDetails::with_retry_info(Some(second)));
        for (status, expected) in [
            (Status::unavailable("gone"), Some(Duration::ZERO)),
            (wait(Code::Unavailable), Some(second)),
            (wait(Code::ResourceExhausted), Some(second)),
            (Status::resource_exhausted("full"), None),
            (broken(Code::ResourceExhausted, ConnectionReset), Some(Duration::ZERO)),
            (broken(Code::Unknown, ConnectionReset), Some(Duration::ZERO)),
            (broken(Code::Unavailable, ConnectionReset), Some(Duration::ZERO)),
            (broken(Code::Unavailable, InvalidData), None),
            (broken(Code::Unknown, InvalidData), None),
            (said("received fatal alert: CertificateExpired"), None),
            (said("connection error detected: frame with invalid size"), None),
            (broken(Code::Cancelled, ConnectionReset), Some(Duration::ZERO)),
            (Status::cancelled("on the way"), Some(Duration::ZERO)),
            (Status::deadline_exceeded("slow"), Some(Duration::ZERO)),
            (Status::aborted("taken over"), None),
            (Status::internal("fault"), None),
            (Status::unknown("fault"), None),
            (Status::invalid_argument("no"), None),
        ] {
            assert_eq!(passes(&status), expected, "{status:?}");
        }
    }

    #[test]
    fn refusals_are_one_line_with_their_reason() {
        let details = ErrorDetails::with_error_info("JOB_NOT_FOUND", "sudoku.v1", std::collections::HashMap::new());
        let failure = refused(&Status::with_error_details(Code::NotFound, "no job x", details));
        assert_eq!((failure.exit, failure.message.as_str()), (Exit::Usage, "no job x (JOB_NOT_FOUND)"));
        let failure = refused(&broken(Code::Unknown, io::ErrorKind::ConnectionReset));
        assert_eq!(failure.exit, Exit::Io);
        assert!(failure.message.starts_with("broken") && failure.message.ends_with("(Unknown)"));
        let mut fault = Status::internal("panicked");
        fault.metadata_mut().insert(REQUEST_ID, "r-1".parse().expect("ASCII"));
        assert_eq!(refused(&fault).message, "panicked (Internal, request r-1)");
        let failure = refused(&said("frame with invalid size"));
        assert!(failure.message.ends_with("(Unknown); what answers there speaks no HTTP/2: is it an https:// server?"));
    }
}

//! What the edge counts and times, with names and descriptions: the only place of the edge that names a metric.

use super::proto;
use metrics::{Counter, Gauge, Histogram, SharedString, Unit};
use metrics::{counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram};
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tonic::Code;

const CALLS: &str = "sudokud_grpc_calls_total";
const SECONDS: &str = "sudokud_grpc_call_seconds";
const OPEN: &str = "sudokud_grpc_calls_open";
const RECEIVED_BYTES: &str = "sudokud_grpc_received_bytes_total";
const SENT_BYTES: &str = "sudokud_grpc_sent_bytes_total";
const HANDSHAKES_FAILED: &str = "sudokud_tls_handshakes_failed_total";
const NOT_AFTER: &str = "sudokud_tls_certificate_not_after_seconds";
const RELOADS: &str = "sudokud_reloads_total";
const DRAINING: &str = "sudokud_draining";
const BUILD_INFO: &str = "sudokud_build_info";

/// The label of paths that are no method of the API.
const OTHER: SharedString = SharedString::const_str("other");
/// One more than the greatest code of gRPC.
const CODES: usize = 17;
/// What became of changed files.
const TAKEN: &str = "taken";
const REFUSED: &str = "refused";

/// Describes them to the recorder in place, and begins those that count faults at 0: a rise from nothing is none.
pub fn describe() {
    describe_counter!(CALLS, Unit::Count, "Calls answered, by method and gRPC code");
    describe_histogram!(SECONDS, Unit::Seconds, "Time from a call's headers to its status, by method");
    describe_gauge!(OPEN, Unit::Count, "Calls without a status yet, by method");
    describe_counter!(RECEIVED_BYTES, Unit::Bytes, "Bytes of messages received, by method");
    describe_counter!(SENT_BYTES, Unit::Bytes, "Bytes of messages sent, by method");
    describe_counter!(HANDSHAKES_FAILED, Unit::Count, "Connections that ended in their TLS handshake");
    describe_gauge!(NOT_AFTER, Unit::Seconds, "When the certificate in force expires, in seconds since 1970");
    describe_counter!(RELOADS, Unit::Count, "Changed files of certificates or tokens, by result (taken, refused)");
    describe_gauge!(DRAINING, Unit::Count, "1 from the moment when the server begins to end, else 0");
    describe_gauge!(BUILD_INFO, Unit::Count, "Always 1, with the version and the solver kernel in use");
    counter!(HANDSHAKES_FAILED).increment(0);
    counter!(RELOADS, "result" => TAKEN).increment(0);
    counter!(RELOADS, "result" => REFUSED).increment(0);
}

/// The metrics of each method, found by path.
#[derive(Clone)]
pub struct Methods {
    known: Arc<HashMap<String, Arc<Method>>>,
    /// Other paths share one label, so that callers cannot grow the metrics.
    other: Arc<Method>,
}

impl Methods {
    /// Knows the methods of the API.
    pub fn all() -> Methods {
        let known = |method: String| (format!("/{method}"), Arc::new(Method::new(Arc::<str>::from(method).into())));
        Methods {
            known: Arc::new(proto::methods().into_iter().map(known).collect()),
            other: Arc::new(Method::new(OTHER)),
        }
    }

    /// The metrics of a path, and whether it is a method of the API.
    pub fn of(&self, path: &str) -> (Arc<Method>, bool) {
        let known = self.known.get(path);
        (Arc::clone(known.unwrap_or(&self.other)), known.is_some())
    }
}

/// The metrics of one method, looked up once.
pub struct Method {
    name: SharedString,
    /// By code, each begun with its first call.
    calls: [OnceLock<Counter>; CODES],
    seconds: Histogram,
    open: Gauge,
    /// Bytes of messages received.
    pub received: Counter,
    /// Bytes of messages sent.
    pub sent: Counter,
}

impl Method {
    fn new(name: SharedString) -> Method {
        Method {
            calls: [const { OnceLock::new() }; CODES],
            seconds: histogram!(SECONDS, "method" => name.clone()),
            open: gauge!(OPEN, "method" => name.clone()),
            received: counter!(RECEIVED_BYTES, "method" => name.clone()),
            sent: counter!(SENT_BYTES, "method" => name.clone()),
            name,
        }
    }

    /// Its name, `package.Service/Method`, or a word for all that is none.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// A call has begun.
    pub fn begun(&self) {
        self.open.increment(1.0);
    }

    /// A call has its status.
    pub fn ended(&self, code: Code, took: Duration) {
        self.open.decrement(1.0);
        let counter = || counter!(CALLS, "method" => self.name.clone(), "code" => code_name(code));
        self.calls[code as usize].get_or_init(counter).increment(1);
        self.seconds.record(took);
    }
}

/// A connection ended in its handshake.
pub fn handshake_failed() {
    counter!(HANDSHAKES_FAILED).increment(1);
}

/// Changed files were taken, or refused.
pub fn reloaded(taken: bool) {
    counter!(RELOADS, "result" => if taken { TAKEN } else { REFUSED }).increment(1);
}

/// A certificate with this end, in seconds since 1970, is in force from now on.
pub fn certificate(not_after: i64) {
    gauge!(NOT_AFTER).set(not_after as f64);
}

/// What a scrape learns of the server itself.
pub fn server(draining: bool, kernel: &'static str) {
    gauge!(DRAINING).set(f64::from(u8::from(draining)));
    gauge!(BUILD_INFO, "version" => env!("CARGO_PKG_VERSION"), "kernel" => kernel).set(1.0);
}

/// A code's name in the gRPC specification.
pub fn code_name(code: Code) -> &'static str {
    match code {
        Code::Ok => "OK",
        Code::Cancelled => "CANCELLED",
        Code::Unknown => "UNKNOWN",
        Code::InvalidArgument => "INVALID_ARGUMENT",
        Code::DeadlineExceeded => "DEADLINE_EXCEEDED",
        Code::NotFound => "NOT_FOUND",
        Code::AlreadyExists => "ALREADY_EXISTS",
        Code::PermissionDenied => "PERMISSION_DENIED",
        Code::ResourceExhausted => "RESOURCE_EXHAUSTED",
        Code::FailedPrecondition => "FAILED_PRECONDITION",
        Code::Aborted => "ABORTED",
        Code::OutOfRange => "OUT_OF_RANGE",
        Code::Unimplemented => "UNIMPLEMENTED",
        Code::Internal => "INTERNAL",
        Code::Unavailable => "UNAVAILABLE",
        Code::DataLoss => "DATA_LOSS",
        Code::Unauthenticated => "UNAUTHENTICATED",
    }
}

//! What a call is known by: its request id, for people and logs, and its span, which is part of the caller's trace
//! where that sends one (W3C Trace Context). Must never see tokens.

use opentelemetry::global;
use opentelemetry::propagation::Extractor;
use opentelemetry::trace::TraceContextExt;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use tonic::codegen::http::{HeaderMap, HeaderValue};
use tracing::Span;
use tracing::field::{Empty, display};
use tracing_opentelemetry::OpenTelemetrySpanExt;
use uuid::Uuid;

/// The metadata in which a request id comes and goes.
pub const REQUEST_ID: &str = "x-request-id";
/// The longest id that is taken from a caller, in bytes.
const MAX_BYTES: usize = 128;

/// The caller's own id for the call where it is sane (visible ASCII, at most 128 bytes), else a new one.
pub fn request_id(headers: &HeaderMap) -> HeaderValue {
    let sane =
        |id: &&HeaderValue| (1..=MAX_BYTES).contains(&id.len()) && id.as_bytes().iter().all(u8::is_ascii_graphic);
    headers.get(REQUEST_ID).filter(sane).cloned().unwrap_or_else(new_id)
}

/// 64 bits that tell the process, and a number.
fn new_id() -> HeaderValue {
    static PROCESS: LazyLock<u64> = LazyLock::new(|| Uuid::new_v4().as_u64_pair().1);
    static NEXT: AtomicU64 = AtomicU64::new(1);
    let id = format!("{:016x}-{:x}", *PROCESS, NEXT.fetch_add(1, Ordering::Relaxed));
    HeaderValue::try_from(id).unwrap_or_else(|_| HeaderValue::from_static("none"))
}

/// The span of a call. `principal`, `job_id` and `code` come later, where they are known.
pub fn span(method: &str, request_id: &HeaderValue, headers: &HeaderMap) -> Span {
    let request_id = request_id.to_str().unwrap_or_default();
    let span = tracing::info_span!(
        "call",
        method,
        request_id,
        principal = Empty,
        job_id = Empty,
        trace_id = Empty,
        code = Empty,
        otel.name = Empty,
        otel.kind = Empty
    );
    trace(&span, method, headers);
    span
}

/// Makes the span a part of the caller's trace, if spans are told to anyone.
fn trace(span: &Span, method: &str, headers: &HeaderMap) {
    let parent = global::get_text_map_propagator(|propagator| propagator.extract(&Headers(headers)));
    // Refused by a span that nobody wants.
    if span.set_parent(parent).is_err() {
        return;
    }
    span.record("otel.name", method);
    span.record("otel.kind", "server");
    let context = span.context();
    let own = context.span().span_context().clone();
    if own.is_sampled() {
        span.record("trace_id", display(own.trace_id()));
    }
}

struct Headers<'a>(&'a HeaderMap);

impl Extractor for Headers<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key)?.to_str().ok()
    }

    fn keys(&self) -> Vec<&str> {
        self.0.keys().map(|name| name.as_str()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sane_id_is_kept_and_any_other_replaced_by_one_of_its_own() {
        let taken = |id: &str| {
            let headers = HeaderMap::from_iter([(
                REQUEST_ID.parse().expect("a name"),
                HeaderValue::from_bytes(id.as_bytes()).expect("a value"),
            )]);
            request_id(&headers) == id
        };
        let longest = "x".repeat(MAX_BYTES);
        for (id, kept) in
            [("a", true), ("ada/1:2-3_~", true), (&longest, true), ("", false), ("a b", false), ("ä", false)]
        {
            assert_eq!(taken(id), kept, "{id:?}");
        }
        assert!(!taken(&format!("{longest}x")));
        let made = [(); 2].map(|()| request_id(&HeaderMap::new()).to_str().expect("ASCII").to_owned());
        assert_ne!(made[0], made[1]);
        assert_eq!(made[0].split_once('-').map(|(process, _)| process.len()), Some(16));
    }
}

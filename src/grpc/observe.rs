//! A layer around every call: gives it a request id and a span, counts it, times it, turns a panic into INTERNAL
//! for that call alone, and gives a reason to the statuses that tonic makes by itself.

use super::call::{self, REQUEST_ID};
use super::metrics::{Method, Methods, code_name};
use super::status::Refusal;
use crate::engine::EngineError;
use http_body::{Frame, SizeHint};
use metrics::Counter;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Instant;
use tonic::body::Body;
use tonic::codegen::{BoxFuture, Bytes, Service, http};
use tonic::{Code, Status};
use tower_layer::Layer;
use tracing::{Instrument, Span};

/// Wraps services in [`Observed`].
#[derive(Clone)]
pub struct Observe {
    methods: Methods,
}

impl Observe {
    /// Knows the methods of the API.
    pub fn new() -> Observe {
        Observe { methods: Methods::all() }
    }
}

impl<S> Layer<S> for Observe {
    type Service = Observed<S>;

    fn layer(&self, inner: S) -> Observed<S> {
        Observed { inner, methods: self.methods.clone() }
    }
}

/// A service whose calls are counted.
#[derive(Clone)]
pub struct Observed<S> {
    inner: S,
    methods: Methods,
}

impl<S> Service<http::Request<Body>> for Observed<S>
where
    S: Service<http::Request<Body>, Response = http::Response<Body>>,
    S::Future: Send + 'static,
{
    type Response = http::Response<Body>;
    type Error = S::Error;
    type Future = BoxFuture<http::Response<Body>, S::Error>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let path = request.uri().path().to_string();
        let (method, known) = self.methods.of(&path);
        let request_id = call::request_id(request.headers());
        let span = call::span(method.name(), &request_id, request.headers());
        let received = method.received.clone();
        let call = Call::begin(method, span.clone());
        let request = request.map(|body| Body::new(Received { body, bytes: received }));
        let inner = span.in_scope(|| self.inner.call(request));
        let answering = async move {
            let answered = futures::FutureExt::catch_unwind(AssertUnwindSafe(inner)).await;
            let mut response = match answered {
                Ok(response) => reasoned(response?, path, known),
                Err(panic) => fault(panic.as_ref()).into_http(),
            };
            response.headers_mut().insert(REQUEST_ID, request_id);
            Ok(call.follow(response))
        };
        Box::pin(answering.instrument(span))
    }
}

/// The response, with a reason where it is a refusal of tonic's own. Health and reflection have their own ways.
fn reasoned(response: http::Response<Body>, path: String, known: bool) -> http::Response<Body> {
    let Some(status) = Status::from_header_map(response.headers()) else { return response };
    if status.code() == Code::Ok || !status.details().is_empty() || path.starts_with("/grpc.") {
        return response;
    }
    Status::from(if known { Refusal::from(status) } else { Refusal::NoMethod(path) }).into_http()
}

/// A panic's status. The call's own state is lost; nothing else shares it.
fn fault(panic: &(dyn Any + Send)) -> Status {
    let words = panic.downcast_ref::<&str>().copied();
    let words = words.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("panicked");
    Refusal::from(EngineError::Internal(words.into())).into()
}

/// One call until its status is known; one that is dropped before counts as cancelled.
struct Call {
    method: Arc<Method>,
    span: Span,
    began: Instant,
    code: Code,
}

impl Call {
    fn begin(method: Arc<Method>, span: Span) -> Call {
        method.begun();
        Call { method, span, began: Instant::now(), code: Code::Cancelled }
    }

    /// Follows the response to its status, in the headers or the trailers.
    fn follow(mut self, response: http::Response<Body>) -> http::Response<Body> {
        if let Some(code) = code(response.headers()) {
            self.code = code;
            return response;
        }
        response.map(|body| Body::new(ObservedBody { body, call: Some(self) }))
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        let (took, code) = (self.began.elapsed(), code_name(self.code));
        self.method.ended(self.code, took);
        if self.code != Code::Ok {
            self.span.record("code", code);
        }
        let took_us = took.as_micros() as u64;
        tracing::debug!(parent: &self.span, took_us, code, "call ended");
    }
}

fn code(headers: &http::HeaderMap) -> Option<Code> {
    headers.get("grpc-status").map(|value| Code::from_bytes(value.as_bytes()))
}

fn trailers(status: &Status) -> Result<Frame<Bytes>, Status> {
    let mut headers = http::HeaderMap::new();
    status.add_header(&mut headers)?;
    Ok(Frame::trailers(headers))
}

/// A request's body, whose bytes are counted.
struct Received {
    body: Body,
    bytes: Counter,
}

impl http_body::Body for Received {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(cx));
        count(&self.bytes, &frame);
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

fn count(bytes: &Counter, frame: &Option<Result<Frame<Bytes>, Status>>) {
    if let Some(Ok(frame)) = frame
        && let Some(data) = frame.data_ref()
    {
        bytes.increment(data.len() as u64);
    }
}

/// A response's body, made within the call's span, counted, and watched for its trailers.
struct ObservedBody {
    body: Body,
    /// Until the status is known.
    call: Option<Call>,
}

impl ObservedBody {
    fn end(&mut self, code: Code) {
        if let Some(mut call) = self.call.take() {
            call.code = code;
        }
    }
}

impl http_body::Body for ObservedBody {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let ObservedBody { body, call: Some(call) } = &mut *self else { return Poll::Ready(None) };
        let entered = call.span.enter();
        let frame = match catch_unwind(AssertUnwindSafe(|| Pin::new(body).poll_frame(cx))) {
            Ok(polled) => ready!(polled),
            // A streamed answer that panicked ends with this status.
            Err(panic) => Some(trailers(&fault(panic.as_ref()))),
        };
        drop(entered);
        count(&call.method.sent, &frame);
        match &frame {
            Some(Ok(frame)) => {
                if let Some(trailers) = frame.trailers_ref() {
                    self.end(code(trailers).unwrap_or(Code::Unknown));
                }
            }
            Some(Err(status)) => self.end(status.code()),
            None => self.end(Code::Unknown),
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.call.is_none() || self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use http_body_util::BodyExt;
    use metrics_exporter_prometheus::PrometheusBuilder;
    use std::convert::Infallible;

    /// Answers as it is told to.
    #[derive(Clone)]
    struct Scripted(fn() -> http::Response<Body>);

    impl Service<http::Request<Body>> for Scripted {
        type Response = http::Response<Body>;
        type Error = Infallible;
        type Future = BoxFuture<http::Response<Body>, Infallible>;

        fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
            Poll::Ready(Ok(()))
        }

        fn call(&mut self, _: http::Request<Body>) -> Self::Future {
            let script = self.0;
            Box::pin(async move { Ok(script()) })
        }
    }

    /// A body that ends with these trailers, or panics without any.
    struct Ending(Option<&'static str>);

    impl http_body::Body for Ending {
        type Data = Bytes;
        type Error = Status;

        fn poll_frame(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
            let code = self.0.expect("told to panic");
            let headers = [(http::HeaderName::from_static("grpc-status"), http::HeaderValue::from_static(code))];
            Poll::Ready(Some(Ok(Frame::trailers(http::HeaderMap::from_iter(headers)))))
        }
    }

    fn streaming(code: Option<&'static str>) -> http::Response<Body> {
        http::Response::new(Body::new(Ending(code)))
    }

    /// The status that a call to `path` ends with, in headers or trailers, and the metrics it leaves.
    async fn status(path: &str, script: fn() -> http::Response<Body>) -> Option<Code> {
        let request = http::Request::builder().uri(path).body(Body::empty()).expect("request");
        let response = Observe::new().layer(Scripted(script)).call(request).await.expect("infallible");
        let (head, body) = response.into_parts();
        let collected = body.collect().await.expect("body");
        code(&head.headers).or_else(|| collected.trailers().and_then(code))
    }

    #[test]
    fn calls_are_counted_by_method_and_code_and_panics_end_one_call_alone() {
        let recorder = PrometheusBuilder::new().build_recorder();
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("runtime");
        metrics::with_local_recorder(&recorder, || {
            runtime.block_on(async {
                let solve = "/sudoku.v1.SudokuService/Solve";
                assert_eq!(status(solve, || streaming(Some("0"))).await, Some(Code::Ok));
                assert_eq!(
                    status(solve, || Status::from(Refusal::Deadline).into_http()).await,
                    Some(Code::DeadlineExceeded)
                );
                assert_eq!(status(solve, || panic!("a fault")).await, Some(Code::Internal));
                assert_eq!(status("/sudoku.v1.JobService/WatchJob", || streaming(None)).await, Some(Code::Internal));
                assert_eq!(status("/guess/1", || streaming(Some("12"))).await, Some(Code::Unimplemented));
            });
        });
        let text = recorder.handle().render();
        for line in [
            r#"sudokud_grpc_calls_total{method="sudoku.v1.SudokuService/Solve",code="OK"} 1"#,
            r#"sudokud_grpc_calls_total{method="sudoku.v1.SudokuService/Solve",code="DEADLINE_EXCEEDED"} 1"#,
            r#"sudokud_grpc_calls_total{method="sudoku.v1.SudokuService/Solve",code="INTERNAL"} 1"#,
            r#"sudokud_grpc_calls_total{method="sudoku.v1.JobService/WatchJob",code="INTERNAL"} 1"#,
            r#"sudokud_grpc_calls_total{method="other",code="UNIMPLEMENTED"} 1"#,
            r#"sudokud_grpc_calls_open{method="sudoku.v1.SudokuService/Solve"} 0"#,
            r#"sudokud_grpc_call_seconds_count{method="sudoku.v1.SudokuService/Solve"} 3"#,
        ] {
            assert!(text.lines().any(|have| have == line), "{line} is not in\n{text}");
        }
    }
}

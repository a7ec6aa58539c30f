//! A layer before every call: where its request is not complete when the server drains, the call ends. Must never know what
//! is asked.

use super::status::Refusal;
use crate::engine::EngineError;
use http_body::{Frame, SizeHint};
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};
use tonic::Status;
use tonic::body::Body;
use tonic::codegen::{Bytes, Service, http};
use tower_layer::Layer;

/// The one method that ends its input by itself: what it has taken becomes durable first.
const OWN_WAY: &str = "/sudoku.v1.SudokuService/SubmitBatch";

/// Ends requests that are still to come when this is cancelled.
#[derive(Clone, Debug)]
pub struct Drained(pub CancellationToken);

impl<S> Layer<S> for Drained {
    type Service = Ending<S>;

    fn layer(&self, inner: S) -> Ending<S> {
        Ending { inner, drain: self.0.clone() }
    }
}

/// A service whose requests end with the server.
#[derive(Clone, Debug)]
pub struct Ending<S> {
    inner: S,
    drain: CancellationToken,
}

impl<S: Service<http::Request<Body>>> Service<http::Request<Body>> for Ending<S> {
    type Response = S::Response;
    type Error = S::Error;
    type Future = S::Future;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: http::Request<Body>) -> S::Future {
        if request.uri().path() == OWN_WAY {
            return self.inner.call(request);
        }
        let drain = self.drain.clone();
        self.inner.call(request.map(|body| Body::new(Request { body, drain, drained: None })))
    }
}

/// A request's body.
struct Request {
    body: Body,
    drain: CancellationToken,
    /// Made when there is something to wait for, which for most calls there never is.
    drained: Option<Pin<Box<WaitForCancellationFutureOwned>>>,
}

impl http_body::Body for Request {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let frame = Pin::new(&mut self.body).poll_frame(cx);
        if frame.is_ready() {
            return frame;
        }
        let drain = self.drain.clone();
        let drained = self.drained.get_or_insert_with(|| Box::pin(drain.cancelled_owned()));
        drained.as_mut().poll(cx).map(|()| Some(Err(Refusal::from(EngineError::Draining).into())))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

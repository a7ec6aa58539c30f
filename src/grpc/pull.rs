//! Streamed answers made when the client wants them: nothing is produced before the window is open.

use super::status::Refusal;
use std::future::Future;
use tonic::Status;
use tonic::codegen::BoxStream;

/// Makes the messages of a streamed answer one by one.
pub trait Pull: Send + 'static {
    /// A message.
    type Item: Send + 'static;

    /// The next message; `None` at the end. Not called again after the end or an error.
    fn pull(&mut self) -> impl Future<Output = Result<Option<Self::Item>, Refusal>> + Send;
}

/// The stream that tonic polls.
pub fn stream<P: Pull>(source: P) -> BoxStream<P::Item> {
    Box::pin(futures::stream::unfold(Some(source), |source| async move {
        let mut source = source?;
        match source.pull().await {
            Ok(Some(message)) => Some((Ok(message), Some(source))),
            Ok(None) => None,
            Err(refusal) => Some((Err(Status::from(refusal)), None)),
        }
    }))
}

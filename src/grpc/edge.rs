//! What every call needs at hand.

use super::deadline::Bounds;
use super::options::Options;
use super::{auth, status::Refusal};
use crate::engine::Engine;
use crate::job::Principal;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tonic::metadata::MetadataMap;

/// The engine and the server's life. Clones share it.
#[derive(Clone)]
pub struct Edge {
    /// The engine.
    pub engine: Engine,
    /// The server's settings.
    pub options: Arc<Options>,
    /// Cancelled when the server drains.
    pub drain: CancellationToken,
    /// Cancelled when the drain's time is over: calls that still run end.
    pub cut: CancellationToken,
    /// Owns the tasks that outlive their handlers; the server awaits them.
    pub tasks: TaskTracker,
}

/// Who calls, and until when.
pub struct Caller {
    /// Whose jobs it may see.
    pub principal: Principal,
    /// When the call must end.
    pub bounds: Bounds,
}

impl Edge {
    /// The caller of a request with this metadata.
    ///
    /// # Errors
    /// As [`auth::principal`].
    pub fn caller(&self, metadata: &MetadataMap) -> Result<Caller, Refusal> {
        Ok(Caller {
            principal: auth::principal(metadata)?,
            bounds: Bounds::new(metadata, self.drain.clone(), self.cut.clone()),
        })
    }
}

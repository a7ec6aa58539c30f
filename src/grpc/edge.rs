//! What every call needs at hand.

use super::deadline::Bounds;
use super::options::Options;
use super::role::{Identity, Role, Roles};
use super::status::Refusal;
use crate::engine::Engine;
use crate::job::{JobId, Principal};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tonic::Request;
use tracing::Span;
use tracing::field::display;

/// The engine and the server's life. Clones share it.
#[derive(Clone)]
pub struct Edge {
    /// The engine.
    pub engine: Engine,
    /// The server's settings.
    pub options: Arc<Options>,
    /// Cancelled when no more calls should be sent here.
    pub retire: CancellationToken,
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
    /// What it may do.
    pub roles: Roles,
    /// When the call must end.
    pub bounds: Bounds,
}

impl Caller {
    /// Whether it may do what the role allows.
    ///
    /// # Errors
    /// The refusal that names the role.
    pub fn needs(&self, role: Role) -> Result<(), Refusal> {
        if self.roles.allow(role) { Ok(()) } else { Err(Refusal::Role(role)) }
    }
}

impl Edge {
    /// The caller of a request, as the layer before it found out.
    ///
    /// # Errors
    /// When the request has no caller.
    pub fn caller<T>(&self, request: &Request<T>) -> Result<Caller, Refusal> {
        let identity = request.extensions().get::<Arc<Identity>>().ok_or(Refusal::NoCredentials)?;
        Ok(Caller {
            principal: identity.principal.clone(),
            roles: identity.roles,
            bounds: Bounds::new(request.metadata(), self.drain.clone(), self.cut.clone()),
        })
    }

    /// The caller of a request that takes a role.
    ///
    /// # Errors
    /// When the request has no caller, or one without the role.
    pub fn caller_as<T>(&self, request: &Request<T>, role: Role) -> Result<Caller, Refusal> {
        let caller = self.caller(request)?;
        caller.needs(role)?;
        Ok(caller)
    }

    /// In whose name a caller acts on a job: its own, and an admin in the owner's. The call's span has the job from
    /// here on.
    ///
    /// # Errors
    /// When an admin asks for a job that is not there.
    pub async fn acting(&self, caller: &Caller, job: JobId) -> Result<Principal, Refusal> {
        about(job);
        if caller.roles.allow(Role::Admin) {
            return caller.bounds.run_unary(self.engine.owner(job)).await;
        }
        Ok(caller.principal.clone())
    }
}

/// Notes which job the current call is about.
pub fn about(job: JobId) {
    Span::current().record("job_id", display(job));
}

//! What the engine tells the operator of jobs, by log. Must never tell puzzles.

use crate::job::JobRecord;

/// A job was opened, by the call that made it or by one that goes on with it.
pub(super) fn opened(job: &JobRecord, created: bool, uploads: bool) {
    let (request_id, principal) = (job.request_id.as_str(), job.principal.as_str());
    if created {
        let priority = job.spec.priority.name();
        tracing::info!(job_id = %job.id, request_id, principal, priority, total = job.total, "job opened");
    } else if uploads {
        let epoch = job.upload_epoch;
        tracing::info!(job_id = %job.id, request_id, principal, stored = job.stored, epoch, "upload taken over");
    }
}

/// Tells the operator that a job's input is complete.
pub(super) fn sealed(job: &JobRecord) {
    let (request_id, principal) = (job.request_id.as_str(), job.principal.as_str());
    tracing::info!(job_id = %job.id, request_id, principal, items = job.stored, "job sealed");
}

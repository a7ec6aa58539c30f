//! What stores tell the operator of jobs, by log and by metric. Must never know which backend runs.

use super::metrics;
use crate::job::JobRecord;
use crate::sudoku::Outcome;

/// A job has ended; said once, when that is durable.
pub(super) fn job_ended(job: &JobRecord) {
    let between = |from: Option<crate::job::Timestamp>| Some(job.ended?.0.saturating_sub(from?.0));
    let failed = job.counts.get(Outcome::Failed);
    metrics::job_ended(job.state);
    tracing::info!(
        job_id = %job.id,
        request_id = job.request_id.as_str(),
        principal = job.principal.as_str(),
        state = job.state.name(),
        items = job.total.unwrap_or(job.stored),
        done = job.done(),
        failed,
        invalid = job.counts.get(Outcome::Invalid),
        duration_ms = between(Some(job.created)),
        work_ms = between(job.started),
        error = job.error,
        "job ended"
    );
}

//! [`Origins`]: which call a job came by, so that the spans of its chunks link to that call's, long after it.
//!
//! Kept in memory alone, of the jobs that were opened last: a chunk of any other has a span without a link.

use crate::job::{ChunkRef, JobId};
use opentelemetry::trace::{SpanContext, TraceContextExt};
use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, PoisonError};
use tracing::Span;
use tracing::field::Empty;
use tracing_opentelemetry::OpenTelemetrySpanExt;

/// Jobs that are remembered.
const JOBS: usize = 10_000;

/// The calls that opened jobs.
#[derive(Default)]
pub(super) struct Origins(Mutex<Known>);

#[derive(Default)]
struct Known {
    calls: HashMap<JobId, SpanContext>,
    /// Oldest first.
    order: VecDeque<JobId>,
}

impl Origins {
    /// Remembers the current span as the job's origin, if it is part of a trace that is told to anyone.
    pub(super) fn note(&self, job: JobId) {
        let call = Span::current().context().span().span_context().clone();
        if call.is_sampled() {
            self.keep(job, call);
        }
    }

    fn keep(&self, job: JobId, call: SpanContext) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.calls.insert(job, call).is_some() {
            return;
        }
        known.order.push_back(job);
        if known.order.len() > JOBS
            && let Some(oldest) = known.order.pop_front()
        {
            known.calls.remove(&oldest);
        }
    }

    /// A span for work on a chunk: no part of any call's trace, since it may come hours later, but linked to the
    /// call that last opened the job.
    pub(super) fn chunk_span(&self, job: JobId, chunk: ChunkRef) -> Span {
        let (first_index, items) = (chunk.first_index, chunk.count);
        let span = tracing::info_span!(parent: None, "chunk", job_id = %job, first_index, items, result = Empty);
        let call = self.0.lock().unwrap_or_else(PoisonError::into_inner).calls.get(&job).cloned();
        if let Some(call) = call {
            span.add_link(call);
        }
        span
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use opentelemetry::trace::{SpanId, TraceFlags, TraceId, TraceState};

    #[test]
    fn the_newest_jobs_are_remembered_with_the_call_that_last_opened_them() {
        let call = |id: u64| {
            let (trace, span) = (TraceId::from(7_u128), SpanId::from(id));
            SpanContext::new(trace, span, TraceFlags::SAMPLED, true, TraceState::NONE)
        };
        let job = |n: u32| {
            let mut bytes = [0; 16];
            bytes[..4].copy_from_slice(&n.to_le_bytes());
            JobId::from_bytes(bytes)
        };
        let origins = Origins::default();
        (0..=JOBS as u32).for_each(|n| origins.keep(job(n), call(1)));
        origins.keep(job(1), call(2));
        origins.note(job(99_999));
        let known = origins.0.into_inner().expect("not poisoned");
        assert_eq!((known.calls.len(), known.order.len()), (JOBS, JOBS));
        assert_eq!(known.calls.get(&job(0)), None);
        assert_eq!(known.calls.get(&job(1)), Some(&call(2)));
        assert_eq!(known.calls.get(&job(99_999)), None, "no span was open");
    }
}

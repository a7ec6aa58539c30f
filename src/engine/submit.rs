//! Admitting a batch: its spec is checked and filled in, its job created or taken over.

use super::context::Context;
use super::error::EngineError;
use super::told;
use super::upload::Upload;
use crate::job::spec::SpecDefaults;
use crate::job::{BatchSpec, JobId, JobRecord, JobState, Principal, RequestId};
use crate::store::{Created, NewJob, StoreError};
use crate::sudoku::generate::GENERATOR_VERSION;
use uuid::Uuid;

/// A batch that was opened or taken over.
pub struct OpenedBatch {
    /// The job.
    pub job: JobRecord,
    /// Whether this call created it.
    pub created: bool,
    /// The right to upload; `None` for generated work and for a job that is sealed or ended.
    pub upload: Option<Upload>,
}

/// See [`super::Engine::open`].
pub(super) async fn open(
    context: &Context,
    principal: &Principal,
    request_id: Option<RequestId>,
    sent: BatchSpec,
) -> Result<OpenedBatch, EngineError> {
    if context.draining.is_cancelled() {
        return Err(EngineError::Draining);
    }
    let defaults = defaults(context);
    sent.check(&defaults)?;
    let request_id = match request_id {
        Some(id) => id,
        None => RequestId::new(Uuid::new_v4().to_string()).map_err(|error| EngineError::Internal(error.to_string()))?,
    };
    let new = NewJob {
        id: JobId::from_bytes(Uuid::new_v4().into_bytes()),
        principal: principal.clone(),
        request_id,
        resolved: sent.resolve(&defaults),
        sent,
    };
    let (job, created) = match context.store.create(new).await? {
        Created::New(job) => (job, true),
        Created::Same(job) => (job, false),
        Created::Conflict(job) => {
            return Err(EngineError::Conflict { request_id: job.request_id.as_str().into(), job: job.id });
        }
    };
    let (job, upload) = take(context, job, created).await?;
    context.origins.note(job.id);
    told::opened(&job, created, upload.is_some());
    Ok(OpenedBatch { job, created, upload })
}

/// Opens the job's input, where it has one.
async fn take(context: &Context, job: JobRecord, created: bool) -> Result<(JobRecord, Option<Upload>), EngineError> {
    if job.state != JobState::Uploading || job.spec.work.is_generated() {
        return Ok((job, None));
    }
    match context.store.open_upload(job.id).await {
        Ok(grant) => {
            let upload = Upload::new(context, &job, grant, !created);
            Ok((JobRecord { upload_epoch: grant.epoch, ..job }, Some(upload)))
        }
        // Sealed or ended since it was found.
        Err(StoreError::WrongState { .. }) => Ok((context.store.job(job.id).await?, None)),
        Err(error) => Err(error.into()),
    }
}

fn defaults(context: &Context) -> SpecDefaults {
    let options = &context.options;
    // Each half has fixed bits, never both in one place: together they are random throughout.
    let (high, low) = Uuid::new_v4().as_u64_pair();
    SpecDefaults {
        node_limit: options.batch_node_limit,
        time_to_live_s: options.time_to_live.as_secs(),
        max_time_to_live_s: options.max_time_to_live.as_secs(),
        max_job_items: options.max_job_items,
        seed: high ^ low,
        generator_version: GENERATOR_VERSION,
    }
}

//! JobService: jobs followed, read and ended.

use super::deadline::Bounds;
use super::edge::Edge;
use super::follow::{Follow, Step};
use super::proto::v1;
use super::pull::{self, Pull};
use super::role::Role;
use super::status::Refusal;
use super::{decode, encode, page};
use crate::job::{JobId, JobRecord, Principal};
use crate::store::ListAfter;
use prost::Message;
use std::time::Duration;
use tokio::time::Instant;
use tonic::codegen::BoxStream;
use tonic::{Request, Response, Status};

/// A page of jobs is cut before it exceeds this, so that it fits every client's default limit.
const PAGE_BYTES: usize = 1 << 20;

/// The calls about jobs.
pub struct Jobs {
    edge: Edge,
}

impl Jobs {
    /// Over an engine.
    pub fn new(edge: Edge) -> Jobs {
        Jobs { edge }
    }

    async fn list(&self, request: Request<v1::ListJobsRequest>) -> Result<v1::ListJobsResponse, Refusal> {
        let caller = self.edge.caller_as(&request, Role::Read)?;
        let (filter, after, size) = decode::list(request.get_ref())?;
        let whose = if caller.roles.allow(Role::Admin) { None } else { Some(&caller.principal) };
        let listing = self.edge.engine.list(whose, &filter, after, size + 1);
        let records = caller.bounds.run_unary(listing).await?;
        let now = encode::now();
        let (mut jobs, mut bytes) = (Vec::new(), 0);
        for record in records.iter().take(size) {
            let job = encode::job(record, now);
            bytes += job.encoded_len();
            if bytes > PAGE_BYTES && !jobs.is_empty() {
                break;
            }
            jobs.push(job);
        }
        let last = records[..jobs.len()].last().filter(|_| jobs.len() < records.len());
        let next_page_token =
            last.map(|last| page::write(ListAfter { created: last.created, id: last.id }, &filter)).unwrap_or_default();
        Ok(v1::ListJobsResponse { jobs, next_page_token })
    }

    async fn get(&self, request: Request<v1::GetJobRequest>) -> Result<v1::GetJobResponse, Refusal> {
        let caller = self.edge.caller_as(&request, Role::Read)?;
        let job = decode::job_id(&request.get_ref().job_id)?;
        let principal = self.edge.acting(&caller, job).await?;
        let record = caller.bounds.run_unary(self.edge.engine.job(&principal, job)).await?;
        Ok(v1::GetJobResponse { job: Some(encode::job(&record, encode::now())) })
    }

    async fn watch(&self, request: Request<v1::WatchJobRequest>) -> Result<Watch, Refusal> {
        let caller = self.edge.caller_as(&request, Role::Read)?;
        let job = decode::job_id(&request.get_ref().job_id)?;
        let principal = self.edge.acting(&caller, job).await?;
        // Asked here, so that a job which is not there is refused without a stream.
        let record = caller.bounds.run(self.edge.engine.job(&principal, job)).await?;
        let (edge, bounds) = (self.edge.clone(), caller.bounds);
        Ok(Watch { edge, principal, bounds, job, first: Some(record), seen: 0, ended: false, told: Instant::now() })
    }

    async fn results(&self, request: Request<v1::StreamResultsRequest>) -> Result<Replay, Refusal> {
        let caller = self.edge.caller_as(&request, Role::Read)?;
        let asked = request.get_ref();
        let job = decode::job_id(&asked.job_id)?;
        let principal = self.edge.acting(&caller, job).await?;
        let format = decode::result_format(asked.result_format)?;
        let engine = &self.edge.engine;
        let opening = async {
            let record = engine.job(&principal, job).await?;
            let results = engine.results(&principal, job, asked.start_index, asked.follow).await?;
            Ok::<_, Refusal>(Follow::new(results, format.unwrap_or(record.spec.result_format)))
        };
        let follow = caller.bounds.run(opening).await?;
        Ok(Replay { follow, bounds: caller.bounds, heartbeat: self.edge.options.heartbeat })
    }

    async fn cancel(&self, request: Request<v1::CancelJobRequest>) -> Result<v1::CancelJobResponse, Refusal> {
        let caller = self.edge.caller_as(&request, Role::Submit)?;
        let job = decode::job_id(&request.get_ref().job_id)?;
        let principal = self.edge.acting(&caller, job).await?;
        let record = caller.bounds.run_unary(self.edge.engine.cancel(&principal, job)).await?;
        Ok(v1::CancelJobResponse { job: Some(encode::job(&record, encode::now())) })
    }

    async fn delete(&self, request: Request<v1::DeleteJobRequest>) -> Result<v1::DeleteJobResponse, Refusal> {
        let caller = self.edge.caller_as(&request, Role::Submit)?;
        let job = decode::job_id(&request.get_ref().job_id)?;
        let principal = self.edge.acting(&caller, job).await?;
        caller.bounds.run_unary(self.edge.engine.delete(&principal, job)).await?;
        Ok(v1::DeleteJobResponse {})
    }
}

#[tonic::async_trait]
impl v1::job_service_server::JobService for Jobs {
    async fn get_job(&self, request: Request<v1::GetJobRequest>) -> Result<Response<v1::GetJobResponse>, Status> {
        Ok(Response::new(self.get(request).await?))
    }

    async fn list_jobs(&self, request: Request<v1::ListJobsRequest>) -> Result<Response<v1::ListJobsResponse>, Status> {
        Ok(Response::new(self.list(request).await?))
    }

    type WatchJobStream = BoxStream<v1::WatchJobResponse>;

    async fn watch_job(&self, request: Request<v1::WatchJobRequest>) -> Result<Response<Self::WatchJobStream>, Status> {
        Ok(Response::new(pull::stream(self.watch(request).await?)))
    }

    type StreamResultsStream = BoxStream<v1::StreamResultsResponse>;

    async fn stream_results(
        &self,
        request: Request<v1::StreamResultsRequest>,
    ) -> Result<Response<Self::StreamResultsStream>, Status> {
        Ok(Response::new(pull::stream(self.results(request).await?)))
    }

    async fn cancel_job(
        &self,
        request: Request<v1::CancelJobRequest>,
    ) -> Result<Response<v1::CancelJobResponse>, Status> {
        Ok(Response::new(self.cancel(request).await?))
    }

    async fn delete_job(
        &self,
        request: Request<v1::DeleteJobRequest>,
    ) -> Result<Response<v1::DeleteJobResponse>, Status> {
        Ok(Response::new(self.delete(request).await?))
    }
}

/// WatchJob's answer.
struct Watch {
    edge: Edge,
    principal: Principal,
    bounds: Bounds,
    job: JobId,
    /// The job at once.
    first: Option<JobRecord>,
    /// Revision last told.
    seen: u64,
    ended: bool,
    told: Instant,
}

impl Watch {
    /// The job once it has changed, no sooner than the interval after it was last told.
    async fn changed(&self) -> Result<JobRecord, Refusal> {
        tokio::time::sleep_until(self.told + self.edge.options.progress_interval).await;
        loop {
            let wait = Duration::from_secs(60);
            let record = self.edge.engine.changed(&self.principal, self.job, self.seen, wait).await?;
            if record.revision > self.seen {
                return Ok(record);
            }
        }
    }
}

impl Pull for Watch {
    type Item = v1::WatchJobResponse;

    async fn pull(&mut self) -> Result<Option<v1::WatchJobResponse>, Refusal> {
        if self.ended {
            return Ok(None);
        }
        let record = match self.first.take() {
            Some(record) => record,
            None => self.bounds.run(self.changed()).await?,
        };
        (self.seen, self.ended, self.told) = (record.revision, record.state.is_final(), Instant::now());
        Ok(Some(v1::WatchJobResponse { job: Some(encode::job(&record, encode::now())) }))
    }
}

/// StreamResults' answer.
struct Replay {
    follow: Follow,
    bounds: Bounds,
    heartbeat: Duration,
}

impl Pull for Replay {
    type Item = v1::StreamResultsResponse;

    async fn pull(&mut self) -> Result<Option<v1::StreamResultsResponse>, Refusal> {
        let results = match self.bounds.run(self.follow.next(self.heartbeat)).await? {
            Step::Block(block) => Some(block),
            // A keep-alive.
            Step::Pending => None,
            Step::End(_) => return Ok(None),
        };
        Ok(Some(v1::StreamResultsResponse { results }))
    }
}

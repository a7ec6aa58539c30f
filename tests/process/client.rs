//! A client as a user would write it: both services over one channel, and checks of what they refuse.

use std::time::Duration;
use sudokud::grpc::proto::v1;
use sudokud::grpc::proto::v1::job_service_client::JobServiceClient;
use sudokud::grpc::proto::v1::sudoku_service_client::SudokuServiceClient;
use tonic::metadata::{Ascii, MetadataValue};
use tonic::service::Interceptor;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::{Channel, Endpoint};
use tonic::{Code, Request, Status};
use tonic_types::{ErrorDetails, StatusExt};

/// A channel whose calls carry a token, if there is one.
pub type Called = InterceptedService<Channel, Bearer>;

/// Both services.
#[derive(Clone)]
pub struct Client {
    /// Solves, generates, takes batches.
    pub sudoku: SudokuServiceClient<Called>,
    /// Follows jobs.
    pub jobs: JobServiceClient<Called>,
}

/// The token of each call.
#[derive(Clone)]
pub struct Bearer(Option<MetadataValue<Ascii>>);

impl Interceptor for Bearer {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        if let Some(value) = &self.0 {
            request.metadata_mut().insert("authorization", value.clone());
        }
        Ok(request)
    }
}

impl Client {
    /// Connects to `host:port`.
    pub async fn connect(address: &str) -> Client {
        Client::over(channel(address).await, None)
    }

    /// Over a channel, with a token.
    pub fn over(channel: Channel, token: Option<&str>) -> Client {
        let bearer = Bearer(token.map(|token| format!("Bearer {token}").parse().expect("ASCII")));
        let called = InterceptedService::new(channel, bearer);
        Client { sudoku: SudokuServiceClient::new(called.clone()), jobs: JobServiceClient::new(called) }
    }

    /// The job as it stands.
    pub async fn job(&mut self, job_id: &str) -> v1::Job {
        let request = v1::GetJobRequest { job_id: job_id.into() };
        let answer = self.jobs.get_job(request).await.expect("GetJob").into_inner();
        answer.job.expect("a job")
    }

    /// Asks for the job until `wanted`; the test's own limit ends it otherwise.
    pub async fn job_when(&mut self, job_id: &str, wanted: impl Fn(&v1::Job) -> bool) -> v1::Job {
        loop {
            let job = self.job(job_id).await;
            if wanted(&job) {
                return job;
            }
            assert!(!ended(&job), "ended before it was as wanted: {job:?}");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// Watches the job to its end.
    pub async fn wait(&mut self, job_id: &str) -> v1::Job {
        let request = v1::WatchJobRequest { job_id: job_id.into() };
        let mut watch = self.jobs.watch_job(request).await.expect("WatchJob").into_inner();
        let mut last = None;
        while let Some(change) = watch.message().await.expect("a change") {
            last = change.job;
        }
        let last = last.expect("the job comes at once");
        assert!(ended(&last), "the watch ended before the job: {last:?}");
        last
    }

    /// Cancels a job.
    pub async fn cancel(&mut self, job_id: &str) -> v1::Job {
        let answer = self.jobs.cancel_job(v1::CancelJobRequest { job_id: job_id.into() }).await.expect("CancelJob");
        answer.into_inner().job.expect("a job")
    }
}

/// A connection to `host:port`.
pub async fn channel(address: &str) -> Channel {
    let endpoint = Endpoint::from_shared(format!("http://{address}")).expect("an address");
    endpoint.connect_timeout(Duration::from_secs(10)).connect().await.expect("the server listens")
}

/// Whether nothing more happens to the job.
pub fn ended(job: &v1::Job) -> bool {
    matches!(job.state(), v1::JobState::Succeeded | v1::JobState::Failed | v1::JobState::Cancelled)
}

/// Checks a refusal's code and reason; gives its details for more.
#[track_caller]
pub fn refused(status: &Status, code: Code, reason: &str) -> ErrorDetails {
    assert_eq!(status.code(), code, "{status:?}");
    assert!(!status.message().is_empty());
    let details = status.get_error_details();
    let info = details.error_info().unwrap_or_else(|| panic!("no ErrorInfo in {status:?}"));
    assert_eq!((info.domain.as_str(), info.reason.as_str()), ("sudoku.v1", reason), "{status:?}");
    details
}

/// Checks an INVALID_ARGUMENT: the field it names, and words of what it says.
#[track_caller]
pub fn refused_field(status: &Status, reason: &str, field: &str, words: &str) {
    let details = refused(status, Code::InvalidArgument, reason);
    let bad = details.bad_request().unwrap_or_else(|| panic!("no BadRequest in {status:?}"));
    let fields: Vec<&str> = bad.field_violations.iter().map(|v| v.field.as_str()).collect();
    assert_eq!(fields, [field], "{status:?}");
    assert!(status.message().contains(words), "{words:?} is not in {status:?}");
}

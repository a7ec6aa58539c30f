//! A server of one's own for each test: engine and memory store in this process, real gRPC over loopback.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use sudokud::engine::{self, Compute, Engine};
use sudokud::grpc::proto::v1::job_service_client::JobServiceClient;
use sudokud::grpc::proto::v1::sudoku_service_client::SudokuServiceClient;
use sudokud::grpc::proto::v1::{GetJobRequest, Job, JobState};
use sudokud::grpc::server::{self, Shutdown};
use sudokud::grpc::{self, Bound, ServeError};
use sudokud::pool::{self, Pool};
use sudokud::store::memory::{MemoryOptions, MemoryStore};
use sudokud::sudoku::Kernel;
use tokio::task::JoinHandle;
use tonic::Status;
use tonic::transport::{Channel, Endpoint};
use tonic_types::StatusExt;

/// Long enough for any machine; a test that waits for it has failed.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A running server and its clients.
pub struct Rig {
    pub sudoku: SudokuServiceClient<Channel>,
    pub jobs: JobServiceClient<Channel>,
    pub channel: Channel,
    pub bound: Bound,
    pub shutdown: Shutdown,
    served: JoinHandle<Result<(), ServeError>>,
    engine: Engine,
    pool: Pool,
}

/// What differs from the usual server.
#[derive(Clone, Debug)]
pub struct Setup {
    pub engine: engine::Options,
    pub grpc: grpc::Options,
    /// 0: nothing is worked on.
    pub batch_threads: usize,
    pub drain_timeout: Duration,
}

impl Default for Setup {
    fn default() -> Setup {
        let loopback = SocketAddr::from(([127, 0, 0, 1], 0));
        let grpc = grpc::Options { listen: loopback, ..grpc::Options::default() };
        Setup { engine: engine::Options::default(), grpc, batch_threads: 2, drain_timeout: PATIENCE }
    }
}

impl Rig {
    pub async fn start() -> Rig {
        Rig::with(Setup::default()).await
    }

    pub async fn with(setup: Setup) -> Rig {
        let lanes = pool::Options {
            batch_threads: setup.batch_threads,
            batch_priority: pool::BatchPriority::Normal,
            interactive_threads: 1,
            interactive_queue: 64,
        };
        let pool = Pool::start(lanes).expect("pool");
        let compute = Compute::new(pool.clone(), Kernel::default(), &setup.engine);
        let store = Arc::new(MemoryStore::new(MemoryOptions::default()));
        let engine = Engine::start(store, compute, setup.engine);

        let server = server::bind(&setup.grpc).await.expect("bind");
        let bound = server.bound();
        let shutdown = Shutdown::default();
        let recorder = metrics_exporter_prometheus::PrometheusBuilder::new().build_recorder().handle();
        let served = tokio::spawn(server.run(engine.clone(), recorder, shutdown.clone(), setup.drain_timeout));

        let channel = connect(bound.api).await;
        let sudoku = SudokuServiceClient::new(channel.clone());
        let jobs = JobServiceClient::new(channel.clone());
        Rig { sudoku, jobs, channel, bound, shutdown, served, engine, pool }
    }

    /// Ends the server as an operator would.
    pub async fn stop(self) {
        self.shutdown.now();
        let ended = tokio::time::timeout(PATIENCE, self.served).await.expect("drained in time");
        ended.expect("no panic").expect("served without an error");
        self.engine.close(PATIENCE).await.expect("closed");
        self.pool.close().await;
    }

    pub async fn job(&self, job_id: &str) -> Job {
        let answer = self.jobs.clone().get_job(GetJobRequest { job_id: job_id.into() }).await.expect("the job");
        answer.into_inner().job.expect("set")
    }

    /// The job once it is as wanted.
    pub async fn job_when(&self, job_id: &str, wanted: impl Fn(&Job) -> bool) -> Job {
        let looking = async {
            loop {
                let job = self.job(job_id).await;
                if wanted(&job) {
                    return job;
                }
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        tokio::time::timeout(PATIENCE, looking).await.expect("the job never became as wanted")
    }

    pub async fn job_in(&self, job_id: &str, state: JobState) -> Job {
        self.job_when(job_id, |job| job.state() == state).await
    }
}

pub async fn connect(address: SocketAddr) -> Channel {
    let endpoint = Endpoint::from_shared(format!("http://{address}")).expect("address");
    endpoint.connect().await.expect("connect")
}

/// A status's reason and a fact beside it.
pub fn reason(status: &Status) -> String {
    let info = status.get_details_error_info().unwrap_or_else(|| panic!("no reason in {status:?}"));
    assert_eq!(info.domain, "sudoku.v1");
    info.reason
}

pub fn fact(status: &Status, name: &str) -> String {
    let info = status.get_details_error_info().unwrap_or_else(|| panic!("no reason in {status:?}"));
    info.metadata.get(name).unwrap_or_else(|| panic!("no {name} in {info:?}")).clone()
}

/// The field that a BadRequest names.
pub fn field(status: &Status) -> String {
    let bad = status.get_details_bad_request().unwrap_or_else(|| panic!("no field in {status:?}"));
    bad.field_violations[0].field.clone()
}

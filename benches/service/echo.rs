//! A service that does nothing: each block is answered at once with its own text as the grids, as many bytes
//! each way as in a batch. What it takes is what the wire takes, on both sides.

use futures::StreamExt;
use sudokud::grpc::proto::v1;
use sudokud::grpc::proto::v1::submit_batch_request::Message as Sent;
use sudokud::grpc::proto::v1::submit_batch_response::Message as Answer;
use sudokud::grpc::proto::v1::sudoku_service_server::{SudokuService, SudokuServiceServer};
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tonic::codegen::BoxStream;
use tonic::transport::server::TcpIncoming;
use tonic::{Request, Response, Status, Streaming};

/// As large as the server's.
const STREAM_WINDOW: u32 = 2 << 20;
const FRAME: u32 = 256 << 10;

/// A running echo, on threads of its own in this process.
pub struct Echo {
    /// Where it listens.
    pub address: String,
    end: oneshot::Sender<()>,
    serving: JoinHandle<Result<(), tonic::transport::Error>>,
    threads: Runtime,
}

impl Echo {
    /// Starts one.
    pub async fn start() -> Echo {
        let threads = Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime");
        let listening = threads.spawn(Echo::listen());
        let (address, end, serving) = listening.await.expect("no panic");
        Echo { address, end, serving, threads }
    }

    async fn listen() -> (String, oneshot::Sender<()>, JoinHandle<Result<(), tonic::transport::Error>>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("bound").to_string();
        let (end, ended) = oneshot::channel::<()>();
        let router = tonic::transport::Server::builder()
            .initial_stream_window_size(STREAM_WINDOW)
            .initial_connection_window_size(2 * STREAM_WINDOW)
            .max_frame_size(FRAME)
            .add_service(SudokuServiceServer::new(Nothing));
        let incoming = TcpIncoming::from(listener).with_nodelay(Some(true));
        let serving = router.serve_with_incoming_shutdown(incoming, async { drop(ended.await) });
        (address, end, tokio::spawn(serving))
    }

    /// Ends it, once its clients are gone.
    pub async fn end(self) {
        self.end.send(()).expect("it listens");
        self.serving.await.expect("no panic").expect("it served");
        self.threads.shutdown_background();
    }
}

struct Nothing;

#[tonic::async_trait]
impl SudokuService for Nothing {
    type SubmitBatchStream = BoxStream<v1::SubmitBatchResponse>;

    async fn submit_batch(
        &self,
        request: Request<Streaming<v1::SubmitBatchRequest>>,
    ) -> Result<Response<Self::SubmitBatchStream>, Status> {
        let answers = request.into_inner().filter_map(|request| async {
            request
                .map(|request| answer(request).map(|message| v1::SubmitBatchResponse { message: Some(message) }))
                .transpose()
        });
        Ok(Response::new(Box::pin(answers)))
    }

    async fn solve(&self, _: Request<v1::SolveRequest>) -> Result<Response<v1::SolveResponse>, Status> {
        Err(Status::unimplemented("it only echoes"))
    }

    async fn explain(&self, _: Request<v1::ExplainRequest>) -> Result<Response<v1::ExplainResponse>, Status> {
        Err(Status::unimplemented("it only echoes"))
    }

    async fn generate(&self, _: Request<v1::GenerateRequest>) -> Result<Response<v1::GenerateResponse>, Status> {
        Err(Status::unimplemented("it only echoes"))
    }
}

fn answer(request: v1::SubmitBatchRequest) -> Option<Answer> {
    match request.message? {
        Sent::Open(_) => None,
        Sent::Block(block) => {
            let outcomes = vec![v1::Outcome::Unique.into(); block.text.len() / 82];
            Some(Answer::Results(v1::ResultBlock { outcomes, grids: block.text, ..v1::ResultBlock::default() }))
        }
        Sent::Finish(_) => {
            let job = v1::Job { state: v1::JobState::Succeeded.into(), ..v1::Job::default() };
            Some(Answer::Finished(v1::JobFinished { job: Some(job) }))
        }
    }
}

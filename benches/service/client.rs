//! The bench's client: as fast a one as a user can write, blocks of text and results read as they come.

use crate::args::LINE;
use bytes::Bytes;
use std::time::{Duration, Instant};
use sudokud::grpc::proto::v1::job_service_client::JobServiceClient;
use sudokud::grpc::proto::v1::submit_batch_request::Message as Sent;
use sudokud::grpc::proto::v1::submit_batch_response::Message as Answer;
use sudokud::grpc::proto::v1::sudoku_service_client::SudokuServiceClient;
use sudokud::grpc::proto::v1::{self, BatchSpec, JobState, batch_spec::Work};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::Streaming;
use tonic::transport::{Channel, Endpoint};

/// Puzzles a block: 164 KB of text.
const BLOCK: usize = 2_000;

/// Bytes on their way to the client, a stream and a connection, and in one frame: fewer frames are fewer calls of the
/// system on both sides.
const WINDOW: u32 = 4 << 20;
const FRAME: u32 = 256 << 10;

/// A client of both services. Batches have a connection of their own, as two users would.
#[derive(Clone)]
pub struct Client {
    batches: SudokuServiceClient<Channel>,
    calls: SudokuServiceClient<Channel>,
    jobs: JobServiceClient<Channel>,
}

/// A batch from open to the last answer.
pub struct Trip {
    /// Puzzles a second.
    pub rate: f64,
    /// The longest time from one block of results to the next.
    pub stall: Duration,
    /// The job's id.
    pub job: String,
}

impl Client {
    /// Connects.
    pub async fn connect(address: &str) -> Client {
        let endpoint = Endpoint::from_shared(format!("http://{address}")).expect("an address");
        let endpoint =
            endpoint.initial_stream_window_size(WINDOW).initial_connection_window_size(WINDOW).max_frame_size(FRAME);
        let batches = endpoint.connect().await.expect("the server listens");
        let calls = endpoint.connect().await.expect("the server listens");
        Client {
            batches: SudokuServiceClient::new(batches),
            jobs: JobServiceClient::new(calls.clone()),
            calls: SudokuServiceClient::new(calls),
        }
    }

    /// Uploads the puzzles and reads all results.
    pub async fn round_trip(&self, text: &Bytes) -> Trip {
        let puzzles = text.len() / LINE;
        let begin = Instant::now();
        let (mut last, mut stall) = (None, Duration::ZERO);
        let (sender, mut answers) = self.open(solve()).await;
        let sending = tokio::spawn(upload(sender, text.clone(), puzzles));
        let (mut results, mut job) = (0, v1::Job::default());
        while let Some(answer) = answers.message().await.expect("the stream ends well") {
            match answer.message {
                Some(Answer::Results(block)) => {
                    results += block.outcomes.len();
                    let now = Instant::now();
                    stall = stall.max(now - last.replace(now).unwrap_or(now));
                }
                Some(Answer::Finished(finished)) => job = finished.job.expect("a job"),
                _ => {}
            }
        }
        let seconds = begin.elapsed().as_secs_f64();
        sending.await.expect("the upload");
        assert_eq!((results, job.state()), (puzzles, JobState::Succeeded));
        Trip { rate: puzzles as f64 / seconds, stall, job: job.job_id }
    }

    /// Removes an ended job.
    pub async fn delete(&self, job_id: String) {
        let mut jobs = self.jobs.clone();
        jobs.delete_job(v1::DeleteJobRequest { job_id }).await.expect("DeleteJob");
    }

    /// Uploads `count` puzzles and reads nothing; puzzles a second until the last is solved.
    pub async fn unread(&self, text: &Bytes, count: usize) -> f64 {
        let begin = Instant::now();
        let (sender, mut answers) = self.open(solve()).await;
        let opened = answers.message().await.expect("the stream goes on").and_then(|answer| answer.message);
        let Some(Answer::Opened(v1::JobOpened { job: Some(job), .. })) = opened else { panic!("{opened:?}") };
        upload(sender, text.clone(), count).await;
        let mut jobs = self.jobs.clone();
        loop {
            let request = v1::GetJobRequest { job_id: job.job_id.clone() };
            let job = jobs.get_job(request).await.expect("GetJob").into_inner().job.expect("a job");
            if job.state() == JobState::Succeeded {
                assert_eq!(job.done_count as usize, count);
                return count as f64 / begin.elapsed().as_secs_f64();
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Solves some of the puzzles, call by call; the time of each.
    pub async fn solve_times(&self, text: &[u8], calls: usize) -> Vec<Duration> {
        let mut client = self.calls.clone();
        let mut times = Vec::with_capacity(calls);
        for line in text.chunks(LINE).cycle().take(calls) {
            let puzzle = String::from_utf8_lossy(&line[..81]).into_owned();
            let request = v1::SolveRequest { puzzle, ..v1::SolveRequest::default() };
            let begin = Instant::now();
            client.solve(request).await.expect("an answer");
            times.push(begin.elapsed());
        }
        times
    }

    /// Starts a job that generates for hours; it runs on although its stream is dropped.
    pub async fn start_endless(&self) {
        let grid = v1::CompleteGridSpec { first_cell: 0, family: v1::GridFamily::Search.into() };
        let spec = Some(v1::generate_work::Spec::Grid(grid));
        let work = v1::GenerateWork { spec, count: 4_000_000_000, seed: None };
        let (_sender, mut answers) = self.open(Work::Generate(work)).await;
        answers.message().await.expect("the job is opened");
    }

    async fn open(&self, work: Work) -> (mpsc::Sender<v1::SubmitBatchRequest>, Streaming<v1::SubmitBatchResponse>) {
        let (sender, receiver) = mpsc::channel(4);
        let spec = BatchSpec { work: Some(work), ..BatchSpec::default() };
        sender.send(request(Sent::Open(spec))).await.expect("its receiver is here");
        let mut client = self.batches.clone();
        let answers = client.submit_batch(ReceiverStream::new(receiver)).await.expect("SubmitBatch");
        (sender, answers.into_inner())
    }
}

fn solve() -> Work {
    Work::Solve(v1::SolveWork::default())
}

/// Sends `count` puzzles, beginning again where they end, and seals the job.
async fn upload(sender: mpsc::Sender<v1::SubmitBatchRequest>, text: Bytes, count: usize) {
    let mut left = count;
    while left > 0 {
        let mut from = 0;
        while from < text.len() && left > 0 {
            let to = text.len().min(from + BLOCK.min(left) * LINE);
            left -= (to - from) / LINE;
            let block = v1::PuzzleBlock { first_index: None, puzzles: vec![], text: text.slice(from..to) };
            sender.send(request(Sent::Block(block))).await.expect("the stream goes on");
            from = to;
        }
    }
    let total_count = Some(u32::try_from(count).expect("a job's size"));
    sender.send(request(Sent::Finish(v1::FinishUpload { total_count }))).await.expect("the stream goes on");
}

fn request(message: Sent) -> v1::SubmitBatchRequest {
    v1::SubmitBatchRequest { message: Some(message), result_start_index: 0 }
}

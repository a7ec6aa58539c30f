//! One SubmitBatch stream: its uploading half, its answering half, and a check of results against known answers.

use super::client::Client;
use super::puzzles;
use std::ops::Range;
use std::time::Duration;
use sudokud::grpc::proto::v1::submit_batch_request::Message as Sent;
use sudokud::grpc::proto::v1::submit_batch_response::Message as Answer;
use sudokud::grpc::proto::v1::{self, BatchSpec, Outcome, ResultBlock, ResultFormat};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Request, Status, Streaming};

/// The lines of a block's grids.
pub fn grid_lines(block: &ResultBlock) -> std::str::Lines<'_> {
    std::str::from_utf8(&block.grids).expect("text").lines()
}

/// The uploading half. Dropping it half-closes the stream.
pub struct Upload(mpsc::Sender<v1::SubmitBatchRequest>);

/// The answering half. Dropping it resets the stream.
pub struct Answers {
    stream: Streaming<v1::SubmitBatchResponse>,
    /// The most items that were acknowledged as durable.
    pub stored: u32,
    /// The job as last told.
    pub job: v1::Job,
}

/// An open stream.
pub struct Batch {
    /// The uploading half.
    pub upload: Upload,
    /// The answering half.
    pub answers: Answers,
    /// From where to upload.
    pub next_index: u32,
}

impl Batch {
    /// Opens a job or takes one over.
    pub async fn open(client: &mut Client, spec: BatchSpec) -> Result<Batch, Status> {
        Batch::open_with(client, spec, |_| {}).await
    }

    /// As [`Batch::open`], with results from item `start` on.
    pub async fn open_from(client: &mut Client, spec: BatchSpec, start: u32) -> Result<Batch, Status> {
        Batch::start(client, first(spec, start), |_| {}).await
    }

    /// As [`Batch::open`], the request changed by `change` (a deadline).
    pub async fn open_with<F>(client: &mut Client, spec: BatchSpec, change: F) -> Result<Batch, Status>
    where
        F: FnOnce(&mut Request<ReceiverStream<v1::SubmitBatchRequest>>),
    {
        Batch::start(client, first(spec, 0), change).await
    }

    async fn start<F>(client: &mut Client, open: v1::SubmitBatchRequest, change: F) -> Result<Batch, Status>
    where
        F: FnOnce(&mut Request<ReceiverStream<v1::SubmitBatchRequest>>),
    {
        let (sender, receiver) = mpsc::channel(4);
        sender.send(open).await.expect("its receiver is here");
        let mut request = Request::new(ReceiverStream::new(receiver));
        change(&mut request);
        let mut stream = client.sudoku.submit_batch(request).await?.into_inner();
        let first = stream.message().await?.and_then(|m| m.message);
        let Some(Answer::Opened(opened)) = first else { panic!("the first answer is JobOpened, not {first:?}") };
        let job = opened.job.expect("a job");
        let answers = Answers { stream, stored: opened.next_index, job };
        Ok(Batch { upload: Upload(sender), answers, next_index: opened.next_index })
    }

    /// The job's id.
    pub fn job_id(&self) -> String {
        self.answers.job.job_id.clone()
    }
}

impl Upload {
    /// Sends any message; false once the stream has ended.
    pub async fn send(&mut self, message: Sent) -> bool {
        self.0.send(request(message)).await.is_ok()
    }

    /// Sends items of [`puzzles::mixed`] as text; false once the stream has ended.
    pub async fn items(&mut self, range: Range<u32>) -> bool {
        let block =
            v1::PuzzleBlock { first_index: Some(range.start), puzzles: vec![], text: puzzles::text(range).into() };
        self.send(Sent::Block(block)).await
    }

    /// Sends a range in blocks; false once the stream has ended.
    pub async fn all_items(&mut self, range: Range<u32>, block: u32) -> bool {
        for begin in range.clone().step_by(block as usize) {
            if !self.items(begin..range.end.min(begin + block)).await {
                return false;
            }
        }
        true
    }

    /// Sends blocks of items from `next` on until the stream ends, slower than any server stores them.
    pub async fn endless(&mut self, mut next: u32, block: u32) {
        while self.items(next..next + block).await {
            next += block;
            tokio::time::sleep(Duration::from_millis(3)).await;
        }
    }

    /// Sends lines as text, without saying where they belong.
    pub async fn text(&mut self, text: &str) -> bool {
        let block = v1::PuzzleBlock { first_index: None, puzzles: vec![], text: text.to_owned().into() };
        self.send(Sent::Block(block)).await
    }

    /// Seals the job.
    pub async fn finish(&mut self, total_count: Option<u32>) -> bool {
        self.send(Sent::Finish(v1::FinishUpload { total_count })).await
    }
}

impl Answers {
    /// The next answer; `None` at the stream's end.
    pub async fn next(&mut self) -> Result<Option<Answer>, Status> {
        let Some(answer) = self.stream.message().await? else { return Ok(None) };
        let answer = answer.message.expect("a message");
        match &answer {
            Answer::UploadProgress(progress) => {
                assert!(progress.stored_count >= self.stored, "{} after {}", progress.stored_count, self.stored);
                self.stored = progress.stored_count;
            }
            Answer::Progress(v1::JobProgress { job }) | Answer::Finished(v1::JobFinished { job }) => {
                self.job = job.clone().expect("a job");
            }
            Answer::Opened(_) => panic!("JobOpened comes once"),
            Answer::Results(_) => {}
        }
        Ok(Some(answer))
    }

    /// Reads until at least `count` items are acknowledged; results go to `checked`.
    pub async fn until_stored(&mut self, count: u32, checked: &mut Checked) -> Result<(), Status> {
        while self.stored < count {
            let answer = self.next().await?.expect("the stream goes on");
            checked.answer(&answer);
        }
        Ok(())
    }

    /// Reads until `count` results are there.
    pub async fn until_checked(&mut self, count: u32, checked: &mut Checked) -> Result<(), Status> {
        while checked.next < count {
            let answer = self.next().await?.expect("the stream goes on");
            checked.answer(&answer);
        }
        Ok(())
    }

    /// Reads to the end, which JobFinished must announce; gives the job.
    pub async fn read_to_end(&mut self, checked: &mut Checked) -> Result<v1::Job, Status> {
        let mut finished = false;
        while let Some(answer) = self.next().await? {
            assert!(!finished, "{answer:?} after JobFinished");
            checked.answer(&answer);
            finished = matches!(answer, Answer::Finished(_));
        }
        assert!(finished, "the stream ended without JobFinished");
        Ok(self.job.clone())
    }
}

/// Reads a stream that an error must end.
pub async fn read_to_its_status(answers: &mut Answers, checked: &mut Checked) -> Status {
    loop {
        match answers.next().await {
            Ok(Some(answer)) => checked.answer(&answer),
            Ok(None) => panic!("the stream ended well"),
            Err(status) => return status,
        }
    }
}

/// Results so far: in order, without a hole, each the known answer of its item.
pub struct Checked {
    /// The item that comes next.
    pub next: u32,
    known: Box<dyn Fn(u32) -> puzzles::Known + Send>,
}

impl Checked {
    /// Of [`puzzles::mixed`], from item `first` on.
    pub fn mixed(first: u32) -> Checked {
        Checked::of(first, puzzles::mixed)
    }

    /// Of any items with known answers.
    pub fn of(first: u32, known: impl Fn(u32) -> puzzles::Known + Send + 'static) -> Checked {
        Checked { next: first, known: Box::new(known) }
    }

    /// Checks an answer of a batch, if it holds results.
    pub fn answer(&mut self, answer: &Answer) {
        if let Answer::Results(block) = answer {
            self.block(block);
        }
    }

    /// Checks a block of results.
    pub fn block(&mut self, block: &ResultBlock) {
        assert_eq!(block.first_index, self.next, "results come in order and once");
        assert_eq!(block.outcomes.len(), grid_lines(block).count(), "a line an item");
        assert!(!block.outcomes.is_empty(), "an empty block");
        let rated = if block.rating_name.is_empty() { 0 } else { block.outcomes.len() };
        assert_eq!(block.ratings.len(), rated, "a rating an item, or none");
        let mut errors = block.errors.iter();
        for (outcome, grid) in block.outcomes().zip(grid_lines(block)) {
            let known = (self.known)(self.next);
            assert_eq!((outcome, grid), (known.outcome, known.solution.as_str()), "item {}: {}", self.next, known.line);
            if let Some(rating) = block.ratings.get((self.next - block.first_index) as usize) {
                assert_eq!((rating.er * 10.0).round() as u8, known.er, "item {}: {}", self.next, known.line);
            }
            if outcome == Outcome::Invalid {
                assert_eq!(errors.next().map(|e| e.index), Some(self.next), "an error an invalid item");
            }
            self.next += 1;
        }
        assert_eq!(errors.next(), None, "an error without its item");
    }

    /// Reads a job's results with StreamResults from the next item on, until they end.
    pub async fn stream(&mut self, client: &mut Client, job_id: &str, follow: bool) -> Result<(), Status> {
        let mut results = stream_results(client, job_id, self.next, follow).await?;
        while let Some(message) = results.message().await? {
            if let Some(block) = message.results {
                self.block(&block);
            }
        }
        Ok(())
    }
}

/// Opens StreamResults, in blocks.
pub async fn stream_results(
    client: &mut Client,
    job_id: &str,
    start_index: u32,
    follow: bool,
) -> Result<Streaming<v1::StreamResultsResponse>, Status> {
    let result_format = ResultFormat::Block.into();
    let request = v1::StreamResultsRequest { job_id: job_id.into(), start_index, follow, result_format };
    Ok(client.jobs.stream_results(request).await?.into_inner())
}

/// A spec that solves, under the client's own id.
pub fn solve_spec(request_id: &str) -> BatchSpec {
    let work = v1::batch_spec::Work::Solve(v1::SolveWork::default());
    BatchSpec { request_id: request_id.into(), work: Some(work), ..BatchSpec::default() }
}

/// A spec that rates, under the client's own id.
pub fn rate_spec(request_id: &str) -> BatchSpec {
    let work = v1::batch_spec::Work::Rate(v1::RateWork::default());
    BatchSpec { work: Some(work), ..solve_spec(request_id) }
}

/// A spec that generates, under the client's own id.
pub fn generate_spec(request_id: &str, family: v1::GridFamily, count: u32, seed: Option<u64>) -> BatchSpec {
    let grid = v1::CompleteGridSpec { first_cell: 0, family: family.into() };
    let work = v1::GenerateWork { spec: Some(v1::generate_work::Spec::Grid(grid)), count, seed };
    let work = v1::batch_spec::Work::Generate(work);
    BatchSpec { request_id: request_id.into(), work: Some(work), ..BatchSpec::default() }
}

fn first(spec: BatchSpec, start: u32) -> v1::SubmitBatchRequest {
    v1::SubmitBatchRequest { message: Some(Sent::Open(spec)), result_start_index: start }
}

fn request(message: Sent) -> v1::SubmitBatchRequest {
    v1::SubmitBatchRequest { message: Some(message), result_start_index: 0 }
}

//! A client of SubmitBatch that sends and reads when the test says so.

use crate::rig::{PATIENCE, Rig};
use bytes::Bytes;
use sudokud::grpc::proto::v1::submit_batch_request::Message as Sent;
use sudokud::grpc::proto::v1::submit_batch_response::Message as Answer;
use sudokud::grpc::proto::v1::{
    BatchSpec, FinishUpload, Job, PuzzleBlock, ResultBlock, SolveWork, SubmitBatchRequest, SubmitBatchResponse,
    batch_spec,
};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Request, Status, Streaming};

/// The lines of a block's grids.
pub fn grid_lines(block: &ResultBlock) -> std::str::Lines<'_> {
    std::str::from_utf8(&block.grids).expect("text").lines()
}

/// One stream. Dropping `sender` half-closes it.
pub struct Batch {
    pub sender: Option<mpsc::Sender<SubmitBatchRequest>>,
    pub answers: Streaming<SubmitBatchResponse>,
}

/// A spec for solving, named.
pub fn solving(request_id: &str) -> BatchSpec {
    let work = Some(batch_spec::Work::Solve(SolveWork::default()));
    BatchSpec { request_id: request_id.into(), work, ..BatchSpec::default() }
}

pub fn opening(spec: BatchSpec) -> SubmitBatchRequest {
    SubmitBatchRequest { message: Some(Sent::Open(spec)), result_start_index: 0 }
}

pub fn text(first_index: Option<u32>, text: impl Into<Bytes>) -> SubmitBatchRequest {
    let block = PuzzleBlock { first_index, puzzles: Vec::new(), text: text.into() };
    SubmitBatchRequest { message: Some(Sent::Block(block)), result_start_index: 0 }
}

pub fn puzzles(first_index: Option<u32>, puzzles: &[&str]) -> SubmitBatchRequest {
    let puzzles = puzzles.iter().map(|puzzle| puzzle.to_string()).collect();
    let block = PuzzleBlock { first_index, puzzles, text: Default::default() };
    SubmitBatchRequest { message: Some(Sent::Block(block)), result_start_index: 0 }
}

pub fn finish(total_count: Option<u32>) -> SubmitBatchRequest {
    SubmitBatchRequest { message: Some(Sent::Finish(FinishUpload { total_count })), result_start_index: 0 }
}

impl Batch {
    /// Sends `first` and waits for the answer's head.
    pub async fn begin(rig: &Rig, first: SubmitBatchRequest) -> Result<Batch, Status> {
        let (sender, receiver) = mpsc::channel(16);
        sender.send(first).await.expect("a fresh channel has room");
        Batch::over(rig, sender, Request::new(ReceiverStream::new(receiver))).await
    }

    /// As `begin`, with a request of one's own.
    pub async fn over(
        rig: &Rig,
        sender: mpsc::Sender<SubmitBatchRequest>,
        request: Request<ReceiverStream<SubmitBatchRequest>>,
    ) -> Result<Batch, Status> {
        let answers = rig.sudoku.clone().submit_batch(request).await?.into_inner();
        Ok(Batch { sender: Some(sender), answers })
    }

    /// Opens a job: the stream, the job and where to upload from.
    pub async fn open(rig: &Rig, spec: BatchSpec) -> (Batch, Job, u32) {
        Batch::open_from(rig, spec, 0).await
    }

    /// As `open`, with results from an item on.
    pub async fn open_from(rig: &Rig, spec: BatchSpec, result_start_index: u32) -> (Batch, Job, u32) {
        let first = SubmitBatchRequest { result_start_index, ..opening(spec) };
        let mut batch = Batch::begin(rig, first).await.expect("opened");
        let Answer::Opened(opened) = batch.next().await else { panic!("the first answer is not JobOpened") };
        (batch, opened.job.expect("set"), opened.next_index)
    }

    pub async fn send(&self, message: SubmitBatchRequest) {
        let sender = self.sender.as_ref().expect("not closed yet");
        tokio::time::timeout(PATIENCE, sender.send(message)).await.expect("sent in time").expect("the stream is open");
    }

    /// Ends the input.
    pub fn close(&mut self) {
        self.sender = None;
    }

    /// The next message.
    ///
    /// # Errors
    /// The status that the stream ended with; Ok where it ended well.
    pub async fn message(&mut self) -> Result<Answer, Status> {
        let message = tokio::time::timeout(PATIENCE, self.answers.message()).await.expect("an answer in time")?;
        message.map(|answer| answer.message.expect("one is set")).ok_or_else(|| Status::ok("the end"))
    }

    pub async fn next(&mut self) -> Answer {
        self.message().await.expect("a message")
    }

    /// The next block of results.
    pub async fn block(&mut self) -> ResultBlock {
        loop {
            match self.next().await {
                Answer::Results(block) => return block,
                Answer::Finished(finished) => panic!("finished without (more) results: {finished:?}"),
                _ => (),
            }
        }
    }

    /// Waits until this many items are stored.
    pub async fn stored(&mut self, count: u32) {
        loop {
            if let Answer::UploadProgress(progress) = self.next().await
                && progress.stored_count >= count
            {
                return;
            }
        }
    }

    /// All blocks of results, and the job at its end.
    pub async fn rest(&mut self) -> (Vec<ResultBlock>, Job) {
        let mut blocks = Vec::new();
        loop {
            match self.next().await {
                Answer::Results(block) => blocks.push(block),
                Answer::Finished(finished) => {
                    assert_eq!(self.message().await.expect_err("JobFinished is the last").code(), tonic::Code::Ok);
                    return (blocks, finished.job.expect("set"));
                }
                _ => (),
            }
        }
    }

    /// The status that the stream ends with.
    pub async fn ended(&mut self) -> Status {
        loop {
            if let Err(status) = self.message().await {
                return status;
            }
        }
    }
}

/// The lines of digits of blocks that follow each other without a gap, and where they begin.
pub fn grids(blocks: &[ResultBlock]) -> (u32, Vec<String>) {
    let first = blocks.first().map_or(0, |block| block.first_index);
    let mut lines = Vec::new();
    for block in blocks {
        assert_eq!(block.first_index as usize, first as usize + lines.len(), "blocks follow each other");
        let before = lines.len();
        lines.extend(grid_lines(block).map(String::from));
        assert_eq!(block.outcomes.len(), lines.len() - before, "one line an item");
    }
    (first, lines)
}

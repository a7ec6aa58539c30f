//! The input side of SubmitBatch: a task that reads, stores and seals, and never waits for output.

use super::deadline::Bounds;
use super::edge::Edge;
use super::proto::v1::{self, submit_batch_request::Message};
use super::status::Refusal;
use crate::engine::{EngineError, Upload};
use crate::job::{JobRecord, JobState, Principal, Work};
use crate::store::StoreError;
use crate::sudoku::text::puzzle_lines;
use std::future::pending;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{Instant, Interval, MissedTickBehavior, interval, sleep_until};
use tokio_util::sync::CancellationToken;
use tonic::{Status, Streaming};

/// How often an idle upload looks whether it was taken over or its job has ended.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Where the input stands: the one thing that the output side learns from it.
#[derive(Clone, Debug)]
pub enum Intake {
    /// More may come.
    Open,
    /// No more is needed: sealed here (the job is told), sealed before, or generated work.
    Sealed(Option<Box<JobRecord>>),
    /// The job ended, or is being cancelled, under the upload.
    Over,
    /// The stream must end with this; all that was taken is stored.
    Failed(Refusal),
}

/// Why reading stopped.
enum Stop {
    /// The input ended.
    End,
    /// The output has ended by itself: there is no one to tell.
    Done,
    /// Something is wrong, or the call must end.
    Refused(Refusal),
}

impl<E: Into<Refusal>> From<E> for Stop {
    fn from(error: E) -> Stop {
        Stop::Refused(error.into())
    }
}

/// Reads one stream's input. Run it as a task of its own.
pub struct Reader {
    edge: Edge,
    principal: Principal,
    bounds: Bounds,
    inbound: Streaming<v1::SubmitBatchRequest>,
    /// The job as it was opened.
    job: JobRecord,
    /// Until sealed.
    upload: Option<Upload>,
    /// A finish was read.
    finished: bool,
    /// When input last came.
    last_input: Instant,
    state: watch::Sender<Intake>,
    done: CancellationToken,
}

/// What a reader needs to begin.
pub struct Begin {
    /// The server.
    pub edge: Edge,
    /// Whose job it is.
    pub principal: Principal,
    /// When the call must end.
    pub bounds: Bounds,
    /// The messages after open.
    pub inbound: Streaming<v1::SubmitBatchRequest>,
    /// The job as it was opened.
    pub job: JobRecord,
    /// The right to upload, if the job takes input.
    pub upload: Option<Upload>,
    /// Cancelled when the output has ended by itself.
    pub done: CancellationToken,
}

impl Reader {
    /// A reader, and where its progress is told.
    pub fn new(begin: Begin) -> (Reader, watch::Receiver<Intake>) {
        let Begin { edge, principal, bounds, inbound, job, upload, done } = begin;
        let (state, told) = watch::channel(if upload.is_some() { Intake::Open } else { Intake::Sealed(None) });
        let (finished, last_input) = (false, Instant::now());
        (Reader { edge, principal, bounds, inbound, job, upload, finished, last_input, state, done }, told)
    }

    /// Reads to the end. Whatever ends it, what was taken is made durable first.
    pub async fn run(mut self) {
        let stop = self.read().await;
        let stored = self.flush().await;
        let refusal = match (stop, stored) {
            (Stop::Refused(refusal), _) => refusal,
            (Stop::Done, Ok(())) => return,
            (Stop::End, Ok(())) => match &self.upload {
                None => return,
                Some(upload) => Refusal::NotFinished {
                    job: self.job.id,
                    request_id: self.job.request_id.clone(),
                    next_index: *upload.progress().borrow(),
                },
            },
            (Stop::Done | Stop::End, Err(error)) => error.into(),
        };
        let over = self.upload.is_some() && ended_by_others(&refusal);
        let told = if over { self.over().await } else { Intake::Failed(refusal) };
        self.state.send_replace(told);
    }

    async fn read(&mut self) -> Stop {
        let linger = self.edge.engine.options().chunk_linger;
        let stored = self.upload.as_ref().map(Upload::progress);
        let mut look = looking();
        loop {
            let partial = self.upload.as_ref().is_some_and(Upload::has_partial);
            let pause = partial.then_some(self.last_input + linger);
            let broken = broken(stored.clone().filter(|_| self.upload.is_some()));
            let went = tokio::select! {
                biased;
                () = self.done.cancelled() => Err(Stop::Done),
                why = self.bounds.exceeded() => Err(Stop::Refused(why)),
                message = self.inbound.message() => self.take(message).await,
                () = until(pause) => self.cut().await.map_err(Stop::from),
                () = broken => self.flush().await.map_err(Stop::from),
                _ = look.tick() => self.look().await.map_err(Stop::from),
            };
            if let Err(stop) = went {
                return stop;
            }
        }
    }

    async fn take(&mut self, message: Result<Option<v1::SubmitBatchRequest>, Status>) -> Result<(), Stop> {
        let Some(request) = message? else { return Err(Stop::End) };
        match request.message {
            Some(Message::Block(_) | Message::Finish(_)) if self.finished => {
                Err(Refusal::invalid("message", "comes after finish: nothing may follow it").into())
            }
            Some(Message::Block(block)) => Ok(self.block(block).await?),
            Some(Message::Finish(finish)) => Ok(self.finish(finish.total_count).await?),
            Some(Message::Open(_)) => {
                Err(Refusal::invalid("open", "was sent already: one stream opens one job").into())
            }
            None => Err(Refusal::invalid("message", "is missing: send block or finish").into()),
        }
    }

    async fn block(&mut self, block: v1::PuzzleBlock) -> Result<(), Refusal> {
        if !block.puzzles.is_empty() && !block.text.is_empty() {
            return Err(Refusal::invalid("block", "has both puzzles and text: set one of them"));
        }
        let Some(upload) = &mut self.upload else { return self.needless(&block) };
        let taken = if block.puzzles.is_empty() {
            upload.text(block.first_index, &block.text).await
        } else {
            upload.puzzles(block.first_index, &block.puzzles).await
        };
        self.last_input = Instant::now();
        Ok(taken?)
    }

    /// A block for a job whose input is complete: fine if all of it is stored, as when a client repeats itself.
    fn needless(&self, block: &v1::PuzzleBlock) -> Result<(), Refusal> {
        let wrong = |problem| EngineError::WrongState { job: self.job.id, state: self.job.state, problem };
        if matches!(self.job.spec.work, Work::Generate(_)) {
            return Err(wrong("its items are generated, so it takes no blocks").into());
        }
        if self.job.state.is_final() && self.job.state != JobState::Succeeded {
            // The answer is the job's end.
            return Ok(());
        }
        let items = (block.puzzles.len() + puzzle_lines(&block.text).count()) as u64;
        match block.first_index {
            Some(first) if u64::from(first) + items <= u64::from(self.job.stored) => Ok(()),
            _ => Err(wrong("its input is complete, so it takes no more blocks").into()),
        }
    }

    async fn finish(&mut self, total: Option<u32>) -> Result<(), Refusal> {
        self.finished = true;
        if let Some(mut upload) = self.upload.take() {
            match upload.finish(total).await {
                Ok(job) => self.state.send_replace(Intake::Sealed(Some(Box::new(job)))),
                Err(error) => {
                    // Not sealed: what was taken is flushed before the stream ends.
                    self.upload = Some(upload);
                    return Err(error.into());
                }
            };
            return Ok(());
        }
        let stored = self.job.total.unwrap_or(self.job.stored);
        match total {
            Some(total) if total != stored => Err(StoreError::TotalMismatch { job: self.job.id, stored, total }.into()),
            _ => Ok(()),
        }
    }

    /// Hands on what was taken, without waiting until it is durable.
    async fn cut(&mut self) -> Result<(), EngineError> {
        match &mut self.upload {
            Some(upload) => upload.cut().await,
            None => Ok(()),
        }
    }

    /// Makes durable what was taken.
    async fn flush(&mut self) -> Result<(), EngineError> {
        if let Some(upload) = &mut self.upload {
            upload.flush().await?;
        }
        Ok(())
    }

    /// The job has ended, or is sealed, without this stream: well, unless a newer stream took the upload over first.
    async fn over(&self) -> Intake {
        match self.edge.engine.job(&self.principal, self.job.id).await {
            Ok(now) if now.upload_epoch == self.job.upload_epoch => Intake::Over,
            Ok(now) => Intake::Failed(StoreError::Fenced { job: now.id, epoch: self.job.upload_epoch }.into()),
            Err(error) => Intake::Failed(error.into()),
        }
    }

    /// Looks whether a newer stream took the upload over, or the job ended: without input, no write tells.
    async fn look(&mut self) -> Result<(), Refusal> {
        if self.upload.is_none() {
            return Ok(());
        }
        let now = self.edge.engine.job(&self.principal, self.job.id).await?;
        let epoch = self.job.upload_epoch;
        if now.upload_epoch != epoch {
            return Err(StoreError::Fenced { job: now.id, epoch }.into());
        }
        if now.state != JobState::Uploading {
            return Err(StoreError::WrongState { job: now.id, state: now.state }.into());
        }
        Ok(())
    }
}

fn looking() -> Interval {
    let mut look = interval(LOOK_EVERY);
    look.set_missed_tick_behavior(MissedTickBehavior::Delay);
    look.reset();
    look
}

/// Resolves when storing has failed: the next call to the upload tells why.
async fn broken(stored: Option<watch::Receiver<u32>>) {
    match stored {
        Some(mut stored) => while stored.changed().await.is_ok() {},
        None => pending().await,
    }
}

async fn until(at: Option<Instant>) {
    match at {
        Some(at) => sleep_until(at).await,
        None => pending().await,
    }
}

/// Whether an upload was refused because its job ended or is being cancelled: the stream's answer then is the
/// job's end, not an error.
fn ended_by_others(refusal: &Refusal) -> bool {
    let Refusal::Engine(
        EngineError::WrongState { state, .. } | EngineError::Store(StoreError::WrongState { state, .. }),
    ) = refusal
    else {
        return false;
    };
    state.is_final() || *state == JobState::Cancelling
}

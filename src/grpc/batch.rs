//! SubmitBatch: opens a job, leaves its input to a reader, and answers as the client makes room.

use super::edge::{Caller, Edge, about};
use super::follow::{Follow, Step};
use super::intake::{Begin, Intake, Reader};
use super::proto::v1::{self, submit_batch_request, submit_batch_response::Message};
use super::pull::Pull;
use super::role::Role;
use super::status::Refusal;
use super::{decode, encode};
use crate::engine::EngineError;
use crate::job::{JobRecord, Priority, ResultMode};
use crate::store::StoreError;
use std::future::pending;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;
use tonic::{Request, Streaming};
use tracing::Instrument;

/// How often, in progress intervals, a sealed job is looked at for news.
const LOOK_INTERVALS: u32 = 4;

/// Opens the job that the first message names and begins to read its input.
///
/// # Errors
/// When the first message is no valid open, or the engine refuses the job.
pub async fn open(edge: &Edge, request: Request<Streaming<v1::SubmitBatchRequest>>) -> Result<Answer, Refusal> {
    let caller = edge.caller_as(&request, Role::Submit)?;
    let mut inbound = request.into_inner();
    let first = caller.bounds.run(inbound.message()).await?;
    let result_start = first.as_ref().map_or(0, |first| first.result_start_index);
    let Some(submit_batch_request::Message::Open(spec)) = first.and_then(|first| first.message) else {
        return Err(Refusal::invalid("open", "is missing: the first message opens the job"));
    };
    let (request_id, sent) = decode::batch_spec(&spec).map_err(|wrong| wrong.within("open"))?;
    if sent.priority == Priority::High {
        caller.needs(Role::HighPriority)?;
    }
    let opening = edge.engine.open(&caller.principal, request_id, sent);
    let opened = caller.bounds.run_unary(opening).await?;

    let job = opened.job;
    about(job.id);
    let results = match job.spec.result_mode {
        ResultMode::Detached => None,
        ResultMode::Stream => {
            let results = edge.engine.results(&caller.principal, job.id, result_start, true).await?;
            Some(Follow::new(results, job.spec.result_format))
        }
    };
    let next_index = opened.upload.as_ref().map_or(job.stored, |upload| upload.next_index());
    let stored = opened.upload.as_ref().map(|upload| upload.progress());
    let done = CancellationToken::new();
    let begin = Begin {
        edge: edge.clone(),
        principal: caller.principal.clone(),
        bounds: caller.bounds.clone(),
        inbound,
        job: job.clone(),
        upload: opened.upload,
        done: done.clone(),
    };
    let (reader, intake) = Reader::new(begin);
    edge.tasks.spawn(reader.run().in_current_span());
    let now = Instant::now();
    let (told_count, told_revision) = (next_index, job.revision);
    let (edge, opened, ended) = (edge.clone(), Some(next_index), false);
    Ok(Answer {
        edge,
        caller,
        job,
        opened,
        results,
        stored,
        intake,
        done,
        told_count,
        told_revision,
        spoke: now,
        looked: now,
        ended,
    })
}

/// The answer of one stream.
pub struct Answer {
    edge: Edge,
    caller: Caller,
    /// The job as it was opened.
    job: JobRecord,
    /// The next index, until told.
    opened: Option<u32>,
    /// `None` for a detached stream.
    results: Option<Follow>,
    /// How much of the upload is durable, where there is one.
    stored: Option<watch::Receiver<u32>>,
    intake: watch::Receiver<Intake>,
    /// Cancelled when the answer has ended, so that the reader ends too. Not when the client goes away: then
    /// the input ends by itself, once all that was sent is read.
    done: CancellationToken,
    /// Stored count last told.
    told_count: u32,
    /// Revision of the job last told.
    told_revision: u64,
    /// When progress was last told.
    spoke: Instant,
    /// When a sealed job was last looked at.
    looked: Instant,
    ended: bool,
}

impl Pull for Answer {
    type Item = v1::SubmitBatchResponse;

    async fn pull(&mut self) -> Result<Option<v1::SubmitBatchResponse>, Refusal> {
        if self.ended {
            return Ok(None);
        }
        let message = self.message().await;
        if matches!(message, Err(_) | Ok(Message::Finished(_))) {
            self.ended = true;
            self.done.cancel();
            // The reader makes durable what it took before the client learns of the end.
            while self.intake.changed().await.is_ok() {}
        }
        message.map(|message| Some(v1::SubmitBatchResponse { message: Some(message) }))
    }
}

impl Answer {
    async fn message(&mut self) -> Result<Message, Refusal> {
        if let Some(next_index) = self.opened.take() {
            let job = Some(encode::job(&self.job, encode::now()));
            return Ok(Message::Opened(v1::JobOpened { job, next_index }));
        }
        loop {
            let intake = self.intake.borrow_and_update().clone();
            let uploading = match intake {
                Intake::Failed(refusal) => return Err(refusal),
                Intake::Open => true,
                Intake::Sealed(Some(job)) if self.results.is_none() => return Ok(finished(&job)),
                Intake::Sealed(_) | Intake::Over if self.results.is_none() => {
                    return Ok(finished(&self.current().await?));
                }
                Intake::Sealed(_) | Intake::Over => false,
            };
            if let Some(message) = self.wait(uploading).await? {
                return Ok(message);
            }
        }
    }

    /// Waits for whatever comes first; `None` where the input's state may have changed, or nothing is new.
    async fn wait(&mut self, uploading: bool) -> Result<Option<Message>, Refusal> {
        let beat = Beat {
            stored: self.stored.clone().filter(|_| uploading),
            told: self.told_count,
            news: self.spoke + self.edge.options.progress_interval,
            heartbeat: self.spoke + self.edge.options.heartbeat,
            look: self.looked + self.edge.options.progress_interval * LOOK_INTERVALS,
        };
        let heartbeat = self.edge.options.heartbeat;
        tokio::select! {
            biased;
            changed = changed(&mut self.intake, uploading) => changed.map(|()| None),
            // While input may come, the reader minds the bounds: it stores what it took before it tells.
            why = self.caller.bounds.exceeded(), if !uploading => Err(why),
            () = beat.due() => self.progress(uploading).await,
            step = next(&mut self.results, heartbeat) => match step? {
                Step::Block(block) => Ok(Some(Message::Results(block))),
                Step::Pending => Ok(None),
                Step::End(Some(job)) => self.end(&job, uploading).map(Some),
                Step::End(None) => self.end(&self.current().await?, uploading).map(Some),
            },
        }
    }

    async fn progress(&mut self, uploading: bool) -> Result<Option<Message>, Refusal> {
        let now = Instant::now();
        if let Some(stored) = self.stored.as_ref().filter(|_| uploading) {
            self.told_count = *stored.borrow();
            self.spoke = now;
            return Ok(Some(Message::UploadProgress(v1::UploadProgress { stored_count: self.told_count })));
        }
        let job = self.current().await?;
        self.looked = now;
        if job.revision == self.told_revision && now < self.spoke + self.edge.options.heartbeat {
            return Ok(None);
        }
        (self.told_revision, self.spoke) = (job.revision, now);
        Ok(Some(Message::Progress(v1::JobProgress { job: Some(encode::job(&job, encode::now())) })))
    }

    /// The job has ended: well, unless a newer stream took this one's upload over first.
    fn end(&self, job: &JobRecord, uploading: bool) -> Result<Message, Refusal> {
        let epoch = self.job.upload_epoch;
        if uploading && job.upload_epoch != epoch {
            return Err(StoreError::Fenced { job: job.id, epoch }.into());
        }
        Ok(finished(job))
    }

    async fn current(&self) -> Result<JobRecord, EngineError> {
        self.edge.engine.job(&self.caller.principal, self.job.id).await
    }
}

/// When there may be progress to tell.
struct Beat {
    /// While uploading.
    stored: Option<watch::Receiver<u32>>,
    told: u32,
    /// News are told no sooner.
    news: Instant,
    heartbeat: Instant,
    /// A sealed job is looked at no sooner.
    look: Instant,
}

impl Beat {
    async fn due(self) {
        let Beat { stored, told, news, heartbeat, look } = self;
        let Some(mut stored) = stored else { return sleep_until(look).await };
        let more = async {
            if stored.wait_for(|&stored| stored > told).await.is_err() {
                pending::<()>().await;
            }
            sleep_until(news).await;
        };
        tokio::select! {
            () = more => (),
            () = sleep_until(heartbeat) => (),
        }
    }
}

/// Resolves when the input's state changes. A reader that ended with nothing to tell never does; one that is
/// gone while input was still expected died of a fault.
async fn changed(intake: &mut watch::Receiver<Intake>, uploading: bool) -> Result<(), Refusal> {
    match intake.changed().await {
        Ok(()) => Ok(()),
        Err(_) if uploading => Err(EngineError::Internal("the reader of this stream died".into()).into()),
        Err(_) => pending().await,
    }
}

/// What follows in the results; never, where none are wanted.
async fn next(results: &mut Option<Follow>, wait: Duration) -> Result<Step, EngineError> {
    match results {
        Some(results) => results.next(wait).await,
        None => pending().await,
    }
}

fn finished(job: &JobRecord) -> Message {
    Message::Finished(v1::JobFinished { job: Some(encode::job(job, encode::now())) })
}

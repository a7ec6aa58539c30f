//! The upload of one job: opens it, sends blocks, learns what is stored, seals it; and opens it again with the same
//! request id wherever the connection broke.

use super::exit::Failure;
use super::progress::Progress;
use super::refusal::cut_short;
use super::remote::{Remote, Stop};
use super::retry::Retry;
use super::upload_blocks::{Next, UploadBlocks};
use crate::grpc::proto::v1::submit_batch_request::Message as Sent;
use crate::grpc::proto::v1::submit_batch_response::Message as Told;
use crate::grpc::proto::v1::{self, FinishUpload, JobState, SubmitBatchRequest};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Status, Streaming};

/// What is uploaded, and who is told.
pub struct Upload<A> {
    spec: v1::BatchSpec,
    blocks: UploadBlocks,
    progress: Progress,
    /// Sees the job each time it is opened, unless it is of other items.
    opened: A,
}

impl<A: FnMut(&v1::Job) -> Result<(), Failure>> Upload<A> {
    /// An upload of `blocks`, about so many items in all where that is known.
    pub fn new(spec: v1::BatchSpec, blocks: UploadBlocks, items: Option<u64>, opened: A) -> Upload<A> {
        let progress = Progress::items("uploading", items);
        Upload { spec, blocks, progress, opened }
    }
}

/// Uploads all and seals the job; the job then.
///
/// # Errors
/// A refusal, an input that fails, or patience at its end.
pub async fn upload<A: FnMut(&v1::Job) -> Result<(), Failure>>(
    remote: &Remote,
    mut upload: Upload<A>,
) -> Result<v1::Job, Failure> {
    let mut retry = remote.retry();
    loop {
        match attempt(remote, &mut upload, &mut retry).await {
            Ok(job) => return Ok(job),
            Err(Stop::Failed(failure)) => return Err(failure),
            Err(Stop::Broken(status)) => retry.wait(&status).await?,
        }
    }
}

/// One stream, from open to finish.
async fn attempt<A: FnMut(&v1::Job) -> Result<(), Failure>>(
    remote: &Remote,
    upload: &mut Upload<A>,
    retry: &mut Retry,
) -> Result<v1::Job, Stop> {
    let (to_server, requests) = mpsc::channel(1);
    // The first message must be on its way before the server answers.
    to_server.send(request(Sent::Open(upload.spec.clone()))).await.map_err(|_| cut_short())?;
    let mut answers = remote.sudoku().submit_batch(ReceiverStream::new(requests)).await?.into_inner();
    if let Some(job) = begin(&mut answers, upload).await? {
        return Ok(job);
    }
    let (mut pending, mut finishing) = (None, false);
    loop {
        tokio::select! {
            answer = answers.message() => match answer?.and_then(|answer| answer.message) {
                Some(Told::UploadProgress(progress)) => {
                    retry.progressed();
                    upload.blocks.stored(progress.stored_count);
                    upload.progress.at(progress.stored_count.into());
                }
                Some(Told::Finished(finished)) => return Ok(finished.job.unwrap_or_default()),
                Some(_) => {}
                None => return Err(cut_short().into()),
            },
            room = to_server.reserve(), if pending.is_some() => match room {
                Ok(room) => room.send(pending.take().unwrap_or_default()),
                // The stream is going; its answer says why.
                Err(_) => return Err(why_it_ended(&mut answers).await.into()),
            },
            next = upload.blocks.next(), if pending.is_none() && !finishing && upload.blocks.may_send() => {
                pending = Some(match next? {
                    Next::Block(block) => request(Sent::Block(block)),
                    Next::End(total) => {
                        finishing = true;
                        request(Sent::Finish(FinishUpload { total_count: Some(total) }))
                    }
                });
            }
        }
    }
}

/// Reads the opening; the job, if there is nothing to upload any more.
async fn begin<A: FnMut(&v1::Job) -> Result<(), Failure>>(
    answers: &mut Streaming<v1::SubmitBatchResponse>,
    upload: &mut Upload<A>,
) -> Result<Option<v1::Job>, Stop> {
    let Some(Told::Opened(opened)) = answers.message().await?.and_then(|answer| answer.message) else {
        return Err(cut_short().into());
    };
    let job = opened.job.unwrap_or_default();
    if job.state() != JobState::Uploading {
        same_items(&job, &mut upload.blocks).await?;
        (upload.opened)(&job)?;
        return Ok(Some(job));
    }
    (upload.opened)(&job)?;
    upload.blocks.restart(opened.next_index)?;
    Ok(None)
}

/// Whether a job whose input is complete has as many items as this upload would bring: else the request id was
/// given to another file.
async fn same_items(job: &v1::Job, blocks: &mut UploadBlocks) -> Result<(), Failure> {
    // A job that ended under its upload has no total, and its end is told anyway.
    let Some(total) = job.total_count else { return Ok(()) };
    blocks.stored(total);
    let here = match blocks.next().await? {
        Next::End(items) if items == total => return Ok(()),
        Next::End(items) => items.to_string(),
        Next::Block(_) => "more".into(),
    };
    let id = job.spec.as_ref().map_or("", |spec| &spec.request_id);
    Err(Failure::usage(format!(
        "request id {id:?} belongs to job {} of {total} items, but there are {here} here: give these another one",
        job.job_id
    )))
}

async fn why_it_ended(answers: &mut Streaming<v1::SubmitBatchResponse>) -> Status {
    loop {
        match answers.message().await {
            Ok(Some(_)) => {}
            Ok(None) => return cut_short(),
            Err(status) => return status,
        }
    }
}

fn request(message: Sent) -> SubmitBatchRequest {
    SubmitBatchRequest { message: Some(message), result_start_index: 0 }
}

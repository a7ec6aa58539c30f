//! A new job, whatever its work: what is sent to open it, its id told, and its results awaited.

use super::args::NewJobArgs;
use super::exit::{Ended, Exit, Failure};
use super::job_text::summary;
use super::jobs::{ended, follow};
use super::litter::Litter;
use super::output::Output;
use super::remote::Remote;
use super::report::Report;
use super::results::read;
use super::say::{note, say};
use super::written::{Item, Written};
use crate::grpc::proto::v1::{self, batch_spec::Work};
use crate::job::{Priority, RequestId};
use std::future::Future;
use std::path::Path;
use tokio::sync::oneshot;
use uuid::Uuid;

/// The spec that is sent: always detached, so that the same submission with other flags is the same job.
///
/// # Errors
/// When the request id is none.
pub fn spec(args: &NewJobArgs, work: Work) -> Result<v1::BatchSpec, Failure> {
    let request_id = args.request_id.clone().unwrap_or_else(|| Uuid::new_v4().to_string());
    let request_id = RequestId::new(request_id).map_err(|e| Failure::usage(format!("--request-id: {e}")))?;
    let priority = match args.priority {
        Priority::Low => v1::Priority::Low,
        Priority::Normal => v1::Priority::Normal,
        Priority::High => v1::Priority::High,
    };
    let time_to_live = args.ttl.map(|ttl| prost_types::Duration {
        seconds: i64::try_from(ttl.0.as_secs()).unwrap_or(i64::MAX),
        nanos: ttl.0.subsec_nanos() as i32,
    });
    Ok(v1::BatchSpec {
        request_id: request_id.as_str().to_owned(),
        work: Some(work),
        result_mode: v1::ResultMode::Detached.into(),
        result_format: v1::ResultFormat::Block.into(),
        priority: priority.into(),
        time_to_live,
        labels: args.labels.iter().cloned().collect(),
    })
}

/// A job that is to be opened, and what is wanted of it.
pub struct NewJob<'a> {
    args: &'a NewJobArgs,
    work: Work,
    with_solution: bool,
    output: Option<Output>,
    report: Report,
}

/// Sees the job each time it is opened.
pub type Opened = Box<dyn FnMut(&v1::Job) -> Result<(), Failure> + Send>;

/// How the items of a job are spoken of.
pub struct Words<'a> {
    /// Where an item stands.
    pub place: &'a (dyn Fn(u32) -> String + Sync),
    /// What is wrong with one that is not as it should be, and with many.
    pub wrong: [&'static str; 2],
    /// What is told of a job that is not waited for.
    pub left: fn(&v1::Job) -> String,
}

impl<'a> NewJob<'a> {
    /// Opens the output, so that a name that can't be written is told before anything is sent.
    ///
    /// # Errors
    /// When it can't be, or such results can't be written so.
    pub fn new(args: &'a NewJobArgs, work: Work, with_solution: bool, litter: &Litter) -> Result<NewJob<'a>, Failure> {
        Written::new(Some(&work), args.format, with_solution, 0)?;
        let output = match &args.output {
            Some(path) => Some(Output::open(Some(path), litter)?),
            None => None,
        };
        Ok(NewJob { args, work, with_solution, output, report: Report::default() })
    }

    /// Opens the job, which `open` does and tells of, says its id and waits for as much as is wanted.
    ///
    /// # Errors
    /// As the exit codes say.
    pub async fn run<F: Future<Output = Result<v1::Job, Failure>>>(
        mut self,
        remote: &Remote,
        open: impl FnOnce(Opened) -> F,
        words: Words<'_>,
    ) -> Ended {
        let (tell_id, job_id) = oneshot::channel::<String>();
        let to_stderr = self.args.output.as_deref() == Some(Path::new("-"));
        let reads_results = self.output.is_some() || self.args.strict;
        let results = async {
            // The sender goes without a word only if the opening fails, and then so does the whole.
            let (true, Ok(job_id)) = (reads_results, job_id.await) else { return Ok(None) };
            self.results(remote, &job_id, words.place).await.map(Some)
        };
        let (opened, read) = tokio::try_join!(open(teller(to_stderr, tell_id)), results)?;
        if !self.args.wait {
            note((words.left)(&opened));
            return Ok(Exit::Done);
        }
        let job = match read {
            Some(job) => job,
            None => follow(remote, &opened.job_id, |_| Ok(())).await?,
        };
        note(summary(&job));
        // Of a job that did not succeed the file stays as it was: whole or not at all.
        ended(&job)?;
        if let Some(output) = self.output {
            output.finish()?;
        }
        if self.args.strict { self.report.tell_problems(words.wrong) } else { Ok(Exit::Done) }
    }

    /// Reads the results as they come, to the output and the report.
    async fn results(
        &mut self,
        remote: &Remote,
        job_id: &str,
        place: &(dyn Fn(u32) -> String + Sync),
    ) -> Result<v1::Job, Failure> {
        let mut written = Written::new(Some(&self.work), self.args.format, self.with_solution, 0)?;
        let (output, report) = (&mut self.output, &mut self.report);
        let mut take = |item: Item<'_>| {
            if let Some(output) = output.as_mut() {
                written.item(&item, output)?;
            }
            if let Some(outcome) = item.outcome {
                let why = || item.error.map_or("failed".into(), |error| error.message.clone());
                report.add(outcome, || place(item.index), why);
            }
            Ok(())
        };
        let job = read(remote, (job_id, 0, true), &mut take).await?;
        if let Some(output) = output {
            written.flush(output)?;
        }
        Ok(job)
    }
}

/// Says a job's id, once: to the person, and to the reading of results.
fn teller(to_stderr: bool, tell: oneshot::Sender<String>) -> Opened {
    let mut tell = Some(tell);
    Box::new(move |job| {
        let Some(tell) = tell.take() else { return Ok(()) };
        if to_stderr {
            note(&job.job_id);
        } else {
            say(&job.job_id)?;
        }
        // Nobody reads results unless asked to.
        let _ = tell.send(job.job_id.clone());
        Ok(())
    })
}

//! `batch submit`: uploads a file as a job, through broken connections, and perhaps waits for its results.

use super::args::SubmitArgs;
use super::exit::{Ended, Exit, Failure};
use super::input::Input;
use super::job_text::summary;
use super::jobs::{ended, follow};
use super::lines::LineMap;
use super::litter::Litter;
use super::output::Output;
use super::progress::counted;
use super::remote::Remote;
use super::report::{NOT_UNIQUE, Report};
use super::results::{Item, Written, read};
use super::say::{note, say};
use super::upload::{Upload, upload};
use super::upload_blocks::UploadBlocks;
use crate::grpc::proto::v1::{self, batch_spec::Work};
use crate::job::{Priority, RequestId};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::oneshot;
use uuid::Uuid;

/// Runs the command.
///
/// # Errors
/// As the exit codes say.
pub async fn run(args: &SubmitArgs, litter: &Litter) -> Ended {
    let spec = spec(args)?;
    let input = Input::open(&args.file)?;
    let file = input.name.clone();
    let remote = Remote::connect(&args.server.server).await?;
    let mut output = match &args.output {
        Some(path) => Some(Output::open(Some(path), litter)?),
        None => None,
    };
    let lines = args.strict.then(Arc::default);
    // A line of 81 cells and its end: right for most files, and close for the others.
    let items = input.length.map(|bytes| bytes / 82);
    let blocks = UploadBlocks::read(input, lines.clone());
    let (tell_id, job_id) = oneshot::channel();
    let announced = Announced { to_stderr: args.output.as_deref() == Some(Path::new("-")), tell: Some(tell_id) };
    let up = Upload::new(spec, blocks, items, announced.teller());
    let reads_results = output.is_some() || args.strict;
    let mut report = Report::default();
    let results = async {
        // The sender goes without a word only if the upload fails, and then so does the whole.
        let (true, Ok(job_id)) = (reads_results, job_id.await) else { return Ok(None) };
        let name = |index| place(&file, lines.as_deref(), index);
        results(&remote, &job_id, args, output.as_mut(), &mut report, &name).await.map(Some)
    };
    let (uploaded, read) = tokio::try_join!(upload(&remote, up), results)?;
    if !args.wait {
        note(sealed(&uploaded));
        return Ok(Exit::Done);
    }
    let job = match read {
        Some(job) => job,
        None => follow(&remote, &uploaded.job_id, |_| Ok(())).await?,
    };
    note(summary(&job));
    // Of a job that did not succeed the file stays as it was: whole or not at all.
    ended(&job)?;
    if let Some(output) = output {
        output.finish()?;
    }
    if args.strict { report.tell_problems(NOT_UNIQUE) } else { Ok(Exit::Done) }
}

/// The spec that is sent: always detached, so that the same submission with other flags is the same job.
fn spec(args: &SubmitArgs) -> Result<v1::BatchSpec, Failure> {
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
        work: Some(Work::Solve(v1::SolveWork { max_solutions: None, node_limit: None })),
        result_mode: v1::ResultMode::Detached.into(),
        result_format: v1::ResultFormat::Block.into(),
        priority: priority.into(),
        time_to_live,
        labels: args.labels.iter().cloned().collect(),
    })
}

/// Says a job's id, once: to the person, and to the reading of results.
struct Announced {
    to_stderr: bool,
    tell: Option<oneshot::Sender<String>>,
}

impl Announced {
    fn teller(mut self) -> impl FnMut(&v1::Job) -> Result<(), Failure> {
        move |job| {
            let Some(tell) = self.tell.take() else { return Ok(()) };
            if self.to_stderr {
                note(&job.job_id);
            } else {
                say(&job.job_id)?;
            }
            // Nobody reads results unless asked to.
            let _ = tell.send(job.job_id.clone());
            Ok(())
        }
    }
}

/// Reads the results as they come, to the output and the report.
async fn results(
    remote: &Remote,
    job_id: &str,
    args: &SubmitArgs,
    output: Option<&mut Output>,
    report: &mut Report,
    name: &(dyn Fn(u32) -> String + Sync),
) -> Result<v1::Job, Failure> {
    let mut written = Written::new(args.format, 0);
    let mut output = output;
    let mut take = |item: Item<'_>| {
        if let Some(output) = &mut output {
            written.item(&item, output)?;
        }
        if let Some(outcome) = item.outcome {
            let why = || item.error.map_or("failed".into(), |error| error.message.clone());
            report.add(outcome, || name(item.index), why);
        }
        Ok(())
    };
    let job = read(remote, (job_id, 0, true), &mut take).await?;
    if let Some(output) = output {
        written.flush(output)?;
    }
    Ok(job)
}

/// Where an item stands in the file.
fn place(file: &str, lines: Option<&Mutex<LineMap>>, index: u32) -> String {
    let line = lines.and_then(|lines| lines.lock().unwrap_or_else(PoisonError::into_inner).line(index.into()));
    line.map_or_else(|| format!("item {index}"), |line| format!("{file}:{line}"))
}

fn sealed(job: &v1::Job) -> String {
    let items = job.total_count.unwrap_or(job.stored_count);
    format!("{} uploaded; follow them with: sudokud batch watch {}", counted(items.into(), "item"), job.job_id)
}

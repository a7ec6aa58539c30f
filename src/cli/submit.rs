//! `batch submit`: uploads a file as a job, through broken connections, and perhaps waits for its results.

use super::args::SubmitArgs;
use super::exit::Ended;
use super::input::Input;
use super::lines::LineMap;
use super::litter::Litter;
use super::new_job::{NewJob, Task, Words};
use super::progress::counted;
use super::remote::Remote;
use super::report::NOT_UNIQUE;
use super::saved::Flags;
use super::upload::{Upload, upload};
use super::upload_blocks::UploadBlocks;
use crate::grpc::proto::v1::{self, batch_spec::Work};
use std::sync::{Arc, Mutex, PoisonError};

/// Runs the command.
///
/// # Errors
/// As the exit codes say.
pub async fn run(args: &SubmitArgs, litter: &Litter) -> Ended {
    let work = if args.rate {
        Work::Rate(v1::RateWork { node_limit: None })
    } else {
        Work::Solve(v1::SolveWork { max_solutions: None, node_limit: None })
    };
    let input = Input::open(&args.file)?;
    let (file, length) = (input.name.clone(), input.length);
    let task = Task { work, with_solution: false, flags: flags(args, length), repeats: length.is_some() };
    let job = NewJob::new(&args.new, task, litter)?;
    let remote = Remote::hold(&args.new.server, args.new.retry.patience(args.new.wait)).await?;
    let lines = args.new.strict.then(Arc::default);
    // A line of 81 cells and its end: right for most files, and close for the others.
    let items = length.map(|bytes| bytes / 82);
    let blocks = UploadBlocks::read(input, lines.clone());
    let place = |index| place(&file, lines.as_deref(), index);
    let words = Words { place: &place, why: str::to_owned, wrong: NOT_UNIQUE, left: sealed };
    job.run(&remote, |spec, opened| upload(&remote, Upload::new(spec, blocks, items, opened)), words).await
}

/// What makes it this job.
fn flags(args: &SubmitArgs, length: Option<u64>) -> Flags {
    let path = std::path::absolute(&args.file).unwrap_or_else(|_| args.file.clone());
    let input = length.map_or("a pipe".into(), |bytes| format!("{} of {bytes} bytes", path.display()));
    let mut flags = Flags::from([("FILE".to_owned(), input)]);
    if args.rate {
        flags.insert("--rate".into(), "on".into());
    }
    flags
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

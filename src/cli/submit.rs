//! `batch submit`: uploads a file as a job, through broken connections, and perhaps waits for its results.

use super::args::SubmitArgs;
use super::exit::Ended;
use super::input::Input;
use super::lines::LineMap;
use super::litter::Litter;
use super::new_job::{NewJob, Words, spec};
use super::progress::counted;
use super::remote::Remote;
use super::report::NOT_UNIQUE;
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
    let spec = spec(&args.new, work)?;
    let input = Input::open(&args.file)?;
    let file = input.name.clone();
    let remote = Remote::hold(&args.new.server, args.new.retry.patience(args.new.wait)).await?;
    let job = NewJob::new(&args.new, work, false, litter)?;
    let lines = args.new.strict.then(Arc::default);
    // A line of 81 cells and its end: right for most files, and close for the others.
    let items = input.length.map(|bytes| bytes / 82);
    let blocks = UploadBlocks::read(input, lines.clone());
    let place = |index| place(&file, lines.as_deref(), index);
    let words = Words { place: &place, wrong: NOT_UNIQUE, left: sealed };
    job.run(&remote, |opened| upload(&remote, Upload::new(spec, blocks, items, opened)), words).await
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

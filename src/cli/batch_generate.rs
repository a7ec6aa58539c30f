//! `batch generate`: a job that a server generates, and perhaps its results.

use super::args::{BatchGenerateArgs, GridArgs};
use super::exit::{Ended, Failure};
use super::litter::Litter;
use super::new_job::{NewJob, Opened, Words, spec};
use super::progress::counted;
use super::puzzles::checked;
use super::refusal::cut_short;
use super::remote::{Remote, Stop};
use super::report::NOT_MADE;
use crate::grpc::proto::v1::submit_batch_request::Message as Sent;
use crate::grpc::proto::v1::submit_batch_response::Message as Told;
use crate::grpc::proto::v1::{self, SubmitBatchRequest, batch_spec::Work};
use crate::grpc::{grid_spec, puzzle_spec};
use crate::job::chunk::MAX_JOB_ITEMS;
use crate::sudoku::generate::CompleteSpec;
use v1::generate_work::Spec;

/// Runs the command.
///
/// # Errors
/// As the exit codes say.
pub async fn run(args: &BatchGenerateArgs, litter: &Litter) -> Ended {
    let work = Work::Generate(work(args)?);
    let with_solution = args.of_puzzles.with_solution;
    if with_solution && args.new.output.is_none() {
        return Err(Failure::usage("--with-solution: nothing is written without --wait -o OUT"));
    }
    let spec = spec(&args.new, work)?;
    let remote = Remote::hold(&args.new.server, args.new.retry.patience(args.new.wait)).await?;
    let job = NewJob::new(&args.new, work, with_solution, litter)?;
    let place = |index| format!("item {index}");
    let words = Words { place: &place, wrong: NOT_MADE, left };
    job.run(&remote, |opened| open(&remote, spec, opened), words).await
}

/// The work as it is sent. What contradicts is refused here, by the names of the flags.
fn work(args: &BatchGenerateArgs) -> Result<v1::GenerateWork, Failure> {
    let (count, spec) = match args.count.puzzles {
        Some(count) => (count, Spec::Puzzle(puzzle_spec(&checked(&args.of_puzzles)?))),
        None => {
            let GridArgs { first_cell, family } = args.of_grids;
            (args.count.grids.unwrap_or_default(), Spec::Grid(grid_spec(CompleteSpec { first_cell, family })))
        }
    };
    let count = u32::try_from(count).ok().filter(|&count| count <= MAX_JOB_ITEMS);
    let count = count.ok_or_else(|| Failure::usage(format!("a job holds at most {MAX_JOB_ITEMS} items")))?;
    Ok(v1::GenerateWork { spec: Some(spec), count, seed: args.seed })
}

/// Opens the job, through outages.
async fn open(remote: &Remote, spec: v1::BatchSpec, mut opened: Opened) -> Result<v1::Job, Failure> {
    let mut retry = remote.retry();
    loop {
        match attempt(remote, &spec).await {
            Ok(job) => return opened(&job).map(|()| job),
            Err(Stop::Failed(failure)) => return Err(failure),
            Err(Stop::Broken(status)) => retry.wait(&status).await?,
        }
    }
}

async fn attempt(remote: &Remote, spec: &v1::BatchSpec) -> Result<v1::Job, Stop> {
    let request = SubmitBatchRequest { message: Some(Sent::Open(spec.clone())), result_start_index: 0 };
    let mut answers = remote.sudoku().submit_batch(tokio_stream::iter([request])).await?.into_inner();
    match answers.message().await?.and_then(|answer| answer.message) {
        Some(Told::Opened(opened)) => Ok(opened.job.unwrap_or_default()),
        _ => Err(cut_short().into()),
    }
}

fn left(job: &v1::Job) -> String {
    let items = job.total_count.unwrap_or_default();
    format!("{} to generate; follow them with: sudokud batch watch {}", counted(items.into(), "item"), job.job_id)
}

//! A job's results from a server, item by item and in order, through broken connections: `batch results`, and
//! what `batch submit --wait` reads.

use super::args::{FollowArgs, JobArgs, ResultsArgs};
use super::exit::{Ended, Failure};
use super::jobs::{ended, get, is_final};
use super::litter::Litter;
use super::output::Output;
use super::progress::Progress;
use super::rate::Row;
use super::remote::{Remote, Stop};
use super::written::{Item, Written};
use crate::grpc::proto::v1::{self, StreamResultsRequest};
use crate::sudoku::Outcome;
use crate::sudoku::logic::{Rating, Score};
use crate::sudoku::text::parse_line;

/// Takes items in order.
pub type TakeItem<'a> = dyn FnMut(Item<'_>) -> Result<(), Failure> + Send + 'a;

/// Runs `batch results`.
///
/// # Errors
/// As the exit codes say.
pub async fn run(args: &ResultsArgs, litter: &Litter) -> Ended {
    let FollowArgs { job: JobArgs { job: job_id, server }, retry } = &args.of;
    let remote = Remote::hold(server, retry.patience(false)).await?;
    let job = get(&remote, job_id).await?;
    let work = job.spec.as_ref().and_then(|spec| spec.work.as_ref());
    let mut written = Written::new(work, args.out.format, args.with_solution, args.start)?;
    let mut output = Output::open(args.out.output.as_deref(), litter)?;
    let progress = Progress::items("reading", job.total_count.map(u64::from));
    let from = (job_id.as_str(), args.start, args.follow);
    let job = read(&remote, from, &mut |item| {
        progress.at(u64::from(item.index) + 1);
        written.item(&item, &mut output)
    })
    .await?;
    written.flush(&mut output)?;
    output.finish()?;
    drop(progress);
    ended(&job)
}

/// Reads the results of `(job, first item, whether to follow)`; the job as it stands afterwards. The items of an
/// ended job that were not run come without an outcome, up to its last one.
///
/// # Errors
/// A refusal, patience at its end, an answer that makes no sense, or what `take` fails with.
pub async fn read(
    remote: &Remote,
    (job_id, start_index, follow): (&str, u32, bool),
    take: &mut TakeItem<'_>,
) -> Result<v1::Job, Failure> {
    let mut next = start_index;
    let mut retry = remote.retry();
    loop {
        let from = next;
        match stream(remote, (job_id, follow), &mut next, take).await {
            Ok(()) => break,
            Err(Stop::Failed(failure)) => return Err(failure),
            Err(Stop::Broken(status)) => {
                if next > from {
                    retry.progressed();
                }
                retry.wait(&status).await?;
            }
        }
    }
    let job = get(remote, job_id).await?;
    if is_final(&job) {
        not_run(&mut next, job.total_count.unwrap_or(job.stored_count), take)?;
    }
    Ok(job)
}

/// One stream of results, to its end.
async fn stream(
    remote: &Remote,
    (job_id, follow): (&str, bool),
    next: &mut u32,
    take: &mut TakeItem<'_>,
) -> Result<(), Stop> {
    let result_format = v1::ResultFormat::Block.into();
    let request = StreamResultsRequest { job_id: job_id.to_owned(), start_index: *next, follow, result_format };
    let mut answers = remote.jobs().stream_results(request).await?.into_inner();
    while let Some(answer) = answers.message().await? {
        if let Some(block) = answer.results {
            take_block(&block, next, take)?;
        }
    }
    Ok(())
}

fn take_block(block: &v1::ResultBlock, next: &mut u32, take: &mut TakeItem<'_>) -> Result<(), Failure> {
    let odd = |what: &str| Failure::io(format!("the server's results make no sense: {what}"));
    if block.first_index < *next {
        return Err(odd(&format!("item {} came again", block.first_index)));
    }
    not_run(next, block.first_index, take)?;
    let (mut grids, mut puzzles) = (&block.grids[..], &block.puzzles[..]);
    let mut errors = block.errors.iter().peekable();
    let mut ratings = block.ratings.iter();
    for outcome in block.outcomes() {
        let outcome = Outcome::from_code(outcome as u8).ok_or_else(|| odd("an outcome is unset"))?;
        let grid_of = |lines: &mut &[u8]| {
            let line = next_line(lines).ok_or_else(|| odd("there are fewer grids than outcomes"))?;
            let grid = outcome.shows_grid().then(|| parse_line(line)).transpose();
            grid.map_err(|fault| odd(&format!("the grid of item {next}: {fault}")))
        };
        let (mut grid, mut solution) = (grid_of(&mut grids)?, None);
        if !block.puzzles.is_empty() {
            (grid, solution) = (grid_of(&mut puzzles)?, grid);
        }
        let rating = ratings.next().filter(|_| outcome == Outcome::Unique).map(row);
        let error = errors.next_if(|error| error.index == *next);
        take(Item { index: *next, outcome: Some(outcome), grid, solution, rating, error })?;
        *next += 1;
    }
    Ok(())
}

fn row(rating: &v1::Rating) -> Row {
    let score = |number: f64| Score((number * 10.0).round() as u8);
    Row::of(Rating { er: score(rating.er), ep: score(rating.ep), ed: score(rating.ed) })
}

/// Takes a line, without its end, off the front.
fn next_line<'a>(text: &mut &'a [u8]) -> Option<&'a [u8]> {
    let line = text.split_off(..=memchr::memchr(b'\n', text)?)?;
    Some(&line[..line.len() - 1])
}

/// Items without a result, up to `end`.
fn not_run(next: &mut u32, end: u32, take: &mut TakeItem<'_>) -> Result<(), Failure> {
    while *next < end {
        take(Item { index: *next, outcome: None, grid: None, solution: None, rating: None, error: None })?;
        *next += 1;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(block: &v1::ResultBlock, mut next: u32) -> Result<Vec<String>, Failure> {
        let mut seen = Vec::new();
        take_block(block, &mut next, &mut |item| {
            let word = item.outcome.map_or("notrun", Outcome::word);
            seen.push(format!("{} {word} {}", item.index, item.error.map_or("", |error| error.message.as_str())));
            Ok(())
        })?;
        Ok(seen)
    }

    #[test]
    fn blocks_become_items_and_holes_are_told() {
        let grid = "1".repeat(81);
        let outcomes = vec![v1::Outcome::Unique.into(), v1::Outcome::Invalid.into()];
        let errors = vec![v1::ItemError { index: 6, message: "bad".into(), ..Default::default() }];
        let grids = format!("{grid}\n\n").into();
        let block = v1::ResultBlock { first_index: 5, outcomes, grids, errors, ..v1::ResultBlock::default() };
        assert_eq!(taken(&block, 4), Ok(vec!["4 notrun ".into(), "5 unique ".into(), "6 invalid bad".into()]));
        assert!(taken(&block, 6).is_err_and(|e| e.message.contains("item 5 came again")));
        let few = v1::ResultBlock { grids: format!("{grid}\n").into(), ..block.clone() };
        assert!(taken(&few, 5).is_err_and(|e| e.message.contains("fewer grids")));
        let torn = v1::ResultBlock { grids: "12\n\n".into(), ..block };
        assert!(taken(&torn, 5).is_err_and(|e| e.message.contains("item 5")));
    }
}

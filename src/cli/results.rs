//! A job's results from a server, item by item and in order, through broken connections: `batch results`, and
//! what `batch submit --wait` reads.

use super::args::ResultsArgs;
use super::exit::{Ended, Failure};
use super::jobs::{ended, get, is_final};
use super::litter::Litter;
use super::output::Output;
use super::progress::Progress;
use super::remote::{Remote, Retry, Stop};
use crate::grpc::proto::v1::{self, StreamResultsRequest};
use crate::sudoku::text::{Format, Writer, parse_line};
use crate::sudoku::{Grid, Outcome};

/// The result of one item.
pub struct Item<'a> {
    /// Its index in the job.
    pub index: u32,
    /// What became of it; `None`: it was not run.
    pub outcome: Option<Outcome>,
    /// Its grid, where the outcome shows one.
    pub grid: Option<Grid>,
    /// Why it is INVALID or FAILED.
    pub error: Option<&'a v1::ItemError>,
}

/// Takes items in order.
pub type TakeItem<'a> = dyn FnMut(Item<'_>) -> Result<(), Failure> + Send + 'a;

/// Runs `batch results`.
///
/// # Errors
/// As the exit codes say.
pub async fn run(args: &ResultsArgs, litter: &Litter) -> Ended {
    let remote = Remote::connect(&args.job.server.server).await?;
    let job = get(&remote, &args.job.job).await?;
    let mut output = Output::open(args.out.output.as_deref(), litter)?;
    let progress = Progress::items("reading", job.total_count.map(u64::from));
    let mut written = Written::new(args.out.format, args.start);
    let from = (args.job.job.as_str(), args.start, args.follow);
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

/// Items as text, written in blocks.
pub struct Written {
    writer: Writer,
    text: Vec<u8>,
}

/// Bytes of text gathered before they are written.
const WRITE_BYTES: usize = 256 << 10;

impl Written {
    /// A file that begins with this item.
    pub fn new(format: Format, first_index: u32) -> Written {
        Written { writer: Writer::new(format, u64::from(first_index)), text: Vec::new() }
    }

    /// Adds an item.
    ///
    /// # Errors
    /// When the output fails.
    pub fn item(&mut self, item: &Item<'_>, output: &mut Output) -> Result<(), Failure> {
        self.writer.item(item.outcome, item.grid.as_ref(), &mut self.text);
        if self.text.len() < WRITE_BYTES { Ok(()) } else { self.flush(output) }
    }

    /// Writes what is gathered.
    ///
    /// # Errors
    /// When the output fails.
    pub fn flush(&mut self, output: &mut Output) -> Result<(), Failure> {
        let written = output.write(&self.text);
        self.text.clear();
        written
    }
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
    let mut retry = Retry::new();
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
    let mut grids = &block.grids[..];
    let mut errors = block.errors.iter().peekable();
    for outcome in block.outcomes() {
        let outcome = Outcome::from_code(outcome as u8).ok_or_else(|| odd("an outcome is unset"))?;
        let line = next_line(&mut grids).ok_or_else(|| odd("there are fewer grids than outcomes"))?;
        let grid = outcome.shows_grid().then(|| parse_line(line));
        let grid = grid.transpose().map_err(|fault| odd(&format!("the grid of item {next}: {fault}")))?;
        let error = errors.next_if(|error| error.index == *next);
        take(Item { index: *next, outcome: Some(outcome), grid, error })?;
        *next += 1;
    }
    Ok(())
}

/// Takes a line, without its end, off the front.
fn next_line<'a>(text: &mut &'a [u8]) -> Option<&'a [u8]> {
    let line = text.split_off(..=memchr::memchr(b'\n', text)?)?;
    Some(&line[..line.len() - 1])
}

/// Items without a result, up to `end`.
fn not_run(next: &mut u32, end: u32, take: &mut TakeItem<'_>) -> Result<(), Failure> {
    while *next < end {
        take(Item { index: *next, outcome: None, grid: None, error: None })?;
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

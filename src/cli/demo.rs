//! `demo`: a server with a temporary store, a batch of fresh puzzles over gRPC, every answer checked.

use super::args::{DemoArgs, ServerArgs};
use super::exit::{Ended, Exit, Failure};
use super::input::Block;
use super::job_text::summary;
use super::play::puzzle;
use super::progress::{Progress, count, counted, pace};
use super::remote::Remote;
use super::results::read;
use super::say::{note, say};
use super::upload::{Upload, upload};
use super::upload_blocks::UploadBlocks;
use super::written::Item;
use crate::app::LocalServer;
use crate::grpc::proto::v1::{self, batch_spec::Work};
use crate::sudoku::generate::{CompleteSpec, Completer};
use crate::sudoku::text::TextItem;
use crate::sudoku::{Grid, Outcome};
use futures::{StreamExt, TryStreamExt};
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::oneshot;
use uuid::Uuid;

/// Puzzles made at a time.
const MADE_AT_ONCE: usize = 500;
/// Puzzles in a block of the upload.
const BLOCK_ITEMS: usize = 4_096;

const TRY: &str = r#"To try it yourself, start `sudokud serve` (this demo's server has ended), then:
  grpcurl -plaintext -d '{"puzzle": "PUZZLE"}' 127.0.0.1:50051 sudoku.v1.SudokuService/Solve
  grpcurl -plaintext -d '{"grid": {"firstCell": 9}, "count": 2}' 127.0.0.1:50051 sudoku.v1.SudokuService/Generate
  grpcurl -plaintext -d '{}' 127.0.0.1:50051 sudoku.v1.JobService/ListJobs"#;

/// Runs the command.
///
/// # Errors
/// As the exit codes say.
pub async fn run(args: &DemoArgs) -> Ended {
    let dir = tempfile::tempdir().map_err(|e| Failure::io(format!("cannot make a temporary directory: {e}")))?;
    let server = LocalServer::start(dir.path()).await.map_err(Failure::io)?;
    say(format!("server    {} with a store in {}", server.address, dir.path().display()))?;
    let tried = batch(args, &server).await;
    server.stop().await.map_err(Failure::io)?;
    let wrong = tried?;
    if wrong > 0 {
        note(format!("{} wrong", counted(wrong, "answer")));
        return Ok(Exit::Negative);
    }
    Ok(Exit::Done)
}

/// Makes, submits and checks; the number of wrong answers.
async fn batch(args: &DemoArgs, server: &LocalServer) -> Result<u64, Failure> {
    let puzzles = Arc::new(make(server, args.puzzles as usize).await?);
    let remote = Remote::connect(&ServerArgs::at(&server.address.to_string())).await?;
    let start = Instant::now();
    let (tell_id, job_id) = oneshot::channel();
    let mut tell_id = Some(tell_id);
    let opened = move |job: &v1::Job| {
        let Some(tell) = tell_id.take() else { return Ok(()) };
        // The reading below waits for it, unless all has failed.
        let _ = tell.send(job.job_id.clone());
        say(format!("job       {}", job.job_id))
    };
    let total = u64::from(args.puzzles);
    let up = Upload::new(spec(), UploadBlocks::read(blocks(Arc::clone(&puzzles)), None), Some(total), opened);
    let mut check = Check { puzzles: &puzzles, seen: 0, wrong: 0 };
    let results = async {
        let Ok(job_id) = job_id.await else { return Ok(None) };
        let progress = Progress::items("solved and checked", Some(total));
        let mut take = |item: Item<'_>| {
            check.item(&item);
            progress.at(u64::from(item.index) + 1);
            Ok(())
        };
        read(&remote, (&job_id, 0, true), &mut take).await.map(Some)
    };
    let (_, job) = tokio::try_join!(upload(&remote, up), results)?;
    say(format!("through   gRPC and back, durable, in {}", pace(total, start.elapsed())))?;
    say(format!("answers   {}", summary(&job.unwrap_or_default())))?;
    let (seen, wrong) = (check.seen, check.wrong + total.abs_diff(check.seen));
    say(format!("checked   {}, {} wrong", counted(seen, "grid"), count(wrong)))?;
    say(TRY.replace("PUZZLE", &puzzles[0].to_string()))?;
    Ok(wrong)
}

/// Every answer against its puzzle.
struct Check<'a> {
    puzzles: &'a [Grid],
    seen: u64,
    wrong: u64,
}

impl Check<'_> {
    fn item(&mut self, item: &Item<'_>) {
        self.seen += 1;
        let puzzle = self.puzzles.get(item.index as usize);
        let solves = |(grid, puzzle): (&Grid, &Grid)| grid.is_solved() && grid.extends(puzzle);
        let right = item.outcome == Some(Outcome::Unique) && item.grid.as_ref().zip(puzzle).is_some_and(solves);
        self.wrong += u64::from(!right);
    }
}

/// Makes puzzles on the server's threads.
async fn make(server: &LocalServer, wanted: usize) -> Result<Vec<Grid>, Failure> {
    let start = Instant::now();
    let seed = Uuid::new_v4().as_u64_pair().1;
    let completer = Arc::new(Completer::new(CompleteSpec::default(), seed));
    let (kernel, pool) = (server.compute().kernel(), server.compute().pool());
    let progress = Progress::items("making puzzles", Some(wanted as u64));
    let made = futures::stream::iter((0..wanted).step_by(MADE_AT_ONCE)).map(|first| {
        let completer = Arc::clone(&completer);
        let range = first as u64..(first + MADE_AT_ONCE).min(wanted) as u64;
        pool.batch(move |_| range.map(|index| puzzle(kernel, &completer, seed, index)).collect::<Vec<_>>())
    });
    let gather = |mut all: Vec<Grid>, some: Vec<Grid>| {
        all.extend(some);
        progress.at(all.len() as u64);
        std::future::ready(Ok(all))
    };
    let puzzles = made.buffered(2 * pool.batch_threads()).try_fold(Vec::with_capacity(wanted), gather).await;
    let puzzles = puzzles.map_err(|e| Failure::io(format!("internal fault: {e}")))?;
    drop(progress);
    let givens = puzzles.iter().map(Grid::clue_count).sum::<usize>() / puzzles.len().max(1);
    let all = counted(wanted as u64, "puzzle");
    say(format!("made      {all} of about {givens} givens in {}", pace(wanted as u64, start.elapsed())))?;
    Ok(puzzles)
}

fn blocks(puzzles: Arc<Vec<Grid>>) -> impl Iterator<Item = Result<Block, Failure>> + Send + 'static {
    (0..puzzles.len()).step_by(BLOCK_ITEMS).map(move |first| {
        let here = puzzles.iter().enumerate().skip(first).take(BLOCK_ITEMS);
        let items = here.map(|(i, &puzzle)| TextItem { line: i as u64 + 1, grid: Ok(puzzle) }).collect();
        Ok(Block { first_index: first as u64, items, bytes_read: 0 })
    })
}

fn spec() -> v1::BatchSpec {
    v1::BatchSpec {
        request_id: Uuid::new_v4().to_string(),
        work: Some(Work::Solve(v1::SolveWork::default())),
        result_mode: v1::ResultMode::Detached.into(),
        ..v1::BatchSpec::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_answer_is_seen() {
        let completer = Completer::new(CompleteSpec::default(), 1);
        let (right, other) = (completer.item(0), completer.item(1));
        let mut puzzle = right;
        puzzle.set(crate::sudoku::Cell::at(4, 4), 0);
        let wrong_after = |outcome, grid| {
            let mut check = Check { puzzles: &[puzzle], seen: 0, wrong: 0 };
            check.item(&Item { index: 0, outcome, grid, solution: None, rating: None, error: None });
            check.wrong
        };
        assert_eq!(wrong_after(Some(Outcome::Unique), Some(right)), 0);
        assert_eq!(wrong_after(Some(Outcome::Unique), Some(other)), 1);
        assert_eq!(wrong_after(Some(Outcome::Unique), Some(puzzle)), 1);
        assert_eq!(wrong_after(Some(Outcome::Multiple), None) + wrong_after(None, None), 2);
    }
}

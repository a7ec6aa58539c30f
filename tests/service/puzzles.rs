//! Puzzles made by the real process: as wished, none twice, the same by either road and after any kill.

use crate::process::batch::{Batch, stream_results};
use crate::process::client::{Client, refused, refused_field};
use crate::process::{directory, run, serve};
use std::collections::HashSet;
use sudokud::grpc::proto::v1::{
    BatchSpec, BlanksPerRow, ExplainRequest, GenerateRequest, GenerateWork, JobState, Level, Outcome, PuzzleSpec,
    ResultBlock, Symmetry, batch_spec, generate_request, generate_work,
};
use tonic::Code;

fn of_level(level: Level) -> PuzzleSpec {
    PuzzleSpec { level: level.into(), ..PuzzleSpec::default() }
}

fn job(request_id: &str, wishes: PuzzleSpec, count: u32) -> BatchSpec {
    let work = GenerateWork { spec: Some(generate_work::Spec::Puzzle(wishes)), count, seed: Some(5) };
    let work = Some(batch_spec::Work::Generate(work));
    BatchSpec { request_id: request_id.into(), work, ..BatchSpec::default() }
}

/// Puzzles with their solutions.
async fn call(client: &mut Client, wishes: PuzzleSpec, count: u32) -> Vec<(String, String)> {
    let spec = Some(generate_request::Spec::Puzzle(wishes));
    let answer = client.sudoku.generate(GenerateRequest { spec, count, seed: Some(5) }).await.expect("Generate");
    let items = answer.into_inner().items.into_iter();
    items.inspect(|item| assert_eq!(item.level, wishes.level)).map(|item| (item.puzzle, item.solution)).collect()
}

/// The same from a job's block.
fn puzzles(block: &ResultBlock) -> Vec<(String, String)> {
    let lines = |text| std::str::from_utf8(text).expect("text").lines().map(str::to_owned);
    lines(&block.puzzles).zip(lines(&block.grids)).collect()
}

/// The job's puzzles from item `start` on, until the stream ends or as many as wanted are there.
async fn read(client: &mut Client, job_id: &str, start: usize, wanted: usize) -> Vec<(String, String)> {
    let mut stream = stream_results(client, job_id, start as u32, true).await.expect("results");
    let mut read = Vec::new();
    while read.len() < wanted
        && let Some(message) = stream.message().await.expect("results")
    {
        let Some(block) = message.results else { continue };
        assert_eq!(block.first_index as usize, start + read.len(), "results come in order and once");
        assert!(block.outcomes().all(|outcome| outcome == Outcome::Unique), "{:?}", block.errors);
        read.extend(puzzles(&block));
    }
    read
}

#[test]
fn each_level_by_either_road() {
    const COUNT: usize = 50;
    run(async {
        let data = directory();
        let (_server, mut client) = serve(data.path(), &[]).await;
        for level in [Level::VeryEasy, Level::Easy, Level::Medium, Level::Hard] {
            let opened = Batch::open(&mut client, job("", of_level(level), COUNT as u32)).await.expect("a job");
            let made = read(&mut client, &opened.job_id(), 0, usize::MAX).await;
            assert_eq!((made.len(), made.iter().collect::<HashSet<_>>().len()), (COUNT, COUNT), "{level:?}");
            assert_eq!(call(&mut client, of_level(level), COUNT as u32).await, made, "{level:?}");
            for (puzzle, _) in &made[..5] {
                let request = ExplainRequest { puzzle: puzzle.clone(), max_steps: None };
                let answer = client.sudoku.explain(request).await.expect("Explain").into_inner();
                assert_eq!(answer.rating.expect("rated").level(), level, "{puzzle}");
            }
        }
    });
}

#[test]
fn a_killed_job_makes_the_puzzles_of_an_undisturbed_one() {
    const COUNT: usize = 1_000;
    let wishes = PuzzleSpec { minimal: true, ..PuzzleSpec::default() };
    let slow = ["--threads", "1", "--chunk-items", "512"];
    run(async {
        let data = directory();
        let mut made = Vec::new();
        for _ in 0..2 {
            let (server, mut client) = serve(data.path(), &slow).await;
            let opened = Batch::open(&mut client, job("m", wishes, COUNT as u32)).await.expect("the job");
            let more = read(&mut client, &opened.job_id(), made.len(), 1).await;
            made.extend(more);
            drop(server);
        }
        let (_server, mut client) = serve(data.path(), &slow).await;
        let opened = Batch::open(&mut client, job("m", wishes, COUNT as u32)).await.expect("the job");
        made.extend(read(&mut client, &opened.job_id(), made.len(), usize::MAX).await);
        assert_eq!(client.wait(&opened.job_id()).await.state(), JobState::Succeeded);
        assert_eq!((made.len(), made.iter().collect::<HashSet<_>>().len()), (COUNT, COUNT));
        assert_eq!(call(&mut client, wishes, 300).await, made[..300]);
    });
}

#[test]
fn what_cannot_be_is_named() {
    let contradiction = PuzzleSpec { min_clues: Some(30), max_clues: Some(20), ..PuzzleSpec::default() };
    // One given in each row, in full symmetry: no check finds out that no pattern has it.
    let hopeless = PuzzleSpec {
        symmetry: Symmetry::Full.into(),
        blanks_per_row: Some(BlanksPerRow { min: 8, max: 8 }),
        allow_multiple: true,
        ..PuzzleSpec::default()
    };
    run(async {
        let data = directory();
        let (_server, mut client) = serve(data.path(), &[]).await;
        let ask =
            |wishes| GenerateRequest { spec: Some(generate_request::Spec::Puzzle(wishes)), count: 1, seed: Some(5) };
        let status = client.sudoku.generate(ask(contradiction)).await.expect_err("a contradiction");
        refused_field(&status, "INVALID_FIELD", "puzzle.min_clues", "20");
        let status = Batch::open(&mut client, job("", contradiction, 1)).await.err().expect("a contradiction");
        refused_field(&status, "INVALID_FIELD", "open.generate.puzzle.min_clues", "20");
        let status = client.sudoku.generate(ask(hopeless)).await.expect_err("never met");
        refused(&status, Code::FailedPrecondition, "GENERATION_FAILED");

        let opened = Batch::open(&mut client, job("", hopeless, 1)).await.expect("a job");
        let job = client.wait(&opened.job_id()).await;
        assert_eq!((job.state(), job.counts.expect("counts").failed), (JobState::Succeeded, 1));
        let mut stream = stream_results(&mut client, &opened.job_id(), 0, true).await.expect("results");
        let block = stream.message().await.expect("results").expect("a block").results.expect("results");
        assert!(block.errors.iter().all(|error| error.reason == "GENERATION_FAILED"), "{:?}", block.errors);
        assert!(block.errors[0].message.contains("min_clues and max_clues"), "{:?}", block.errors);
    });
}

#[test]
fn what_has_no_rating_is_refused() {
    run(async {
        let data = directory();
        let (_server, mut client) = serve(data.path(), &[]).await;
        let dead = format!("12345678.........9{}", ".".repeat(63));
        for (puzzle, reason) in [(dead, "PUZZLE_UNSOLVABLE"), (".".repeat(81), "PUZZLE_NOT_UNIQUE")] {
            let status = client.sudoku.explain(ExplainRequest { puzzle, max_steps: None }).await.expect_err(reason);
            refused_field(&status, reason, "puzzle", "solution");
        }
    });
}

//! SubmitBatch as it is meant: text and strings, streamed and detached, blocks and items, bad lines, progress,
//! results while the upload runs.

use crate::process::batch::{Batch, Checked, grid_lines, solve_spec};
use crate::process::puzzles::{self, mixed};
use crate::process::{directory, run, serve};
use std::time::Duration;
use sudokud::grpc::proto::v1::submit_batch_request::Message as Sent;
use sudokud::grpc::proto::v1::submit_batch_response::Message as Answer;
use sudokud::grpc::proto::v1::{self, BatchSpec, JobState, Outcome, PuzzleBlock, ResultFormat, ResultMode};

#[test]
fn every_puzzle_gets_its_known_answer() {
    const COUNT: u32 = 100_000;
    run(async {
        let data = directory();
        let (_server, mut client) = serve(data.path(), &[]).await;
        let Batch { mut upload, mut answers, next_index } =
            Batch::open(&mut client, solve_spec("a")).await.expect("a job");
        assert_eq!((next_index, answers.job.state()), (0, JobState::Uploading));
        let sending = tokio::spawn(async move {
            // Sizes that have nothing to do with the server's chunks.
            assert!(upload.all_items(0..50_001, 777).await && upload.all_items(50_001..COUNT, 10_000).await);
            assert!(upload.finish(Some(COUNT)).await);
        });
        let mut checked = Checked::mixed(0);
        let job = answers.read_to_end(&mut checked).await.expect("the stream ends well");
        sending.await.expect("the upload");
        assert_eq!(checked.next, COUNT);
        assert_eq!((job.state(), job.stored_count, job.done_count), (JobState::Succeeded, COUNT, COUNT));
        assert_eq!((job.total_count, job.not_run_count), (Some(COUNT), 0));
        assert_eq!(job.counts, Some(counts(COUNT)));
        let times = [job.create_time, job.start_time, job.end_time, job.expire_time];
        let times = times.map(|time| time.map(|t| (t.seconds, t.nanos)).expect("set on an ended job"));
        assert!(times.is_sorted(), "{times:?}");
    });
}

fn counts(count: u32) -> v1::OutcomeCounts {
    let mut counts = v1::OutcomeCounts::default();
    for known in (0..count).map(mixed) {
        match known.outcome {
            Outcome::Unique => counts.unique += 1,
            Outcome::Multiple => counts.multiple += 1,
            Outcome::Unsolvable => counts.unsolvable += 1,
            Outcome::Invalid => counts.invalid += 1,
            other => panic!("{other:?}"),
        }
    }
    counts
}

#[test]
fn strings_take_every_form_and_bad_ones_fail_alone() {
    let known = mixed(0);
    let rows = known.line.as_bytes().chunks(9).map(String::from_utf8_lossy).collect::<Vec<_>>().join("\n");
    let bad = [
        ("", "TOO_FEW_CELLS", 0),
        ("12345", "TOO_FEW_CELLS", 0),
        (&known.line[..80], "TOO_FEW_CELLS", 0),
        ("12?", "INVALID_CHARACTER", 3),
        (&format!("{}7", known.line), "TOO_MANY_CELLS", 82),
    ];
    let mut block = vec![known.line.clone(), known.line.replace('.', "0"), rows];
    block.extend(bad.iter().map(|(text, ..)| (*text).to_owned()));
    block.push(known.line.clone());
    run(async {
        let data = directory();
        let (_server, mut client) = serve(data.path(), &[]).await;
        let spec = BatchSpec { result_format: ResultFormat::Items.into(), ..solve_spec("") };
        let mut batch = Batch::open(&mut client, spec).await.expect("a job");
        let block = PuzzleBlock { first_index: None, puzzles: block, text: Default::default() };
        assert!(batch.upload.send(Sent::Block(block)).await && batch.upload.finish(None).await);
        let mut items = Vec::new();
        while let Some(answer) = batch.answers.next().await.expect("the stream goes on") {
            if let Answer::Results(results) = answer {
                assert!(results.outcomes.is_empty() && results.grids.is_empty(), "items were asked for");
                items.extend(results.items);
            }
        }
        let indices: Vec<u32> = items.iter().map(|item| item.index).collect();
        assert_eq!(indices, (0..9).collect::<Vec<_>>());
        for good in [0, 1, 2, 8] {
            let item = &items[good];
            assert_eq!((item.outcome(), &item.grid, &item.error), (known.outcome, &known.solution, &None), "{item:?}");
        }
        for ((text, reason, column), item) in bad.iter().zip(&items[3..]) {
            let error = item.error.as_ref().expect("an error");
            assert_eq!((item.outcome(), item.grid.as_str()), (Outcome::Invalid, ""), "{text}");
            assert_eq!((error.index, error.reason.as_str()), (item.index, *reason), "{text}: {error:?}");
            assert!(*column == 0 || error.column == *column, "{text}: {error:?}");
            assert!(!error.message.is_empty());
        }
        assert_eq!(batch.answers.job.state(), JobState::Succeeded, "one bad line never fails a job");
    });
}

#[test]
fn comments_and_blank_lines_are_not_items() {
    run(async {
        let data = directory();
        let (_server, mut client) = serve(data.path(), &[]).await;
        let mut batch = Batch::open(&mut client, solve_spec("")).await.expect("a job");
        let [a, b, c] = [0, 1, 2].map(|i| mixed(i).line);
        let text = format!("# head\n\n{a}\r\n   \n#{b}\n{b} a comment\n{c}");
        assert!(batch.upload.text(&text).await && batch.upload.finish(Some(3)).await);
        let mut checked = Checked::mixed(0);
        batch.answers.read_to_end(&mut checked).await.expect("the stream ends well");
        assert_eq!(checked.next, 3);
    });
}

#[test]
fn a_client_may_wait_for_results_before_it_sends_more() {
    run(async {
        let data = directory();
        let (_server, mut client) = serve(data.path(), &[]).await;
        let mut batch = Batch::open(&mut client, solve_spec("")).await.expect("a job");
        let mut checked = Checked::mixed(0);
        for turn in 0..10 {
            assert!(batch.upload.text(&puzzles::text(turn * 3..turn * 3 + 3)).await);
            batch.answers.until_checked(turn * 3 + 3, &mut checked).await.expect("results");
            batch.answers.until_stored(turn * 3 + 3, &mut checked).await.expect("acknowledged");
        }
        assert!(batch.upload.finish(None).await);
        let job = batch.answers.read_to_end(&mut checked).await.expect("the stream ends well");
        assert_eq!((checked.next, job.state()), (30, JobState::Succeeded));
    });
}

#[test]
fn detached_ends_once_sealed() {
    run(async {
        let data = directory();
        let (_server, mut client) = serve(data.path(), &[]).await;
        let spec = BatchSpec { result_mode: ResultMode::Detached.into(), ..solve_spec("") };
        let mut batch = Batch::open(&mut client, spec).await.expect("a job");
        assert!(batch.upload.all_items(0..20_000, 5_000).await && batch.upload.finish(Some(20_000)).await);
        let mut none = Checked::mixed(0);
        let job = batch.answers.read_to_end(&mut none).await.expect("the stream ends well");
        assert_eq!(none.next, 0, "no results on a detached stream");
        assert_eq!((job.total_count, job.stored_count), (Some(20_000), 20_000));
        let mut checked = Checked::mixed(0);
        checked.stream(&mut client, &job.job_id, true).await.expect("results");
        assert_eq!(checked.next, 20_000);
    });
}

#[test]
fn an_empty_job_succeeds() {
    run(async {
        let data = directory();
        let (_server, mut client) = serve(data.path(), &[]).await;
        let mut batch = Batch::open(&mut client, solve_spec("")).await.expect("a job");
        assert!(batch.upload.finish(Some(0)).await);
        let job = batch.answers.read_to_end(&mut Checked::mixed(0)).await.expect("the stream ends well");
        assert_eq!((job.state(), job.total_count), (JobState::Succeeded, Some(0)));
    });
}

#[test]
fn the_first_solution_will_do() {
    run(async {
        let data = directory();
        let (_server, mut client) = serve(data.path(), &[]).await;
        let work = v1::batch_spec::Work::Solve(v1::SolveWork { max_solutions: Some(1), node_limit: None });
        let spec = BatchSpec { work: Some(work), ..BatchSpec::default() };
        let mut batch = Batch::open(&mut client, spec).await.expect("a job");
        assert!(batch.upload.text(&puzzles::text(0..1_000)).await && batch.upload.finish(None).await);
        let mut next = 0;
        while let Some(answer) = batch.answers.next().await.expect("the stream goes on") {
            let Answer::Results(block) = answer else { continue };
            for (outcome, grid) in block.outcomes().zip(grid_lines(&block)) {
                let known = mixed(next);
                let any = matches!(known.outcome, Outcome::Unique | Outcome::Multiple);
                let expected = if any { Outcome::Found } else { known.outcome };
                assert_eq!(outcome, expected, "{known:?}");
                assert!(known.outcome != Outcome::Unique || grid == known.solution, "{known:?}");
                assert_eq!(grid.len(), if any { 81 } else { 0 });
                next += 1;
            }
        }
        assert_eq!(next, 1_000);
    });
}

#[test]
fn a_silent_stream_stays_open_and_is_told_of_it() {
    run(async {
        let data = directory();
        let (_server, mut client) = serve(data.path(), &[]).await;
        let mut batch = Batch::open(&mut client, solve_spec("")).await.expect("a job");
        let heartbeat = tokio::time::timeout(Duration::from_secs(25), batch.answers.next()).await;
        let answer = heartbeat.expect("a heartbeat at least each 15 s").expect("the stream goes on");
        assert!(matches!(answer, Some(Answer::UploadProgress(_))), "{answer:?}");
    });
}

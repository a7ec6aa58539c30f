//! What SubmitBatch refuses: specs that make no sense, messages out of order, totals that do not match.

use crate::process::batch::{Batch, Checked, solve_spec};
use crate::process::client::{Client, refused, refused_field};
use crate::process::{directory, puzzles, run, serve};
use sudokud::grpc::proto::v1::submit_batch_request::Message as Sent;
use sudokud::grpc::proto::v1::{self, BatchSpec, JobState, PuzzleBlock, SubmitBatchRequest, batch_spec::Work};
use tonic::{Code, Status};

/// Sends these messages on a stream; the status it ends with.
async fn ends_with(client: &mut Client, messages: Vec<SubmitBatchRequest>) -> Status {
    let mut stream = match client.sudoku.submit_batch(tokio_stream::iter(messages)).await {
        Ok(stream) => stream.into_inner(),
        Err(status) => return status,
    };
    loop {
        match stream.message().await {
            Ok(Some(_)) => {}
            Ok(None) => panic!("the stream ended well"),
            Err(status) => return status,
        }
    }
}

fn message(message: Option<Sent>) -> SubmitBatchRequest {
    SubmitBatchRequest { message, result_start_index: 0 }
}

fn block(first_index: Option<u32>, puzzles: &[&str], text: &str) -> SubmitBatchRequest {
    let puzzles = puzzles.iter().map(|&puzzle| puzzle.into()).collect();
    message(Some(Sent::Block(PuzzleBlock { first_index, puzzles, text: text.to_owned().into() })))
}

fn open(spec: BatchSpec) -> SubmitBatchRequest {
    message(Some(Sent::Open(spec)))
}

fn finish(total_count: Option<u32>) -> SubmitBatchRequest {
    message(Some(Sent::Finish(v1::FinishUpload { total_count })))
}

#[test]
fn specs_that_make_no_sense() {
    let solve = |max_solutions, node_limit| BatchSpec {
        work: Some(Work::Solve(v1::SolveWork { max_solutions, node_limit })),
        ..BatchSpec::default()
    };
    let changed = |change: fn(&mut BatchSpec)| {
        let mut spec = solve_spec("");
        change(&mut spec);
        spec
    };
    let live = |seconds, nanos| Some(prost_types::Duration { seconds, nanos });
    let cases = [
        (BatchSpec::default(), "open.work", "solve"),
        (solve(Some(0), None), "open.solve.max_solutions", "1"),
        (solve(Some(3), None), "open.solve.max_solutions", "2"),
        (solve(None, Some(0)), "open.solve.node_limit", "1"),
        (changed(|s| s.request_id = "x".repeat(129)), "open.request_id", "128"),
        (changed(|s| s.priority = 99), "open.priority", "99"),
        (changed(|s| s.result_mode = 99), "open.result_mode", "99"),
        (changed(|s| s.result_format = 99), "open.result_format", "99"),
        (BatchSpec { time_to_live: live(0, 0), ..solve_spec("") }, "open.time_to_live", "1"),
        (BatchSpec { time_to_live: live(-5, 0), ..solve_spec("") }, "open.time_to_live", "1"),
        (BatchSpec { time_to_live: live(1, 500), ..solve_spec("") }, "open.time_to_live", "second"),
        (BatchSpec { time_to_live: live(365 * 86_400, 0), ..solve_spec("") }, "open.time_to_live", "2592000"),
        (changed(|s| drop(s.labels.insert("k".repeat(64), String::new()))), "open.labels", "63"),
        (changed(|s| drop(s.labels.insert(String::new(), String::new()))), "open.labels", "63"),
        (changed(|s| drop(s.labels.insert("k".into(), "v".repeat(256)))), "open.labels", "255"),
        (changed(|s| s.labels.extend((0..17).map(|i| (i.to_string(), String::new())))), "open.labels", "16"),
    ];
    run(async {
        let data = directory();
        let (_server, mut client) = serve(data.path(), &[]).await;
        for (spec, field, words) in cases {
            let status = ends_with(&mut client, vec![open(spec)]).await;
            refused_field(&status, "INVALID_FIELD", field, words);
        }
        let jobs = client.jobs.list_jobs(v1::ListJobsRequest::default()).await.expect("ListJobs").into_inner().jobs;
        assert_eq!(jobs, [], "a refused spec makes no job");
    });
}

#[test]
fn messages_out_of_order() {
    let spec = || solve_spec("");
    let line = puzzles::mixed(0).line;
    // Still being solved when the block after finish is read.
    let long = puzzles::variant(&puzzles::LONG, 0).line;
    let cases = [
        (vec![], ""),
        (vec![message(None)], "message"),
        (vec![block(None, &[], &line)], "open"),
        (vec![finish(None)], "open"),
        (vec![open(spec()), open(spec())], "open"),
        (vec![open(spec()), message(None)], "message"),
        (vec![open(spec()), block(None, &[&line], &line)], "block"),
        (vec![open(spec()), block(None, &[&long], ""), finish(Some(1)), block(None, &[&line], "")], "after finish"),
    ];
    run(async {
        let data = directory();
        let (_server, mut client) = serve(data.path(), &[]).await;
        for (messages, words) in cases {
            let status = ends_with(&mut client, messages.clone()).await;
            assert_eq!(status.code(), Code::InvalidArgument, "{messages:?}: {status:?}");
            refused(&status, Code::InvalidArgument, "INVALID_FIELD");
            assert!(status.message().contains(words), "{messages:?}: {status:?}");
        }
    });
}

#[test]
fn a_gap_is_out_of_range_and_what_overlaps_is_skipped() {
    run(async {
        let data = directory();
        let (_server, mut client) = serve(data.path(), &[]).await;
        let text = puzzles::text(0..10);
        let status = ends_with(&mut client, vec![open(solve_spec("gap")), block(Some(1), &[], &text)]).await;
        refused(&status, Code::OutOfRange, "UPLOAD_GAP");
        let mut batch = Batch::open(&mut client, solve_spec("gap")).await.expect("the same job");
        assert_eq!(batch.next_index, 0);
        for range in [0..10, 0..10, 5..15, 2..4, 15..16] {
            assert!(batch.upload.items(range).await);
        }
        assert!(batch.upload.finish(Some(16)).await);
        let mut checked = Checked::mixed(0);
        batch.answers.read_to_end(&mut checked).await.expect("the stream ends well");
        assert_eq!(checked.next, 16);
    });
}

#[test]
fn a_total_must_match_and_the_job_can_still_be_finished() {
    run(async {
        let data = directory();
        let (_server, mut client) = serve(data.path(), &[]).await;
        let messages = vec![open(solve_spec("t")), block(None, &[], &puzzles::text(0..5)), finish(Some(6))];
        let status = ends_with(&mut client, messages).await;
        assert!(status.message().contains('5') && status.message().contains('6'), "{status:?}");
        refused_field(&status, "INVALID_FIELD", "finish.total_count", "5");
        let mut batch = Batch::open(&mut client, solve_spec("t")).await.expect("the same job");
        assert_eq!((batch.next_index, batch.answers.job.state()), (5, JobState::Uploading));
        assert!(batch.upload.items(5..6).await && batch.upload.finish(Some(6)).await);
        let mut checked = Checked::mixed(0);
        batch.answers.read_to_end(&mut checked).await.expect("the stream ends well");
        assert_eq!(checked.next, 6);
    });
}

#[test]
fn a_job_holds_no_more_than_the_servers_limit() {
    run(async {
        let data = directory();
        let (_server, mut client) = serve(data.path(), &["--max-job-items", "100"]).await;
        let fits = vec![open(solve_spec("")), block(None, &[], &puzzles::text(0..101))];
        let status = ends_with(&mut client, fits).await;
        let details = refused(&status, Code::ResourceExhausted, "LIMIT_REACHED");
        assert!(details.quota_failure().is_some() && status.message().contains("100"), "{status:?}");
    });
}

#[test]
fn an_idle_upload_fails_its_job() {
    run(async {
        let data = directory();
        let (_server, mut client) = serve(data.path(), &["--upload-idle", "1s", "--sweep-every", "100ms"]).await;
        let mut batch = Batch::open(&mut client, solve_spec("")).await.expect("a job");
        assert!(batch.upload.items(0..10).await);
        drop(batch.upload);
        let job_id = batch.answers.job.job_id.clone();
        let job = client.wait(&job_id).await;
        assert_eq!((job.state(), job.stored_count), (JobState::Failed, 10));
        assert!(!job.error.is_empty());
        let mut checked = Checked::mixed(0);
        checked.stream(&mut client, &job_id, false).await.expect("what was done stays");
        assert_eq!(checked.next, 10);
    });
}

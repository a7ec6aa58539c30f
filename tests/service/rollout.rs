//! A server is replaced: it says so first, serves on for a while, and whoever is cut off resumes at the next one.
//! `SUDOKUD_TEST_PUZZLES` sets the size of the large job.

use crate::process::batch::{Batch, Checked, read_to_its_status, solve_spec, stream_results};
use crate::process::client::{Client, channel, refused};
use crate::process::server::Server;
use crate::process::{directory, puzzles, run, serve};
use std::time::{Duration, Instant};
use sudokud::grpc::proto::v1::{BatchSpec, JobState, ListJobsRequest, SolveRequest};
use tonic::Code;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;

/// Longer than any drain here may take.
const END: Duration = Duration::from_secs(60);
/// Streams that upload and read beside the large job.
const STREAMS: u32 = 20;
/// Puzzles of the large job unless told otherwise.
const LARGE: u32 = 200_000;
const BLOCK: u32 = 2_000;

async fn solves(client: &mut Client) -> bool {
    let request = SolveRequest { puzzle: puzzles::mixed(0).line, ..SolveRequest::default() };
    client.sudoku.solve(request).await.is_ok()
}

async fn health(server: &Server) -> ServingStatus {
    let channel = channel(server.address()).await;
    let request = HealthCheckRequest { service: String::new() };
    HealthClient::new(channel).check(request).await.expect("an answer").into_inner().status()
}

#[test]
fn after_sigterm_health_says_so_and_all_is_served_for_the_delay() {
    run(async {
        let data = directory();
        let (mut server, mut client) = serve(data.path(), &["--drain-delay", "3s"]).await;
        // It listens a moment before it says so.
        while health(&server).await != ServingStatus::Serving {}
        let begin = Instant::now();
        server.terminate();
        while health(&server).await == ServingStatus::Serving {
            assert!(begin.elapsed() < Duration::from_secs(2), "health still says SERVING");
        }
        assert!(solves(&mut client).await, "an old connection is served on");
        assert!(solves(&mut Client::connect(server.address()).await).await, "a new one too");
        let mut batch = Batch::open(&mut client, solve_spec("late")).await.expect("a new job");
        assert!(batch.upload.items(0..100).await && batch.upload.finish(Some(100)).await);
        let mut checked = Checked::mixed(0);
        assert_eq!(batch.answers.read_to_end(&mut checked).await.expect("it ends well").state(), JobState::Succeeded);
        let status = server.wait(END).expect("it ends");
        assert_eq!(status.code(), Some(0), "{}", server.log());
        assert!(begin.elapsed() >= Duration::from_secs(3), "it did not wait");
    });
}

#[test]
fn a_second_sigterm_ends_at_once_and_loses_nothing() {
    run(async {
        let data = directory();
        let slow = ["--drain-delay", "1h", "--threads", "1", "--kernel", "reference", "--chunk-items", "512"];
        let (mut server, mut client) = serve(data.path(), &slow).await;
        let mut batch = Batch::open(&mut client, solve_spec("two")).await.expect("a job");
        assert!(batch.upload.all_items(0..20_000, BLOCK).await && batch.upload.finish(Some(20_000)).await);
        let mut seen = Checked::mixed(0);
        batch.answers.until_checked(1_000, &mut seen).await.expect("results");
        server.terminate();
        while !server.log().contains("retiring") {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        server.terminate();
        let status = server.wait(END).expect("it ends, though the delay is not over");
        assert_eq!(status.code(), Some(128 + 15), "{}", server.log());

        let (_server, mut client) = serve(data.path(), &[]).await;
        let mut rest = Checked::mixed(seen.next);
        rest.stream(&mut client, &batch.job_id(), true).await.expect("the rest");
        assert_eq!(rest.next, 20_000);
        assert_eq!(client.wait(&batch.job_id()).await.state(), JobState::Succeeded);
    });
}

/// What one of the streams has when its server goes.
struct Cut {
    request_id: String,
    seen: Checked,
    stored: u32,
}

/// Uploads without end and reads results until the server ends the stream.
async fn stream_until_cut(mut client: Client, request_id: String) -> Cut {
    let Batch { mut upload, mut answers, .. } = Batch::open(&mut client, solve_spec(&request_id)).await.expect("a job");
    let sending = tokio::spawn(async move { upload.endless(0, 500).await });
    let mut seen = Checked::mixed(0);
    let told = read_to_its_status(&mut answers, &mut seen).await;
    refused(&told, Code::Unavailable, "DRAINING");
    sending.await.expect("the sender");
    Cut { request_id, seen, stored: answers.stored }
}

/// Takes the upload up where it was cut, sends a little more, and reads what was not seen yet.
async fn resume(mut client: Client, cut: Cut) {
    let Cut { request_id, mut seen, stored } = cut;
    let spec = solve_spec(&request_id);
    let mut batch = Batch::open_from(&mut client, spec, seen.next).await.expect("the job");
    assert!(batch.next_index >= stored.max(seen.next), "{request_id}: what was acknowledged is gone");
    let (from, to) = (batch.next_index, batch.next_index + 700);
    assert!(batch.upload.items(from..to).await && batch.upload.finish(Some(to)).await);
    let job = batch.answers.read_to_end(&mut seen).await.expect("the stream ends well");
    assert_eq!((seen.next, job.done_count, job.state()), (to, to, JobState::Succeeded), "{request_id}");
}

/// Uploads the large job and reads its results from the start until the server ends the stream.
async fn large_until_cut(mut client: Client, items: u32) -> (String, Checked) {
    let mut batch = Batch::open(&mut client, solve_spec("large")).await.expect("a job");
    let job_id = batch.job_id();
    let mut upload = batch.upload;
    let sent = tokio::spawn(async move { upload.all_items(0..items, BLOCK).await && upload.finish(Some(items)).await });
    let mut seen = Checked::mixed(0);
    let told = read_to_its_status(&mut batch.answers, &mut seen).await;
    assert!(sent.await.expect("the sender"));
    refused(&told, Code::Unavailable, "DRAINING");
    (job_id, seen)
}

#[test]
fn twenty_streams_and_a_large_job_resume_after_a_restart() {
    let items = std::env::var("SUDOKUD_TEST_PUZZLES").map_or(LARGE, |n| n.parse().expect("a number"));
    run(async move {
        let data = directory();
        // So slow that the large job cannot end before it is cut.
        let slow = ["--drain-timeout", "25s", "--threads", "1", "--kernel", "reference"];
        let (mut server, client) = serve(data.path(), &slow).await;
        let large = tokio::spawn(large_until_cut(client.clone(), items));
        let streams: Vec<_> =
            (0..STREAMS).map(|i| tokio::spawn(stream_until_cut(client.clone(), format!("stream {i}")))).collect();
        let mut looking = client.clone();
        while !sealed(&mut looking).await {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        let begin = Instant::now();
        server.terminate();
        let mut cut = Vec::new();
        for stream in streams {
            cut.push(stream.await.expect("it was told"));
        }
        let (job_id, mut seen) = large.await.expect("it was told");
        assert!(seen.next < items, "the large job was over before it was cut");
        drop((client, looking));
        assert_eq!(server.wait(END).expect("it ends").code(), Some(0), "{}", server.log());
        assert!(begin.elapsed() < Duration::from_secs(30), "the drain took {:?}", begin.elapsed());

        let (_server, mut client) = serve(data.path(), &[]).await;
        let resumed: Vec<_> = cut.into_iter().map(|cut| tokio::spawn(resume(client.clone(), cut))).collect();
        seen.stream(&mut client, &job_id, true).await.expect("the rest");
        assert_eq!(seen.next, items, "each result came once");
        for stream in resumed {
            stream.await.expect("it resumed");
        }
        let job = client.job(&job_id).await;
        assert_eq!((job.state(), job.done_count, job.not_run_count), (JobState::Succeeded, items, 0));
    });
}

/// Whether the large job's input is complete.
async fn sealed(client: &mut Client) -> bool {
    let listed = client.jobs.list_jobs(ListJobsRequest::default()).await.expect("ListJobs");
    let large = |spec: &BatchSpec| spec.request_id == "large";
    listed.into_inner().jobs.iter().any(|job| job.spec.as_ref().is_some_and(large) && job.total_count.is_some())
}

/// A stream of results that is cut ends with the same word.
#[test]
fn followers_are_told_too() {
    run(async {
        let data = directory();
        let (mut server, mut client) = serve(data.path(), &[]).await;
        let mut batch = Batch::open(&mut client, solve_spec("follow")).await.expect("a job");
        assert!(batch.upload.items(0..10).await);
        let mut results = stream_results(&mut client, &batch.job_id(), 0, true).await.expect("results");
        server.terminate();
        let told = loop {
            if let Err(status) = results.message().await {
                break status;
            }
        };
        refused(&told, Code::Unavailable, "DRAINING");
        assert_eq!(server.wait(END).expect("it ends").code(), Some(0), "{}", server.log());
    });
}

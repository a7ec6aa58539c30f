//! SIGTERM: streams end with UNAVAILABLE, the process exits with 0, and everything resumes after a restart.

use crate::process::batch::{Batch, Checked, read_to_its_status, solve_spec, stream_results};
use crate::process::client::Client;
use crate::process::{directory, run, serve};
use std::time::Duration;
use sudokud::grpc::proto::v1::{JobState, SolveRequest, WatchJobRequest};
use tonic::{Code, Status};

/// Longer than the drain may take.
const END: Duration = Duration::from_secs(30);

async fn watch_to_its_status(client: &mut Client, job_id: String) -> Status {
    let mut watch = client.jobs.watch_job(WatchJobRequest { job_id }).await.expect("WatchJob").into_inner();
    loop {
        match watch.message().await {
            Ok(Some(_)) => {}
            Ok(None) => panic!("the watch ended well, before the job"),
            Err(status) => return status,
        }
    }
}

#[test]
fn in_the_middle_of_upload_and_work() {
    run(async {
        let data = directory();
        let more = ["--threads", "1", "--kernel", "reference", "--chunk-items", "512"];
        let (mut server, mut client) = serve(data.path(), &more).await;
        let batch = Batch::open(&mut client, solve_spec("s")).await.expect("a job");
        let job_id = batch.job_id();
        let Batch { mut upload, mut answers, .. } = batch;
        let sending = tokio::spawn(async move { upload.endless(0, 500).await });
        let mut watching = client.clone();
        let watch = tokio::spawn({
            let job_id = job_id.clone();
            async move { watch_to_its_status(&mut watching, job_id).await }
        });
        let mut results = stream_results(&mut client, &job_id, 0, true).await.expect("results");
        let mut checked = Checked::mixed(0);
        answers.until_checked(1_000, &mut checked).await.expect("results");
        server.terminate();
        let ended = read_to_its_status(&mut answers, &mut checked).await;
        assert_eq!(ended.code(), Code::Unavailable, "{ended:?}");
        sending.await.expect("the sender");
        assert_eq!(watch.await.expect("the watch").code(), Code::Unavailable);
        let followed = loop {
            if let Err(status) = results.message().await {
                break status;
            }
        };
        assert_eq!(followed.code(), Code::Unavailable, "{followed:?}");
        drop(client);
        let status = server.wait(END).expect("it ends");
        assert_eq!(status.code(), Some(0), "{}", server.log());

        let (_server, mut client) = serve(data.path(), &[]).await;
        let mut batch = Batch::open(&mut client, solve_spec("s")).await.expect("the job");
        assert!(batch.next_index >= answers.stored, "{} acknowledged, {} there", answers.stored, batch.next_index);
        assert!(batch.answers.job.done_count >= checked.next, "a result was shown and is gone");
        let (from, to) = (batch.next_index, batch.next_index + 1_000);
        assert!(batch.upload.items(from..to).await && batch.upload.finish(Some(to)).await);
        let mut all = Checked::mixed(0);
        let job = batch.answers.read_to_end(&mut all).await.expect("the stream ends well");
        assert_eq!((all.next, job.state()), (to, JobState::Succeeded));
    });
}

#[test]
fn a_call_that_outlasts_the_drain_is_cut() {
    run(async {
        let data = directory();
        let (mut server, mut client) = serve(data.path(), &["--drain-timeout", "1s"]).await;
        let request = SolveRequest {
            puzzle: ".".repeat(81),
            count_limit: Some(1_000_000_000),
            node_limit: Some(1_000_000_000),
            ..SolveRequest::default()
        };
        let calling = tokio::spawn(async move { client.sudoku.solve(request).await });
        tokio::time::sleep(Duration::from_millis(300)).await;
        server.terminate();
        let status = server.wait(END).expect("it ends long before the call would");
        assert_eq!(status.code(), Some(0), "{}", server.log());
        let cut = calling.await.expect("the call").expect_err("it was cut");
        assert_eq!(cut.code(), Code::Unavailable, "{cut:?}");
    });
}

#[test]
fn with_nothing_to_do_or_an_idle_client() {
    run(async {
        for idle_client in [false, true] {
            let data = directory();
            let (mut server, mut client) = serve(data.path(), &[]).await;
            let idle = if idle_client {
                Some(Batch::open(&mut client, solve_spec("i")).await.expect("a job"))
            } else {
                drop(client);
                None
            };
            server.terminate();
            let status = server.wait(END).expect("it ends, though a client stays connected");
            assert_eq!(status.code(), Some(0), "{}", server.log());
            if let Some(mut batch) = idle {
                let status = batch.answers.next().await.expect_err("the stream ends");
                assert_eq!(status.code(), Code::Unavailable, "{status:?}");
            }
        }
    });
}

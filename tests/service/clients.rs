//! Clients that misbehave or die: none blocks the server, none ends its job; the upload can be taken up again.

use crate::process::batch::{Batch, Checked, read_to_its_status, solve_spec};
use crate::process::client::{Client, refused};
use crate::process::{directory, run, serve};
use std::time::Duration;
use sudokud::grpc::proto::v1::JobState;
use tonic::Code;

/// Takes the upload of `request_id` up, of which `stored` items at least are there, and completes it.
async fn resume(client: &mut Client, request_id: &str, stored: u32, count: u32) {
    let mut batch = Batch::open(client, solve_spec(request_id)).await.expect("the job");
    assert_eq!(batch.answers.job.state(), JobState::Uploading, "a client that goes away ends nothing");
    assert!(batch.next_index >= stored, "{stored} were acknowledged, {} are there", batch.next_index);
    assert!(batch.upload.all_items(batch.next_index..count, 1_000).await && batch.upload.finish(Some(count)).await);
    let mut checked = Checked::mixed(0);
    let job = batch.answers.read_to_end(&mut checked).await.expect("the stream ends well");
    assert_eq!((checked.next, job.state()), (count, JobState::Succeeded));
}

#[test]
fn one_that_uploads_everything_and_reads_nothing() {
    const COUNT: u32 = 200_000;
    run(async {
        let data = directory();
        let (_server, mut client) = serve(data.path(), &[]).await;
        let mut batch = Batch::open(&mut client, solve_spec("n")).await.expect("a job");
        assert!(batch.upload.all_items(0..COUNT, 5_000).await && batch.upload.finish(Some(COUNT)).await);
        // Nothing was read so far, and the job ends all the same.
        let job = client.wait(&batch.job_id()).await;
        assert_eq!((job.state(), job.done_count), (JobState::Succeeded, COUNT));
        let mut checked = Checked::mixed(0);
        batch.answers.read_to_end(&mut checked).await.expect("all of it is still to be read");
        assert_eq!(checked.next, COUNT);
    });
}

#[test]
fn one_that_half_closes() {
    run(async {
        let data = directory();
        let (_server, mut client) = serve(data.path(), &[]).await;
        let Batch { mut upload, mut answers, .. } = Batch::open(&mut client, solve_spec("h")).await.expect("a job");
        assert!(upload.items(0..3_000).await);
        drop(upload);
        let job_id = answers.job.job_id.clone();
        let job = client.job_when(&job_id, |job| job.stored_count == 3_000 && job.done_count == 3_000).await;
        assert_eq!(job.state(), JobState::Uploading, "only finish seals a job");
        let status = read_to_its_status(&mut answers, &mut Checked::mixed(0)).await;
        refused(&status, Code::FailedPrecondition, "UPLOAD_NOT_FINISHED");
        for fact in ["UPLOADING", "request_id \"h\"", "3000"] {
            assert!(status.message().contains(fact), "it says how to go on: {status:?}");
        }
        resume(&mut client, "h", 3_000, 5_000).await;
    });
}

#[test]
fn one_that_cancels_its_call() {
    run(async {
        let data = directory();
        let (_server, mut client) = serve(data.path(), &[]).await;
        let mut batch = Batch::open(&mut client, solve_spec("c")).await.expect("a job");
        assert!(batch.upload.items(0..3_000).await);
        batch.answers.until_stored(1, &mut Checked::mixed(0)).await.expect("acknowledged");
        let stored = batch.answers.stored;
        // Dropping the answers resets the stream.
        drop(batch);
        resume(&mut client, "c", stored, 5_000).await;
    });
}

#[test]
fn one_whose_deadline_comes_first() {
    run(async {
        let data = directory();
        let (_server, mut client) = serve(data.path(), &[]).await;
        let deadline = Duration::from_millis(700);
        let opened = Batch::open_with(&mut client, solve_spec("t"), |request| request.set_timeout(deadline)).await;
        let mut batch = opened.expect("a job");
        assert!(batch.upload.items(0..3_000).await);
        read_to_its_status(&mut batch.answers, &mut Checked::mixed(0)).await;
        resume(&mut client, "t", batch.answers.stored, 5_000).await;
    });
}

#[test]
fn one_that_dies() {
    run(async {
        let data = directory();
        let (server, mut client) = serve(data.path(), &[]).await;
        // A client with a runtime of its own, which goes down with its sockets in the middle of the upload.
        let doomed = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let doomed = doomed.expect("a runtime");
        let (told, hears) = tokio::sync::oneshot::channel();
        let address = server.address().to_owned();
        doomed.spawn(async move {
            let mut dying = Client::connect(&address).await;
            let batch = Batch::open(&mut dying, solve_spec("d")).await.expect("a job");
            let Batch { mut upload, mut answers, .. } = batch;
            let sending = tokio::spawn(async move { upload.all_items(0..1_000_000, 100).await });
            answers.until_stored(2_000, &mut Checked::mixed(0)).await.expect("acknowledged");
            told.send(answers.stored).expect("the test listens");
            sending.await.expect("it dies before");
        });
        let stored = hears.await.expect("acknowledged");
        doomed.shutdown_background();
        let mut batch = Batch::open(&mut client, solve_spec("d")).await.expect("the job");
        assert_eq!(batch.answers.job.state(), JobState::Uploading);
        assert!(batch.next_index >= stored);
        let total = batch.next_index + 100;
        assert!(batch.upload.items(batch.next_index..total).await && batch.upload.finish(Some(total)).await);
        let mut checked = Checked::mixed(0);
        batch.answers.read_to_end(&mut checked).await.expect("the stream ends well");
        assert_eq!(checked.next, total);
    });
}

//! kill -9 of the server: while it is uploaded to, while it works, while results are read, while it generates, while it
//! rates.
//! After a restart over the same directory the job goes on; nothing acknowledged is lost, nothing comes twice.

use crate::process::batch::{
    Batch, Checked, generate_spec, grid_lines, rate_spec, read_to_its_status, solve_spec, stream_results,
};
use crate::process::server::Server;
use crate::process::{directory, run, serve};
use std::collections::HashSet;
use sudokud::grpc::proto::v1::submit_batch_response::Message as Answer;
use sudokud::grpc::proto::v1::{GridFamily, JobState};

/// A server that takes long: one thread, small chunks, the plainest kernel.
const SLOW: [&str; 6] = ["--threads", "1", "--chunk-items", "256", "--kernel", "reference"];

#[test]
fn during_the_upload() {
    run(async {
        let data = directory();
        let mut acknowledged = 0;
        // Killed when so many more items were acknowledged, each time in the middle of sending.
        for point in [1, 700, 9_000, 30_000] {
            let (server, mut client) = serve(data.path(), &[]).await;
            let batch = Batch::open(&mut client, solve_spec("k")).await.expect("the job");
            let Batch { mut upload, mut answers, next_index } = batch;
            assert!(next_index >= acknowledged, "{acknowledged} were acknowledged, {next_index} are there");
            assert_eq!(answers.job.state(), JobState::Uploading);
            let sending = tokio::spawn(async move { upload.endless(next_index, 500).await });
            // Results begin at item 0 on every stream, and must be right on every one.
            let mut checked = Checked::mixed(0);
            answers.until_stored(next_index + point, &mut checked).await.expect("acknowledged");
            drop(server);
            read_to_its_status(&mut answers, &mut checked).await;
            sending.await.expect("the sender");
            acknowledged = answers.stored;
        }
        let (_server, mut client) = serve(data.path(), &[]).await;
        let mut batch = Batch::open(&mut client, solve_spec("k")).await.expect("the job");
        assert!(batch.next_index >= acknowledged);
        let (next, total) = (batch.next_index, batch.next_index + 10_000);
        let sending = tokio::spawn(async move {
            assert!(batch.upload.all_items(next..total, 5_000).await && batch.upload.finish(Some(total)).await);
        });
        let mut checked = Checked::mixed(0);
        let job = batch.answers.read_to_end(&mut checked).await.expect("the stream ends well");
        sending.await.expect("the sender");
        assert_eq!((checked.next, job.state(), job.done_count), (total, JobState::Succeeded, total));
    });
}

#[test]
fn during_the_work() {
    const COUNT: u32 = 40_000;
    run(async {
        let data = directory();
        let (server, mut client) = serve(data.path(), &SLOW).await;
        let mut batch = Batch::open(&mut client, solve_spec("w")).await.expect("a job");
        assert!(batch.upload.all_items(0..COUNT, 10_000).await && batch.upload.finish(Some(COUNT)).await);
        let mut before = Checked::mixed(0);
        batch.answers.until_checked(300, &mut before).await.expect("results");
        let (job_id, done) = (batch.job_id(), client.job(&batch.job_id()).await.done_count);
        drop(server);
        // Again, while it works on without any client.
        let (server, mut client) = serve(data.path(), &SLOW).await;
        let job = client.job(&job_id).await;
        assert!(job.done_count >= done, "{done} were done, {} are", job.done_count);
        client.job_when(&job_id, |job| job.done_count > done + 500).await;
        drop(server);

        let (_server, mut client) = serve(data.path(), &[]).await;
        let job = client.wait(&job_id).await;
        assert_eq!((job.state(), job.done_count, job.not_run_count), (JobState::Succeeded, COUNT, 0));
        before.stream(&mut client, &job_id, true).await.expect("the rest");
        assert_eq!(before.next, COUNT, "the rest follows what came before the kill");
        let mut all = Checked::mixed(0);
        all.stream(&mut client, &job_id, false).await.expect("all");
        assert_eq!(all.next, COUNT);
        assert_eq!(job.counts.map(|c| c.unique + c.multiple + c.unsolvable + c.invalid), Some(u64::from(COUNT)));
        assert_eq!(job.counts.map(|c| c.failed), Some(0), "a crash condemns no innocent item");
    });
}

#[test]
fn during_the_download() {
    const COUNT: u32 = 100_000;
    run(async {
        let data = directory();
        let (server, mut client) = serve(data.path(), &[]).await;
        let mut batch = Batch::open(&mut client, solve_spec("d")).await.expect("a job");
        let job_id = batch.job_id();
        assert!(batch.upload.all_items(0..COUNT, 10_000).await && batch.upload.finish(Some(COUNT)).await);
        client.wait(&job_id).await;
        let mut checked = Checked::mixed(0);
        let mut results = stream_results(&mut client, &job_id, 0, false).await.expect("results");
        checked.block(&results.message().await.expect("results").expect("a block").results.expect("results"));
        drop(server);
        while let Ok(Some(message)) = results.message().await {
            checked.block(&message.results.expect("results"));
        }
        let (_server, mut client) = serve(data.path(), &[]).await;
        checked.stream(&mut client, &job_id, false).await.expect("the rest");
        assert_eq!(checked.next, COUNT);
    });
}

#[test]
fn while_it_generates() {
    const COUNT: u32 = 300_000;
    let spec = || generate_spec("g", GridFamily::Search, COUNT, Some(11));
    run(async {
        let data = directory();
        let mut grids = Vec::new();
        for life in 0..3 {
            let (server, mut client) = serve(data.path(), &[]).await;
            let mut batch = Batch::open_from(&mut client, spec(), grids.len() as u32).await.expect("the job");
            while let Ok(Some(answer)) = batch.answers.next().await {
                if let Answer::Results(block) = answer {
                    assert_eq!(block.first_index as usize, grids.len());
                    grids.extend(grid_lines(&block).map(str::to_owned));
                    if life < 2 {
                        break;
                    }
                }
            }
            assert_eq!(batch.answers.job.state() == JobState::Succeeded, life == 2, "{:?}", batch.answers.job);
            drop(server);
        }
        assert_eq!(grids.len(), COUNT as usize);
        assert_eq!(grids.iter().collect::<HashSet<_>>().len(), grids.len(), "a grid twice");
        // A job that nothing disturbs gives the same.
        let data = directory();
        let (_server, mut client) = serve(data.path(), &[]).await;
        let batch = Batch::open(&mut client, spec()).await.expect("a job");
        let mut stream = stream_results(&mut client, &batch.job_id(), 0, true).await.expect("results");
        let mut next = 0;
        while let Some(message) = stream.message().await.expect("results") {
            for grid in grid_lines(&message.results.expect("results")) {
                assert_eq!(grid, grids[next], "item {next}");
                next += 1;
            }
        }
        assert_eq!(next, grids.len());
    });
}

#[test]
fn while_it_rates() {
    const COUNT: u32 = 1_000;
    run(async {
        let data = directory();
        let (server, mut client) = serve(data.path(), &SLOW).await;
        let mut batch = Batch::open(&mut client, rate_spec("r")).await.expect("a job");
        assert!(batch.upload.all_items(0..COUNT, 100).await && batch.upload.finish(Some(COUNT)).await);
        let mut before = Checked::mixed(0);
        batch.answers.until_checked(20, &mut before).await.expect("results");
        let (job_id, done) = (batch.job_id(), client.job(&batch.job_id()).await.done_count);
        drop(server);
        let (server, mut client) = serve(data.path(), &SLOW).await;
        let job = client.job(&job_id).await;
        assert!(job.done_count >= done, "{done} were done, {} are", job.done_count);
        client.job_when(&job_id, |job| job.done_count > done + 50).await;
        drop(server);

        let (_server, mut client) = serve(data.path(), &[]).await;
        let job = client.wait(&job_id).await;
        assert_eq!((job.state(), job.done_count, job.not_run_count), (JobState::Succeeded, COUNT, 0));
        assert_eq!(job.counts.map(|c| (c.failed, c.undecided)), Some((0, 0)), "a crash condemns no innocent item");
        before.stream(&mut client, &job_id, true).await.expect("the rest");
        assert_eq!(before.next, COUNT, "the rest follows what came before the kill");
        let mut all = Checked::mixed(0);
        all.stream(&mut client, &job_id, false).await.expect("all");
        assert_eq!(all.next, COUNT);
    });
}

#[test]
fn two_processes_over_one_directory() {
    run(async {
        let data = directory();
        let (first, mut client) = serve(data.path(), &[]).await;
        let refused = Server::try_start(data.path(), &[]).err().expect("the directory is taken");
        assert!(refused.status.code().is_some_and(|code| code != 0), "{refused:?}");
        let path = data.path().to_string_lossy().into_owned();
        assert!(refused.log.contains(&path) && refused.log.contains("another"), "{}", refused.log);
        // The first one is not disturbed, and its death frees the directory.
        Batch::open(&mut client, solve_spec("a")).await.expect("a job");
        drop(first);
        let (_second, mut client) = serve(data.path(), &[]).await;
        Batch::open(&mut client, solve_spec("a")).await.expect("the same job");
    });
}

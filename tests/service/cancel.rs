//! Cancelling: in every state, quick, idempotent, keeping what is done.

use crate::process::batch::{Batch, Checked, generate_spec, solve_spec};
use crate::process::client::ended;
use crate::process::puzzles::{self, LONG};
use crate::process::{directory, run, serve};
use std::time::{Duration, Instant};
use sudokud::grpc::proto::v1::{self, BatchSpec, GridFamily, JobState};

/// From the call to the end of the job. Threads yield each millisecond; the rest is for a loaded machine.
const QUICK: Duration = Duration::from_secs(5);

#[test]
fn an_upload_is_cancelled_and_keeps_what_is_done() {
    run(async {
        let data = directory();
        let (_server, mut client) = serve(data.path(), &[]).await;
        let mut batch = Batch::open(&mut client, solve_spec("c")).await.expect("a job");
        let mut checked = Checked::mixed(0);
        assert!(batch.upload.items(0..100).await);
        batch.answers.until_checked(100, &mut checked).await.expect("results");
        client.cancel(&batch.job_id()).await;
        let job = batch.answers.read_to_end(&mut checked).await.expect("the stream ends with the job");
        assert_eq!((job.state(), job.done_count, job.not_run_count), (JobState::Cancelled, 100, 0));
        assert_eq!(client.cancel(&job.job_id).await, client.job(&job.job_id).await, "again changes nothing");
        let mut kept = Checked::mixed(0);
        kept.stream(&mut client, &job.job_id, true).await.expect("results");
        assert_eq!(kept.next, 100);
        let again = Batch::open(&mut client, solve_spec("c")).await.expect("the same job");
        assert_eq!((again.job_id(), again.answers.job.state()), (job.job_id, JobState::Cancelled));
    });
}

#[test]
fn running_jobs_end_quickly() {
    run(async {
        let data = directory();
        let (_server, mut client) = serve(data.path(), &[]).await;
        let endless = generate_spec("", GridFamily::Search, 4_000_000_000, None);
        let generated = Batch::open(&mut client, endless).await.expect("a job").job_id();
        // Hours of work, most of it inside of one puzzle's search.
        let node_limit = Some(u64::MAX);
        let work = v1::batch_spec::Work::Solve(v1::SolveWork { max_solutions: None, node_limit });
        let mut batch =
            Batch::open(&mut client, BatchSpec { work: Some(work), ..solve_spec("") }).await.expect("a job");
        let lines: String = (0..20_000).map(|index| puzzles::variant(&LONG, index).line + "\n").collect();
        assert!(batch.upload.text(&lines).await && batch.upload.finish(Some(20_000)).await);
        let solving = batch.job_id();
        for job_id in [generated, solving] {
            client.job_when(&job_id, |job| job.state() == JobState::Running).await;
            let begin = Instant::now();
            client.cancel(&job_id).await;
            let job = client.wait(&job_id).await;
            assert!(begin.elapsed() < QUICK, "ended after {:?}", begin.elapsed());
            assert_eq!((job.state(), ended(&job)), (JobState::Cancelled, true));
            let total = job.total_count.expect("known");
            assert_eq!(job.not_run_count, total - job.done_count);
            assert!(job.done_count < total);
        }
    });
}

#[test]
fn results_of_a_cancelled_job_skip_its_holes() {
    run(async {
        let data = directory();
        let more = ["--threads", "2", "--chunk-items", "64", "--kernel", "reference"];
        let (_server, mut client) = serve(data.path(), &more).await;
        let mut batch = Batch::open(&mut client, solve_spec("")).await.expect("a job");
        assert!(batch.upload.all_items(0..60_000, 10_000).await && batch.upload.finish(None).await);
        let job_id = batch.job_id();
        client.job_when(&job_id, |job| job.done_count > 500).await;
        client.cancel(&job_id).await;
        let job = client.wait(&job_id).await;
        let mut stream = crate::process::batch::stream_results(&mut client, &job_id, 0, true).await.expect("results");
        let (mut next, mut items) = (0, 0);
        while let Some(message) = stream.message().await.expect("results") {
            let block = message.results.expect("results");
            assert!(block.first_index >= next, "holes are skipped, never repeated");
            let mut checked = Checked::mixed(block.first_index);
            checked.block(&block);
            items += checked.next - block.first_index;
            next = checked.next;
        }
        assert_eq!((items, job.not_run_count), (job.done_count, 60_000 - job.done_count));
    });
}

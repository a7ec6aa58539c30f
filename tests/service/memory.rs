//! Memory: it does not grow with a job's size, though its client reads nothing.

use crate::process::batch::{Batch, solve_spec};
use crate::process::{directory, run_alone, serve};
use sudokud::grpc::proto::v1::JobState;

/// Two millions take 164 MB as text, 150 MB packed with their results. An unoptimised solver takes too long for them.
const COUNT: u32 = if cfg!(debug_assertions) { 200_000 } else { 2_000_000 };

/// What the server may hold at its peak. 20 millions, unread, took about as much as 2.
const LIMIT: u64 = 256 << 20;

#[test]
fn a_large_job_that_nobody_reads() {
    run_alone(async {
        let data = directory();
        let (server, mut client) = serve(data.path(), &[]).await;
        let mut batch = Batch::open(&mut client, solve_spec("")).await.expect("a job");
        assert!(batch.upload.all_items(0..COUNT, 5_000).await && batch.upload.finish(Some(COUNT)).await);
        let job = client.wait(&batch.job_id()).await;
        assert_eq!((job.state(), job.done_count), (JobState::Succeeded, COUNT));
        let peak = server.peak_memory();
        assert!(peak < LIMIT, "{} MiB", peak >> 20);
    });
}

//! Fairness: small jobs and unary calls do not wait for large jobs; a low priority still advances.

use crate::process::batch::{Batch, Checked, generate_spec, solve_spec};
use crate::process::client::Client;
use crate::process::puzzles::{self, LONG};
use crate::process::{directory, run_alone, serve};
use std::time::{Duration, Instant};
use sudokud::grpc::proto::v1::{BatchSpec, GridFamily, JobState, Outcome, Priority, SolveRequest};

/// A 10-puzzle job is to end within 2 s while a large one runs; the rest is for a loaded machine. In the order of
/// arrival it would wait for minutes, so the bound tells the two apart by far.
const SMALL_JOB: Duration = Duration::from_secs(6);

/// Half of the unary calls answer within this under a full batch (a quiet machine: well under 1 ms).
const UNARY_MEDIAN: Duration = Duration::from_millis(100);

/// Starts minutes of work: a job that generates, and one whose every puzzle is a long search.
async fn large_jobs(client: &mut Client) -> [String; 2] {
    let endless = generate_spec("", GridFamily::Search, 4_000_000_000, None);
    let generated = Batch::open(client, endless).await.expect("a job").job_id();
    let mut batch = Batch::open(client, solve_spec("")).await.expect("a job");
    let lines: String = (0..40_000).map(|index| puzzles::variant(&LONG, index).line + "\n").collect();
    assert!(batch.upload.text(&lines).await && batch.upload.finish(Some(40_000)).await);
    let large = [generated, batch.job_id()];
    for job_id in &large {
        client.job_when(job_id, |job| job.state() == JobState::Running).await;
    }
    large
}

#[test]
fn a_small_job_overtakes_large_ones() {
    run_alone(async {
        let data = directory();
        let (_server, mut client) = serve(data.path(), &["--batch-priority", "idle"]).await;
        let large = large_jobs(&mut client).await;
        for _ in 0..3 {
            let begin = Instant::now();
            let mut batch = Batch::open(&mut client, solve_spec("")).await.expect("a job");
            assert!(batch.upload.items(0..10).await && batch.upload.finish(Some(10)).await);
            let mut checked = Checked::mixed(0);
            batch.answers.read_to_end(&mut checked).await.expect("the stream ends well");
            assert_eq!(checked.next, 10);
            assert!(begin.elapsed() < SMALL_JOB, "ended after {:?}", begin.elapsed());
        }
        for job_id in &large {
            let job = client.job(job_id).await;
            assert_eq!(job.state(), JobState::Running, "the large jobs are still at it: {job:?}");
        }
    });
}

#[test]
fn unary_calls_answer_under_a_full_batch() {
    run_alone(async {
        let data = directory();
        let (_server, mut client) = serve(data.path(), &["--batch-priority", "idle"]).await;
        large_jobs(&mut client).await;
        let mut times = Vec::new();
        for known in (0..400).map(puzzles::mixed).filter(|known| known.outcome == Outcome::Unique) {
            let begin = Instant::now();
            let request = SolveRequest { puzzle: known.line, ..SolveRequest::default() };
            let answer = client.sudoku.solve(request).await.expect("an answer").into_inner();
            times.push(begin.elapsed());
            assert_eq!(answer.solutions, [known.solution]);
        }
        times.sort();
        let median = times[times.len() / 2];
        assert!(median < UNARY_MEDIAN, "median {median:?}, slowest {:?}", times.last());
    });
}

#[test]
fn a_low_priority_still_advances() {
    run_alone(async {
        let data = directory();
        let (_server, mut client) = serve(data.path(), &["--batch-priority", "idle"]).await;
        let endless = |priority: Priority| {
            let spec = generate_spec("", GridFamily::Search, 4_000_000_000, None);
            BatchSpec { priority: priority.into(), ..spec }
        };
        let normal = Batch::open(&mut client, endless(Priority::Normal)).await.expect("a job").job_id();
        let low = Batch::open(&mut client, endless(Priority::Low)).await.expect("a job").job_id();
        let begin = client.job_when(&low, |job| job.done_count > 0).await.done_count;
        client.job_when(&low, |job| job.done_count > begin + 50_000).await;
        let [low, normal] = [client.job(&low).await.done_count, client.job(&normal).await.done_count];
        assert!(normal > low, "normal {normal}, low {low}");
    });
}

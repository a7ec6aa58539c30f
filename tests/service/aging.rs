//! Connections that reach their age: calls that are open go on to their end, and those that come in that moment fail, if
//! they do, in ways that a client tries again.

use crate::process::batch::{Batch, Checked, solve_spec};
use crate::process::{directory, run, serve};
use std::error::Error;
use std::time::{Duration, Instant};
use sudokud::grpc::proto::v1::{GetJobRequest, JobState};
use tonic::Code;

/// Several lives of a connection.
const LONG: Duration = Duration::from_millis(4_500);

#[test]
fn calls_survive_the_age_of_their_connection() {
    run(async {
        let data = directory();
        let (_server, mut client) = serve(data.path(), &["--max-connection-age", "1s"]).await;
        let mut batch = Batch::open(&mut client, solve_spec("a")).await.expect("a job");
        let job_id = batch.job_id();
        let calls = (0..4).map(|_| {
            let (mut jobs, job_id) = (client.jobs.clone(), job_id.clone());
            tokio::spawn(async move {
                let (begin, mut calls) = (Instant::now(), 0);
                while begin.elapsed() < LONG {
                    if let Err(status) = jobs.get_job(GetJobRequest { job_id: job_id.clone() }).await {
                        let passes = match status.code() {
                            Code::Unavailable | Code::Cancelled => true,
                            Code::Unknown | Code::Internal => status.source().is_some(),
                            _ => false,
                        };
                        println!("after {:?}: {status:?}", begin.elapsed());
                        assert!(passes, "{status:?}");
                    }
                    calls += 1;
                }
                calls
            })
        });
        let calls: Vec<_> = calls.collect();
        // The stream that was open before goes on over the connection that it began on.
        let begin = Instant::now();
        let (mut next, mut checked) = (0, Checked::mixed(0));
        while begin.elapsed() < LONG {
            assert!(batch.upload.items(next..next + 50).await, "the stream ended");
            next += 50;
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        assert!(batch.upload.finish(Some(next)).await);
        let job = batch.answers.read_to_end(&mut checked).await.expect("the stream ends well");
        assert_eq!((job.state(), checked.next), (JobState::Succeeded, next));
        for caller in calls {
            assert!(caller.await.expect("no fault that lasts") > 100);
        }
    });
}

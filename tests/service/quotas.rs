//! Bounds of what is stored: jobs and bytes of a principal, and the disk's floor. What is stored goes on, is read and
//! deleted, and others notice nothing.

use crate::access::{grant, serve as serve_all};
use crate::certificates::{Authority, Files};
use crate::limits::{limited, metric};
use crate::process::batch::{Batch, Checked, generate_spec, read_to_its_status, solve_spec};
use crate::process::client::Client;
use crate::process::server::Server;
use crate::process::{directory, run, serve};
use std::path::Path;
use std::time::Duration;
use sudokud::grpc::proto::v1::{DeleteJobRequest, GridFamily, Job, JobState, SolveRequest};
use tonic::Status;

const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

/// A server, and clients of ada and of bob.
async fn two(data: &Path, files: &Files, authority: &Authority, flags: &[&str]) -> (Server, [Client; 2]) {
    let grants = ["ada", "bob"].map(|name| grant(name, "submit,read"));
    let lines = [grants[0].1.as_str(), grants[1].1.as_str()];
    let (server, channel) = serve_all(data, files, authority, &lines, flags).await;
    (server, grants.map(|(token, _)| Client::over(channel.clone(), Some(&token))))
}

/// Cancels a job, if need be, and deletes it.
async fn remove(client: &mut Client, job_id: &str) {
    client.cancel(job_id).await;
    let request = || DeleteJobRequest { job_id: job_id.into() };
    // A job that is being cancelled ends soon.
    while let Err(status) = client.jobs.delete_job(request()).await {
        assert_eq!(status.code(), tonic::Code::FailedPrecondition, "{status:?}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

async fn refused_job(client: &mut Client, request_id: &str) -> Status {
    Batch::open(client, solve_spec(request_id)).await.err().expect("no room for a job")
}

#[test]
fn a_principal_has_so_many_jobs() {
    run(async {
        let (authority, data) = (Authority::new(), directory());
        let files = Files::of(&authority);
        let (_server, [mut ada, mut bob]) = two(data.path(), &files, &authority, &["--max-jobs=2"]).await;
        let first = Batch::open(&mut ada, solve_spec("1")).await.expect("a job").job_id();
        Batch::open(&mut ada, generate_spec("2", GridFamily::Orbit, 10, None)).await.expect("a job");
        let status = refused_job(&mut ada, "3").await;
        let retry = limited(&status, "LIMIT_REACHED", "max-jobs", "no more may be than 2: delete jobs that have ended");
        assert_eq!(retry, None, "waiting alone does not help");
        let again = Batch::open(&mut ada, solve_spec("1")).await.expect("no new job");
        assert_eq!(again.job_id(), first);
        Batch::open(&mut bob, solve_spec("3")).await.expect("bob is not concerned");
        remove(&mut ada, &first).await;
        Batch::open(&mut ada, solve_spec("3")).await.expect("there is room again");
    });
}

#[test]
fn a_principals_jobs_take_so_many_bytes() {
    const FLAGS: [&str; 3] = ["--max-stored-bytes=64KiB", "--upload-buffer-bytes=64KiB", "--chunk-items=256"];
    run(async {
        let (authority, data) = (Authority::new(), directory());
        let files = Files::of(&authority);
        let (_server, [mut ada, mut bob]) = two(data.path(), &files, &authority, &FLAGS).await;
        let Batch { mut upload, mut answers, .. } = Batch::open(&mut ada, solve_spec("u")).await.expect("a job");
        let id = answers.job.job_id.clone();
        let sending = tokio::spawn(async move { upload.endless(0, 500).await });
        let status = read_to_its_status(&mut answers, &mut Checked::mixed(0)).await;
        let retry = limited(&status, "LIMIT_REACHED", "max-stored-bytes", "may take no more than 65536: delete jobs");
        assert_eq!(retry, None, "waiting alone does not help");
        sending.await.expect("it ends with the stream");
        let stored = ada.job(&id).await.stored_count;
        assert!(stored > 0 && stored * 41 <= 2 * 65_536, "{stored} items: not past the limit by more than a buffer");

        limited(&refused_job(&mut ada, "v").await, "LIMIT_REACHED", "max-stored-bytes", "the caller's jobs take");
        let mut bobs = Batch::open(&mut bob, solve_spec("u")).await.expect("bob is not concerned");
        assert!(bobs.upload.items(0..10).await && bobs.upload.finish(None).await);
        bobs.answers.read_to_end(&mut Checked::mixed(0)).await.expect("the stream ends well");

        // What is stored is sealed, solved and read.
        let mut batch = Batch::open(&mut ada, solve_spec("u")).await.expect("the same job");
        assert!(batch.next_index == stored && batch.upload.finish(Some(stored)).await);
        let mut checked = Checked::mixed(0);
        let job = batch.answers.read_to_end(&mut checked).await.expect("the stream ends well");
        assert_eq!((checked.next, job.state()), (stored, JobState::Succeeded));
        remove(&mut ada, &id).await;
        Batch::open(&mut ada, solve_spec("v")).await.expect("there is room again");
    });
}

#[test]
fn below_the_disks_floor_nothing_new_is_taken_and_all_else_goes_on() {
    const COUNT: u32 = 20_000;
    run(async {
        let data = directory();
        let (server, mut client) = serve(data.path(), &[]).await;
        let mut sealed = Batch::open(&mut client, solve_spec("sealed")).await.expect("a job");
        let mut open = Batch::open(&mut client, solve_spec("open")).await.expect("a job");
        assert!(open.upload.items(0..10).await);
        open.answers.until_stored(10, &mut Checked::mixed(0)).await.expect("acknowledged");
        assert!(sealed.upload.all_items(0..COUNT, 1_000).await && sealed.upload.finish(Some(COUNT)).await);
        let id = sealed.job_id();
        client.job_when(&id, |job| job.total_count == Some(COUNT)).await;
        // As a crash, with work left to do.
        drop((server, client, sealed, open));

        let flags = ["--disk-floor-bytes=1048576GiB", "--admin-listen=127.0.0.1:0"];
        let (server, mut client) = serve(data.path(), &flags).await;
        for spec in [solve_spec("new"), generate_spec("made", GridFamily::Orbit, 10, None)] {
            let status = Batch::open(&mut client, spec).await.err().expect("no new jobs");
            let retry = limited(&status, "DISK_FLOOR", "disk-floor-bytes", "less than 1125899906842624 bytes free");
            assert_eq!(retry, Some(Duration::from_secs(30)));
        }
        let mut batch = Batch::open(&mut client, solve_spec("open")).await.expect("a job that is there");
        assert!(batch.upload.items(10..20).await);
        let status = read_to_its_status(&mut batch.answers, &mut Checked::mixed(0)).await;
        limited(&status, "DISK_FLOOR", "disk-floor-bytes", "no new jobs and no input");
        let puzzle = SolveRequest { puzzle: PUZZLE.into(), ..SolveRequest::default() };
        client.sudoku.solve(puzzle).await.expect("calls are answered");

        assert_eq!(client.wait(&id).await.state(), JobState::Succeeded, "what was stored goes on");
        let mut checked = Checked::mixed(0);
        checked.stream(&mut client, &id, false).await.expect("results are read");
        assert_eq!(checked.next, COUNT);
        remove(&mut client, &id).await;
        assert_eq!(metric(&server, "sudokud_disk_floor_reached"), "1");
        assert!(metric(&server, "sudokud_disk_available_bytes").parse::<f64>().is_ok_and(|bytes| bytes > 0.0));
        assert_eq!(server.log().matches("little disk is free").count(), 1, "told when it begins");
        drop((server, client, batch));

        let (_server, mut client) = serve(data.path(), &["--disk-floor-bytes=0"]).await;
        let mut batch = Batch::open(&mut client, solve_spec("open")).await.expect("a job that is there");
        assert_eq!(batch.next_index, 10);
        assert!(batch.upload.items(10..20).await && batch.upload.finish(Some(20)).await);
        let mut checked = Checked::mixed(0);
        batch.answers.read_to_end(&mut checked).await.expect("the stream ends well");
        assert_eq!(checked.next, 20);
    });
}

#[test]
fn a_generated_job_pauses_at_the_floor() {
    run(async {
        let data = directory();
        let (server, mut client) = serve(data.path(), &["--disk-floor-bytes=0"]).await;
        let endless = generate_spec("endless", GridFamily::Search, 4_000_000_000, None);
        let id = Batch::open(&mut client, endless).await.expect("a job").job_id();
        client.job_when(&id, |job| job.done_count > 0).await;
        drop((server, client));

        let (server, mut client) = serve(data.path(), &["--disk-floor-bytes=1048576GiB"]).await;
        let done_of_stored = |job: &Job| (job.done_count, job.stored_count);
        let mut before = (0, 1);
        loop {
            let now = done_of_stored(&client.job(&id).await);
            if now == before && now.0 == now.1 {
                break;
            }
            before = now;
            tokio::time::sleep(Duration::from_secs(2)).await;
        }
        drop((server, client));

        let (_server, mut client) = serve(data.path(), &["--disk-floor-bytes=0"]).await;
        client.job_when(&id, |job| job.done_count > before.0).await;
        assert_eq!(client.cancel(&id).await.job_id, id);
    });
}

//! Who may do what: no principal learns anything of another's jobs, roles hold, tokens are replaced under load.

use crate::certificates::{Authority, Files, TLS};
use crate::process::batch::{Batch, Checked, solve_spec, stream_results};
use crate::process::client::{Client, refused};
use crate::process::server::Server;
use crate::process::{directory, run};
use std::path::Path;
use std::time::Duration;
use sudokud::grpc::grants::draw;
use sudokud::grpc::proto::v1::{self, JobState, Priority};
use sudokud::job::Principal;
use tonic::transport::Channel;
use tonic::{Code, Status};

/// A token, and the line that grants it.
pub fn grant(principal: &str, roles: &str) -> (String, String) {
    draw(&Principal::new(principal).expect("a name"), roles.parse().expect("roles")).expect("randomness")
}

/// A server over TLS that takes these tokens, and a channel to it.
pub async fn serve(
    data: &Path,
    files: &Files,
    authority: &Authority,
    lines: &[&str],
    more: &[&str],
) -> (Server, Channel) {
    files.write("tokens", &lines.join("\n"));
    let flags = files.flags(&[TLS[0], TLS[1], ("tokens", "tokens")]);
    let flags: Vec<&str> = flags.iter().map(String::as_str).chain(more.iter().copied()).collect();
    let server = Server::try_start(data, &flags).unwrap_or_else(|refused| panic!("{}", refused.log));
    let channel = authority.connect(server.address(), None).await.expect("TLS");
    (server, channel)
}

/// What a client is told of a job by every call about one.
async fn told(client: &mut Client, job_id: &str) -> Vec<Status> {
    let id = || job_id.to_owned();
    let jobs = &mut client.jobs;
    let mut told = vec![
        jobs.get_job(v1::GetJobRequest { job_id: id() }).await.expect_err("get"),
        jobs.watch_job(v1::WatchJobRequest { job_id: id() }).await.expect_err("watch"),
        jobs.cancel_job(v1::CancelJobRequest { job_id: id() }).await.expect_err("cancel"),
        jobs.delete_job(v1::DeleteJobRequest { job_id: id() }).await.expect_err("delete"),
    ];
    for follow in [false, true] {
        told.push(stream_results(client, job_id, 0, follow).await.expect_err("stream"));
    }
    told
}

async fn list(client: &mut Client) -> Vec<String> {
    let answer = client.jobs.list_jobs(v1::ListJobsRequest::default()).await.expect("ListJobs").into_inner();
    answer.jobs.into_iter().map(|job| job.job_id).collect()
}

#[test]
fn nobody_learns_of_anothers_job() {
    run(async {
        let (authority, data) = (Authority::new(), directory());
        let files = Files::of(&authority);
        let [ada, bob, eve] =
            [("ada", "submit,read"), ("bob", "submit,read"), ("eve", "admin")].map(|(p, r)| grant(p, r));
        let (server, channel) =
            serve(data.path(), &files, &authority, &[&ada.1, &bob.1, &eve.1], &["--log=debug"]).await;
        let [mut a, mut b, mut admin] =
            [&ada, &bob, &eve].map(|(token, _)| Client::over(channel.clone(), Some(token.as_str())));
        let mut batch = Batch::open(&mut b, solve_spec("same")).await.expect("bob's job");
        assert!(batch.upload.items(0..100).await);
        batch.answers.until_stored(100, &mut Checked::mixed(0)).await.expect("acknowledged");
        let id = batch.job_id();

        // Word for word what is told of a job that never was.
        let never = "0f8fad5b-d9cb-469f-a165-70867728950e";
        let (others, none) = (told(&mut a, &id).await, told(&mut a, never).await);
        for (other, none) in others.iter().zip(&none) {
            refused(other, Code::NotFound, "JOB_NOT_FOUND");
            assert_eq!((other.code(), other.message().replace(&id, never)), (none.code(), none.message().to_owned()));
        }
        assert_eq!(list(&mut a).await, Vec::<String>::new());
        // The same request id is another job, and bob's upload goes on.
        let own = Batch::open(&mut a, solve_spec("same")).await.expect("ada's job");
        assert!(own.job_id() != id && own.next_index == 0);
        assert_eq!(list(&mut a).await, [own.job_id()]);
        assert!(batch.upload.items(100..200).await && batch.upload.finish(Some(200)).await);
        let mut bobs = Checked::mixed(0);
        bobs.stream(&mut b, &id, true).await.expect("bob reads");
        assert_eq!((bobs.next, b.job(&id).await.state()), (200, JobState::Succeeded));

        assert_eq!(list(&mut admin).await, [own.job_id(), id.clone()]);
        let mut checked = Checked::mixed(0);
        checked.stream(&mut admin, &id, false).await.expect("an admin reads");
        assert_eq!(checked.next, 200);
        assert_eq!(admin.cancel(&own.job_id()).await.state(), JobState::Cancelled);
        let log = server.log();
        assert!([&ada.0, &bob.0, &eve.0].iter().all(|token| !log.contains(token.as_str())), "a token is in the log");
    });
}

#[test]
fn a_lacking_role_is_named() {
    run(async {
        let (authority, data) = (Authority::new(), directory());
        let files = Files::of(&authority);
        let (reader, writer) = (grant("ada", "read"), grant("ada", "submit"));
        let (_server, channel) =
            serve(data.path(), &files, &authority, &[&reader.1, &writer.1], &["--log=debug"]).await;
        let mut reader = Client::over(channel.clone(), Some(&reader.0));
        let mut writer = Client::over(channel, Some(&writer.0));
        let lacks = |status: &Status, role: &str| {
            let details = refused(status, Code::PermissionDenied, "ROLE_MISSING");
            assert_eq!(details.error_info().expect("a reason").metadata["role"], role);
        };
        lacks(&Batch::open(&mut reader, solve_spec("r")).await.err().expect("no submit"), "submit");
        let high = v1::BatchSpec { priority: Priority::High.into(), ..solve_spec("h") };
        lacks(&Batch::open(&mut writer, high).await.err().expect("no grant"), "high-priority");
        let batch = Batch::open(&mut writer, solve_spec("w")).await.expect("may submit");
        let request = || v1::GetJobRequest { job_id: batch.job_id() };
        lacks(&writer.jobs.get_job(request()).await.expect_err("no read"), "read");
        assert_eq!(reader.job(&batch.job_id()).await.job_id, batch.job_id());
        let cancel = v1::CancelJobRequest { job_id: batch.job_id() };
        lacks(&reader.jobs.cancel_job(cancel).await.expect_err("no submit"), "submit");
    });
}

#[test]
fn tokens_are_replaced_without_a_failed_call() {
    run(async {
        let (authority, data) = (Authority::new(), directory());
        let files = Files::of(&authority);
        let (stays, goes, comes) = (grant("ada", "read"), grant("bob", "read"), grant("eve", "read"));
        let (_server, channel) = serve(data.path(), &files, &authority, &[&stays.1, &goes.1], &["--log=debug"]).await;
        let client = |token: &str| Client::over(channel.clone(), Some(token));
        let (mut ada, mut bob, mut eve) = (client(&stays.0), client(&goes.0), client(&comes.0));
        list(&mut bob).await;
        files.write("tokens", &format!("{}\n{}\n", stays.1, comes.1));
        let listing = v1::ListJobsRequest::default;
        while eve.jobs.list_jobs(listing()).await.is_err() {
            // Whoever stays notices nothing; the test's own limit ends this otherwise.
            list(&mut ada).await;
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        list(&mut ada).await;
        let gone = bob.jobs.list_jobs(listing()).await.expect_err("no longer granted");
        refused(&gone, Code::Unauthenticated, "CREDENTIALS_INVALID");
    });
}

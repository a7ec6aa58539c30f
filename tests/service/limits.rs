//! Bounds of calls: each refusal names its limit and what helps, and nobody else notices.

use crate::access::{grant, serve as serve_all};
use crate::certificates::{Authority, Files};
use crate::process::batch::{Batch, Checked, solve_spec};
use crate::process::client::{Client, refused, refused_field};
use crate::process::server::Server;
use crate::process::{directory, run, serve};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;
use sudokud::grpc::proto::v1::{self, Outcome, SolveRequest, generate_request};
use tonic::{Code, Status};

/// Checks a refusal that names its limit by the setting; tells when to try again, if that helps.
#[track_caller]
pub fn limited(status: &Status, reason: &str, setting: &str, words: &str) -> Option<Duration> {
    let details = refused(status, Code::ResourceExhausted, reason);
    assert_eq!(details.error_info().expect("a reason").metadata["limit"], setting, "{status:?}");
    let quota = details.quota_failure().expect("a QuotaFailure");
    assert_eq!(quota.violations[0].subject, setting, "{status:?}");
    let message = status.message();
    assert!(message.contains(words) && message.contains(&format!("(limit: {setting})")), "{words:?}: {message}");
    details.retry_info().and_then(|retry| retry.retry_delay)
}

/// Where the server's side port listens, by its log.
fn side(server: &Server, port: &str) -> String {
    let log = server.log();
    let ready = log.lines().find(|line| line.contains("\"ready\"")).expect("a ready line");
    let event: serde_json::Value = serde_json::from_str(ready).expect("JSON");
    event[port].as_str().expect("an address").to_owned()
}

/// A line of the server's metrics, without its name and labels.
pub fn metric(server: &Server, line: &str) -> String {
    let mut stream = TcpStream::connect(side(server, "admin")).expect("the admin port");
    stream.write_all(b"GET /metrics HTTP/1.1\r\nHost: t\r\nConnection: close\r\n\r\n").expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    let found = answer.lines().find_map(|found| found.strip_prefix(line));
    found.unwrap_or_else(|| panic!("{line} is not in\n{answer}")).trim().to_owned()
}

fn counting(node_limit: Option<u64>) -> SolveRequest {
    let (puzzle, count_limit) = (".".repeat(81), Some(1_000_000_000));
    SolveRequest { puzzle, count_limit, node_limit, ..SolveRequest::default() }
}

#[test]
fn a_unary_call_is_bounded_in_nodes_and_time() {
    run(async {
        let data = directory();
        let flags = ["--solve-time-limit=300ms", "--max-solve-node-limit=1000000000"];
        let (_server, mut client) = serve(data.path(), &flags).await;
        let answer = client.sudoku.solve(counting(Some(1_000_000_000))).await.expect("what was found").into_inner();
        assert_eq!((answer.outcome(), answer.solution_count_exact), (Outcome::Multiple, false));
        assert!(answer.solutions.len() == 2 && answer.solution_count > 2, "{answer:?}");
        let status = client.sudoku.solve(counting(Some(1_000_000_001))).await.expect_err("too many nodes");
        refused_field(&status, "INVALID_FIELD", "node_limit", "at most 1000000000 (max-solve-node-limit)");

        let level = v1::Level::Extreme.into();
        let wish = v1::PuzzleSpec { level, ..v1::PuzzleSpec::default() };
        let spec = Some(generate_request::Spec::Puzzle(wish));
        let request = v1::GenerateRequest { spec, count: 1_000, seed: Some(1) };
        let status = client.sudoku.generate(request).await.expect_err("it takes seconds");
        let retry = limited(&status, "LIMIT_REACHED", "solve-time-limit", "1000 items were not made in the 300ms");
        assert_eq!(retry, None, "the same would take as long again");
    });
}

#[test]
fn a_message_over_the_limit_names_it() {
    run(async {
        let data = directory();
        let (_server, mut client) = serve(data.path(), &["--max-message-bytes=1MiB"]).await;
        let puzzle = "1".repeat(2 << 20);
        let status = client.sudoku.solve(SolveRequest { puzzle, ..SolveRequest::default() }).await.expect_err("2 MiB");
        assert_eq!(limited(&status, "MESSAGE_TOO_LARGE", "max-message-bytes", "1048576 bytes"), None);
    });
}

/// What the server sends first on a new connection; nothing where it closes it.
fn greeting(address: &str) -> Option<u8> {
    let mut stream = TcpStream::connect(address).expect("the system takes it");
    stream.set_read_timeout(Some(Duration::from_secs(20))).expect("set");
    let mut first = [0];
    // HTTP/2's preface: a server that keeps the connection answers with its settings.
    stream.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0").ok();
    match stream.read(&mut first) {
        Ok(0) => None,
        Ok(_) => Some(first[0]),
        Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => None,
        Err(error) => panic!("neither answered nor closed: {error}"),
    }
}

#[test]
fn connections_beyond_the_limit_are_closed_and_the_others_go_on() {
    run(async {
        let data = directory();
        let flags = ["--max-connections=2", "--admin-listen=127.0.0.1:0"];
        let (server, mut client) = serve(data.path(), &flags).await;
        let second = Client::connect(server.address()).await;
        let mut batch = Batch::open(&mut client, solve_spec("c")).await.expect("a job");
        for _ in 0..50 {
            assert_eq!(greeting(server.address()), None);
        }
        assert!(batch.upload.items(0..10).await, "a stream goes on");
        assert_eq!(
            client.sudoku.solve(counting(Some(9))).await.expect("a call goes on").into_inner().solution_count,
            0
        );
        assert_eq!(metric(&server, "sudokud_connections_refused_total{port=\"api\"}"), "50");
        assert_eq!(metric(&server, "sudokud_connections_open{port=\"api\"}"), "2");
        assert_eq!(server.log().matches("connections are closed at once").count(), 1, "once in a while");
        drop(second);
        while greeting(server.address()).is_none() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    });
}

#[test]
fn calls_a_second_are_each_principals_own() {
    run(async {
        let (authority, data) = (Authority::new(), directory());
        let files = Files::of(&authority);
        let (ada, bob) = (grant("ada", "submit,read"), grant("bob", "submit,read"));
        let flags = ["--calls-per-second=5", "--without-credentials=all", "--reflection"];
        let (_server, channel) = serve_all(data.path(), &files, &authority, &[&ada.1, &bob.1], &flags).await;
        let [mut a, mut b] = [&ada, &bob].map(|(token, _)| Client::over(channel.clone(), Some(token.as_str())));
        let mut health = tonic_health::pb::health_client::HealthClient::new(channel);
        let list = v1::ListJobsRequest::default;
        let refusal = loop {
            health.check(tonic_health::pb::HealthCheckRequest::default()).await.expect("health is not counted");
            match a.jobs.list_jobs(list()).await {
                Ok(_) => {}
                Err(status) => break status,
            }
        };
        let retry = limited(&refusal, "LIMIT_REACHED", "calls-per-second", "more than 5 calls a second");
        let retry = retry.expect("waiting helps");
        assert!(retry <= Duration::from_millis(200), "{retry:?}");
        b.jobs.list_jobs(list()).await.expect("bob is not concerned");
        tokio::time::sleep(retry).await;
        a.jobs.list_jobs(list()).await.expect("as told");
    });
}

#[test]
fn calls_and_streams_that_are_open_are_bounded() {
    run(async {
        let data = directory();
        let flags = ["--max-open-calls=2", "--max-open-streams=1"];
        let (_server, mut client) = serve(data.path(), &flags).await;
        let mut batch = Batch::open(&mut client, solve_spec("o")).await.expect("a job");
        let status = Batch::open(&mut client, solve_spec("p")).await.err().expect("a second stream");
        let retry = limited(&status, "LIMIT_REACHED", "max-open-streams", "1 streaming calls are open");
        assert_eq!(retry, Some(Duration::from_secs(5)));
        let long = |client: &Client| {
            let mut sudoku = client.sudoku.clone();
            tokio::spawn(async move { sudoku.solve(counting(Some(1_000_000_000))).await })
        };
        let mut call = long(&client);
        let refusal = loop {
            match client.jobs.list_jobs(v1::ListJobsRequest::default()).await {
                // It came while the other was open, and was the one refused.
                Ok(_) if call.is_finished() => call = long(&client),
                Ok(_) => tokio::time::sleep(Duration::from_millis(5)).await,
                Err(status) => break status,
            }
        };
        let retry = limited(&refusal, "LIMIT_REACHED", "max-open-calls", "2 calls are open, and no more may be");
        assert_eq!(retry, Some(Duration::from_secs(1)));
        assert!(batch.upload.items(0..10).await && batch.upload.finish(None).await, "what is open goes on");
        call.abort();
        let job = batch.answers.read_to_end(&mut Checked::mixed(0)).await.expect("the stream ends well");
        assert_eq!(job.done_count, 10);
    });
}

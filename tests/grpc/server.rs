//! The ports and the end of a server: what may be bound, metrics and probes, the drain, deadlines on the wire.

use crate::puzzles::{PUZZLE, lines};
use crate::rig::{PATIENCE, Rig, Setup, connect, reason};
use crate::stream::{Batch, solving, text};
use prost::Message;
use std::net::SocketAddr;
use std::time::Duration;
use sudokud::grpc::proto::v1::{JobState, SolveRequest, StreamResultsRequest, WatchJobRequest};
use sudokud::grpc::{self, ServeError};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tonic::{Code, Status};
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::{HealthCheckRequest, health_client::HealthClient};
use tonic_types::StatusExt;

#[tokio::test]
async fn an_address_others_reach_must_be_asked_for() {
    let everyone = grpc::Options { listen: SocketAddr::from(([0, 0, 0, 0], 0)), ..Setup::default().grpc };
    let refused = grpc::server::bind(&everyone).await.err().expect("exposed");
    assert!(matches!(refused, ServeError::Exposed(_)));
    assert!(refused.to_string().contains("--insecure"), "{refused}");
    let server = grpc::server::bind(&grpc::Options { insecure: true, ..everyone }).await.expect("asked for");
    let taken = grpc::Options { listen: server.bound().api, insecure: true, ..Setup::default().grpc };
    let refused = grpc::server::bind(&taken).await.err().expect("taken");
    assert!(refused.to_string().starts_with("cannot listen on 0.0.0.0:"), "{refused}");
}

/// The body that an HTTP/1 GET brings, after its status line.
async fn get(address: SocketAddr, path: &str) -> (String, String) {
    let mut stream = TcpStream::connect(address).await.expect("connect");
    let request = format!("GET {path} HTTP/1.1\r\nHost: sudokud\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.expect("sent");
    let mut answer = String::new();
    timeout(PATIENCE, stream.read_to_string(&mut answer)).await.expect("in time").expect("an answer");
    let (head, body) = answer.split_once("\r\n\r\n").expect("a head and a body");
    (head.lines().next().expect("a status line").into(), body.into())
}

#[tokio::test]
async fn probes_and_metrics_have_their_own_ports() {
    let loopback = Some(SocketAddr::from(([127, 0, 0, 1], 0)));
    let mut setup = Setup::default();
    (setup.grpc.admin_listen, setup.grpc.health_listen) = (loopback, loopback);
    let rig = Rig::with(setup).await;
    let admin = rig.bound.admin.expect("bound");
    assert_eq!(get(admin, "/healthz").await, ("HTTP/1.1 200 OK".into(), "ok\n".into()));
    assert_eq!(get(admin, "/readyz").await, ("HTTP/1.1 200 OK".into(), "ready\n".into()));
    assert_eq!(get(admin, "/metrics").await.0, "HTTP/1.1 200 OK");
    assert_eq!(get(admin, "/other").await.0, "HTTP/1.1 404 Not Found");
    let mut health = HealthClient::new(connect(rig.bound.health.expect("bound")).await);
    let answer = health.check(HealthCheckRequest::default()).await.expect("checked").into_inner();
    assert_eq!(answer.status(), ServingStatus::Serving);
    rig.stop().await;
}

#[tokio::test]
async fn a_drain_ends_streams_so_that_they_can_be_resumed() {
    let loopback = Some(SocketAddr::from(([127, 0, 0, 1], 0)));
    let mut setup = Setup { batch_threads: 0, ..Setup::default() };
    (setup.grpc.admin_listen, setup.grpc.health_listen) = (loopback, loopback);
    let mut rig = Rig::with(setup).await;
    let mut health = HealthClient::new(connect(rig.bound.health.expect("bound")).await);
    let mut told = health.watch(HealthCheckRequest::default()).await.expect("watched").into_inner();
    assert_eq!(told.message().await.expect("told").expect("one").status(), ServingStatus::Serving);

    let (mut batch, job, _) = Batch::open(&rig, solving("drained")).await;
    batch.send(text(None, lines(0..5))).await;
    batch.stored(5).await;
    let watching = WatchJobRequest { job_id: job.job_id.clone() };
    let mut watch = rig.jobs.watch_job(watching).await.expect("watched").into_inner();
    watch.message().await.expect("at once");
    let following = StreamResultsRequest { job_id: job.job_id, follow: true, ..StreamResultsRequest::default() };
    let mut results = rig.jobs.stream_results(following).await.expect("results").into_inner();

    rig.shutdown.now();
    assert_eq!(told.message().await.expect("told").expect("one").status(), ServingStatus::NotServing);
    let mut ended = vec![batch.ended().await];
    ended.push(timeout(PATIENCE, watch.message()).await.expect("in time").expect_err("drained"));
    ended.push(timeout(PATIENCE, results.message()).await.expect("in time").expect_err("drained"));
    for status in ended {
        assert_eq!((status.code(), reason(&status)), (Code::Unavailable, "DRAINING".into()));
        assert!(status.get_details_retry_info().is_some_and(|retry| retry.retry_delay.is_some()));
    }
    rig.stop().await;
}

#[tokio::test]
async fn a_client_that_reads_nothing_holds_no_drain_for_ever() {
    let rig = Rig::with(Setup { drain_timeout: Duration::from_millis(300), ..Setup::default() }).await;
    let (mut batch, job, _) = Batch::open(&rig, solving("stuck")).await;
    batch.send(text(None, lines(0..20_000))).await;
    batch.stored(1).await;
    rig.job_when(&job.job_id, |job| job.done_count > 0 && job.state() == JobState::Uploading).await;
    // More results than the window holds, and nobody reads them.
    rig.stop().await;
}

/// One call over bare HTTP/2, so that no client of ours minds the deadline: the status that the server sends.
async fn bare(address: SocketAddr, request: &SolveRequest, deadline: &str) -> Status {
    let stream = TcpStream::connect(address).await.expect("connect");
    let (client, connection) = h2::client::handshake(stream).await.expect("handshake");
    let connection = tokio::spawn(connection);
    let head = tonic::codegen::http::Request::post(format!("http://{address}/sudoku.v1.SudokuService/Solve"))
        .header("content-type", "application/grpc")
        .header("te", "trailers")
        .header("grpc-timeout", deadline)
        .body(())
        .expect("a request");
    let mut client = client.ready().await.expect("ready");
    let (answer, mut body) = client.send_request(head, false).expect("sent");
    let message = request.encode_to_vec();
    let mut framed = vec![0];
    framed.extend((message.len() as u32).to_be_bytes());
    framed.extend(message);
    body.send_data(framed.into(), true).expect("sent");
    let answer = timeout(PATIENCE, answer).await.expect("in time").expect("an answer");
    // A call without an answer has its status in the head.
    let status = Status::from_header_map(answer.headers()).expect("a status in the head");
    drop(client);
    connection.abort();
    status
}

#[tokio::test]
async fn a_deadline_stops_the_search_and_says_so() {
    let rig = Rig::start().await;
    // Counts for minutes unless it is stopped.
    let puzzle = ".".repeat(81);
    let (count_limit, node_limit) = (Some(1_000_000_000), Some(1_000_000_000));
    let endless = SolveRequest { puzzle, max_solutions: None, count_limit, node_limit };
    let status = bare(rig.bound.api, &endless, "200m").await;
    assert_eq!((status.code(), reason(&status)), (Code::DeadlineExceeded, "DEADLINE_EXCEEDED".into()));
    // The lane is free again.
    let quick = SolveRequest { puzzle: PUZZLE.into(), ..SolveRequest::default() };
    let answer = rig.sudoku.clone().solve(quick).await.expect("solved").into_inner();
    assert_eq!(answer.solution_count, 1);
    rig.stop().await;
}

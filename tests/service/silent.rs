//! Clients that say nothing, or not all: none keeps its connection for ever, none holds up the end of a server.

use crate::process::{directory, run, serve};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tonic::codegen::http::{self, HeaderMap};

/// Much longer than a connection may be silent, or a drain take without calls; much shorter than the drain's limit here.
const SOON: Duration = Duration::from_secs(30);
/// A server that waits for what never comes takes so long to end.
const DRAIN: [&str; 2] = ["--drain-timeout", "100s"];
/// HTTP/2's client preface (RFC 9113, 3.4) with empty SETTINGS.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";

#[test]
fn a_connection_that_says_nothing_is_closed() {
    run(async {
        let data = directory();
        let more = ["--health-listen", "127.0.0.1:0"];
        let (server, _client) = serve(data.path(), &more).await;
        let log = server.log();
        let ready = log.lines().find(|line| line.contains("\"ready\"")).expect("it is ready");
        let ready: serde_json::Value = serde_json::from_str(ready).expect("JSON");
        let health = ready["health"].as_str().expect("its address").to_owned();
        for address in [server.address(), &health] {
            for words in [&b""[..], &PREFACE[..20]] {
                let mut silent = TcpStream::connect(address).await.expect("a connection");
                silent.write_all(words).await.expect("sent");
                let mut rest = Vec::new();
                // Closed or reset: both are an end.
                let ended = timeout(SOON, silent.read_to_end(&mut rest)).await;
                ended.expect("the server closes it").ok();
            }
        }
    });
}

#[test]
fn connections_without_calls_do_not_hold_up_the_end() {
    run(async {
        for words in [&b""[..], PREFACE] {
            let data = directory();
            let (mut server, client) = serve(data.path(), &DRAIN).await;
            drop(client);
            let mut silent = TcpStream::connect(server.address()).await.expect("a connection");
            silent.write_all(words).await.expect("sent");
            // The server has taken it.
            tokio::time::sleep(Duration::from_millis(200)).await;
            let begin = Instant::now();
            server.terminate();
            assert_eq!(server.wait(SOON).map(|status| status.code()), Some(Some(0)), "{}", server.log());
            assert!(begin.elapsed() < SOON);
        }
    });
}

/// A call whose request never ends, and what its answer says.
async fn half_a_call(address: &str) -> HeaderMap {
    let stream = TcpStream::connect(address).await.expect("a connection");
    let (client, connection) = h2::client::handshake(stream).await.expect("HTTP/2");
    tokio::spawn(async move {
        // It ends with its server.
        connection.await.ok();
    });
    let uri = format!("http://{address}/sudoku.v1.SudokuService/Solve");
    let request = http::Request::post(uri).header("content-type", "application/grpc").header("te", "trailers");
    let mut client = client.ready().await.expect("room");
    let (answer, _body) = client.send_request(request.body(()).expect("a request"), false).expect("sent");
    answer.await.expect("an answer").headers().clone()
}

#[test]
fn a_call_that_is_not_complete_is_told_of_the_end() {
    run(async {
        let data = directory();
        let (mut server, client) = serve(data.path(), &DRAIN).await;
        drop(client);
        let address = server.address().to_owned();
        let call = tokio::spawn(async move { half_a_call(&address).await });
        tokio::time::sleep(Duration::from_millis(500)).await;
        server.terminate();
        let headers = timeout(SOON, call).await.expect("it is told").expect("no panic");
        // UNAVAILABLE.
        assert_eq!(headers.get("grpc-status").map(|status| status.as_bytes()), Some(&b"14"[..]), "{headers:?}");
        assert_eq!(server.wait(SOON).map(|status| status.code()), Some(Some(0)), "{}", server.log());
    });
}

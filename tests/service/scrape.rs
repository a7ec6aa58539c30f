//! `/metrics` of a real server after some work: everything that is described is there, and the numbers are right.

#[path = "../metrics/described.rs"]
mod described;

use crate::process::batch::{Batch, Checked, generate_spec, solve_spec};
use crate::process::client::Client;
use crate::process::server::Server;
use crate::process::{directory, puzzles, run, serve};
use described::Described;
use std::time::{Duration, Instant};
use sudokud::grpc::proto::v1::{GridFamily, SolveRequest};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// What only certain set-ups show: TLS, and another branch of work.
const ABSENT: [&str; 1] = ["sudokud_tls_certificate_not_after_seconds"];

/// The numbers that a server shows now.
pub struct Scrape(String);

impl Scrape {
    /// Reads them.
    pub async fn of(server: &Server) -> Scrape {
        let admin = admin(server);
        let mut stream = TcpStream::connect(&admin).await.expect("the admin port listens");
        stream.write_all(b"GET /metrics HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").await.expect("asked");
        let mut text = String::new();
        stream.read_to_string(&mut text).await.expect("answered");
        let (head, body) = text.split_once("\r\n\r\n").expect("a head and a body");
        assert!(head.starts_with("HTTP/1.1 200"), "{head}");
        Scrape(body.to_owned())
    }

    /// The value of a series, written as in the text; 0 where it is not there.
    pub fn value(&self, series: &str) -> f64 {
        let line = self.0.lines().find_map(|line| line.strip_prefix(series)?.strip_prefix(' '));
        line.map_or(0.0, |value| value.trim().parse().expect("a number"))
    }
}

/// Where its ready line says that metrics are.
fn admin(server: &Server) -> String {
    let events = server.log();
    let mut events = events.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let ready = events.find(|event| event["message"] == "ready").expect("a ready line");
    ready["admin"].as_str().expect("an address").to_owned()
}

async fn work(client: &mut Client, request_id: &str, items: u32) {
    let mut batch = Batch::open(client, solve_spec(request_id)).await.expect("a job");
    assert!(batch.upload.items(0..items).await && batch.upload.finish(Some(items)).await);
    batch.answers.read_to_end(&mut Checked::mixed(0)).await.expect("results");
}

#[test]
fn everything_described_is_there_and_right() {
    run(async {
        let data = directory();
        let (server, mut client) = serve(data.path(), &["--admin-listen", "127.0.0.1:0", "--threads", "3"]).await;
        for _ in 0..5 {
            let puzzle = puzzles::mixed(0).line;
            client.sudoku.solve(SolveRequest { puzzle, ..SolveRequest::default() }).await.expect("solved");
        }
        work(&mut client, "a", 20_000).await;
        let spec = generate_spec("g", GridFamily::Orbit, 500, Some(7));
        let generated = Batch::open(&mut client, spec).await.expect("a job").job_id();
        client.wait(&generated).await;
        let scrape = Scrape::of(&server).await;

        let all = described::all();
        let shown = |metric: &&Described| {
            let Described { name, kind, help } = metric;
            let head = format!("# HELP {name} {help}\n# TYPE {name} {kind}\n");
            scrape.0.contains(&head) && metric.series().iter().all(|series| scrape.0.contains(&format!("\n{series}")))
        };
        let missing: Vec<&str> = all.iter().filter(|m| !shown(m)).map(|metric| metric.name.as_str()).collect();
        assert_eq!(missing, ABSENT, "{}", scrape.0);

        let described: Vec<&str> = all.iter().map(|metric| metric.name.as_str()).collect();
        let names = scrape.0.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split(' ').next());
        let strays: Vec<&str> = names.filter(|name| !described.contains(name)).collect();
        assert_eq!(strays, Vec::<&str>::new(), "shown and not described");

        let solve = r#"method="sudoku.v1.SudokuService/Solve""#;
        let submit = r#"method="sudoku.v1.SudokuService/SubmitBatch""#;
        let sent: usize = (0..20_000).map(|i| puzzles::mixed(i).line.len() + 1).sum();
        let unique: f64 = (0..20_000).filter(|i| !puzzles::mixed(*i).solution.is_empty()).count() as f64;
        for (series, value) in [
            (&format!(r#"sudokud_grpc_calls_total{{{solve},code="OK"}}"#), 5.0),
            (&format!("sudokud_grpc_call_seconds_count{{{solve}}}"), 5.0),
            (&format!("sudokud_grpc_calls_open{{{submit}}}"), 0.0),
            (&r#"sudokud_items_total{lane="interactive",work="solve",outcome="unique"}"#.into(), 5.0),
            (&r#"sudokud_items_total{lane="batch",work="solve",outcome="unique"}"#.into(), unique),
            (&r#"sudokud_jobs{state="SUCCEEDED"}"#.into(), 2.0),
            (&r#"sudokud_jobs_ended_total{state="SUCCEEDED"}"#.into(), 2.0),
            (&r#"sudokud_solver_seconds_count{lane="interactive"}"#.into(), 5.0),
            (&"sudokud_batch_threads".into(), 3.0),
            (&"sudokud_backlog_items".into(), 0.0),
            (&"sudokud_draining".into(), 0.0),
            (&"sudokud_chunk_failures_total".into(), 0.0),
        ] {
            assert_eq!(scrape.value(series), value, "{series} in\n{}", scrape.0);
        }
        for (series, least) in [
            (&format!("sudokud_grpc_received_bytes_total{{{submit}}}"), sent as f64),
            (&format!("sudokud_grpc_sent_bytes_total{{{submit}}}"), unique * 82.0),
            (&r#"sudokud_store_written_bytes_total{payload="input"}"#.into(), 20_000.0 * 41.0),
            (&r#"sudokud_store_seconds_count{operation="put_chunks"}"#.into(), 1.0),
            (&r#"sudokud_store_sync_seconds_count{file="log"}"#.into(), 3.0),
            (&r#"sudokud_chunks_total{result="stored"}"#.into(), 3.0),
            (&"process_resident_memory_bytes".into(), 1e6),
        ] {
            assert!(scrape.value(series) >= least, "{series} is {}", scrape.value(series));
        }
    });
}

#[test]
fn a_thousand_jobs_do_not_make_it_slow() {
    const JOBS: u32 = 1_000;
    run(async {
        let data = directory();
        let more = ["--admin-listen", "127.0.0.1:0", "--threads", "1", "--log", "warn,sudokud::app=info"];
        let (server, mut client) = serve(data.path(), &more).await;
        for job in 0..JOBS {
            let mut batch = Batch::open(&mut client, solve_spec(&job.to_string())).await.expect("a job");
            // Its upload goes on later: it is a live job.
            assert!(batch.upload.items(0..2).await);
        }
        let begin = Instant::now();
        let scrape = Scrape::of(&server).await;
        let took = begin.elapsed();
        eprintln!("a scrape over {JOBS} live jobs takes {took:?}");
        assert!(took < Duration::from_secs(1), "{took:?}");
        assert_eq!(scrape.value(r#"sudokud_jobs{state="UPLOADING"}"#), f64::from(JOBS));
    });
}

#[test]
fn what_a_crash_leaves_is_counted() {
    run(async {
        let data = directory();
        let slow = ["--threads", "1", "--kernel", "reference", "--chunk-items", "512"];
        let (server, mut client) = serve(data.path(), &slow).await;
        let mut batch = Batch::open(&mut client, solve_spec("crash")).await.expect("a job");
        assert!(batch.upload.items(0..20_000).await);
        batch.answers.until_checked(1_000, &mut Checked::mixed(0)).await.expect("results");
        drop(server);
        let (server, _client) = serve(data.path(), &[&slow[..], &["--admin-listen", "127.0.0.1:0"]].concat()).await;
        let mut scrape = Scrape::of(&server).await;
        assert!(scrape.value("sudokud_chunk_crashes_total") >= 1.0, "a chunk was in work");
        while scrape.value("sudokud_chunk_reruns_total") < 1.0 {
            scrape = Scrape::of(&server).await;
        }
    });
}

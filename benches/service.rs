//! A real server, end to end, beside the same puzzles solved in process.
//!
//! `cargo bench --bench service -- [FILE] [--puzzles N] [--rounds N] [--unread N]`. FILE holds one puzzle a line
//! and is repeated until there are N puzzles (unset: once); without it, puzzles are made by masking generated
//! grids. Prints a tab-separated table: what, value, unit; rates are the best of the rounds. The client, on the
//! same machine, takes its share of the cores; on a busy machine trust the processor times. `--unread N` adds a job
//! of N puzzles whose client reads nothing.

#[path = "service/args.rs"]
mod args;
#[path = "service/client.rs"]
mod client;
#[path = "service/in_process.rs"]
mod in_process;
#[path = "service/processor.rs"]
mod processor;
#[path = "../tests/process/server.rs"]
mod server;

use args::Args;
use client::Client;
use server::Server;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Puzzles whose single calls are timed.
const CALLS: usize = 4_000;

fn main() {
    let args = Args::read();
    let lines = Arc::new(args.lines());
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    println!("what\tvalue\tunit");
    row("puzzles", lines.len() as f64, "");
    runtime.block_on(throughput(&args, &lines));
    runtime.block_on(latency(&lines));
    if args.unread > 0 {
        runtime.block_on(unread(&args, &lines));
    }
}

/// End to end against in process, round by round, so that both meet the same machine.
async fn throughput(args: &Args, lines: &Arc<Vec<String>>) {
    let data = tempfile::tempdir().expect("a temporary directory");
    let (server, client) = start(data.path()).await;
    let grids = in_process::parse(lines);
    let (mut alone, mut served) = (0f64, 0f64);
    let mut spent = [Duration::ZERO; 3];
    for _ in 0..args.rounds {
        let (rate, ours) = processor::timed(async { in_process::solve(&grids) }).await;
        alone = alone.max(rate);
        spent[0] += ours;
        let before = processor::time(&server.id().to_string());
        let (rate, ours) = processor::timed(client.round_trip(lines)).await;
        served = served.max(rate);
        spent[1] += processor::time(&server.id().to_string()) - before;
        spent[2] += ours;
    }
    row("in process, all cores", alone, "puzzles/s");
    row("end to end", served, "puzzles/s");
    row("end to end / in process", served / alone, "");
    for (what, spent) in ["in process", "server", "client"].iter().zip(spent) {
        let millions = (args.rounds * lines.len()) as f64 / 1e6;
        row(&format!("processor time, {what}"), spent.as_secs_f64() * 1e3 / millions, "ms/million");
    }
    row("peak memory of the server", mebibytes(&server), "MiB");
    end(server).await;
}

/// Single calls, one after the other: on an idle server, then under a batch that never ends.
async fn latency(lines: &Arc<Vec<String>>) {
    let data = tempfile::tempdir().expect("a temporary directory");
    let (server, client) = start(data.path()).await;
    client.solve_times(lines, CALLS / 4).await;
    percentiles("unary Solve, idle", client.solve_times(lines, CALLS).await);
    let batch = tokio::spawn({
        let (client, lines) = (client.clone(), Arc::clone(lines));
        async move {
            loop {
                client.round_trip(&lines).await;
            }
        }
    });
    tokio::time::sleep(Duration::from_millis(500)).await;
    percentiles("unary Solve, under a batch", client.solve_times(lines, CALLS).await);
    batch.abort();
    // An abort is how it ends.
    batch.await.expect_err("it never ends by itself");
    client.start_endless().await;
    percentiles("unary Solve, under a generating job", client.solve_times(lines, CALLS).await);
    end(server).await;
}

/// A large job whose client reads nothing: the server's memory must not grow with it.
async fn unread(args: &Args, lines: &Arc<Vec<String>>) {
    let data = tempfile::tempdir().expect("a temporary directory");
    let (server, client) = start(data.path()).await;
    row("unread", args.unread as f64, "puzzles");
    row("unread, uploaded and solved", client.unread(lines, args.unread).await, "puzzles/s");
    row("unread, peak memory of the server", mebibytes(&server), "MiB");
    end(server).await;
}

async fn start(data: &Path) -> (Server, Client) {
    let server = Server::try_start(data, &["--log", "warn,sudokud=info", "--batch-priority", "idle"]);
    let server = server.unwrap_or_else(|refused| panic!("{}: {}", refused.status, refused.log));
    let client = Client::connect(server.address()).await;
    (server, client)
}

async fn end(mut server: Server) {
    server.terminate();
    let status = server.wait(Duration::from_secs(60)).expect("it drains");
    assert!(status.success(), "{status}: {}", server.log());
}

fn mebibytes(server: &Server) -> f64 {
    server.peak_memory() as f64 / f64::from(1 << 20)
}

fn percentiles(what: &str, mut times: Vec<Duration>) {
    times.sort();
    for (name, at) in [("p50", times.len() / 2), ("p99", times.len() * 99 / 100)] {
        row(&format!("{what}, {name}"), times[at].as_secs_f64() * 1e6, "us");
    }
}

fn row(what: &str, value: f64, unit: &str) {
    let digits = if value < 10.0 { 3 } else { 0 };
    println!("{what}\t{value:.digits$}\t{unit}");
}

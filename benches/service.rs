//! A real server, end to end, beside the same puzzles solved in process.
//!
//! `cargo bench --bench service -- [FILE] [--puzzles N] [--rounds N] [--unread N] [--brief | --load]`. FILE holds one puzzle
//! a line and is repeated until there are N puzzles (unset: 2 million); without it, puzzles are made by masking
//! generated grids. Prints a tab-separated table: what, value, unit; rates are the best of the rounds, times their
//! mean, the stall the longest. The client, on the same machine, takes its share of the cores; on a busy machine trust
//! the processor times. The echo answers the same blocks with as many bytes and does nothing else: what the wire alone
//! takes, on both sides. `--unread N` adds a job of N puzzles whose client reads nothing; `--brief` leaves single
//! calls out. `--load` does nothing but many calls over 100 connections beside batches without end: 10,000 opened at once,
//! then 5,000 a second for 20 s in an open loop, begun whether or not earlier ones were answered and timed from when
//! they were due.

#[path = "service/args.rs"]
mod args;
#[path = "service/calls.rs"]
mod calls;
#[path = "service/client.rs"]
mod client;
#[path = "service/echo.rs"]
mod echo;
#[path = "service/in_process.rs"]
mod in_process;
#[path = "service/processor.rs"]
mod processor;
#[path = "../tests/process/server.rs"]
mod server;

use args::{Args, LINE};
use bytes::Bytes;
use calls::{Answers, Calls};
use client::{Client, Trip};
use echo::Echo;
use server::Server;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;
use tokio::runtime::Builder;
use tokio::task::JoinHandle;

/// Puzzles whose single calls are timed.
const CALLS: usize = 4_000;
/// Calls opened at once.
const AT_ONCE: usize = 10_000;
/// Calls a second of the open loop, and how many.
const RATE: u32 = 5_000;
const LOOPED: u32 = 20 * RATE;

fn main() {
    let args = Args::read();
    let text = args.text();
    // A client of one stream needs one thread: a second one only wakes the first.
    let alone = Builder::new_current_thread().enable_all().build().expect("a runtime");
    let runtime = Builder::new_multi_thread().enable_all().build().expect("a runtime");
    println!("what\tvalue\tunit");
    row("puzzles", (text.len() / LINE) as f64, "");
    if args.load {
        return runtime.block_on(load(&text));
    }
    alone.block_on(throughput(&args, &text));
    if !args.brief {
        runtime.block_on(latency(&text));
    }
    if args.unread > 0 {
        runtime.block_on(unread(&args, &text));
    }
}

/// What the rounds came to.
#[derive(Default)]
struct Measured {
    /// Best rates: in process, end to end, and of the echo.
    rates: [f64; 3],
    /// Processor time in all: in process, the server, its client, and both sides of the echo.
    spent: [Duration; 4],
    threads: BTreeMap<String, Duration>,
    stall: Duration,
}

/// End to end against in process and the wire alone, round by round, so that all meet the same machine.
async fn throughput(args: &Args, text: &Bytes) {
    let data = tempfile::tempdir().expect("a temporary directory");
    let (server, client) = start(data.path()).await;
    let grids = in_process::parse(text);
    let mut sum = Measured::default();
    for _ in 0..args.rounds {
        let (rate, ours) = processor::timed(async { in_process::solve(&grids) }).await;
        sum.note(0, rate, ours);
        round_trip(&server, &client, text, &mut sum).await;
        let echo = Echo::start().await;
        let echoed = Client::connect(&echo.address).await;
        let (Trip { rate, .. }, both) = processor::timed(echoed.round_trip(text)).await;
        sum.rates[2] = sum.rates[2].max(rate);
        sum.spent[3] += both;
        drop(echoed);
        echo.end().await;
    }
    sum.print((args.rounds * (text.len() / LINE)) as f64 / 1e6);
    row("peak memory of the server", mebibytes(&server), "MiB");
    end(server).await;
}

/// One batch end to end.
async fn round_trip(server: &Server, client: &Client, text: &Bytes, sum: &mut Measured) {
    let id = server.id().to_string();
    let (before, threads) = (processor::time(&id), processor::by_thread(&id));
    let (trip, ours) = processor::timed(client.round_trip(text)).await;
    sum.note(1, trip.rate, processor::time(&id) - before);
    sum.spent[2] += ours;
    for (name, spent) in processor::by_thread(&id) {
        let spent = spent.saturating_sub(threads.get(&name).copied().unwrap_or_default());
        *sum.threads.entry(name).or_default() += spent;
    }
    sum.stall = sum.stall.max(trip.stall);
    client.delete(trip.job).await;
}

impl Measured {
    fn note(&mut self, which: usize, rate: f64, spent: Duration) {
        self.rates[which] = self.rates[which].max(rate);
        self.spent[which] += spent;
    }

    fn print(&self, millions: f64) {
        let Measured { rates: [alone, served, echoed], spent, threads, stall } = self;
        row("in process, all cores", *alone, "puzzles/s");
        row("end to end", *served, "puzzles/s");
        row("end to end / in process", served / alone, "");
        row("echo", *echoed, "puzzles/s");
        row("longest stall of the results", stall.as_secs_f64() * 1e3, "ms");
        let time = |what: &str, spent: &Duration| {
            row(&format!("processor time, {what}"), spent.as_secs_f64() * 1e3 / millions, "ms/million");
        };
        for (what, spent) in ["in process", "server", "client", "echo, both sides"].iter().zip(spent) {
            time(what, spent);
        }
        time("beyond solving", &(spent[1] + spent[2]).saturating_sub(spent[0]));
        for (name, spent) in threads {
            time(&format!("server's {name}"), spent);
        }
    }
}

/// Single calls, one after the other: on an idle server, then under a batch that never ends.
async fn latency(text: &Bytes) {
    let data = tempfile::tempdir().expect("a temporary directory");
    let (server, client) = start(data.path()).await;
    client.solve_times(text, CALLS / 4).await;
    percentiles("unary Solve, idle", client.solve_times(text, CALLS).await);
    let batches = Batches::start(&client, text).await;
    percentiles("unary Solve, under a batch", client.solve_times(text, CALLS).await);
    batches.end().await;
    client.start_endless().await;
    percentiles("unary Solve, under a generating job", client.solve_times(text, CALLS).await);
    end(server).await;
}

/// Many calls beside batches.
async fn load(text: &Bytes) {
    let data = tempfile::tempdir().expect("a temporary directory");
    let (server, client) = start(data.path()).await;
    let calls = Calls::connect(server.address(), text).await;
    let batches = Batches::start(&client, text).await;
    loaded("calls at once", &calls.at_once(AT_ONCE).await);
    loaded("open loop", &calls.open_loop(RATE, LOOPED).await);
    batches.end().await;
    row("peak memory of the server", mebibytes(&server), "MiB");
    end(server).await;
}

fn loaded(what: &str, answers: &Answers) {
    row(&format!("{what}, answered"), answers.times.len() as f64, "calls");
    row(&format!("{what}, failed"), f64::from(answers.errors), "calls");
    row(&format!("{what}, most open at a time"), answers.most_open as f64, "calls");
    for (name, share) in [("p50", 0.5), ("p99", 0.99), ("p99.9", 0.999), ("longest", 1.0)] {
        row(&format!("{what}, {name}"), answers.within(share).as_secs_f64() * 1e3, "ms");
    }
}

/// Batches, one after the other, without end.
struct Batches(JoinHandle<()>);

impl Batches {
    /// Returns once they are in full swing.
    async fn start(client: &Client, text: &Bytes) -> Batches {
        let (client, text) = (client.clone(), text.clone());
        let batches = tokio::spawn(async move {
            loop {
                let trip = client.round_trip(&text).await;
                client.delete(trip.job).await;
            }
        });
        tokio::time::sleep(Duration::from_millis(500)).await;
        Batches(batches)
    }

    async fn end(self) {
        assert!(!self.0.is_finished(), "a batch failed");
        self.0.abort();
        // An abort is how it ends.
        self.0.await.expect_err("it never ends by itself");
    }
}

/// A large job whose client reads nothing: the server's memory must not grow with it.
async fn unread(args: &Args, text: &Bytes) {
    let data = tempfile::tempdir().expect("a temporary directory");
    let (server, client) = start(data.path()).await;
    row("unread", args.unread as f64, "puzzles");
    row("unread, uploaded and solved", client.unread(text, args.unread).await, "puzzles/s");
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

//! Unary calls over many connections. Knows no batch.

use crate::args::LINE;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use sudokud::grpc::proto::v1::sudoku_service_client::SudokuServiceClient;
use sudokud::grpc::proto::v1::{Outcome, SolveRequest};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;
use tonic::transport::{Channel, Endpoint};

/// Connections that the calls are spread over.
const CONNECTIONS: usize = 100;
/// The calls' puzzles.
const PUZZLES: usize = 10_000;

/// Where calls go, and what they ask.
pub struct Calls {
    connections: Vec<SudokuServiceClient<Channel>>,
    puzzles: Vec<String>,
    open: Arc<AtomicUsize>,
    most_open: Arc<AtomicUsize>,
}

/// What became of many calls.
pub struct Answers {
    /// How long each that was answered took, shortest first.
    pub times: Vec<Duration>,
    /// Those that were not.
    pub errors: u32,
    /// The most that waited for an answer at a time.
    pub most_open: usize,
}

impl Answers {
    /// The time within which a share of the answers came.
    pub fn within(&self, share: f64) -> Duration {
        let count = (self.times.len() as f64 * share).ceil() as usize;
        self.times[count.clamp(1, self.times.len()) - 1]
    }
}

impl Calls {
    /// Opens the connections.
    pub async fn connect(address: &str, text: &[u8]) -> Calls {
        let endpoint = Endpoint::from_shared(format!("http://{address}")).expect("an address");
        let mut opened = Vec::new();
        for _ in 0..CONNECTIONS {
            opened.push(SudokuServiceClient::new(endpoint.connect().await.expect("the server listens")));
        }
        let puzzles = text.chunks(LINE).take(PUZZLES);
        let puzzles = puzzles.map(|line| String::from_utf8_lossy(&line[..81]).into_owned()).collect();
        Calls { connections: opened, puzzles, open: Arc::default(), most_open: Arc::default() }
    }

    /// All calls at once; each is timed from when the first was sent.
    pub async fn at_once(&self, calls: usize) -> Answers {
        let (begin, all) = (Instant::now(), CancellationToken::new());
        let mut answers = JoinSet::new();
        for i in 0..calls {
            let (call, all) = (self.call(i, begin), all.clone());
            answers.spawn(async move {
                all.cancelled().await;
                call.await
            });
        }
        all.cancel();
        self.collect(answers).await
    }

    /// A call each `1 / rate` seconds, timed from when it was due.
    pub async fn open_loop(&self, rate: u32, calls: u32) -> Answers {
        let begin = Instant::now();
        let mut answers = JoinSet::new();
        for i in 0..calls {
            let due = begin + Duration::from_secs(1) * i / rate;
            if due > Instant::now() {
                sleep_until(due).await;
            }
            answers.spawn(self.call(i as usize, due));
        }
        self.collect(answers).await
    }

    /// One call; `None` if it fails.
    fn call(&self, i: usize, due: Instant) -> impl Future<Output = Option<Duration>> + Send + 'static {
        let mut client = self.connections[i % self.connections.len()].clone();
        let puzzle = self.puzzles[i % self.puzzles.len()].clone();
        let (open, most_open) = (Arc::clone(&self.open), Arc::clone(&self.most_open));
        most_open.fetch_max(open.fetch_add(1, Ordering::Relaxed) + 1, Ordering::Relaxed);
        async move {
            let answer = client.solve(SolveRequest { puzzle, ..SolveRequest::default() }).await;
            open.fetch_sub(1, Ordering::Relaxed);
            match answer {
                Ok(answer) if answer.get_ref().outcome() != Outcome::Undecided => Some(due.elapsed()),
                Ok(answer) => {
                    eprintln!("a call was not decided: {answer:?}");
                    None
                }
                Err(status) => {
                    eprintln!("a call failed: {status:?}");
                    None
                }
            }
        }
    }

    async fn collect(&self, answers: JoinSet<Option<Duration>>) -> Answers {
        let answers = answers.join_all().await;
        let errors = answers.iter().filter(|answer| answer.is_none()).count() as u32;
        let mut times: Vec<Duration> = answers.into_iter().flatten().collect();
        assert!(!times.is_empty(), "no call was answered");
        times.sort();
        Answers { times, errors, most_open: self.most_open.swap(0, Ordering::Relaxed) }
    }
}

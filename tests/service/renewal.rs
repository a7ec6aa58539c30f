//! Certificates and tokens renewed, again and again, under load: no call fails and no connection is refused.

use crate::certificates::{Authority, Files, TLS};
use crate::process::client::Client;
use crate::process::server::Server;
use crate::process::{directory, puzzles, run};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;
use sudokud::grpc::grants::draw;
use sudokud::grpc::proto::v1::SolveRequest;
use sudokud::job::Principal;
use tokio::task::JoinSet;
use tonic::transport::Channel;

/// Callers that keep their connection, and as many that open one for each call.
const CALLERS: usize = 8;
/// How often both are renewed.
const RENEWALS: usize = 3;

/// Calls until it is told to stop; panics at the first failure.
struct Caller {
    authority: Arc<Authority>,
    address: String,
    token: String,
    stop: Arc<AtomicBool>,
    calls: Arc<AtomicUsize>,
}

impl Caller {
    async fn channel(&self) -> Channel {
        self.authority.connect(&self.address, None).await.expect("a connection")
    }

    async fn call(&self, channel: Channel) {
        let request = SolveRequest { puzzle: puzzles::mixed(0).line, ..SolveRequest::default() };
        Client::over(channel, Some(&self.token)).sudoku.solve(request).await.expect("an answer");
        self.calls.fetch_add(1, Ordering::Relaxed);
    }

    async fn run(self, keeps: bool) {
        let kept = self.channel().await;
        while !self.stop.load(Ordering::Relaxed) {
            let channel = if keeps { kept.clone() } else { self.channel().await };
            self.call(channel).await;
        }
    }
}

#[test]
fn no_call_fails_while_both_are_renewed() {
    run(async {
        let (authority, data) = (Arc::new(Authority::new()), directory());
        let files = Files::of(&authority);
        let ada = Principal::new("ada").expect("a name");
        let grant = || draw(&ada, "read".parse().expect("roles")).expect("randomness");
        let (token, line) = grant();
        files.write("tokens", &line);
        let flags = files.flags(&[TLS[0], TLS[1], ("tokens", "tokens")]);
        let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
        let server = Server::try_start(data.path(), &flags).unwrap_or_else(|refused| panic!("{}", refused.log));

        let (stop, calls) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
        let mut callers = JoinSet::new();
        for i in 0..2 * CALLERS {
            let (authority, address, token) = (Arc::clone(&authority), server.address().to_owned(), token.clone());
            let caller = Caller { authority, address, token, stop: Arc::clone(&stop), calls: Arc::clone(&calls) };
            callers.spawn(caller.run(i < CALLERS));
        }
        for renewal in 1..=RENEWALS {
            files.certify(&authority.server());
            files.write("tokens", &format!("{}\n{line}\n", grant().1));
            let renewed = || server.log().matches("\"reloaded\"").count() == 2 * renewal;
            while !renewed() {
                assert!(callers.try_join_next().is_none(), "a caller ended: a call failed");
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        }
        stop.store(true, Ordering::Relaxed);
        while let Some(ended) = callers.join_next().await {
            ended.expect("no call failed");
        }
        assert!(calls.load(Ordering::Relaxed) > 100 * RENEWALS, "{calls:?} calls are no load");
    });
}

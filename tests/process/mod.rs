//! What every test of the real process shares: the process, a client, puzzles with known answers, and a frame
//! that lets no test hang.

pub mod batch;
pub mod client;
pub mod puzzles;
pub mod server;

use client::Client;
use server::Server;
use std::future::Future;
use std::path::Path;
use std::pin::pin;
use std::sync::{PoisonError, RwLock};
use std::time::Duration;
use tempfile::TempDir;

/// No test takes longer than this, even on a loaded machine.
const LIMIT: Duration = Duration::from_secs(120);

/// Held for writing by a test that measures, for reading by every other.
static MACHINE: RwLock<()> = RwLock::new(());

/// Runs a test that may share the machine with others.
pub fn run(test: impl Future<Output = ()>) {
    let _shared = MACHINE.read().unwrap_or_else(PoisonError::into_inner);
    bounded(test);
}

/// Runs a test that wants the machine for itself.
pub fn run_alone(test: impl Future<Output = ()>) {
    let _alone = MACHINE.write().unwrap_or_else(PoisonError::into_inner);
    bounded(test);
}

fn bounded(test: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    runtime.expect("a runtime").block_on(async {
        let mut test = pin!(test);
        tokio::select! {
            () = &mut test => {}
            // Panics while the test's values live, so that its server prints its log.
            () = tokio::time::sleep(LIMIT) => panic!("the test takes longer than {LIMIT:?}"),
        }
    });
}

/// A fresh data directory, gone with the value.
pub fn directory() -> TempDir {
    tempfile::tempdir().expect("a temporary directory")
}

/// A server over `data`, and a client of it.
pub async fn serve(data: &Path, more: &[&str]) -> (Server, Client) {
    let server = match Server::try_start(data, more) {
        Ok(server) => server,
        Err(refused) => panic!("{}: {}", refused.status, refused.log),
    };
    let client = Client::connect(server.address()).await;
    (server, client)
}

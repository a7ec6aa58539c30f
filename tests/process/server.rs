//! A real `sudokud serve` in a process of its own: started, found by its ready line, killed, drained, always
//! reaped. Knows the binary's command line and log; must never know the API.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How long a start may take; a loaded machine needs some of it.
const START: Duration = Duration::from_secs(30);

/// A running server. Dropping it kills and reaps it; in a failing test its log is printed.
pub struct Server {
    child: Child,
    address: String,
    log: Arc<Mutex<Vec<String>>>,
    reader: Option<JoinHandle<()>>,
}

/// A server that ended before it was ready.
#[derive(Debug)]
pub struct Refused {
    /// How it exited.
    pub status: ExitStatus,
    /// What it said.
    pub log: String,
}

impl Server {
    /// Starts one over a data directory and waits until it is ready.
    pub fn try_start(data: &Path, more: &[&str]) -> Result<Server, Refused> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sudokud"));
        command.args(["serve", "--listen", "127.0.0.1:0", "--data"]).arg(data).args(more);
        without_options(&mut command);
        // On a busy machine, batches that let everyone go first may outlast the limit of a test.
        command.env("SUDOKUD_BATCH_PRIORITY", "normal");
        // Nobody who balances load must learn of a test's end.
        command.env("SUDOKUD_DRAIN_DELAY", "0s");
        // A machine with little disk runs the tests all the same.
        command.env("SUDOKUD_DISK_FLOOR_BYTES", "0");
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the binary starts");
        let log = Arc::new(Mutex::new(Vec::new()));
        let (found, ready) = mpsc::channel();
        let lines = BufReader::new(child.stderr.take().expect("piped")).lines();
        let kept = Arc::clone(&log);
        let reader = std::thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                if let Some(address) = ready_address(&line) {
                    // The receiver is gone once the first ready line was seen.
                    found.send(address).ok();
                }
                kept.lock().unwrap_or_else(PoisonError::into_inner).push(line);
            }
        });
        let mut server = Server { child, address: String::new(), log, reader: Some(reader) };
        match ready.recv_timeout(START) {
            Ok(address) => server.address = address,
            Err(RecvTimeoutError::Timeout) => panic!("no ready line within {START:?}"),
            Err(RecvTimeoutError::Disconnected) => {
                let status = server.wait(START).expect("stderr closed, so it ends");
                return Err(Refused { status, log: server.log() });
            }
        }
        Ok(server)
    }

    /// The address of its API, `host:port`.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Its process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Asks it to end (SIGTERM).
    pub fn terminate(&self) {
        let told = Command::new("kill").args(["-TERM", &self.id().to_string()]).status();
        assert!(told.expect("kill runs").success());
    }

    /// Waits until it ends; `None` if it has not within `limit`.
    pub fn wait(&mut self, limit: Duration) -> Option<ExitStatus> {
        let begin = Instant::now();
        loop {
            let ended = self.child.try_wait().expect("our own child");
            if ended.is_some() || begin.elapsed() > limit {
                return ended;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// The most memory it has ever held resident, bytes (`VmHWM`).
    pub fn peak_memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.id())).expect("a live process");
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("VmHWM");
        let kib: u64 = line.trim().trim_end_matches("kB").trim().parse().expect("a number of kB");
        kib * 1024
    }

    /// What it logged so far.
    pub fn log(&self) -> String {
        self.log.lock().unwrap_or_else(PoisonError::into_inner).join("\n")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Fails only when it was reaped before.
        self.child.kill().ok();
        self.child.wait().expect("our own child");
        if let Some(reader) = self.reader.take() {
            reader.join().expect("the log's reader");
        }
        if std::thread::panicking() {
            eprintln!("--- log of the server at {} ---\n{}\n---", self.address, self.log());
        }
    }
}

/// Takes the variables away that the program would take for options: those of whoever runs the tests.
pub fn without_options(command: &mut Command) -> &mut Command {
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("SUDOKUD_")) {
        command.env_remove(name);
    }
    command
}

/// The API's address, if this log line says ready.
fn ready_address(line: &str) -> Option<String> {
    let event: serde_json::Value = serde_json::from_str(line).ok()?;
    let fields = event.get("fields").unwrap_or(&event);
    if fields.get("message")?.as_str()? != "ready" {
        return None;
    }
    Some(fields.get("api")?.as_str()?.to_owned())
}

//! A real server for the command line to talk to: started, killed, drained, always reaped.

use crate::run::{Folder, Ran, tell};
use std::io::{BufRead, BufReader};
use std::process::{Child, ExitStatus, Stdio};

/// A server over `folder/data`, killed when dropped.
pub struct Server {
    child: Child,
    pub address: String,
}

impl Server {
    pub fn start(folder: &Folder, listen: &str) -> Server {
        Server::start_with(folder, &format!("--listen {listen}"))
    }

    /// With these flags.
    pub fn start_with(folder: &Folder, flags: &str) -> Server {
        let mut command = folder.command(&format!("serve --data data --log-format json {flags}"));
        // On a busy machine, batches that let everyone go first may outlast a test's patience.
        command.env("SUDOKUD_BATCH_PRIORITY", "normal").env("SUDOKUD_DRAIN_DELAY", "0s");
        let mut child = command.stderr(Stdio::piped()).spawn().expect("the binary starts");
        let mut lines = BufReader::new(child.stderr.take().expect("piped")).lines();
        let ready = lines.by_ref().map(|line| line.expect("UTF-8")).find(|line| line.contains("\"ready\""));
        let ready = ready.expect("the server becomes ready");
        std::thread::spawn(move || lines.for_each(drop));
        let address = ready.split("\"api\":\"").nth(1).and_then(|rest| rest.split('"').next());
        Server { child, address: address.expect("the address is logged").to_owned() }
    }

    pub fn run(&self, folder: &Folder, words: &str) -> Ran {
        folder.run(&format!("{words} --server {}", self.address))
    }

    /// kill -9.
    pub fn kill(&mut self) {
        self.child.kill().expect("it lives");
        self.child.wait().expect("our own child");
    }

    /// SIGTERM, to its end.
    pub fn drain(&mut self) -> ExitStatus {
        tell(&self.child, "TERM");
        self.child.wait().expect("our own child")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        self.child.kill().ok();
        self.child.wait().expect("our own child");
    }
}

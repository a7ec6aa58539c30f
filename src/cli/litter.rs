//! Unfinished files, removed when a signal ends the command, and those that stay: the one way out that runs no
//! destructors.

use super::say::note;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::runtime::Handle;
use tokio::signal::unix::{SignalKind, signal};
use tokio::task::JoinHandle;

/// The unfinished files of a command. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Litter(Arc<Mutex<Unfinished>>);

#[derive(Debug, Default)]
struct Unfinished {
    removed: Vec<PathBuf>,
    /// What is said of a file that stays.
    left: Option<String>,
}

impl Litter {
    /// Remembers a file until it is finished.
    pub fn add(&self, path: &Path) {
        self.with(|unfinished| unfinished.removed.push(path.to_owned()));
    }

    /// The file is finished or gone.
    pub fn forget(&self, path: &Path) {
        self.with(|unfinished| unfinished.removed.retain(|other| other != path));
    }

    /// A file stays, unfinished, which is then said in these words.
    pub fn leave(&self, words: String) {
        self.with(|unfinished| unfinished.left = Some(words));
    }

    /// Nothing unfinished stays any more.
    pub fn leave_none(&self) {
        self.with(|unfinished| unfinished.left = None);
    }

    fn with<T>(&self, change: impl FnOnce(&mut Unfinished) -> T) -> T {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// From here on SIGINT, SIGTERM and SIGHUP remove what is remembered, then end the process with 128 and the
    /// signal's number, as a shell would say it.
    ///
    /// # Errors
    /// When the signals can't be watched.
    pub fn removed_on_signals(&self, runtime: &Handle) -> std::io::Result<SignalWatch> {
        let _inside = runtime.enter();
        let mut interrupt = signal(SignalKind::interrupt())?;
        let mut terminate = signal(SignalKind::terminate())?;
        let mut hang_up = signal(SignalKind::hangup())?;
        let litter = self.clone();
        Ok(SignalWatch(runtime.spawn(async move {
            let code = tokio::select! {
                _ = interrupt.recv() => 130,
                _ = terminate.recv() => 143,
                _ = hang_up.recv() => 129,
            };
            // Not released: nothing may be finished or begun between here and the exit.
            let unfinished = litter.0.lock().unwrap_or_else(PoisonError::into_inner);
            unfinished.left.iter().for_each(|words| note(format!("sudokud: interrupted; {words}")));
            for path in &unfinished.removed {
                // Best effort: the process ends, whatever comes of it.
                let _ = std::fs::remove_file(path);
            }
            std::process::exit(code)
        })))
    }
}

/// Watches for signals until dropped.
#[derive(Debug)]
pub struct SignalWatch(JoinHandle<()>);

impl Drop for SignalWatch {
    fn drop(&mut self) {
        self.0.abort();
    }
}

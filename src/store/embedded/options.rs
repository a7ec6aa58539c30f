//! What an operator can set about the store, and why one can't be opened.

use crate::store::ready::DEFAULT_WINDOW;
use std::path::PathBuf;

/// The store's settings.
#[derive(Clone, Debug)]
pub struct Options {
    /// Bytes of newly stored input kept in memory, so that a claim right after reads no disk.
    pub input_cache_bytes: usize,
    /// Bytes of newly stored results kept in memory for those who follow a job.
    pub result_cache_bytes: usize,
    /// Bytes that may wait for the writer; more wait in their callers.
    pub queue_bytes: usize,
    /// Connections that read.
    pub readers: usize,
    /// Chunks of one job that are out at a time.
    pub window: u32,
    /// Bytes of log that start a checkpoint: few, as a log that is written over syncs faster than one that grows.
    pub checkpoint_bytes: u64,
    /// Bytes of a segment file that end it: the next payloads go to another one.
    pub segment_bytes: u64,
    /// After a crash, a database up to this many bytes is checked whole when it opens; of a larger one only the
    /// tables without payloads are.
    pub check_bytes: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            input_cache_bytes: 32 << 20,
            result_cache_bytes: 64 << 20,
            queue_bytes: 64 << 20,
            readers: 4,
            window: DEFAULT_WINDOW,
            checkpoint_bytes: 8 << 20,
            segment_bytes: 128 << 20,
            check_bytes: 1 << 30,
        }
    }
}

/// Why a store can't be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The directory can't be made or used.
    #[error("data directory {}: {error}", .dir.display())]
    Directory {
        /// The data directory.
        dir: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// Another process has it.
    #[error("data directory {} is in use by another process: stop that one, or name another directory", .dir.display())]
    Locked {
        /// The data directory.
        dir: PathBuf,
    },
    /// A newer program wrote it.
    #[error("{} has format {found}, but this program knows formats up to {known}: use a newer sudokud", .file.display())]
    Newer {
        /// The database.
        file: PathBuf,
        /// Its format.
        found: i64,
        /// The newest format known.
        known: i64,
    },
    /// Not one of ours.
    #[error("{} is a database of another program (application id {found:#x}): name another directory", .file.display())]
    Foreign {
        /// The database.
        file: PathBuf,
        /// The application id in it.
        found: i64,
    },
    /// Its structure is broken.
    #[error("{} is damaged: {found}; restore it from a copy, or move it away to start empty", .file.display())]
    Damaged {
        /// The database.
        file: PathBuf,
        /// What was found.
        found: String,
    },
    /// The database could not be opened or written.
    #[error("{}: {problem}", .file.display())]
    Medium {
        /// The database.
        file: PathBuf,
        /// What SQLite says.
        problem: String,
    },
}

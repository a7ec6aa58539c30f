//! Jobs in one directory: the default store of a single process. SQLite holds all but the payloads of chunks; those
//! are in append-only segment files, named by rows.
//!
//! - `options`, `open`, `schema`, `recover`: from a data directory to a running store.
//! - `writer` commits operations in groups; `jobs` and `chunks` say what each does, inside a `stage`; `commit` is a
//!   transaction over rows and segments; `checkpoint`, `purge` and `compact` are the writer's chores.
//! - `state` is what memory holds: live jobs, the queue, leases, and payloads of the last moments (`cache`).
//! - `readers`, `query`, `claims`, `results`: what is read.
//! - `row`, `mark`, `payload`: the tables; `segments`: the files of payloads; `fault`: when either fails.
//!
//! What it keeps of its promises: a commit that was acknowledged survives a crash of the process and of the
//! machine, as far as the disk does what `fsync` says. A payload that was changed under it is found by its
//! checksum and lost alone; a broken structure is refused by name. One thing can't be told from a crash: damage
//! at the end of the log drops the last commits silently.
//!
//! Must never know other backends, gRPC or solving.

mod cache;
mod checkpoint;
mod chunks;
mod claims;
mod commit;
mod compact;
mod fault;
mod jobs;
mod mark;
mod open;
mod options;
mod payload;
mod purge;
mod query;
mod ranges;
mod readers;
mod recover;
mod results;
mod row;
mod schema;
mod segments;
mod stage;
mod state;
mod store;
#[cfg(test)]
mod tests;
mod writer;

use super::clock::Clock;
use checkpoint::Checkpoints;
pub use options::{OpenError, Options};
use readers::Readers;
use segments::Files;
use state::Shared;
use std::path::Path;
use std::sync::Arc;
use writer::Writer;

/// The store. Dropping it without a close is like a crash, but waits for the writer to end.
#[derive(Debug)]
pub struct Embedded {
    // Before the writer: it must not wait for readers that are in its way.
    readers: Arc<Readers>,
    reader_count: usize,
    writer: Writer,
    shared: Arc<Shared>,
    files: Arc<Files>,
    file: std::path::PathBuf,
}

impl Embedded {
    /// Opens the store in a directory, or makes one. Blocks: it may read and check much.
    ///
    /// # Errors
    /// As [`OpenError`] says.
    pub fn open(dir: &Path, options: Options, clock: Clock) -> Result<Embedded, OpenError> {
        let opened = open::open(dir, &options)?;
        let file = opened.file.clone();
        let shared = Arc::new(Shared::new(&options, clock, opened.boot));
        recover::recover(&opened.db, &shared).map_err(|error| open::open_error(&file, &error))?;
        let medium = |problem: String| OpenError::Medium { file: file.clone(), problem };
        let checkpoints =
            Checkpoints::start(&file, options.checkpoint_bytes).map_err(|error| medium(error.to_string()))?;
        let extents = compact::extents(&opened.db).map_err(|error| open::open_error(&file, &error))?;
        let segments = dir.join(open::SEGMENTS);
        let segments = segments::recover(&segments, opened.store, options.segment_bytes, &extents)
            .map_err(|error| OpenError::Directory { dir: segments, error })?;
        let files = segments.files();
        let writer = Writer::start(opened, segments, checkpoints, shared.clone(), options.queue_bytes)
            .map_err(|error| medium(error.to_string()))?;
        let readers = Arc::new(Readers::new(file.clone(), options.readers));
        Ok(Embedded { readers, reader_count: options.readers, writer, shared, files, file })
    }
}

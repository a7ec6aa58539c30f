//! Writing the log back into the database, off the commit path.
//!
//! A thread of its own copies pages while commits go on; when little is left, the writer copies the rest between
//! two commits, so that the log starts over instead of growing for ever. Must never know what is committed.

use super::{open, schema};
use rusqlite::Connection;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// Rounds that the thread makes while the writer goes on filling the log.
const ROUNDS: usize = 4;
/// What may be left for the writer.
const REST_BYTES: u64 = 1 << 20;
/// How long the writer waits for readers of the old log.
const READERS: Duration = Duration::from_millis(100);

const IDLE: u8 = 0;
const RUNNING: u8 = 1;
const REST: u8 = 2;

/// The writer's end of the thread.
#[derive(Debug)]
pub(super) struct Checkpoints {
    sender: SyncSender<()>,
    thread: JoinHandle<()>,
    stage: Arc<AtomicU8>,
    /// Pages of log that start one.
    limit: i64,
    /// One was asked for while another ran.
    again: bool,
}

impl Checkpoints {
    /// Starts the thread. A log of more than `limit` bytes is written back.
    pub(super) fn start(file: &Path, limit: u64) -> Result<Checkpoints, Box<dyn std::error::Error + Send + Sync>> {
        let db = open::writer(file)?;
        db.query_row("PRAGMA wal_autocheckpoint = 0", [], |_| Ok(()))?;
        let page = schema::page_bytes(&db)?.max(1);
        let (limit, rest) = ((limit / page) as i64, (REST_BYTES / page) as i64);
        let (sender, receiver) = sync_channel(1);
        let stage = Arc::new(AtomicU8::new(IDLE));
        let theirs = stage.clone();
        let thread = std::thread::Builder::new()
            .name("store-checkpoint".into())
            .spawn(move || serve(&db, &receiver, &theirs, rest))?;
        Ok(Checkpoints { sender, thread, stage, limit, again: false })
    }

    /// Called between commits: starts a checkpoint when the log is long, or ends one.
    pub(super) fn look(&mut self, db: &Connection) {
        match self.stage.load(Ordering::Acquire) {
            IDLE => match checkpoint(db, "NOOP") {
                Ok(log) if log.left() > self.limit => self.begin(),
                Ok(_) => {}
                Err(error) => tracing::warn!(%error, "the store's log could not be looked at"),
            },
            REST => {
                finish(db);
                self.stage.store(IDLE, Ordering::Release);
                if std::mem::take(&mut self.again) {
                    self.begin();
                }
            }
            _ => {}
        }
    }

    /// Starts one; while one runs, the next follows it.
    pub(super) fn begin(&mut self) {
        if self.stage.load(Ordering::Acquire) == IDLE && self.sender.try_send(()).is_ok() {
            self.stage.store(RUNNING, Ordering::Release);
        } else {
            self.again = true;
        }
    }

    /// On a full disk: what the log takes is used again, so that there is room for the commits that delete.
    pub(super) fn reuse_log(&self, db: &Connection) {
        if self.stage.load(Ordering::Acquire) == IDLE {
            finish(db);
        }
    }

    /// Ends the thread, after the checkpoint in hand.
    pub(super) fn end(self) {
        drop(self.sender);
        if self.thread.join().is_err() {
            tracing::error!("the store's checkpointer had panicked");
        }
    }
}

/// What a checkpoint found: pages in the log, and those written back.
struct Log {
    pages: i64,
    written: i64,
}

impl Log {
    fn left(&self) -> i64 {
        self.pages - self.written
    }
}

fn serve(db: &Connection, receiver: &Receiver<()>, stage: &AtomicU8, rest: i64) {
    while receiver.recv().is_ok() {
        for _ in 0..ROUNDS {
            match checkpoint(db, "PASSIVE") {
                Ok(log) if log.left() > rest => {}
                Ok(_) => break,
                Err(error) => {
                    tracing::warn!(%error, "a checkpoint of the store failed; it is tried again");
                    break;
                }
            }
        }
        stage.store(REST, Ordering::Release);
    }
}

/// Copies what is left, and lets the next commit start at the log's beginning.
fn finish(db: &Connection) {
    let done = db
        .busy_timeout(READERS)
        .and_then(|()| checkpoint(db, "RESTART"))
        .and_then(|_| db.busy_timeout(Duration::from_secs(10)));
    if let Err(error) = done {
        tracing::warn!(%error, "a checkpoint of the store failed; it is tried again");
    }
}

fn checkpoint(db: &Connection, mode: &str) -> rusqlite::Result<Log> {
    db.prepare_cached(&format!("PRAGMA wal_checkpoint({mode})"))?
        .query_row([], |row| Ok(Log { pages: row.get(1)?, written: row.get(2)? }))
}

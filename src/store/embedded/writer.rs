//! The one thread that writes: it takes all that waits, commits it as one group, then answers.
//!
//! Operations are closures over a [`Stage`]; what they do is not known here. A group that the medium refuses is
//! tried again one by one, so that each operation fails for its own reason only.

use super::checkpoint::Checkpoints;
use super::commit::commit;
use super::fault::Fault;
use super::open::{self, Opened};
use super::purge::Purge;
use super::schema;
use super::segments::Segments;
use super::stage::{Halt, Stage};
use super::state::Shared;
use crate::job::JobId;
use crate::store::api::StoreError;
use crate::store::metrics;
use rusqlite::Connection;
use std::fs::File;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

/// A group is committed when it holds this much, or is this old, or nothing more waits.
const GROUP_BYTES: usize = 32 << 20;
const GROUP_TIME: Duration = Duration::from_millis(10);
/// A commit that takes longer is told: the disk is in trouble, or busy with something else.
const SLOW: Duration = Duration::from_secs(1);
/// Chores go on at every so many commits when there is no pause.
const CHORE_EVERY: u32 = 16;

/// The way to the thread. Dropping it lets the thread finish what it was given, and waits for that.
#[derive(Debug)]
pub(super) struct Writer {
    sender: Option<Sender<Message>>,
    thread: Mutex<Option<JoinHandle<()>>>,
    inputs: Arc<Semaphore>,
    results: Arc<Semaphore>,
    capacity: u32,
    shared: Arc<Shared>,
}

/// What an operation brings along: input and results are bounded apart, so that neither waits for the other.
#[derive(Clone, Copy, Debug)]
pub(super) enum Load {
    /// No payload.
    None,
    /// Bytes of input.
    Input(usize),
    /// Bytes of a result.
    Result(usize),
}

/// Who wants to know that all is closed.
type Closed = oneshot::Sender<Result<(), StoreError>>;

enum Message {
    Work(Box<dyn Work>),
    Close(Closed),
}

/// An operation on its way.
trait Work: Send {
    fn bytes(&self) -> usize;
    /// Does it within a transaction; may be called again in another one when this one failed.
    fn attempt(&mut self, stage: &mut Stage<'_>) -> Result<(), Fault>;
    /// Answers, once its transaction was committed or failed.
    fn conclude(self: Box<Self>, committed: Result<(), StoreError>);
}

struct Call<F, R> {
    run: F,
    outcome: Option<Result<R, StoreError>>,
    reply: oneshot::Sender<Result<R, StoreError>>,
    bytes: usize,
    _room: Option<OwnedSemaphorePermit>,
}

impl<F, R> Work for Call<F, R>
where
    F: FnMut(&mut Stage<'_>) -> Result<R, Halt> + Send,
    R: Send,
{
    fn bytes(&self) -> usize {
        self.bytes
    }

    fn attempt(&mut self, stage: &mut Stage<'_>) -> Result<(), Fault> {
        self.outcome = Some(match (self.run)(stage) {
            Ok(answer) => Ok(answer),
            Err(Halt::Refused(error)) => Err(error),
            Err(Halt::Medium(fault)) => return Err(fault),
        });
        Ok(())
    }

    fn conclude(self: Box<Self>, committed: Result<(), StoreError>) {
        let Call { outcome, reply, .. } = *self;
        // A caller that went away needs no answer.
        let _ = reply.send(committed.and_then(|()| outcome.unwrap_or_else(|| Err(ended()))));
    }
}

impl Writer {
    /// Starts the thread.
    pub(super) fn start(
        opened: Opened,
        segments: Segments,
        checkpoints: Checkpoints,
        shared: Arc<Shared>,
        queue_bytes: usize,
    ) -> std::io::Result<Writer> {
        let (sender, receiver) = channel();
        let Opened { lock, db, .. } = opened;
        let (theirs, purge) = (shared.clone(), Purge::default());
        let thread = Thread { db, segments, shared: theirs, receiver, checkpoints, purge, lock };
        let handle = std::thread::Builder::new().name("store-writer".into()).spawn(move || thread.run())?;
        let capacity = u32::try_from(queue_bytes.max(1)).unwrap_or(u32::MAX >> 4).min(u32::MAX >> 4);
        let room = || Arc::new(Semaphore::new(capacity as usize));
        let thread = Mutex::new(Some(handle));
        Ok(Writer { sender: Some(sender), thread, inputs: room(), results: room(), capacity, shared })
    }

    /// Runs an operation; returns when it is durable, or refused.
    pub(super) async fn run<R, F>(&self, load: Load, run: F) -> Result<R, StoreError>
    where
        F: FnMut(&mut Stage<'_>) -> Result<R, Halt> + Send + 'static,
        R: Send + 'static,
    {
        let (bytes, room) = match load {
            Load::None => (0, None),
            Load::Input(bytes) => (bytes, Some(&self.inputs)),
            Load::Result(bytes) => (bytes, Some(&self.results)),
        };
        let room = match room {
            Some(room) => {
                let share = u32::try_from(bytes).unwrap_or(u32::MAX).clamp(1, self.capacity);
                Some(room.clone().acquire_many_owned(share).await.map_err(|_| ended())?)
            }
            None => None,
        };
        let (reply, answer) = oneshot::channel();
        self.send(Message::Work(Box::new(Call { run, outcome: None, reply, bytes, _room: room })))?;
        answer.await.unwrap_or_else(|_| Err(self.gone()))
    }

    /// Sees to it, without waiting, that a CANCELLING job without leases ends.
    pub(super) fn end_cancelled(&self, job: JobId) {
        // Where the writer is gone, the next opening ends it.
        let _ = self.send(Message::Work(end_cancelled(job)));
    }

    /// Lets the thread finish what it was given, close the database and give the directory free.
    pub(super) async fn close(&self) -> Result<(), StoreError> {
        let (reply, answer) = oneshot::channel();
        self.send(Message::Close(reply)).map_err(|_| ended())?;
        answer.await.unwrap_or_else(|_| Err(ended()))
    }

    fn send(&self, message: Message) -> Result<(), StoreError> {
        let sender = self.sender.as_ref().ok_or(StoreError::Closing)?;
        sender.send(message).map_err(|_| self.gone())
    }

    fn gone(&self) -> StoreError {
        if self.shared.state().closing { StoreError::Closing } else { ended() }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.sender = None;
        if let Some(thread) = self.thread.get_mut().unwrap_or_else(PoisonError::into_inner).take()
            && thread.join().is_err()
        {
            tracing::error!("the store's writer had panicked");
        }
    }
}

fn ended() -> StoreError {
    StoreError::Broken("the writer ended unexpectedly".into())
}

fn end_cancelled(job: JobId) -> Box<dyn Work> {
    let (reply, _) = oneshot::channel();
    let run = move |stage: &mut Stage<'_>| stage.end_cancelled(job);
    Box::new(Call { run, outcome: None, reply, bytes: 0, _room: None })
}

struct Thread {
    db: Connection,
    segments: Segments,
    shared: Arc<Shared>,
    receiver: Receiver<Message>,
    checkpoints: Checkpoints,
    purge: Purge,
    /// Given free last of all.
    lock: File,
}

impl Thread {
    fn run(mut self) {
        let mut commits = 0_u32;
        let close = loop {
            let chores = self.purge.is_due();
            let first = match self.receiver.try_recv() {
                Ok(message) => message,
                Err(TryRecvError::Disconnected) => break None,
                Err(TryRecvError::Empty) if chores => {
                    self.purge.step(&self.db, &mut self.segments, &mut self.checkpoints);
                    continue;
                }
                Err(TryRecvError::Empty) => match self.receiver.recv() {
                    Ok(message) => message,
                    Err(_) => break None,
                },
            };
            let (group, close) = self.gather(first);
            self.commit(group);
            commits = commits.wrapping_add(1);
            if chores && commits.is_multiple_of(CHORE_EVERY) {
                self.purge.step(&self.db, &mut self.segments, &mut self.checkpoints);
            }
            self.checkpoints.look(&self.db);
            if close.is_some() {
                break close;
            }
        };
        let Thread { db, checkpoints, lock, .. } = self;
        checkpoints.end();
        let closed = match &close {
            Some(_) => close_database(db).map_err(|error| StoreError::from(&error.into())),
            None => {
                drop(db);
                Ok(())
            }
        };
        // Closing it is not enough: a child process that is just being started has a copy for a moment.
        if let Err(error) = lock.unlock() {
            tracing::warn!(%error, "the data directory could not be given free before the process ends");
        }
        if let Some(reply) = close {
            // Who asked for the close may have gone.
            let _ = reply.send(closed);
        }
    }

    /// All that waits, within the limits of a group.
    fn gather(&self, first: Message) -> (Vec<Box<dyn Work>>, Option<Closed>) {
        let start = Instant::now();
        let mut group = Vec::new();
        let mut bytes = 0;
        let mut next = Some(first);
        while let Some(message) = next {
            match message {
                Message::Close(reply) => return (group, Some(reply)),
                Message::Work(work) => {
                    bytes += work.bytes();
                    group.push(work);
                }
            }
            let is_full = bytes >= GROUP_BYTES || start.elapsed() >= GROUP_TIME;
            next = if is_full { None } else { self.receiver.try_recv().ok() };
        }
        (group, None)
    }

    fn commit(&mut self, mut group: Vec<Box<dyn Work>>) {
        match self.attempt(&mut group) {
            Ok(()) => group.into_iter().for_each(|work| work.conclude(Ok(()))),
            Err(error) if group.len() == 1 => {
                tracing::error!(%error, "the store could not commit");
                metrics::commit_failed();
                let error = StoreError::from(&error);
                if matches!(error, StoreError::Full(_)) {
                    self.checkpoints.reuse_log(&self.db);
                }
                group.into_iter().for_each(|work| work.conclude(Err(error.clone())));
            }
            Err(_) => group.into_iter().for_each(|work| self.commit(vec![work])),
        }
    }

    /// Does a group in one transaction; when it returns, the group is durable and visible.
    fn attempt(&mut self, group: &mut [Box<dyn Work>]) -> Result<(), Fault> {
        let (began, operations) = (Instant::now(), group.len());
        let (effects, changes) = commit(&self.db, &mut self.segments, |db, segments| {
            let mut stage = Stage::new(db, segments, &self.shared);
            for work in group {
                work.attempt(&mut stage)?;
            }
            Ok(stage.finish()?)
        })?;
        told(operations, began.elapsed());
        self.purge.note(&changes, self.segments.rolled());
        // Before anyone is answered: who released the last lease of a cancelled job may look at it.
        let stuck = self.shared.publish(effects, changes);
        if !stuck.is_empty() {
            self.commit(stuck.into_iter().map(end_cancelled).collect());
        }
        Ok(())
    }
}

/// Counts a commit, and logs a slow one.
fn told(operations: usize, took: Duration) {
    metrics::committed(operations, took);
    if took > SLOW {
        tracing::warn!(took_ms = took.as_millis() as u64, operations, "a commit of the store was slow");
    }
}

/// Writes the log back, notes that all is well, and closes.
fn close_database(db: Connection) -> rusqlite::Result<()> {
    schema::set_meta(&db, schema::META_CLEAN, 1)?;
    db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
    open::write_back_on_close(&db, true)?;
    db.close().map_err(|(_, error)| error)
}

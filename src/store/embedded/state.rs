//! What the store knows in memory: the live jobs, the queue, and payloads of the last moments.
//!
//! Everything here was committed before (leases apart, which end with the process). The writer changes it right
//! after each commit; everyone else reads it, and claims and renews leases. Ended jobs are not here: they are
//! read from the database, so that memory does not grow with them. Must never know SQL.

use super::cache::Cache;
use super::options::Options;
use super::ranges::Ranges;
use super::schema;
use crate::job::{ChunkRef, JobId, JobRecord, JobState, Timestamp};
use crate::store::api::{ChunkRecord, PutChunk, Token};
use crate::store::clock::Clock;
use crate::store::ready::{ReadyChunk, ReadyQueue};
use crate::store::told;
use bytes::Bytes;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;

/// The state and what its users share with it.
#[derive(Debug)]
pub(super) struct Shared {
    state: Mutex<State>,
    /// Rings when a chunk may have become ready, and at the close.
    pub ready: watch::Sender<()>,
    /// Rings when a job was deleted, and at the close: all that can still happen to an ended job.
    pub deleted: watch::Sender<()>,
    /// The time.
    pub clock: Clock,
    /// Which opening this is.
    pub boot: u64,
}

/// See the module.
#[derive(Debug)]
pub(super) struct State {
    /// Jobs that have not ended.
    pub live: HashMap<JobId, Live>,
    /// Chunks that wait and leases that are out.
    pub queue: ReadyQueue,
    /// Input just stored.
    pub inputs: Cache,
    /// Results just stored.
    pub results: Cache,
    /// Jobs by code of their state, ended ones too.
    pub by_state: [u64; JobState::ALL.len() + 1],
    /// Locks by name: which token holds them until when.
    locks: HashMap<String, (Token, Timestamp)>,
    last_lock: u64,
    boot: u64,
    /// The store takes no new work.
    pub closing: bool,
}

/// A job that has not ended.
#[derive(Debug)]
pub(super) struct Live {
    /// Its number.
    pub seq: i64,
    /// Its record as committed.
    pub record: Arc<JobRecord>,
    /// Items that have a result.
    pub done: Ranges,
    /// Rings when the record or the results change; ends with the job.
    pub bell: watch::Sender<()>,
}

/// What a commit changes beside the records of jobs.
#[derive(Debug)]
pub(super) enum Effect {
    /// Input was stored: it waits for a worker.
    Stored { job: JobId, seq: i64, puts: Vec<PutChunk> },
    /// A result was stored.
    Done { job: JobId, seq: i64, chunk: ChunkRef, result: Bytes },
    /// A lease ended for good.
    Ended(Token),
    /// A lease ended and its chunk waits again.
    Returned(Token, ChunkRecord),
    /// Chunks that were missing from the queue.
    Requeued { job: JobId, chunks: Vec<ReadyChunk> },
    /// The job's chunks are not handed out any more.
    Stopped(JobId),
}

/// A job that a commit made, changed or deleted.
#[derive(Debug)]
pub(super) struct Change {
    /// Its id.
    pub id: JobId,
    /// Its number.
    pub seq: i64,
    /// What it is now; `Err`: deleted, in this state.
    pub record: Result<JobRecord, JobState>,
    /// Whether this commit made it.
    pub is_new: bool,
}

impl Shared {
    /// The state of a store without jobs.
    pub(super) fn new(options: &Options, clock: Clock, boot: u64) -> Shared {
        let state = State {
            live: HashMap::new(),
            queue: ReadyQueue::new(boot, options.window),
            inputs: Cache::new(options.input_cache_bytes),
            results: Cache::new(options.result_cache_bytes),
            by_state: Default::default(),
            locks: HashMap::new(),
            last_lock: 0,
            boot,
            closing: false,
        };
        Shared { state: Mutex::new(state), ready: watch::Sender::new(()), deleted: watch::Sender::new(()), clock, boot }
    }

    /// The state. Whoever panicked with it in hand had looked first and was changing plain data.
    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes no more work, and tells those who wait. `false`: it was so before.
    pub(super) fn close(&self) -> bool {
        let mut state = self.state();
        let was = std::mem::replace(&mut state.closing, true);
        for live in state.live.values() {
            live.bell.send_replace(());
        }
        self.ready.send_replace(());
        self.deleted.send_replace(());
        !was
    }

    /// Makes a commit visible. Returns the CANCELLING jobs that have no lease left: nobody else will end them.
    pub(super) fn publish(&self, effects: Vec<Effect>, changes: Vec<Change>) -> Vec<JobId> {
        let now = self.clock.now();
        let mut state = self.state();
        // New jobs come first, their chunks after.
        for change in changes.iter().filter(|change| change.is_new) {
            if let Ok(record) = &change.record {
                state.add(change.seq, record.clone(), Ranges::default());
            }
        }
        let may_claim = !effects.is_empty();
        let deletes = changes.iter().any(|change| change.record.is_err());
        let mut touched: Vec<JobId> = effects.into_iter().filter_map(|effect| state.apply(effect, now)).collect();
        let mut ended = Vec::new();
        for change in changes {
            touched.push(change.id);
            ended.extend(state.change(change));
        }
        touched.retain(|id| state.is_stuck(*id));
        drop(state);
        ended.iter().for_each(told::job_ended);
        if deletes {
            self.deleted.send_replace(());
        }
        if may_claim {
            self.ready.send_replace(());
        }
        touched
    }
}

impl State {
    /// Takes in a live job.
    pub(super) fn add(&mut self, seq: i64, record: JobRecord, done: Ranges) {
        self.by_state[record.state as usize] += 1;
        self.live.insert(record.id, Live { seq, record: Arc::new(record), done, bell: watch::Sender::new(()) });
    }

    /// Takes a lock until a time, unless another has it at `now`.
    pub(super) fn lock(&mut self, name: &str, now: Timestamp, until: Timestamp) -> Option<Token> {
        if self.locks.get(name).is_some_and(|(_, until)| *until > now) {
            return None;
        }
        self.last_lock += 1;
        let token = Token { boot: self.boot, lease: self.last_lock };
        self.locks.insert(name.to_owned(), (token, until));
        Some(token)
    }

    /// Gives a lock back, if the token still has it.
    pub(super) fn unlock(&mut self, name: &str, token: Token) {
        if self.locks.get(name).is_some_and(|(holder, _)| *holder == token) {
            self.locks.remove(name);
        }
    }

    /// Takes back the leases that have run out. Returns the CANCELLING jobs whose last lease that was.
    pub(super) fn expire(&mut self, now: Timestamp) -> (u32, Vec<JobId>) {
        let ended = self.queue.expire(now);
        let mut stuck: Vec<JobId> = ended.iter().map(|ended| ended.leased.job).collect();
        stuck.retain(|id| self.is_stuck(*id));
        (ended.len() as u32, stuck)
    }

    /// Whether it is a CANCELLING job without leases: only an event can end it.
    pub(super) fn is_stuck(&self, id: JobId) -> bool {
        self.live.get(&id).is_some_and(|live| live.record.state == JobState::Cancelling) && self.queue.out(id) == 0
    }

    /// Returns the job of a lease that ended.
    fn apply(&mut self, effect: Effect, now: Timestamp) -> Option<JobId> {
        match effect {
            Effect::Stored { job, seq, puts } => {
                let live = self.live.get(&job)?;
                for PutChunk { chunk, payload } in puts {
                    let record = ChunkRecord::default();
                    self.queue.push(&live.record, ReadyChunk { chunk, bytes: payload.len(), record, since: now });
                    if !payload.is_empty() {
                        self.inputs.put(schema::key(seq, chunk.first_index), chunk, payload);
                    }
                }
            }
            Effect::Done { job, seq, chunk, result } => {
                let key = schema::key(seq, chunk.first_index);
                self.inputs.remove(key);
                self.results.put(key, chunk, result);
                if let Some(live) = self.live.get_mut(&job) {
                    live.done.insert(chunk.first_index, chunk.end());
                }
            }
            Effect::Ended(token) => return self.queue.end(token).map(|ended| ended.leased.job),
            Effect::Returned(token, record) => {
                return self.queue.give_back(token, record, now).map(|ended| ended.leased.job);
            }
            Effect::Requeued { job, chunks } => {
                if let Some(live) = self.live.get(&job) {
                    chunks.into_iter().for_each(|chunk| self.queue.push(&live.record, chunk));
                }
            }
            Effect::Stopped(job) => drop(self.queue.cancel_job(job)),
        }
        None
    }

    /// Returns the job where this was its end.
    fn change(&mut self, change: Change) -> Option<JobRecord> {
        let before = self.live.get(&change.id).map(|live| live.record.state);
        match change.record {
            Ok(record) => {
                let live = self.live.get_mut(&change.id)?;
                self.by_state[live.record.state as usize] -= 1;
                self.by_state[record.state as usize] += 1;
                live.bell.send_replace(());
                if record.state.is_final() {
                    self.remove(change.id);
                    return Some(record);
                }
                live.record = Arc::new(record);
            }
            Err(deleted) if !change.is_new => {
                self.by_state[before.unwrap_or(deleted) as usize] -= 1;
                self.remove(change.id);
            }
            Err(_) => {}
        }
        None
    }

    /// The job ended: its leases are told, its watchers too.
    fn remove(&mut self, id: JobId) {
        self.queue.cancel_job(id);
        self.live.remove(&id);
    }
}

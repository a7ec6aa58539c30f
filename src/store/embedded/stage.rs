//! [`Stage`]: one transaction in the making, and what it will change in memory once it is durable.
//!
//! Operations see the changes of those before them in their group; all others see a group when it is committed,
//! or never. An operation looks first and changes after, so that one refused leaves nothing behind.

use super::fault::Fault;
use super::row;
use super::segments::Segments;
use super::state::{Change, Effect, Shared};
use crate::job::{JobId, JobRecord, Principal, Timestamp};
use crate::store::api::{Lease, StoreError, Token, Usage};
use crate::store::ready::Leased;
use rusqlite::Connection;
use std::collections::{BTreeMap, HashSet};

/// Why an operation did not happen.
#[derive(Debug)]
pub(super) enum Halt {
    /// The store says no; the group goes on.
    Refused(StoreError),
    /// The medium failed; the group is rolled back.
    Medium(Fault),
}

impl From<StoreError> for Halt {
    fn from(error: StoreError) -> Halt {
        Halt::Refused(error)
    }
}

impl From<Fault> for Halt {
    fn from(fault: Fault) -> Halt {
        Halt::Medium(fault)
    }
}

impl From<rusqlite::Error> for Halt {
    fn from(error: rusqlite::Error) -> Halt {
        Halt::Medium(error.into())
    }
}

/// See the module.
pub(super) struct Stage<'a> {
    /// The connection, inside its transaction.
    pub db: &'a Connection,
    /// The segments, in the same transaction.
    pub segments: &'a mut Segments,
    /// What was committed before.
    pub shared: &'a Shared,
    /// The time of the whole group.
    pub now: Timestamp,
    /// What memory will have to know.
    pub effects: Vec<Effect>,
    jobs: BTreeMap<JobId, Staged>,
    settled: HashSet<Token>,
}

#[derive(Debug)]
struct Staged {
    seq: i64,
    /// `Err`: deleted, as it was last.
    record: Result<JobRecord, JobRecord>,
    /// To be written.
    dirty: bool,
    is_new: bool,
}

impl<'a> Stage<'a> {
    /// Nothing staged yet.
    pub(super) fn new(db: &'a Connection, segments: &'a mut Segments, shared: &'a Shared) -> Stage<'a> {
        let now = shared.clock.now();
        Stage { db, segments, shared, now, effects: Vec::new(), jobs: BTreeMap::new(), settled: HashSet::new() }
    }

    /// The job as this transaction sees it, and its number.
    pub(super) fn job(&self, id: JobId) -> Result<(i64, JobRecord), Halt> {
        if let Some(staged) = self.jobs.get(&id) {
            let record = staged.record.as_ref().map_err(|_| StoreError::NotFound(id))?;
            return Ok((staged.seq, record.clone()));
        }
        if let Some(live) = self.shared.state().live.get(&id) {
            return Ok((live.seq, JobRecord::clone(&live.record)));
        }
        Ok(row::by_id(self.db, id)?.ok_or(StoreError::NotFound(id))?)
    }

    /// What a principal has stored, with the jobs that this transaction makes and deletes.
    pub(super) fn usage(&self, principal: &Principal) -> Usage {
        let mut usage = self.shared.state().usages.of(principal);
        for staged in self.jobs.values() {
            match &staged.record {
                Ok(job) if staged.is_new && job.principal == *principal => usage.jobs += 1,
                Err(job) if !staged.is_new && job.principal == *principal => {
                    usage.jobs = usage.jobs.saturating_sub(1);
                    usage.bytes = usage.bytes.saturating_sub(job.payload_bytes);
                }
                _ => {}
            }
        }
        usage
    }

    /// Stages a new job, whose row is there already.
    pub(super) fn add(&mut self, seq: i64, record: JobRecord) {
        self.jobs.insert(record.id, Staged { seq, record: Ok(record), dirty: false, is_new: true });
    }

    /// Stages a changed record; it is written once, when the group ends.
    pub(super) fn put(&mut self, seq: i64, record: JobRecord) {
        self.set(seq, record.id, Ok(record), true);
    }

    /// Stages a record whose change need not outlive the process.
    pub(super) fn put_in_memory(&mut self, seq: i64, record: JobRecord) {
        self.set(seq, record.id, Ok(record), false);
    }

    /// Stages a job's end of all: its row is gone.
    pub(super) fn remove(&mut self, seq: i64, record: &JobRecord) {
        self.set(seq, record.id, Err(record.clone()), false);
    }

    fn set(&mut self, seq: i64, id: JobId, record: Result<JobRecord, JobRecord>, dirty: bool) {
        let before = self.jobs.get(&id);
        let dirty = dirty || before.is_some_and(|before| before.dirty);
        let is_new = before.is_some_and(|before| before.is_new);
        self.jobs.insert(id, Staged { seq, record, dirty, is_new });
    }

    /// The chunk that a token holds, unless an operation before this one ended it.
    pub(super) fn held(&self, token: Token) -> Result<Leased, Lease> {
        if self.settled.contains(&token) {
            return Err(Lease::Lost);
        }
        self.shared.state().queue.held(token, self.now).cloned()
    }

    /// Stages the end of a lease that stands or is cancelled; `effect` tells the queue. Where it was the last one
    /// of a CANCELLING job, publishing finds that.
    pub(super) fn settle(&mut self, token: Token, effect: Effect) {
        self.settled.insert(token);
        self.effects.push(effect);
    }

    /// Writes the records that changed; returns what is to be published once the transaction is durable.
    pub(super) fn finish(self) -> rusqlite::Result<(Vec<Effect>, Vec<Change>)> {
        let mut changes = Vec::with_capacity(self.jobs.len());
        for (id, staged) in self.jobs {
            if let (Ok(record), true) = (&staged.record, staged.dirty) {
                row::update(self.db, staged.seq, record)?;
            }
            changes.push(Change { id, seq: staged.seq, record: staged.record, is_new: staged.is_new });
        }
        Ok((self.effects, changes))
    }
}

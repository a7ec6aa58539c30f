//! What a memory store holds, and what is done to jobs as a whole. Plain data behind one mutex.

use crate::job::{BatchSpec, ChunkRef, JobId, JobRecord, JobState, Principal, RequestId, Timestamp};
use crate::store::api::*;
use crate::store::clock::later;
use crate::store::ready::{Ended, ReadyQueue};
use crate::store::rules;
use crate::store::usage::Usages;
use bytes::Bytes;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Bound;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Notify;

/// All that a memory store holds.
#[derive(Debug)]
pub struct State {
    pub closed: bool,
    pub ready: ReadyQueue,
    pub jobs: HashMap<JobId, Job>,
    /// Bytes of payloads and results.
    pub bytes: u64,
    /// What each principal has stored.
    pub usages: Usages,
    requests: HashMap<(Principal, RequestId), JobId>,
    /// Every job by age.
    ages: BTreeSet<(Timestamp, JobId)>,
    locks: HashMap<String, (Token, Timestamp)>,
    boot: u64,
    next_lock: u64,
}

/// One job.
#[derive(Debug)]
pub struct Job {
    pub record: JobRecord,
    pub sent: BatchSpec,
    /// By the index of the first item.
    pub chunks: BTreeMap<u32, Chunk>,
    /// Bytes of its payloads and results.
    pub bytes: u64,
    /// Rings on each change of the record, and when the job goes.
    pub bell: Arc<Notify>,
}

/// One chunk of a job.
#[derive(Debug)]
pub struct Chunk {
    pub count: u32,
    /// Dropped once there is a result.
    pub payload: Bytes,
    pub record: ChunkRecord,
    pub result: Option<Bytes>,
}

impl State {
    pub fn new(boot: u64, window: u32) -> State {
        State {
            closed: false,
            ready: ReadyQueue::new(boot, window),
            jobs: HashMap::new(),
            bytes: 0,
            usages: Usages::default(),
            requests: HashMap::new(),
            ages: BTreeSet::new(),
            locks: HashMap::new(),
            boot,
            next_lock: 1,
        }
    }

    pub fn job(&self, job: JobId) -> Result<&Job, StoreError> {
        self.jobs.get(&job).ok_or(StoreError::NotFound(job))
    }

    /// Applies a change to a job, and rings for its watchers if its record changed.
    pub fn update<T>(
        &mut self,
        job: JobId,
        change: impl FnOnce(&mut Job) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let job = self.jobs.get_mut(&job).ok_or(StoreError::NotFound(job))?;
        let (before, held) = (job.record.revision, job.record.payload_bytes);
        let result = change(job);
        if job.record.revision != before {
            job.bell.notify_waiters();
            self.usages.grow(&job.record.principal, job.record.payload_bytes - held);
        }
        result
    }

    pub fn create(&mut self, new: NewJob, now: Timestamp) -> Result<Created, StoreError> {
        let request = (new.principal.clone(), new.request_id.clone());
        if let Some(id) = self.requests.get(&request) {
            let job = self.job(*id)?;
            let record = job.record.clone();
            return Ok(if job.sent == new.sent { Created::Same(record) } else { Created::Conflict(record) });
        }
        if self.jobs.contains_key(&new.id) {
            return Err(StoreError::Broken(format!("job id {} is taken", new.id)));
        }
        rules::admit(self.usages.of(&new.principal), new.quota)?;
        let sent = new.sent.clone();
        let record = rules::create(new, now);
        self.usages.add(&record.principal, 1, record.payload_bytes);
        self.requests.insert(request, record.id);
        self.ages.insert((record.created, record.id));
        let job = Job { record: record.clone(), sent, chunks: BTreeMap::new(), bytes: 0, bell: Arc::default() };
        self.jobs.insert(record.id, job);
        Ok(Created::New(record))
    }

    pub fn list(
        &self,
        principal: Option<&Principal>,
        filter: &ListFilter,
        after: Option<ListAfter>,
        limit: usize,
    ) -> Vec<JobRecord> {
        let end = after.map_or(Bound::Unbounded, |after| Bound::Excluded((after.created, after.id)));
        let newest_first = self.ages.range((Bound::Unbounded, end)).rev();
        newest_first
            .filter_map(|(_, id)| self.jobs.get(id))
            .filter(|job| rules::listed(&job.record, principal, filter))
            .map(|job| job.record.clone())
            .take(limit)
            .collect()
    }

    pub fn fail_job(&mut self, job: JobId, why: &str, now: Timestamp) -> Result<JobRecord, StoreError> {
        let record = self.update(job, |job| {
            rules::fail(&mut job.record, why, now)?;
            Ok(job.record.clone())
        })?;
        self.ready.cancel_job(job);
        Ok(record)
    }

    pub fn cancel(&mut self, job: JobId, now: Timestamp) -> Result<JobRecord, StoreError> {
        let leases = self.ready.cancel_job(job);
        self.update(job, |job| {
            rules::cancel(&mut job.record, leases, now);
            Ok(job.record.clone())
        })
    }

    /// Removes an ended job; returns its data, to be dropped without the mutex.
    pub fn delete(&mut self, job: JobId) -> Result<Job, StoreError> {
        rules::deletable(&self.job(job)?.record)?;
        let removed = self.jobs.remove(&job).ok_or(StoreError::NotFound(job))?;
        let record = &removed.record;
        self.requests.remove(&(record.principal.clone(), record.request_id.clone()));
        self.ages.remove(&(record.created, job));
        self.bytes -= removed.bytes;
        self.usages.remove(record);
        self.ready.cancel_job(job);
        removed.bell.notify_waiters();
        Ok(removed)
    }

    /// What the end of a lease means for its job.
    pub fn lease_ended(&mut self, ended: &Ended, now: Timestamp) {
        if ended.left == 0
            && let Some(job) = self.jobs.get_mut(&ended.leased.job)
            && job.record.state == JobState::Cancelling
        {
            rules::leases_ended(&mut job.record, now);
            job.bell.notify_waiters();
        }
    }

    /// Takes back the leases that ran out; returns how many.
    pub fn expire_leases(&mut self, now: Timestamp) -> u32 {
        let ended = self.ready.expire(now);
        ended.iter().for_each(|ended| self.lease_ended(ended, now));
        u32::try_from(ended.len()).unwrap_or(u32::MAX)
    }

    /// Sweeps; also returns the data of deleted jobs, to be dropped without the mutex.
    pub fn sweep(&mut self, limits: SweepLimits, now: Timestamp) -> (Swept, Vec<Job>) {
        let mut swept = Swept { leases: self.expire_leases(now), ..Swept::default() };
        let records = self.jobs.values().map(|job| &job.record);
        let idle: Vec<_> =
            records.clone().filter_map(|r| Some((r.id, rules::idle_too_long(r, &limits, now)?))).collect();
        let expired: Vec<_> = records.filter(|r| rules::expired(r, now)).map(|r| r.id).collect();
        for (job, why) in idle {
            swept.idle += u32::from(self.fail_job(job, &why, now).is_ok());
        }
        let deleted: Vec<Job> = expired.into_iter().filter_map(|job| self.delete(job).ok()).collect();
        swept.expired = u32::try_from(deleted.len()).unwrap_or(u32::MAX);
        (swept, deleted)
    }

    pub fn lock(&mut self, name: &str, ttl: Duration, now: Timestamp) -> Option<Token> {
        if self.locks.get(name).is_some_and(|(_, until)| *until > now) {
            return None;
        }
        let token = Token { boot: self.boot, lease: self.next_lock };
        self.next_lock += 1;
        self.locks.insert(name.to_owned(), (token, later(now, ttl)));
        Some(token)
    }

    pub fn unlock(&mut self, name: &str, token: Token) {
        if self.locks.get(name).is_some_and(|(holder, _)| *holder == token) {
            self.locks.remove(name);
        }
    }

    pub fn stats(&self) -> StoreStats {
        let waiting = self.ready.waiting();
        let count = |state| self.jobs.values().filter(|job| job.record.state == state).count() as u64;
        StoreStats {
            queued_chunks: waiting.each_ref().map(|waiting| waiting.chunks),
            queued_items: waiting.each_ref().map(|waiting| waiting.items),
            oldest: waiting.each_ref().map(|waiting| waiting.oldest()),
            leased_chunks: self.ready.leased(),
            jobs: JobState::ALL.map(|state| (state, count(state))).to_vec(),
            bytes: self.bytes,
        }
    }

    pub fn close(&mut self) {
        self.closed = true;
        self.jobs.values().for_each(|job| job.bell.notify_waiters());
    }
}

impl Chunk {
    pub fn reference(&self, first_index: u32) -> ChunkRef {
        ChunkRef { first_index, count: self.count }
    }
}

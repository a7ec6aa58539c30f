//! [`ReadyQueue`]: the chunks that wait and the leases that are out, for backends of one process.
//!
//! Within a job chunks are handed out in the order of their items, so that one handed back goes before all
//! that follow it. Time comes in as a value; must never know payloads, results, I/O or tasks.

use super::api::{ChunkRecord, Lease, Token, priority_index};
use super::clock::later;
use super::metrics;
use crate::job::fair::Fair;
use crate::job::{ChunkRef, JobId, JobRecord, Principal, Priority, Timestamp};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::Duration;

/// Chunks of one job that are out at a time, unless configured. More than the threads of one process need.
pub const DEFAULT_WINDOW: u32 = 256;

/// The chunks that wait and the leases that are out. Operations cost O(log n), or that for each chunk touched.
#[derive(Debug)]
pub struct ReadyQueue {
    boot: u64,
    next_lease: u64,
    fair: Fair,
    lines: HashMap<JobId, Line>,
    leases: HashMap<u64, Leased>,
    deadlines: BTreeSet<(Timestamp, u64)>,
    /// What waited of cancelled jobs, freed a little with each operation: all at once would hold up the others.
    trash: Vec<BTreeMap<u32, Parked>>,
}

/// A chunk to hand out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadyChunk {
    /// Which items.
    pub chunk: ChunkRef,
    /// Bytes of its payload.
    pub bytes: usize,
    /// What is known against it.
    pub record: ChunkRecord,
    /// Since when it waits.
    pub since: Timestamp,
}

/// A chunk that is out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leased {
    /// Its job.
    pub job: JobId,
    /// Which items.
    pub chunk: ChunkRef,
    /// Bytes of its payload.
    pub bytes: usize,
    /// What was known against it when it was claimed.
    pub record: ChunkRecord,
    ttl: Duration,
    deadline: Timestamp,
    cancelled: bool,
}

/// A lease that ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// What was out.
    pub leased: Leased,
    /// Leases of its job that are still out: at 0 a CANCELLING job is CANCELLED.
    pub left: u32,
}

/// How much waits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Waiting {
    /// Chunks.
    pub chunks: u64,
    /// Items in them.
    pub items: u64,
    /// Chunks by the time since which they wait.
    since: BTreeMap<Timestamp, u64>,
}

/// The chunks of one job.
#[derive(Debug)]
struct Line {
    principal: Principal,
    priority: Priority,
    waiting: BTreeMap<u32, Parked>,
    sum: Waiting,
    leased: BTreeMap<u32, u64>,
}

/// A waiting chunk, small: there may be half a million of them.
#[derive(Debug)]
struct Parked {
    count: u32,
    bytes: usize,
    since: Timestamp,
    record: Option<Box<ChunkRecord>>,
}

impl ReadyQueue {
    /// An empty queue. Tokens of another `boot` are lost; of each job at most `window` chunks are out at a time.
    pub fn new(boot: u64, window: u32) -> ReadyQueue {
        ReadyQueue {
            boot,
            next_lease: 1,
            fair: Fair::new(window),
            lines: HashMap::new(),
            leases: HashMap::new(),
            deadlines: BTreeSet::new(),
            trash: Vec::new(),
        }
    }

    /// Puts a chunk of a job in line; one that waits or is out already stays as it is.
    pub fn push(&mut self, job: &JobRecord, ready: ReadyChunk) {
        let line = self.lines.entry(job.id).or_insert_with(|| Line {
            principal: job.principal.clone(),
            priority: job.spec.priority,
            waiting: BTreeMap::new(),
            sum: Waiting::default(),
            leased: BTreeMap::new(),
        });
        if !line.holds(ready.chunk) {
            line.park(ready);
            self.fair.offer(job.id, &line.principal, line.priority);
        }
    }

    /// Leases out up to `max` chunks of at most `bytes` in all (but always one, if any waits), fairly. Run
    /// [`ReadyQueue::expire`] first.
    pub fn claim(&mut self, max: usize, bytes: usize, ttl: Duration, now: Timestamp) -> Vec<(Token, Leased)> {
        self.free_some();
        let mut claimed = Vec::new();
        let mut room = bytes;
        while claimed.len() < max {
            let Some(size) = self.fair.peek().and_then(|job| self.lines.get(&job)?.front_bytes()) else { break };
            if size > room && !claimed.is_empty() {
                break;
            }
            room = room.saturating_sub(size);
            claimed.extend(self.lease_next(ttl, now));
        }
        claimed
    }

    fn lease_next(&mut self, ttl: Duration, now: Timestamp) -> Option<(Token, Leased)> {
        let job = self.fair.take()?;
        let line = self.lines.get_mut(&job)?;
        let (first_index, parked) = line.waiting.pop_first()?;
        let chunk = ChunkRef { first_index, count: parked.count };
        line.sum.remove(&chunk, parked.since);
        if line.waiting.is_empty() {
            self.fair.withdraw(job);
        }
        let lease = self.next_lease;
        self.next_lease += 1;
        line.leased.insert(first_index, lease);
        let record = parked.record.map_or_else(ChunkRecord::default, |record| *record);
        let deadline = later(now, ttl);
        let leased = Leased { job, chunk, bytes: parked.bytes, record, ttl, deadline, cancelled: false };
        self.deadlines.insert((deadline, lease));
        self.leases.insert(lease, leased.clone());
        Some((Token { boot: self.boot, lease }, leased))
    }

    /// The chunk that this token holds.
    ///
    /// # Errors
    /// [`Lease::Lost`] or [`Lease::Cancelled`]: it holds none.
    pub fn held(&self, token: Token, now: Timestamp) -> Result<&Leased, Lease> {
        match self.leases.get(&token.lease) {
            Some(leased) if token.boot == self.boot && leased.deadline > now => {
                if leased.cancelled {
                    Err(Lease::Cancelled)
                } else {
                    Ok(leased)
                }
            }
            _ => Err(Lease::Lost),
        }
    }

    /// Renews a lease for as long as it was given for.
    pub fn renew(&mut self, token: Token, now: Timestamp) -> Lease {
        if let Err(lease) = self.held(token, now) {
            return lease;
        }
        if let Some(leased) = self.leases.get_mut(&token.lease) {
            self.deadlines.remove(&(leased.deadline, token.lease));
            leased.deadline = later(now, leased.ttl);
            self.deadlines.insert((leased.deadline, token.lease));
        }
        Lease::Held
    }

    /// Ends a lease for good: its chunk does not wait again. `None`: there is no such lease (any more).
    pub fn end(&mut self, token: Token) -> Option<Ended> {
        if token.boot != self.boot {
            return None;
        }
        self.free_some();
        let leased = self.leases.remove(&token.lease)?;
        self.deadlines.remove(&(leased.deadline, token.lease));
        self.fair.returned(leased.job);
        let mut left = 0;
        if let Some(line) = self.lines.get_mut(&leased.job) {
            line.leased.remove(&leased.chunk.first_index);
            left = line.out();
            if line.is_empty() {
                self.lines.remove(&leased.job);
            }
        }
        Some(Ended { leased, left })
    }

    /// Ends a lease and lets its chunk wait again with this record, unless it was cancelled or has run out
    /// (then `None`, and [`ReadyQueue::expire`] takes it back).
    pub fn give_back(&mut self, token: Token, record: ChunkRecord, now: Timestamp) -> Option<Ended> {
        match self.held(token, now) {
            Ok(_) => self.take_back(token, record, now),
            Err(Lease::Cancelled) => self.end(token),
            Err(_) => None,
        }
    }

    /// Ends the leases that have run out; their chunks wait again, unless cancelled.
    pub fn expire(&mut self, now: Timestamp) -> Vec<Ended> {
        let mut ended = Vec::new();
        while let Some((deadline, lease)) = self.deadlines.first().copied()
            && deadline <= now
        {
            let token = Token { boot: self.boot, lease };
            let record = self.leases.get(&lease).map(|leased| leased.record.clone()).unwrap_or_default();
            ended.extend(self.take_back(token, record, now));
        }
        metrics::leases_expired(ended.len());
        ended
    }

    fn take_back(&mut self, token: Token, record: ChunkRecord, now: Timestamp) -> Option<Ended> {
        let leased = self.leases.get(&token.lease)?;
        if !leased.cancelled
            && let Some(line) = self.lines.get_mut(&leased.job)
        {
            line.park(ReadyChunk { chunk: leased.chunk, bytes: leased.bytes, record, since: now });
            self.fair.offer(leased.job, &line.principal, line.priority);
        }
        self.end(token)
    }

    /// Drops what waits of a job and marks its leases cancelled; returns how many are out. Also right for a
    /// job that failed or is deleted.
    pub fn cancel_job(&mut self, job: JobId) -> u32 {
        let Some(line) = self.lines.get_mut(&job) else { return 0 };
        self.trash.push(std::mem::take(&mut line.waiting));
        line.sum = Waiting::default();
        self.fair.withdraw(job);
        for lease in line.leased.values() {
            if let Some(leased) = self.leases.get_mut(lease) {
                leased.cancelled = true;
            }
        }
        let out = line.out();
        if line.is_empty() {
            self.lines.remove(&job);
        }
        out
    }

    /// Whether this chunk of the job waits or is out.
    pub fn has(&self, job: JobId, chunk: ChunkRef) -> bool {
        self.lines.get(&job).is_some_and(|line| line.holds(chunk))
    }

    /// Leases of a job that are out.
    pub fn out(&self, job: JobId) -> u32 {
        self.lines.get(&job).map_or(0, Line::out)
    }

    /// Leases that are out.
    pub fn leased(&self) -> u64 {
        self.leases.len() as u64
    }

    /// What waits, by priority (low, normal, high). Costs a step for each job in the queue.
    pub fn waiting(&self) -> [Waiting; 3] {
        let mut all: [Waiting; 3] = Default::default();
        for line in self.lines.values() {
            all[priority_index(line.priority)].merge(&line.sum);
        }
        all
    }

    fn free_some(&mut self) {
        const STEP: usize = 64;
        let Some(map) = self.trash.last_mut() else { return };
        for _ in 0..STEP {
            if map.pop_first().is_none() {
                self.trash.pop();
                return;
            }
        }
    }
}

impl Waiting {
    /// Since when the oldest chunk waits.
    pub fn oldest(&self) -> Option<Timestamp> {
        self.since.keys().next().copied()
    }

    /// Adds another's numbers; of its times only the oldest.
    fn merge(&mut self, other: &Waiting) {
        self.chunks += other.chunks;
        self.items += other.items;
        if let Some(oldest) = other.oldest() {
            *self.since.entry(oldest).or_default() += 1;
        }
    }

    fn add(&mut self, chunk: &ChunkRef, since: Timestamp) {
        self.chunks += 1;
        self.items += u64::from(chunk.count);
        *self.since.entry(since).or_default() += 1;
    }

    fn remove(&mut self, chunk: &ChunkRef, since: Timestamp) {
        self.chunks -= 1;
        self.items -= u64::from(chunk.count);
        if let Some(count) = self.since.get_mut(&since) {
            *count -= 1;
            if *count == 0 {
                self.since.remove(&since);
            }
        }
    }
}

impl Line {
    fn park(&mut self, ready: ReadyChunk) {
        let ReadyChunk { chunk, bytes, record, since } = ready;
        self.sum.add(&chunk, since);
        let record = (record != ChunkRecord::default()).then(|| Box::new(record));
        self.waiting.insert(chunk.first_index, Parked { count: chunk.count, bytes, since, record });
    }

    fn holds(&self, chunk: ChunkRef) -> bool {
        self.waiting.contains_key(&chunk.first_index) || self.leased.contains_key(&chunk.first_index)
    }

    fn front_bytes(&self) -> Option<usize> {
        self.waiting.values().next().map(|parked| parked.bytes)
    }

    fn out(&self) -> u32 {
        u32::try_from(self.leased.len()).unwrap_or(u32::MAX)
    }

    fn is_empty(&self) -> bool {
        self.waiting.is_empty() && self.leased.is_empty()
    }
}

#[cfg(test)]
mod tests;

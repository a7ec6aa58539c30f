//! Two upload streams, two workers, a user and crashes around one job, whose id can be given anew after a delete.
//!
//! What a store makes durable is `Disk`, what it forgets in a crash `Queue`. The real rules decide on the record. Each action is
//! one transaction of the store, or the moment at which somebody learns of one. Everything that could go on for ever (crashes,
//! leases that run out, streams opened) has a budget, so every run ends, and where it ends the job must have ended too.

use crate::job::JobState;
use crate::record::Record;

/// Chunks of the client's input, of an item each.
pub const ITEMS: u32 = 2;

/// What is left of a crash.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Disk {
    /// `None` once deleted.
    pub job: Option<Record>,
    /// How often each chunk's result was stored.
    pub results: [u8; ITEMS as usize],
    /// Which job it is: one more with each that is made under the same request id.
    pub id: u8,
}

/// Where a chunk is, as the process knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// Not in the queue.
    Nowhere,
    /// To be claimed.
    Waiting,
    /// Leased to a worker.
    Out { worker: usize, cancelled: bool },
}

/// A client's stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stream {
    /// The job that it was opened for, and the epoch it was given.
    pub job: u8,
    pub epoch: u32,
    /// The item that it sends next.
    pub next: u32,
    /// What the store answered and the client has not heard yet: the new next index.
    pub answer: Option<u32>,
}

/// What a worker holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Held {
    pub job: u8,
    pub chunk: usize,
    /// Whether the lease still stands. The worker does not know.
    pub valid: bool,
    /// Whether it has said that work begins.
    pub begun: bool,
}

/// How much may still happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Budget {
    pub crashes: u8,
    pub expiries: u8,
    pub releases: u8,
    pub opens: u8,
    pub cancels: u8,
    pub deletes: u8,
    pub fails: u8,
}

/// What was promised, and what must never happen: nobody in the model looks at it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Promised {
    /// Items acknowledged to the client.
    pub stored: u32,
    /// Chunks whose worker was told that its result is stored.
    pub results: [bool; ITEMS as usize],
    /// The final state that the job was seen in.
    pub ended: Option<JobState>,
    /// Results when the cancel was acknowledged.
    pub cancelled_at: Option<u64>,
    /// A result was stored by a lease that no longer stood.
    pub stale: bool,
    /// A stream that had been taken over wrote.
    pub fenced: bool,
}

/// Everything.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct World {
    pub disk: Disk,
    /// What the process goes by: the disk, unless writes are not made durable at once.
    pub now: Disk,
    pub queue: [Place; ITEMS as usize],
    pub streams: [Option<Stream>; 2],
    pub workers: [Option<Held>; 2],
    pub budget: Budget,
    pub promised: Promised,
}

impl World {
    /// A new job, nothing done yet.
    pub fn new(budget: Budget) -> World {
        let disk = Disk { job: Some(Record::new()), results: [0; ITEMS as usize], id: 1 };
        World {
            now: disk.clone(),
            disk,
            queue: [Place::Nowhere; ITEMS as usize],
            streams: [None; 2],
            workers: [None; 2],
            budget,
            promised: Promised::default(),
        }
    }

    /// Chunks that are leased out.
    pub fn out(&self) -> u32 {
        self.queue.iter().filter(|place| matches!(place, Place::Out { .. })).count() as u32
    }
}

/// What can happen next; of a stream or a worker by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// A stream opens, and takes the upload over.
    Open(usize),
    /// It stores its next chunk.
    Put(usize),
    /// Its client hears of it.
    Hear(usize),
    /// It says that this was all, however much of it is stored.
    Finish(usize),
    /// It ends without a word.
    HalfClose(usize),
    /// A worker takes the first chunk that waits.
    Claim(usize),
    /// It says that it begins.
    Begin(usize),
    /// It stores its result.
    Complete(usize),
    /// It hands its chunk back.
    Release(usize),
    /// Its lease runs out, and it does not know.
    Expire(usize),
    /// The user cancels the job.
    Cancel,
    /// The user deletes it.
    Delete,
    /// The user makes another one under the same request id.
    Again,
    /// The upload was idle too long.
    FailIdle,
    /// What was written becomes durable, where it was not at once.
    Flush,
    /// The process dies, and another one starts.
    Crash,
}

//! All that is known of one job.

use super::{BatchSpec, JobId, JobState, Principal, RequestId};
use crate::sudoku::Outcome;

/// Milliseconds since 1970-01-01 UTC. Comes in as a value: nothing here reads a clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(pub u64);

/// Items by outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts([u64; 8]);

impl Counts {
    /// How many items had this outcome.
    pub fn get(&self, outcome: Outcome) -> u64 {
        self.0[outcome as usize]
    }

    /// Adds `n` items of an outcome.
    pub fn add(&mut self, outcome: Outcome, n: u64) {
        self.0[outcome as usize] += n;
    }

    /// Adds all of another.
    pub fn merge(&mut self, other: &Counts) {
        self.0.iter_mut().zip(&other.0).for_each(|(mine, theirs)| *mine += theirs);
    }

    /// Items with any outcome.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }
}

/// One job as the store knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobRecord {
    /// Its id.
    pub id: JobId,
    /// Whose it is.
    pub principal: Principal,
    /// The client's id for it (or one that the server made).
    pub request_id: RequestId,
    /// The resolved spec: nothing unset.
    pub spec: BatchSpec,
    /// Where it stands.
    pub state: JobState,
    /// Raised by each change of state, of `stored` or of `counts`.
    pub revision: u64,
    /// Items durably stored: the next index of the upload.
    pub stored: u32,
    /// Items in all, once known (sealed, or generated).
    pub total: Option<u32>,
    /// Results by outcome.
    pub counts: Counts,
    /// The upload stream that may write; older ones are fenced.
    pub upload_epoch: u32,
    /// When it was created.
    pub created: Timestamp,
    /// When its first chunk was begun.
    pub started: Option<Timestamp>,
    /// When it ended.
    pub ended: Option<Timestamp>,
    /// When input last came or an upload was last opened.
    pub last_input: Timestamp,
    /// Why it failed.
    pub error: Option<String>,
}

impl JobRecord {
    /// Items that have a result.
    pub fn done(&self) -> u64 {
        self.counts.total()
    }

    /// Items stored but without a result.
    pub fn backlog(&self) -> u64 {
        u64::from(self.stored).saturating_sub(self.done())
    }

    /// Items that are still to be worked on: those stored without a result, and those of generated work that are
    /// not stored yet. 0 once the job has ended or is being cancelled.
    pub fn outstanding(&self) -> u64 {
        let items = if self.state.is_workable() { self.total.unwrap_or(self.stored) } else { 0 };
        u64::from(items).saturating_sub(self.done())
    }

    /// When an ended job goes.
    pub fn expires(&self) -> Option<Timestamp> {
        let ttl_ms = self.spec.time_to_live_s?.saturating_mul(1_000);
        self.ended.map(|t| Timestamp(t.0.saturating_add(ttl_ms)))
    }
}

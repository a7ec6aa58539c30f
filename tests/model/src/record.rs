//! A job as the model holds it, small enough to be told from every other state; the real rules work on the real record.

use crate::job::spec::{BatchSpec, ResultFormat, ResultMode, SolveWork, Work};
use crate::job::{Counts, JobId, JobRecord, JobState, Principal, Priority, RequestId, Timestamp};
use crate::sudoku::Outcome;
use std::collections::BTreeMap;

/// What of a record decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Record {
    /// Where the job stands.
    pub state: JobState,
    /// Items stored.
    pub stored: u32,
    /// Items in all, once sealed.
    pub total: Option<u32>,
    /// Items with a result.
    pub done: u64,
    /// The stream that may write.
    pub epoch: u32,
    /// Whether a chunk was begun.
    pub started: bool,
}

/// The time stands still: what runs out is an action of its own.
pub const NOW: Timestamp = Timestamp(1);

impl Record {
    /// A new job that waits for input.
    pub fn new() -> Record {
        Record { state: JobState::Uploading, stored: 0, total: None, done: 0, epoch: 0, started: false }
    }

    /// Lets a real rule change it.
    pub fn apply<T>(&mut self, rule: impl FnOnce(&mut JobRecord) -> T) -> T {
        let mut record = self.real();
        let answer = rule(&mut record);
        *self = Record {
            state: record.state,
            stored: record.stored,
            total: record.total,
            done: record.done(),
            epoch: record.upload_epoch,
            started: record.started.is_some(),
        };
        answer
    }

    fn real(&self) -> JobRecord {
        let mut counts = Counts::default();
        counts.add(Outcome::Unique, self.done);
        JobRecord {
            id: JobId::from_bytes([1; 16]),
            principal: Principal::anonymous(),
            request_id: RequestId::new("model").expect("an id"),
            spec: spec(),
            state: self.state,
            revision: 1,
            stored: self.stored,
            total: self.total,
            counts,
            payload_bytes: 0,
            upload_epoch: self.epoch,
            created: NOW,
            started: self.started.then_some(NOW),
            ended: self.state.is_final().then_some(NOW),
            last_input: NOW,
            error: None,
        }
    }
}

impl Default for Record {
    fn default() -> Record {
        Record::new()
    }
}

fn spec() -> BatchSpec {
    BatchSpec {
        work: Work::Solve(SolveWork { max_solutions: 2, node_limit: None }),
        result_mode: ResultMode::Detached,
        result_format: ResultFormat::Block,
        priority: Priority::Normal,
        time_to_live_s: None,
        labels: BTreeMap::new(),
    }
}

//! [`Usage`]: what a principal has stored; and [`Usages`], kept up as jobs come, grow and go. Must never know where they
//! are kept.

use crate::job::{JobRecord, Principal};
use std::collections::HashMap;

/// What a principal has stored, or may have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Jobs, ended ones too.
    pub jobs: u64,
    /// Bytes of packed input and results that were stored for them.
    pub bytes: u64,
}

impl Usage {
    /// As a quota: no bound.
    pub const UNLIMITED: Usage = Usage { jobs: u64::MAX, bytes: u64::MAX };

    /// Whether there is room for more under a quota.
    pub fn has_room(self, quota: Usage) -> bool {
        self.jobs < quota.jobs && self.bytes < quota.bytes
    }
}

/// See the module. Principals without a job take no memory.
#[derive(Debug, Default)]
pub struct Usages(HashMap<Principal, Usage>);

impl Usages {
    /// What a principal has.
    pub fn of(&self, principal: &Principal) -> Usage {
        self.0.get(principal).copied().unwrap_or_default()
    }

    /// Jobs of so many bytes in all are there.
    pub fn add(&mut self, principal: &Principal, jobs: u64, bytes: u64) {
        let usage = self.0.entry(principal.clone()).or_default();
        usage.jobs += jobs;
        usage.bytes += bytes;
    }

    /// A job that is there has more bytes.
    pub fn grow(&mut self, principal: &Principal, bytes: u64) {
        if let Some(usage) = self.0.get_mut(principal) {
            usage.bytes += bytes;
        }
    }

    /// A job is gone.
    pub fn remove(&mut self, job: &JobRecord) {
        let Some(usage) = self.0.get_mut(&job.principal) else { return };
        usage.jobs = usage.jobs.saturating_sub(1);
        usage.bytes = usage.bytes.saturating_sub(job.payload_bytes);
        if usage.jobs == 0 {
            self.0.remove(&job.principal);
        }
    }
}

//! Operations on whole jobs, inside a transaction: create, upload, seal, cancel, fail, delete, sweep.
//!
//! What they mean for a record is in `store::rules`; must never know threads or who waits for the answer.

use super::stage::{Halt, Stage};
use super::state::Effect;
use super::{payload, payload::Kind, row};
use crate::job::{JobId, JobRecord};
use crate::store::api::{Created, NewJob, PutChunk, StoreError, SweepLimits, Swept, UploadGrant};
use crate::store::rules;

/// Ended jobs deleted by one sweep; the next one goes on.
const SWEEP_JOBS: usize = 256;

impl Stage<'_> {
    /// [`crate::store::JobStore::create`].
    pub(super) fn create(&mut self, new: &NewJob) -> Result<Created, Halt> {
        if let Some((id, sent)) = row::by_request(self.db, &new.principal, &new.request_id)? {
            let (_, record) = self.job(id)?;
            return Ok(if sent == new.sent { Created::Same(record) } else { Created::Conflict(record) });
        }
        if row::by_id(self.db, new.id)?.is_some() {
            return Err(StoreError::Broken(format!("job id {} is taken", new.id)).into());
        }
        rules::admit(self.usage(&new.principal), new.quota)?;
        let record = rules::create(new.clone(), self.now);
        let seq = row::insert(self.db, &record, &new.sent)?;
        self.add(seq, record.clone());
        Ok(Created::New(record))
    }

    /// [`crate::store::JobStore::open_upload`].
    pub(super) fn open_upload(&mut self, job: JobId) -> Result<UploadGrant, Halt> {
        let (seq, mut record) = self.job(job)?;
        let grant = rules::open_upload(&mut record, self.now)?;
        self.put(seq, record);
        Ok(grant)
    }

    /// [`crate::store::JobStore::put_chunks`].
    pub(super) fn put_chunks(&mut self, job: JobId, epoch: u32, chunks: &[PutChunk]) -> Result<u32, Halt> {
        let (seq, mut record) = self.job(job)?;
        let puts = rules::put_chunks(&mut record, epoch, chunks.to_vec(), self.now)?;
        let next = record.stored;
        for PutChunk { chunk, payload } in &puts {
            payload::put(self.db, self.segments, Kind::Input, seq, *chunk, payload)?;
        }
        if puts.is_empty() {
            self.put_in_memory(seq, record);
        } else {
            self.put(seq, record);
            self.effects.push(Effect::Stored { job, seq, puts });
        }
        Ok(next)
    }

    /// [`crate::store::JobStore::seal`].
    pub(super) fn seal(&mut self, job: JobId, epoch: u32, total: u32) -> Result<JobRecord, Halt> {
        let (seq, mut record) = self.job(job)?;
        let before = record.revision;
        rules::seal(&mut record, epoch, total, self.now)?;
        if record.revision != before {
            self.put(seq, record.clone());
        }
        Ok(record)
    }

    /// [`crate::store::JobStore::touch_upload`]; not written: a restart counts as a touch.
    pub(super) fn touch_upload(&mut self, job: JobId, epoch: u32) -> Result<(), Halt> {
        let (seq, mut record) = self.job(job)?;
        rules::touch_upload(&mut record, epoch, self.now)?;
        self.put_in_memory(seq, record);
        Ok(())
    }

    /// [`crate::store::JobStore::fail_job`].
    pub(super) fn fail_job(&mut self, job: JobId, why: &str) -> Result<JobRecord, Halt> {
        let (seq, mut record) = self.job(job)?;
        rules::fail(&mut record, why, self.now)?;
        self.put(seq, record.clone());
        self.effects.push(Effect::Stopped(job));
        Ok(record)
    }

    /// [`crate::store::JobStore::cancel`].
    pub(super) fn cancel(&mut self, job: JobId) -> Result<JobRecord, Halt> {
        let (seq, mut record) = self.job(job)?;
        let before = record.revision;
        let leases = self.shared.state().queue.out(job);
        rules::cancel(&mut record, leases, self.now);
        if record.revision != before {
            self.put(seq, record.clone());
            self.effects.push(Effect::Stopped(job));
        }
        Ok(record)
    }

    /// Ends a CANCELLING job that has no lease any more.
    pub(super) fn end_cancelled(&mut self, job: JobId) -> Result<(), Halt> {
        let (seq, mut record) = match self.job(job) {
            Err(Halt::Refused(StoreError::NotFound(_))) => return Ok(()),
            other => other?,
        };
        let before = record.revision;
        if self.shared.state().queue.out(job) == 0 {
            rules::leases_ended(&mut record, self.now);
        }
        if record.revision != before {
            self.put(seq, record);
        }
        Ok(())
    }

    /// [`crate::store::JobStore::delete`].
    pub(super) fn delete(&mut self, job: JobId) -> Result<(), Halt> {
        let (seq, record) = self.job(job)?;
        rules::deletable(&record)?;
        row::bury(self.db, seq, &record)?;
        self.remove(seq, &record);
        Ok(())
    }

    /// [`crate::store::JobStore::sweep`].
    pub(super) fn sweep(&mut self, limits: &SweepLimits) -> Result<Swept, Halt> {
        let mut swept = Swept::default();
        for (job, why) in self.idle(limits) {
            // The copy that was looked at is of before this group: look again.
            let (_, record) = self.job(job)?;
            if rules::idle_too_long(&record, limits, self.now).is_some() {
                self.fail_job(job, &why)?;
                swept.idle += 1;
            }
        }
        let now = self.now.0 as i64;
        let condition = format!("expires <= ?1 ORDER BY expires LIMIT {SWEEP_JOBS}");
        for (_, record) in row::select(self.db, &condition, &[&now])? {
            self.delete(record.id)?;
            swept.expired += 1;
        }
        let (leases, stuck) = self.shared.state().expire(self.now);
        swept.leases = leases;
        for job in stuck {
            self.end_cancelled(job)?;
        }
        Ok(swept)
    }

    fn idle(&self, limits: &SweepLimits) -> Vec<(JobId, String)> {
        let state = self.shared.state();
        let idle = |record: &JobRecord| Some((record.id, rules::idle_too_long(record, limits, self.now)?));
        state.live.values().filter_map(|live| idle(&live.record)).collect()
    }
}

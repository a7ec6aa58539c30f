//! Operations on chunks and their leases, inside a transaction: begin, complete, fail, release, requeue.
//!
//! Must never know threads, or who waits for the answer.

use super::stage::{Halt, Stage};
use super::state::Effect;
use super::{mark, payload, payload::Kind};
use crate::job::{ChunkRef, Counts, JobEvent, JobId, JobRecord};
use crate::store::api::{Completion, Lease, StoreError, Token};
use crate::store::ready::{Leased, ReadyChunk};
use crate::store::rules;
use bytes::Bytes;

impl Stage<'_> {
    /// [`crate::store::JobStore::begin`].
    pub(super) fn begin(&mut self, token: Token, item: Option<u32>) -> Result<Lease, Halt> {
        let (leased, seq, mut record) = match self.workable(token)? {
            Ok(found) => found,
            Err(lease) => return Ok(lease),
        };
        rules::check_item(leased.job, leased.chunk, item)?;
        mark::begin(self.db, seq, leased.chunk, self.shared.boot, item)?;
        let before = record.revision;
        rules::advance(&mut record, JobEvent::Begun, self.now);
        if record.revision != before {
            self.put(seq, record);
        }
        Ok(Lease::Held)
    }

    /// [`crate::store::JobStore::complete`].
    pub(super) fn complete(&mut self, token: Token, counts: &Counts, result: &Bytes) -> Result<Completion, Halt> {
        let (leased, seq, mut record) = match self.workable(token)? {
            Ok(found) => found,
            Err(Lease::Cancelled) => {
                self.settle(token, Effect::Ended(token));
                return Ok(Completion::Cancelled);
            }
            Err(_) => return Ok(Completion::Lost),
        };
        let chunk = leased.chunk;
        rules::check_counts(&record, chunk, counts)?;
        let stored = payload::put(self.db, self.segments, Kind::Result, seq, chunk, result)?;
        if stored {
            rules::add_result(&mut record, chunk, counts, self.now)?;
            mark::remove(self.db, seq, chunk)?;
            self.put(seq, record);
            self.effects.push(Effect::Done { job: leased.job, seq, chunk, result: result.clone() });
        }
        self.settle(token, Effect::Ended(token));
        Ok(if stored { Completion::Stored } else { Completion::Duplicate })
    }

    /// [`crate::store::JobStore::fail`].
    pub(super) fn fail(&mut self, token: Token, why: &str, condemn: Option<u32>) -> Result<(), Halt> {
        match self.workable(token)? {
            Ok((leased, seq, _)) => {
                let mut record = mark::get(self.db, seq, leased.chunk)?;
                rules::blame(&mut record, leased.job, leased.chunk, condemn)?;
                tracing::warn!(job_id = %leased.job, first_index = leased.chunk.first_index, why, "a chunk failed");
                mark::set(self.db, seq, leased.chunk, &record, why)?;
                self.settle(token, Effect::Returned(token, record));
            }
            Err(Lease::Cancelled) => self.settle(token, Effect::Ended(token)),
            Err(_) => {}
        }
        Ok(())
    }

    /// [`crate::store::JobStore::release`].
    pub(super) fn release(&mut self, token: Token) -> Result<(), Halt> {
        match self.workable(token)? {
            Ok((leased, seq, _)) => {
                mark::end(self.db, seq, leased.chunk)?;
                self.settle(token, Effect::Returned(token, leased.record));
            }
            Err(Lease::Cancelled) => self.settle(token, Effect::Ended(token)),
            Err(_) => {}
        }
        Ok(())
    }

    /// [`crate::store::JobStore::requeue_missing`].
    pub(super) fn requeue_missing(&mut self, job: JobId) -> Result<u32, Halt> {
        let (seq, record) = self.job(job)?;
        if !record.state.is_workable() {
            return Ok(0);
        }
        let mut missing: Vec<(ChunkRef, usize)> = Vec::new();
        payload::scan(self.db, Kind::Input, seq, |chunk, bytes| {
            let state = self.shared.state();
            let is_done = state.live.get(&job).is_some_and(|live| live.done.contains(chunk.first_index));
            if !is_done && !state.queue.has(job, chunk) {
                missing.push((chunk, bytes));
            }
        })?;
        let mut chunks = Vec::with_capacity(missing.len());
        for (chunk, bytes) in missing {
            let record = mark::get(self.db, seq, chunk)?;
            chunks.push(ReadyChunk { chunk, bytes, record, since: self.now });
        }
        let count = chunks.len() as u32;
        if count > 0 {
            self.effects.push(Effect::Requeued { job, chunks });
        }
        Ok(count)
    }

    /// The chunk that a token holds, with its job's number and record, if work on it is still wanted.
    fn workable(&self, token: Token) -> Result<Result<(Leased, i64, JobRecord), Lease>, Halt> {
        let leased = match self.held(token) {
            Ok(leased) => leased,
            Err(lease) => return Ok(Err(lease)),
        };
        match self.job(leased.job) {
            Ok((seq, record)) if record.state.is_workable() => Ok(Ok((leased, seq, record))),
            Ok(_) | Err(Halt::Refused(StoreError::NotFound(_))) => Ok(Err(Lease::Cancelled)),
            Err(halt) => Err(halt),
        }
    }
}

//! What is done to chunks and results: claim, begin, hand back, complete, read.

use super::state::State;
use crate::job::{ChunkRef, Counts, JobEvent, JobId, Timestamp};
use crate::store::api::*;
use crate::store::rules;
use bytes::Bytes;
use std::sync::Arc;
use std::time::Duration;

impl State {
    pub fn claim(&mut self, max: usize, bytes: usize, ttl: Duration, now: Timestamp) -> Vec<Claim> {
        self.expire_leases(now);
        let mut claims = Vec::new();
        for (token, leased) in self.ready.claim(max, bytes, ttl, now) {
            let Some(job) = self.jobs.get(&leased.job) else { continue };
            let Some(chunk) = job.chunks.get(&leased.chunk.first_index) else { continue };
            claims.push(Claim {
                token,
                job: Arc::new(job.record.clone()),
                chunk: leased.chunk,
                payload: Ok(chunk.payload.clone()),
                record: leased.record,
            });
        }
        claims
    }

    pub fn begin(&mut self, token: Token, item: Option<u32>, now: Timestamp) -> Result<Lease, StoreError> {
        let leased = match self.ready.held(token, now) {
            Ok(leased) => leased,
            Err(lease) => return Ok(lease),
        };
        let (job, chunk) = (leased.job, leased.chunk);
        rules::check_item(job, chunk, item)?;
        self.update(job, |job| {
            rules::advance(&mut job.record, JobEvent::Begun, now);
            Ok(Lease::Held)
        })
    }

    pub fn release(&mut self, token: Token, now: Timestamp) {
        let record = self.ready.held(token, now).map(|leased| leased.record.clone()).unwrap_or_default();
        self.hand_back(token, record, now);
    }

    pub fn fail(&mut self, token: Token, condemn: Option<u32>, now: Timestamp) -> Result<(), StoreError> {
        let mut record = ChunkRecord::default();
        if let Ok(leased) = self.ready.held(token, now) {
            let (id, chunk) = (leased.job, leased.chunk);
            record = leased.record.clone();
            rules::blame(&mut record, id, chunk, condemn)?;
            self.update(id, |job| {
                if let Some(chunk) = job.chunks.get_mut(&chunk.first_index) {
                    chunk.record = record.clone();
                }
                Ok(())
            })?;
        }
        self.hand_back(token, record, now);
        Ok(())
    }

    fn hand_back(&mut self, token: Token, record: ChunkRecord, now: Timestamp) {
        if let Some(ended) = self.ready.give_back(token, record, now) {
            self.lease_ended(&ended, now);
        }
    }

    pub fn complete(
        &mut self,
        token: Token,
        counts: Counts,
        result: Bytes,
        now: Timestamp,
    ) -> Result<Completion, StoreError> {
        let completion = match self.ready.held(token, now) {
            Ok(leased) => {
                let (job, chunk) = (leased.job, leased.chunk);
                self.store_result(job, chunk, counts, result, now)?
            }
            Err(Lease::Cancelled) => Completion::Cancelled,
            Err(_) => return Ok(Completion::Lost),
        };
        if let Some(ended) = self.ready.end(token) {
            self.lease_ended(&ended, now);
        }
        Ok(completion)
    }

    fn store_result(
        &mut self,
        id: JobId,
        at: ChunkRef,
        counts: Counts,
        result: Bytes,
        now: Timestamp,
    ) -> Result<Completion, StoreError> {
        let added = result.len() as u64;
        let mut freed = 0;
        let completion = self.update(id, |job| {
            let Some(chunk) = job.chunks.get_mut(&at.first_index) else { return Err(StoreError::NotFound(id)) };
            if chunk.result.is_some() {
                return Ok(Completion::Duplicate);
            }
            rules::add_result(&mut job.record, at, &counts, result.len(), now)?;
            freed = std::mem::take(&mut chunk.payload).len() as u64;
            job.bytes = job.bytes + added - freed;
            chunk.result = Some(result);
            Ok(Completion::Stored)
        })?;
        if completion == Completion::Stored {
            self.bytes = self.bytes + added - freed;
        }
        Ok(completion)
    }

    pub fn next_result(&self, id: JobId, from: u32) -> Result<NextResult, StoreError> {
        let job = self.job(id)?;
        let here = job.chunks.range(..=from).next_back().filter(|(first, chunk)| chunk.reference(**first).end() > from);
        let mut candidates = here.into_iter().chain(job.chunks.range(from..).filter(|(first, _)| **first > from));
        let ended = job.record.state.is_final();
        let found = if ended { candidates.find(|(_, chunk)| chunk.result.is_some()) } else { here };
        Ok(match found {
            Some((first, chunk)) => match &chunk.result {
                Some(result) => NextResult::Chunk(chunk.reference(*first), result.clone()),
                None => NextResult::Pending,
            },
            None if ended => NextResult::End(Box::new(job.record.clone())),
            None => NextResult::Pending,
        })
    }
}

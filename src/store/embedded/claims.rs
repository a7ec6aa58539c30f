//! Handing chunks out: from the queue, with their input from memory or from the database.
//!
//! Must never know what is written.

use super::Embedded;
use super::payload::{self, Damaged, Kind};
use super::schema;
use crate::job::JobRecord;
use crate::store::api::{ChunkRecord, Claim, StoreError, Token};
use crate::store::metrics;
use crate::store::ready::Leased;
use bytes::Bytes;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A lease that was just taken.
struct Taken {
    token: Token,
    leased: Leased,
    job: Arc<JobRecord>,
    seq: i64,
    payload: Option<Bytes>,
}

/// Leases that nobody has received yet: dropped, they go back.
struct Undelivered<'a> {
    store: &'a Embedded,
    taken: Vec<Taken>,
}

impl Drop for Undelivered<'_> {
    fn drop(&mut self) {
        if !self.taken.is_empty() {
            let back = self.taken.drain(..).map(|taken| (taken.token, taken.leased.record)).collect();
            self.store.give_back(back);
        }
    }
}

impl Embedded {
    /// [`crate::store::JobStore::claim`].
    pub(super) async fn claim_chunks(&self, max: usize, bytes: usize, ttl: Duration) -> Result<Vec<Claim>, StoreError> {
        let mut ready = self.shared.ready.subscribe();
        loop {
            // The wait for a chunk is no latency of the store's.
            let began = Instant::now();
            let taken = self.take(max, bytes, ttl)?;
            if !taken.taken.is_empty() || max == 0 {
                let claims = self.deliver(taken).await;
                metrics::answered("claim", began);
                return claims;
            }
            // The sender lives as long as the store.
            let _ = ready.changed().await;
        }
    }

    fn take(&self, max: usize, bytes: usize, ttl: Duration) -> Result<Undelivered<'_>, StoreError> {
        let now = self.shared.clock.now();
        let mut state = self.shared.state();
        if state.closing {
            return Err(StoreError::Closing);
        }
        let (_, stuck) = state.expire(now);
        let mut taken = Vec::new();
        for (token, leased) in state.queue.claim(max, bytes, ttl, now) {
            let Some(live) = state.live.get(&leased.job) else {
                state.queue.end(token);
                continue;
            };
            let key = schema::key(live.seq, leased.chunk.first_index);
            let cached = || state.inputs.get(key).map(|(_, payload)| payload);
            let payload = if leased.bytes == 0 { Some(Bytes::new()) } else { cached() };
            taken.push(Taken { token, job: live.record.clone(), seq: live.seq, payload, leased });
        }
        drop(state);
        stuck.into_iter().for_each(|job| self.writer.end_cancelled(job));
        Ok(Undelivered { store: self, taken })
    }

    async fn deliver(&self, mut undelivered: Undelivered<'_>) -> Result<Vec<Claim>, StoreError> {
        let absent = undelivered.taken.iter().filter(|taken| taken.payload.is_none());
        let wanted: Vec<_> = absent.map(|taken| (taken.leased.job, taken.seq, taken.leased.chunk)).collect();
        let mut read = Vec::new();
        if !wanted.is_empty() {
            let files = self.files.clone();
            read = self
                .readers
                .run(move |db| {
                    let payload = |(job, seq, chunk)| match payload::get(db, &files, Kind::Input, seq, chunk)? {
                        Some(Ok(payload)) => Ok(Ok(payload)),
                        Some(Err(Damaged)) | None => Ok(Err(StoreError::Damaged { job, chunk })),
                    };
                    wanted.into_iter().map(payload).collect()
                })
                .await?;
        }
        let mut read = read.into_iter();
        let claim = |Taken { token, leased, job, payload, .. }| {
            let payload = payload.map(Ok).or_else(|| read.next());
            let payload = payload.unwrap_or(Err(StoreError::Damaged { job: leased.job, chunk: leased.chunk }));
            Claim { token, job, chunk: leased.chunk, payload, record: leased.record }
        };
        Ok(undelivered.taken.drain(..).map(claim).collect())
    }

    fn give_back(&self, leases: Vec<(Token, ChunkRecord)>) {
        let now = self.shared.clock.now();
        let mut state = self.shared.state();
        let ended = leases.into_iter().filter_map(|(token, record)| state.queue.give_back(token, record, now));
        let mut jobs: Vec<_> = ended.map(|ended| ended.leased.job).collect();
        jobs.retain(|job| state.is_stuck(*job));
        drop(state);
        jobs.into_iter().for_each(|job| self.writer.end_cancelled(job));
        self.shared.ready.send_replace(());
    }
}

//! Handing results out in order, and waiting for what is not there yet.
//!
//! Must never know what is written.

use super::{Embedded, query, row, schema};
use crate::job::{ChunkRef, JobId, JobRecord};
use crate::store::api::{NextResult, StoreError};
use crate::store::metrics;
use bytes::Bytes;
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// What memory says about item `from` of a job.
enum Look {
    /// Its result, just stored.
    Here(ChunkRef, Bytes),
    /// It has a result, in the database.
    Stored(i64),
    /// It has none yet.
    Wait(watch::Receiver<()>),
    /// The job ended, or there is none.
    Ended,
}

/// A read of a result, timed: those in memory and the wait for one are no latency of the store's.
async fn measured<T>(read: impl Future<Output = T>) -> T {
    let began = Instant::now();
    let result = read.await;
    metrics::answered("read_result", began);
    result
}

impl Embedded {
    /// [`crate::store::JobStore::next_result`].
    pub(super) async fn result_from(&self, job: JobId, from: u32, wait: Duration) -> Result<NextResult, StoreError> {
        let over = tokio::time::sleep(wait);
        tokio::pin!(over);
        loop {
            let mut bell = match self.look(job, from)? {
                Look::Here(chunk, payload) => return Ok(NextResult::Chunk(chunk, payload)),
                Look::Stored(seq) => return measured(self.stored_result(job, seq, from)).await,
                Look::Ended => return measured(self.ended_result(job, from)).await,
                Look::Wait(bell) => bell,
            };
            tokio::select! {
                // An error is a ring too: the job ended.
                _ = bell.changed() => {}
                () = &mut over => return Ok(NextResult::Pending),
            }
        }
    }

    fn look(&self, job: JobId, from: u32) -> Result<Look, StoreError> {
        let state = self.shared.state();
        if state.closing {
            return Err(StoreError::Closing);
        }
        let Some(live) = state.live.get(&job) else { return Ok(Look::Ended) };
        if !live.done.contains(from) {
            return Ok(Look::Wait(live.bell.subscribe()));
        }
        Ok(match state.results.get(schema::key(live.seq, from)) {
            Some((chunk, payload)) => Look::Here(chunk, payload),
            None => Look::Stored(live.seq),
        })
    }

    async fn stored_result(&self, job: JobId, seq: i64, from: u32) -> Result<NextResult, StoreError> {
        let files = self.files.clone();
        let found = self.readers.run(move |db| query::result_at(db, &files, seq, from)).await?;
        // It was there when the job was looked at: its row is gone or names other items.
        let lost = StoreError::Damaged { job, chunk: ChunkRef { first_index: from, count: 1 } };
        let (chunk, payload) = query::sound(job, found.filter(|(chunk, _)| chunk.contains(from)).ok_or(lost)?)?;
        Ok(NextResult::Chunk(chunk, payload))
    }

    async fn ended_result(&self, job: JobId, from: u32) -> Result<NextResult, StoreError> {
        let (shared, files) = (self.shared.clone(), self.files.clone());
        let read = move |db: &rusqlite::Connection| query::ended_result(db, &files, &shared, job, from);
        match self.readers.run(read).await? {
            None => Err(StoreError::NotFound(job)),
            Some((record, None)) => Ok(NextResult::End(Box::new(record))),
            Some((_, Some(found))) => {
                query::sound(job, found).map(|(chunk, payload)| NextResult::Chunk(chunk, payload))
            }
        }
    }

    /// [`crate::store::JobStore::job`].
    pub(super) async fn record(&self, job: JobId) -> Result<JobRecord, StoreError> {
        {
            let state = self.shared.state();
            if state.closing {
                return Err(StoreError::Closing);
            }
            if let Some(live) = state.live.get(&job) {
                return Ok(JobRecord::clone(&live.record));
            }
        }
        let found = self.readers.run(move |db| Ok(row::by_id(db, job)?)).await?;
        found.map(|(_, record)| record).ok_or(StoreError::NotFound(job))
    }

    /// [`crate::store::JobStore::changed`].
    pub(super) async fn record_after(&self, job: JobId, seen: u64, wait: Duration) -> Result<JobRecord, StoreError> {
        let over = tokio::time::sleep(wait);
        tokio::pin!(over);
        loop {
            let live = self.shared.state().live.get(&job).map(|live| live.bell.subscribe());
            let mut bell = live.unwrap_or_else(|| self.shared.deleted.subscribe());
            let record = self.record(job).await?;
            if record.revision > seen {
                return Ok(record);
            }
            tokio::select! {
                _ = bell.changed() => {}
                () = &mut over => return self.record(job).await,
            }
        }
    }
}

//! A job's results in order, from any item on, replayed from the store and followed while the job runs.

use super::error::EngineError;
use crate::job::{ChunkRef, JobId, JobRecord, ResultChunk};
use crate::store::{JobStore, NextResult, StoreError};
use bytes::Bytes;
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// Results of consecutive items.
#[derive(Debug)]
pub struct ResultSlice {
    /// Which items: a stored chunk, without those before the asked start.
    pub items: ChunkRef,
    /// The stored chunk.
    pub chunk: ResultChunk,
    /// Items of the stored chunk to leave out at its start.
    pub skip: u32,
}

/// Reads a job's results in order.
pub struct ResultFollow {
    store: Arc<dyn JobStore>,
    draining: CancellationToken,
    job: JobId,
    next: u32,
    follow: bool,
}

/// What a follower meets.
#[derive(Debug)]
pub enum Followed {
    /// Results.
    Slice(ResultSlice),
    /// None yet; ask again.
    Pending,
    /// The job has ended and nothing follows. `None` when not following: nothing more is there now.
    End(Option<Box<JobRecord>>),
}

impl ResultFollow {
    pub(super) fn new(
        store: Arc<dyn JobStore>,
        draining: CancellationToken,
        job: JobId,
        from: u32,
        follow: bool,
    ) -> ResultFollow {
        ResultFollow { store, draining, job, next: from, follow }
    }

    /// What follows, waiting up to `wait` where it follows. Safe to drop and call again.
    ///
    /// # Errors
    /// `Draining` while this process ends; what the store says. A `Damaged` chunk is met once: the next call
    /// goes on behind it.
    pub async fn next(&mut self, wait: Duration) -> Result<Followed, EngineError> {
        let wait = if self.follow { wait } else { Duration::ZERO };
        let next = self.draining.run_until_cancelled(self.store.next_result(self.job, self.next, wait)).await;
        match next.ok_or(EngineError::Draining)? {
            Ok(NextResult::Chunk(chunk, bytes)) => self.slice(chunk, bytes),
            Ok(NextResult::Pending) if self.follow => Ok(Followed::Pending),
            Ok(NextResult::Pending) => Ok(Followed::End(None)),
            Ok(NextResult::End(record)) => Ok(Followed::End(Some(record))),
            Err(error) => {
                if let StoreError::Damaged { chunk, .. } = &error {
                    self.next = self.next.max(chunk.end());
                }
                Err(error.into())
            }
        }
    }

    /// The index of the next item that will be given.
    pub fn next_index(&self) -> u32 {
        self.next
    }

    fn slice(&mut self, stored: ChunkRef, bytes: Bytes) -> Result<Followed, EngineError> {
        let first_index = stored.first_index.max(self.next);
        self.next = stored.end();
        match ResultChunk::decode(bytes) {
            Ok(chunk) if chunk.len() == stored.count => Ok(Followed::Slice(ResultSlice {
                items: ChunkRef { first_index, count: stored.end() - first_index },
                chunk,
                skip: first_index - stored.first_index,
            })),
            _ => Err(StoreError::Damaged { job: self.job, chunk: stored }.into()),
        }
    }
}

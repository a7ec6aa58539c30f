//! What is done to a job's input: take over, put, seal.

use super::state::{Chunk, State};
use crate::job::{JobId, JobRecord, Timestamp};
use crate::store::api::*;
use crate::store::ready::ReadyChunk;
use crate::store::rules;

impl State {
    pub fn open_upload(&mut self, job: JobId, now: Timestamp) -> Result<UploadGrant, StoreError> {
        self.update(job, |job| rules::open_upload(&mut job.record, now))
    }

    pub fn put_chunks(
        &mut self,
        id: JobId,
        epoch: u32,
        chunks: Vec<PutChunk>,
        now: Timestamp,
    ) -> Result<u32, StoreError> {
        let fresh = self.update(id, |job| rules::put_chunks(&mut job.record, epoch, chunks, now))?;
        let job = self.jobs.get_mut(&id).ok_or(StoreError::NotFound(id))?;
        for PutChunk { chunk, payload } in fresh {
            let bytes = payload.len();
            job.bytes += bytes as u64;
            self.bytes += bytes as u64;
            let kept = Chunk { count: chunk.count, payload, record: ChunkRecord::default(), result: None };
            job.chunks.insert(chunk.first_index, kept);
            self.ready.push(&job.record, ReadyChunk { chunk, bytes, record: ChunkRecord::default(), since: now });
        }
        Ok(job.record.stored)
    }

    pub fn seal(&mut self, job: JobId, epoch: u32, total: u32, now: Timestamp) -> Result<JobRecord, StoreError> {
        self.update(job, |job| {
            rules::seal(&mut job.record, epoch, total, now)?;
            Ok(job.record.clone())
        })
    }

    pub fn touch_upload(&mut self, job: JobId, epoch: u32, now: Timestamp) -> Result<(), StoreError> {
        self.update(job, |job| rules::touch_upload(&mut job.record, epoch, now))
    }

    pub fn requeue_missing(&mut self, id: JobId, now: Timestamp) -> Result<u32, StoreError> {
        let job = self.job(id)?;
        if !job.record.state.is_workable() {
            return Ok(0);
        }
        let missing: Vec<ReadyChunk> = job
            .chunks
            .iter()
            .filter(|(_, chunk)| chunk.result.is_none())
            .map(|(first_index, chunk)| ReadyChunk {
                chunk: chunk.reference(*first_index),
                bytes: chunk.payload.len(),
                record: chunk.record.clone(),
                since: now,
            })
            .filter(|ready| !self.ready.has(id, ready.chunk))
            .collect();
        let record = job.record.clone();
        let count = u32::try_from(missing.len()).unwrap_or(u32::MAX);
        missing.into_iter().for_each(|ready| self.ready.push(&record, ready));
        Ok(count)
    }
}

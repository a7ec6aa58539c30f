//! [`Embedded`] as a [`JobStore`]: which operation is run where.

use super::stage::{Halt, Stage};
use super::writer::Load;
use super::{Embedded, query};
use crate::job::{Counts, JobId, JobRecord, JobState, Principal};
use crate::store::api::*;
use crate::store::clock::later;
use crate::store::metrics;
use async_trait::async_trait;
use bytes::Bytes;
use std::path::Path;
use std::time::{Duration, Instant};

impl Embedded {
    async fn write<R, F>(&self, operation: &'static str, load: Load, run: F) -> Result<R, StoreError>
    where
        F: FnMut(&mut Stage<'_>) -> Result<R, Halt> + Send + 'static,
        R: Send + 'static,
    {
        self.open_for_work()?;
        let began = Instant::now();
        let answer = self.writer.run(load, run).await;
        metrics::answered(operation, began);
        answer
    }

    fn open_for_work(&self) -> Result<(), StoreError> {
        if self.shared.state().closing { Err(StoreError::Closing) } else { Ok(()) }
    }
}

#[async_trait]
impl JobStore for Embedded {
    async fn create(&self, new: NewJob) -> Result<Created, StoreError> {
        self.write("create", Load::None, move |stage| stage.create(&new)).await
    }

    async fn open_upload(&self, job: JobId) -> Result<UploadGrant, StoreError> {
        self.write("open_upload", Load::None, move |stage| stage.open_upload(job)).await
    }

    async fn put_chunks(&self, job: JobId, epoch: u32, chunks: Vec<PutChunk>) -> Result<u32, StoreError> {
        let load = Load::Input(chunks.iter().map(|put| put.payload.len()).sum());
        self.write("put_chunks", load, move |stage| stage.put_chunks(job, epoch, &chunks)).await
    }

    async fn seal(&self, job: JobId, epoch: u32, total: u32) -> Result<JobRecord, StoreError> {
        self.write("seal", Load::None, move |stage| stage.seal(job, epoch, total)).await
    }

    async fn touch_upload(&self, job: JobId, epoch: u32) -> Result<(), StoreError> {
        self.write("touch_upload", Load::None, move |stage| stage.touch_upload(job, epoch)).await
    }

    async fn job(&self, job: JobId) -> Result<JobRecord, StoreError> {
        self.record(job).await
    }

    async fn list(
        &self,
        principal: Option<&Principal>,
        filter: &ListFilter,
        after: Option<ListAfter>,
        limit: usize,
    ) -> Result<Vec<JobRecord>, StoreError> {
        self.open_for_work()?;
        let (principal, filter) = (principal.cloned(), filter.clone());
        let began = Instant::now();
        let listed = self.readers.run(move |db| query::list(db, principal.as_ref(), &filter, after, limit)).await;
        metrics::answered("list", began);
        listed
    }

    async fn changed(&self, job: JobId, seen: u64, wait: Duration) -> Result<JobRecord, StoreError> {
        self.record_after(job, seen, wait).await
    }

    async fn fail_job(&self, job: JobId, why: &str) -> Result<JobRecord, StoreError> {
        let why = why.to_owned();
        self.write("fail_job", Load::None, move |stage| stage.fail_job(job, &why)).await
    }

    async fn cancel(&self, job: JobId) -> Result<JobRecord, StoreError> {
        self.write("cancel", Load::None, move |stage| stage.cancel(job)).await
    }

    async fn delete(&self, job: JobId) -> Result<(), StoreError> {
        self.write("delete", Load::None, move |stage| stage.delete(job)).await
    }

    async fn claim(&self, max: usize, bytes: usize, lease_ttl: Duration) -> Result<Vec<Claim>, StoreError> {
        self.claim_chunks(max, bytes, lease_ttl).await
    }

    async fn begin(&self, token: Token, item: Option<u32>) -> Result<Lease, StoreError> {
        self.write("begin", Load::None, move |stage| stage.begin(token, item)).await
    }

    async fn heartbeat(&self, token: Token) -> Result<Lease, StoreError> {
        self.open_for_work()?;
        Ok(self.shared.state().queue.renew(token, self.shared.clock.now()))
    }

    async fn release(&self, token: Token) -> Result<(), StoreError> {
        self.write("release", Load::None, move |stage| stage.release(token)).await
    }

    async fn fail(&self, token: Token, why: &str, condemn: Option<u32>) -> Result<(), StoreError> {
        let why = why.to_owned();
        self.write("fail", Load::None, move |stage| stage.fail(token, &why, condemn)).await
    }

    async fn complete(&self, token: Token, counts: Counts, result: Bytes) -> Result<Completion, StoreError> {
        let load = Load::Result(result.len());
        self.write("complete", load, move |stage| stage.complete(token, &counts, &result)).await
    }

    async fn next_result(&self, job: JobId, from: u32, wait: Duration) -> Result<NextResult, StoreError> {
        self.result_from(job, from, wait).await
    }

    async fn requeue_missing(&self, job: JobId) -> Result<u32, StoreError> {
        self.write("requeue_missing", Load::None, move |stage| stage.requeue_missing(job)).await
    }

    async fn sweep(&self, limits: SweepLimits) -> Result<Swept, StoreError> {
        let swept = self.write("sweep", Load::None, move |stage| stage.sweep(&limits)).await?;
        if swept.leases > 0 {
            self.shared.ready.send_replace(());
        }
        Ok(swept)
    }

    /// Only one process has the directory, so a lock need not outlive it.
    async fn lock(&self, name: &str, ttl: Duration) -> Result<Option<Token>, StoreError> {
        self.open_for_work()?;
        let now = self.shared.clock.now();
        Ok(self.shared.state().lock(name, now, later(now, ttl)))
    }

    async fn unlock(&self, name: &str, token: Token) -> Result<(), StoreError> {
        self.open_for_work()?;
        self.shared.state().unlock(name, token);
        Ok(())
    }

    async fn verify(&self) -> Result<(), StoreError> {
        self.open_for_work()?;
        let files = self.files.clone();
        self.readers.run(move |db| query::verify(db, &files)).await?
    }

    async fn stats(&self) -> Result<StoreStats, StoreError> {
        self.open_for_work()?;
        let (file, files) = (self.file.clone(), self.files.clone());
        let bytes = self.readers.run(move |_| Ok(bytes_on_disk(&file) + files.bytes()?)).await?;
        let state = self.shared.state();
        let waiting = state.queue.waiting();
        Ok(StoreStats {
            queued_chunks: waiting.each_ref().map(|waiting| waiting.chunks),
            queued_items: waiting.each_ref().map(|waiting| waiting.items),
            oldest: waiting.each_ref().map(|waiting| waiting.oldest()),
            leased_chunks: state.queue.leased(),
            jobs: JobState::ALL.iter().map(|job| (*job, state.by_state[*job as usize])).collect(),
            backlog_items: state.live.values().map(|live| live.record.outstanding()).sum(),
            bytes,
        })
    }

    async fn close(&self) -> Result<(), StoreError> {
        if !self.shared.close() {
            return Ok(());
        }
        self.readers.close(self.reader_count).await;
        self.writer.close().await
    }
}

/// The database and its log; a file that is not there takes none.
fn bytes_on_disk(file: &Path) -> u64 {
    let mut log = file.as_os_str().to_owned();
    log.push("-wal");
    let size = |path: &Path| std::fs::metadata(path).map_or(0, |metadata| metadata.len());
    size(file) + size(Path::new(&log))
}

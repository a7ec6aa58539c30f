//! [`Writer`]: stores an upload's chunks behind its back, in order. While one write is on its way further
//! chunks gather, bounded in bytes, and go together in the next.

use super::context::Context;
use crate::job::{JobId, JobRecord, Principal};
use crate::store::{JobStore, PutChunk, StoreError, UploadGrant, Usage, rules};
use std::sync::{Arc, OnceLock};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, watch};
use tokio_util::sync::CancellationToken;

/// Chunks of one write; more wait for the next.
const MAX_CHUNKS: usize = 256;

/// One upload's way to the store. Its task ends, after what was put, when this is dropped or the engine closes.
pub(super) struct Writer {
    job: JobId,
    chunks: mpsc::UnboundedSender<Queued>,
    /// Bytes this upload, and all of them, may still hold.
    room: [Gauge; 2],
    durable: watch::Receiver<u32>,
    error: Arc<OnceLock<StoreError>>,
}

/// Bytes as permits.
struct Gauge {
    free: Arc<Semaphore>,
    capacity: usize,
}

struct Queued {
    chunk: PutChunk,
    _room: [OwnedSemaphorePermit; 2],
}

impl Writer {
    /// Starts writing under a grant.
    pub(super) fn start(context: &Context, record: &JobRecord, grant: UploadGrant) -> Writer {
        let job = record.id;
        let (chunks, queue) = mpsc::unbounded_channel();
        let (progress, durable) = watch::channel(grant.next_index);
        let error = Arc::new(OnceLock::new());
        let (one, all) = (context.options.upload_buffer_bytes, context.options.upload_buffers_bytes);
        let room = [
            Gauge { free: Arc::new(Semaphore::new(one)), capacity: one },
            Gauge { free: Arc::clone(&context.upload_room), capacity: all },
        ];
        let task = WriteTask {
            store: Arc::clone(&context.store),
            principal: record.principal.clone(),
            // Jobs were counted when this one was made.
            quota: Usage { jobs: u64::MAX, ..context.options.quota() },
            job,
            epoch: grant.epoch,
            queue,
            progress,
            error: Arc::clone(&error),
            closing: context.closing.clone(),
            abort: context.abort.clone(),
        };
        context.tasks.spawn(task.run());
        Writer { job, chunks, room, durable, error }
    }

    /// Waits for room for a chunk and hands it over. `chunk` is taken only when that is done, so that a
    /// dropped call loses nothing.
    pub(super) async fn put(&self, chunk: &mut Option<PutChunk>) -> Result<(), StoreError> {
        let Some(bytes) = chunk.as_ref().map(|chunk| chunk.payload.len()) else { return Ok(()) };
        let room = [self.room[0].take(bytes).await?, self.room[1].take(bytes).await?];
        match chunk.take() {
            Some(chunk) => self.chunks.send(Queued { chunk, _room: room }).map_err(|_| self.failure()),
            None => Ok(()),
        }
    }

    /// Waits until the items before `end` are durable.
    pub(super) async fn durable(&self, end: u32) -> Result<u32, StoreError> {
        let mut durable = self.durable.clone();
        let reached = durable.wait_for(|&stored| stored >= end).await.map(|stored| *stored);
        reached.map_err(|_| self.failure())
    }

    /// The durable count, as it grows.
    pub(super) fn progress(&self) -> watch::Receiver<u32> {
        self.durable.clone()
    }

    /// Why writing ended, if it did.
    pub(super) fn error(&self) -> Option<&StoreError> {
        self.error.get()
    }

    /// Why the task is gone: its error, or the engine's end.
    fn failure(&self) -> StoreError {
        tracing::debug!(job = %self.job, "an upload met the end of its writer");
        self.error.get().cloned().unwrap_or(StoreError::Closing)
    }
}

impl Gauge {
    async fn take(&self, bytes: usize) -> Result<OwnedSemaphorePermit, StoreError> {
        // A chunk greater than the whole buffer takes all of it.
        let bytes = u32::try_from(bytes.min(self.capacity)).unwrap_or(u32::MAX);
        Arc::clone(&self.free).acquire_many_owned(bytes).await.map_err(|_| StoreError::Closing)
    }
}

struct WriteTask {
    store: Arc<dyn JobStore>,
    principal: Principal,
    /// No more is written once the principal has as much.
    quota: Usage,
    job: JobId,
    epoch: u32,
    queue: mpsc::UnboundedReceiver<Queued>,
    progress: watch::Sender<u32>,
    error: Arc<OnceLock<StoreError>>,
    /// What was put is still stored, nothing after it.
    closing: CancellationToken,
    abort: CancellationToken,
}

impl WriteTask {
    async fn run(mut self) {
        let abort = self.abort.clone();
        let ended = abort.run_until_cancelled(self.write()).await;
        if let Some(Err(error)) = ended {
            tracing::debug!(job = %self.job, %error, "an upload's writer ended");
            // Set before `progress` is dropped: who sees that one closed finds the reason.
            self.error.get_or_init(|| error);
        }
    }

    async fn write(&mut self) -> Result<(), StoreError> {
        let mut queued = Vec::new();
        loop {
            if self.closing.is_cancelled() {
                self.queue.close();
            }
            let closes = self.closing.clone();
            let count = tokio::select! {
                biased;
                count = self.queue.recv_many(&mut queued, MAX_CHUNKS) => count,
                () = closes.cancelled(), if !self.queue.is_closed() => continue,
            };
            if count == 0 {
                return Ok(());
            }
            let chunks = queued.iter().map(|queued| queued.chunk.clone()).collect();
            rules::admit(self.store.usage(&self.principal).await?, self.quota)?;
            let stored = self.store.put_chunks(self.job, self.epoch, chunks).await?;
            queued.clear();
            self.progress.send_replace(stored);
        }
    }
}

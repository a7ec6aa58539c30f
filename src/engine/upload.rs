//! One upload stream of one job: validates and packs items as they come, cuts chunks, stores them in order.

use super::chunk_size::chunk_items;
use super::chunker::Chunker;
use super::context::Context;
use super::error::EngineError;
use super::limit::Limit;
use super::pieces::{Piece, lines};
use super::told;
use super::writer::Writer;
use crate::job::{JobId, JobRecord};
use crate::store::{JobStore, PutChunk, StoreError, UploadGrant};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// Work between two yields, in plain lines: well under 500 µs.
const WORK_PER_POLL: usize = 8_192;

/// How often an upload that brings nothing new is noted as alive.
const TOUCH_EVERY: Duration = Duration::from_secs(1);

/// The right to upload to a job. Dropping it loses what was not flushed; nothing else.
pub struct Upload {
    store: Arc<dyn JobStore>,
    job: JobId,
    grant: UploadGrant,
    taken_over: bool,
    max_items: u32,
    draining: CancellationToken,
    chunker: Chunker,
    /// A chunk that was cut and waits for room.
    cut: Option<PutChunk>,
    writer: Writer,
    touched: Instant,
}

impl Upload {
    /// Begins to upload under a grant. On a job that is taken over, blocks must say where they begin.
    pub(super) fn new(context: &Context, job: &JobRecord, grant: UploadGrant, taken_over: bool) -> Upload {
        let chunk_items = chunk_items(context.options.chunk_items, &job.spec.work);
        let job = job.id;
        Upload {
            store: Arc::clone(&context.store),
            job,
            grant,
            taken_over,
            max_items: context.options.max_job_items,
            draining: context.draining.clone(),
            chunker: Chunker::new(grant.next_index, chunk_items),
            cut: None,
            writer: Writer::start(context, job, grant),
            touched: Instant::now(),
        }
    }

    /// The first index not stored yet when it was opened.
    pub fn next_index(&self) -> u32 {
        self.grant.next_index
    }

    /// Items durably stored, as it grows. A latest-value cell; it closes when storing fails (a newer stream
    /// took over, say: the next call here tells why) and after this upload is dropped.
    pub fn progress(&self) -> watch::Receiver<u32> {
        self.writer.progress()
    }

    /// Whether items wait for their chunk to fill: then [`Upload::cut`] it when input pauses.
    pub fn has_partial(&self) -> bool {
        self.chunker.has_partial() || self.cut.is_some()
    }

    /// Takes items given one by one, each in any text form. `first_index` is required on a taken-over job.
    /// Returns once they are buffered; waits while the buffer is full (backpressure). Dropped half-way, it
    /// has taken a part of them: go on with `first_index` only.
    ///
    /// # Errors
    /// `Invalid` (no `first_index` where it is required), `Gap`, `Exhausted` (too many items), `Draining`,
    /// `WrongState` (sealed or ended meanwhile), and what the store says, `Fenced` above all. Items before
    /// the one that is too many are taken.
    pub async fn puzzles(&mut self, first_index: Option<u32>, puzzles: &[String]) -> Result<(), EngineError> {
        self.take(first_index, puzzles.iter().map(|puzzle| Piece::Puzzle(puzzle))).await
    }

    /// Takes whole lines; blank lines and `#` lines are not items. Otherwise as [`Upload::puzzles`].
    ///
    /// # Errors
    /// As [`Upload::puzzles`].
    pub async fn text(&mut self, first_index: Option<u32>, text: &[u8]) -> Result<(), EngineError> {
        self.take(first_index, lines(text)).await
    }

    /// Cuts the partial chunk and hands it on, without waiting until it is durable. Safe to drop.
    ///
    /// # Errors
    /// As [`Upload::flush`].
    pub async fn cut(&mut self) -> Result<(), EngineError> {
        self.hand_over().await?;
        self.cut = self.chunker.cut();
        self.hand_over().await
    }

    /// Cuts the partial chunk and waits until all that was taken is durable: returns how many items that
    /// are. Called when input pauses and before the stream ends for whatever reason. Safe to drop.
    ///
    /// # Errors
    /// `WrongState` when the job was sealed or ended meanwhile, and what the store says.
    pub async fn flush(&mut self) -> Result<u32, EngineError> {
        self.cut().await?;
        self.writer.durable(self.chunker.next_index()).await.map_err(refused)
    }

    /// Flushes and seals the job.
    ///
    /// # Errors
    /// `Invalid` when `total` is not the number of items (nothing is sealed then); else as [`Upload::flush`].
    pub async fn finish(&mut self, total: Option<u32>) -> Result<JobRecord, EngineError> {
        let stored = self.flush().await?;
        if let Some(total) = total.filter(|&total| total != stored) {
            let right = if total > stored { "send the rest first" } else { "announce as many, or leave it unset" };
            return Err(EngineError::Invalid {
                field: "finish.total_count".into(),
                problem: format!("{total} items were announced, but {stored} are stored: {right}"),
            });
        }
        let job = self.store.seal(self.job, self.grant.epoch, stored).await.map_err(refused)?;
        told::sealed(&job);
        Ok(job)
    }

    async fn take<'a>(
        &mut self,
        first_index: Option<u32>,
        mut pieces: impl Iterator<Item = Piece<'a>> + Send,
    ) -> Result<(), EngineError> {
        if self.draining.is_cancelled() {
            return Err(EngineError::Draining);
        }
        if let Some(error) = self.writer.error() {
            return Err(refused(error.clone()));
        }
        self.hand_over().await?;
        let next = self.chunker.next_index();
        let mut index = u64::from(self.place(first_index)?);
        while self.take_some(&mut index, &mut pieces)? {
            self.hand_over().await?;
            tokio::task::yield_now().await;
        }
        self.hand_over().await?;
        if self.chunker.next_index() == next { self.touch().await } else { Ok(()) }
    }

    /// Takes pieces, the first item being the job's item `index`, until a chunk is cut or it is time to let others
    /// run (true), or there are no more.
    fn take_some<'a>(
        &mut self,
        index: &mut u64,
        pieces: &mut impl Iterator<Item = Piece<'a>>,
    ) -> Result<bool, EngineError> {
        let mut work = 0;
        for piece in pieces {
            work += piece.work();
            if piece.is_item() {
                if *index == u64::from(self.chunker.next_index()) {
                    self.push(piece)?;
                }
                *index += 1;
            }
            if self.cut.is_some() || work >= WORK_PER_POLL {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Where a block begins.
    fn place(&self, first_index: Option<u32>) -> Result<u32, EngineError> {
        let expected = self.chunker.next_index();
        match first_index {
            Some(got) if got > expected => Err(EngineError::Gap { expected, got }),
            Some(got) => Ok(got),
            None if self.taken_over => Err(EngineError::Invalid {
                field: "block.first_index".into(),
                problem: format!("required on a job that is taken over; item {expected} comes next"),
            }),
            None => Ok(expected),
        }
    }

    /// Packs the next item. Where that cuts a chunk, it must be handed over before the next push.
    #[inline]
    fn push(&mut self, item: Piece<'_>) -> Result<(), EngineError> {
        if self.chunker.next_index() >= self.max_items {
            return Err(EngineError::Exhausted {
                limit: Limit::JobItems,
                problem: format!("a job holds at most {} items: submit the rest as another job", self.max_items),
                retry_after: None,
            });
        }
        self.cut = self.chunker.push(item.read());
        Ok(())
    }

    /// Hands a cut chunk to the writer, waiting for room.
    async fn hand_over(&mut self) -> Result<(), EngineError> {
        self.writer.put(&mut self.cut).await.map_err(refused)
    }

    /// Notes now and then that the stream lives although it brings nothing new.
    async fn touch(&mut self) -> Result<(), EngineError> {
        if self.touched.elapsed() < TOUCH_EVERY {
            return Ok(());
        }
        self.touched = Instant::now();
        self.store.touch_upload(self.job, self.grant.epoch).await.map_err(refused)
    }
}

/// What a refusal of the store means to an upload.
fn refused(error: StoreError) -> EngineError {
    match error {
        StoreError::WrongState { job, state } => {
            EngineError::WrongState { job, state, problem: "it takes no more input; submit another job" }
        }
        StoreError::TotalMismatch { stored, total, .. } => EngineError::Invalid {
            field: "finish.total_count".into(),
            problem: format!("{total} items were announced, but {stored} are stored"),
        },
        other => EngineError::Store(other),
    }
}

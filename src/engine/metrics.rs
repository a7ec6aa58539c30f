//! What the engine counts, with names and descriptions. The only place of the engine that names a metric.

use crate::job::{Counts, JobState, Priority, Work};
use crate::pool::Pool;
use crate::store::{StoreStats, priority_index};
use crate::sudoku::{Answer, Outcome};
use metrics::{Unit, counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram};
use std::time::Duration;

const ITEMS: &str = "sudokud_items_total";
const NODES: &str = "sudokud_nodes_total";
const SOLVER_SECONDS: &str = "sudokud_solver_seconds";
const CHUNKS: &str = "sudokud_chunks_total";
const CHUNK_RERUNS: &str = "sudokud_chunk_reruns_total";
const CHUNK_FAILURES: &str = "sudokud_chunk_failures_total";
const CONDEMNED_ITEMS: &str = "sudokud_condemned_items_total";
const STORE_RETRIES: &str = "sudokud_store_retries_total";
const BATCH_THREADS: &str = "sudokud_batch_threads";
const BATCH_THREADS_BUSY: &str = "sudokud_batch_threads_busy";
const INTERACTIVE_THREADS: &str = "sudokud_interactive_threads";
const INTERACTIVE_THREADS_BUSY: &str = "sudokud_interactive_threads_busy";
const INTERACTIVE_QUEUE: &str = "sudokud_interactive_queue";
const UPLOAD_BUFFER_BYTES: &str = "sudokud_upload_buffer_bytes";
const UPLOAD_BUFFER_LIMIT_BYTES: &str = "sudokud_upload_buffer_limit_bytes";
const QUEUE_CHUNKS: &str = "sudokud_queue_chunks";
const QUEUE_ITEMS: &str = "sudokud_queue_items";
const QUEUE_AGE: &str = "sudokud_queue_age_seconds";
const BACKLOG_ITEMS: &str = "sudokud_backlog_items";
const JOBS: &str = "sudokud_jobs";
const LEASED_CHUNKS: &str = "sudokud_leased_chunks";
const STORE_BYTES: &str = "sudokud_store_bytes";

/// The two lanes.
const BATCH: &str = "batch";
const INTERACTIVE: &str = "interactive";

/// What became of a chunk that was in work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ChunkEnd {
    /// Its result is durable.
    Stored,
    /// Another had stored its result.
    Duplicate,
    /// Its lease was lost.
    Lost,
    /// Its job was cancelled.
    Cancelled,
    /// Handed back since the process ends.
    Drained,
    /// Handed back since the store failed.
    StoreError,
    /// Handed back with a fault counted against it.
    Failed,
}

impl ChunkEnd {
    const ALL: [ChunkEnd; 7] = [
        ChunkEnd::Stored,
        ChunkEnd::Duplicate,
        ChunkEnd::Lost,
        ChunkEnd::Cancelled,
        ChunkEnd::Drained,
        ChunkEnd::StoreError,
        ChunkEnd::Failed,
    ];

    /// A word for it.
    pub(super) fn word(self) -> &'static str {
        match self {
            ChunkEnd::Stored => "stored",
            ChunkEnd::Duplicate => "duplicate",
            ChunkEnd::Lost => "lost",
            ChunkEnd::Cancelled => "cancelled",
            ChunkEnd::Drained => "drained",
            ChunkEnd::StoreError => "store_error",
            ChunkEnd::Failed => "failed",
        }
    }
}

/// Describes them to the recorder in place, and begins those that count faults at 0: a rise from nothing is none.
pub fn describe() {
    describe_work();
    describe_gauges();
    for name in [CHUNK_RERUNS, CHUNK_FAILURES, CONDEMNED_ITEMS, STORE_RETRIES] {
        counter!(name).increment(0);
    }
    for end in ChunkEnd::ALL {
        counter!(CHUNKS, "result" => end.word()).increment(0);
    }
}

fn describe_work() {
    describe_counter!(
        ITEMS,
        Unit::Count,
        "Puzzles answered, by lane (batch: items with a durable result, interactive: calls), work (solve, rate, \
         generate, explain) and outcome"
    );
    describe_counter!(NODES, Unit::Count, "Search nodes, by lane");
    describe_histogram!(
        SOLVER_SECONDS,
        Unit::Seconds,
        "Time on threads, by lane: of a chunk (batch), of a Solve (interactive)"
    );
    describe_counter!(CHUNKS, Unit::Count, "Chunks that were in work, by what became of them (result)");
    describe_counter!(CHUNK_RERUNS, Unit::Count, "Chunks begun that had failed or met a crash before");
    describe_counter!(CHUNK_FAILURES, Unit::Count, "Failures counted against chunks, each of which is run again");
    describe_counter!(CONDEMNED_ITEMS, Unit::Count, "Items given up as FAILED since the process died of them");
    describe_counter!(STORE_RETRIES, Unit::Count, "Calls to a store in trouble that were tried again");
}

fn describe_gauges() {
    describe_gauge!(BATCH_THREADS, Unit::Count, "Threads that solve batches");
    describe_gauge!(
        BATCH_THREADS_BUSY,
        Unit::Count,
        "Batch threads at work on a chunk now; their share is the utilisation"
    );
    describe_gauge!(INTERACTIVE_THREADS, Unit::Count, "Threads for calls that take long");
    describe_gauge!(INTERACTIVE_THREADS_BUSY, Unit::Count, "Interactive threads at work on a call now");
    describe_gauge!(INTERACTIVE_QUEUE, Unit::Count, "Calls that wait for their next turn on an interactive thread");
    describe_gauge!(UPLOAD_BUFFER_BYTES, Unit::Bytes, "Bytes of uploads that wait for the store");
    describe_gauge!(
        UPLOAD_BUFFER_LIMIT_BYTES,
        Unit::Bytes,
        "Bytes of uploads that may wait for the store before uploads wait"
    );
    describe_gauge!(QUEUE_CHUNKS, Unit::Count, "Chunks that wait for a thread, by priority");
    describe_gauge!(QUEUE_ITEMS, Unit::Count, "Items in chunks that wait for a thread, by priority");
    describe_gauge!(QUEUE_AGE, Unit::Seconds, "Age of the oldest chunk that waits for a thread, by priority");
    describe_gauge!(
        BACKLOG_ITEMS,
        Unit::Count,
        "Items of live jobs without a result, those still to be generated included: what to scale by"
    );
    describe_gauge!(JOBS, Unit::Count, "Jobs in the store, by state");
    describe_gauge!(LEASED_CHUNKS, Unit::Count, "Chunks that workers hold");
    describe_gauge!(STORE_BYTES, Unit::Bytes, "Size of the store on disk, or in memory");
}

/// A chunk left this process.
pub(super) fn chunk_ended(end: ChunkEnd) {
    counter!(CHUNKS, "result" => end.word()).increment(1);
}

/// A chunk with something against it is begun.
pub(super) fn chunk_rerun() {
    counter!(CHUNK_RERUNS).increment(1);
}

/// A fault was counted against a chunk, and perhaps an item condemned.
pub(super) fn chunk_failed(condemned: bool) {
    counter!(CHUNK_FAILURES).increment(1);
    counter!(CONDEMNED_ITEMS).increment(u64::from(condemned));
}

/// A store in trouble is asked again.
pub(super) fn store_retried() {
    counter!(STORE_RETRIES).increment(1);
}

/// A chunk's result became durable.
pub(super) fn chunk_stored(work: &Work, counts: &Counts, nodes: u64, spent: Duration) {
    let work = match work {
        Work::Solve(_) => "solve",
        Work::Rate(_) => "rate",
        Work::Generate(_) => "generate",
    };
    for outcome in Outcome::ALL {
        items(BATCH, work, outcome, counts.get(outcome));
    }
    counter!(NODES, "lane" => BATCH).increment(nodes);
    histogram!(SOLVER_SECONDS, "lane" => BATCH).record(spent);
}

/// A call's puzzle was solved.
pub(super) fn solved(answer: &Answer, spent: Duration) {
    items(INTERACTIVE, "solve", answer.outcome, 1);
    counter!(NODES, "lane" => INTERACTIVE).increment(answer.nodes);
    histogram!(SOLVER_SECONDS, "lane" => INTERACTIVE).record(spent);
}

/// A call's puzzle was explained.
pub(super) fn explained() {
    items(INTERACTIVE, "explain", Outcome::Unique, 1);
}

/// So many grids or puzzles were made for a call.
pub(super) fn made(count: usize) {
    items(INTERACTIVE, "generate", Outcome::Unique, count as u64);
}

fn items(lane: &'static str, work: &'static str, outcome: Outcome, count: u64) {
    if count > 0 {
        counter!(ITEMS, "lane" => lane, "work" => work, "outcome" => outcome.word()).increment(count);
    }
}

/// Sets the gauges of threads, and of the bytes of uploads that wait for the store and that may.
pub(super) fn loads(pool: &Pool, upload_buffer: usize, upload_limit: usize) {
    let set = |name: &'static str, value: usize| gauge!(name).set(value as f64);
    set(BATCH_THREADS, pool.batch_threads());
    set(BATCH_THREADS_BUSY, pool.batch_busy());
    set(INTERACTIVE_THREADS, pool.interactive_threads());
    set(INTERACTIVE_THREADS_BUSY, pool.interactive_busy());
    set(INTERACTIVE_QUEUE, pool.interactive_waiting());
    set(UPLOAD_BUFFER_BYTES, upload_buffer);
    set(UPLOAD_BUFFER_LIMIT_BYTES, upload_limit);
}

/// Sets the gauges of the store, at a time in milliseconds since 1970.
pub(super) fn stored(stats: &StoreStats, now_ms: u64) {
    for priority in Priority::ALL {
        let (i, priority) = (priority_index(priority), priority.name());
        gauge!(QUEUE_CHUNKS, "priority" => priority).set(stats.queued_chunks[i] as f64);
        gauge!(QUEUE_ITEMS, "priority" => priority).set(stats.queued_items[i] as f64);
        let age_ms = stats.oldest[i].map_or(0, |oldest| now_ms.saturating_sub(oldest.0));
        gauge!(QUEUE_AGE, "priority" => priority).set(age_ms as f64 / 1_000.0);
    }
    for &(state, jobs) in &stats.jobs {
        gauge!(JOBS, "state" => JobState::name(state)).set(jobs as f64);
    }
    gauge!(BACKLOG_ITEMS).set(stats.backlog_items as f64);
    gauge!(LEASED_CHUNKS).set(stats.leased_chunks as f64);
    gauge!(STORE_BYTES).set(stats.bytes as f64);
}

//! What stores count and time, with names and descriptions: the only place of the store that names a metric.
//! Must never know which backend runs.

use crate::job::JobState;
use metrics::{Unit, counter, describe_counter, describe_histogram, histogram};
use std::time::{Duration, Instant};

const SECONDS: &str = "sudokud_store_seconds";
const COMMIT_SECONDS: &str = "sudokud_store_commit_seconds";
const COMMIT_OPERATIONS: &str = "sudokud_store_commit_operations";
const COMMITS_FAILED: &str = "sudokud_store_commits_failed_total";
const SYNC_SECONDS: &str = "sudokud_store_sync_seconds";
const READ_BYTES: &str = "sudokud_store_read_bytes_total";
const WRITTEN_BYTES: &str = "sudokud_store_written_bytes_total";
const LEASES_EXPIRED: &str = "sudokud_leases_expired_total";
const CHUNK_CRASHES: &str = "sudokud_chunk_crashes_total";
const JOBS_ENDED: &str = "sudokud_jobs_ended_total";

/// Which file a sync was of.
const SEGMENT: &str = "segment";
const LOG: &str = "log";
/// Which payloads bytes belong to.
const INPUT: &str = "input";
const RESULT: &str = "result";

/// Describes them to the recorder in place, and begins those that count faults at 0: a rise from nothing is none.
pub fn describe() {
    describe_histogram!(SECONDS, Unit::Seconds, "Time of a call to the store until it is durable, by operation");
    describe_histogram!(COMMIT_SECONDS, Unit::Seconds, "Time of a commit of the embedded store, syncs included");
    describe_histogram!(COMMIT_OPERATIONS, Unit::Count, "Operations in one commit of the embedded store");
    describe_counter!(COMMITS_FAILED, Unit::Count, "Commits that the medium refused: a failing or full disk");
    describe_histogram!(SYNC_SECONDS, Unit::Seconds, "Time of a sync, by file (segment: payloads, log: rows)");
    describe_counter!(READ_BYTES, Unit::Bytes, "Payload bytes read from the disk, by payload (input, result)");
    describe_counter!(WRITTEN_BYTES, Unit::Bytes, "Payload bytes written to the disk, by payload (input, result)");
    describe_counter!(LEASES_EXPIRED, Unit::Count, "Leases that ran out: a worker gave no sign of life for lease-ttl");
    describe_counter!(CHUNK_CRASHES, Unit::Count, "Chunks that were in work when the process before this one died");
    describe_counter!(JOBS_ENDED, Unit::Count, "Jobs that ended, by state");
    for name in [COMMITS_FAILED, LEASES_EXPIRED, CHUNK_CRASHES] {
        counter!(name).increment(0);
    }
    for payload in [INPUT, RESULT] {
        counter!(READ_BYTES, "payload" => payload).increment(0);
        counter!(WRITTEN_BYTES, "payload" => payload).increment(0);
    }
    for state in JobState::ALL.into_iter().filter(|state| state.is_final()) {
        counter!(JOBS_ENDED, "state" => state.name()).increment(0);
    }
}

/// A call to the store was answered.
pub(super) fn answered(operation: &'static str, began: Instant) {
    histogram!(SECONDS, "operation" => operation).record(began.elapsed());
}

/// A group of operations was committed.
pub(super) fn committed(operations: usize, took: Duration) {
    histogram!(COMMIT_SECONDS).record(took);
    histogram!(COMMIT_OPERATIONS).record(operations as f64);
}

/// A commit failed for good.
pub(super) fn commit_failed() {
    counter!(COMMITS_FAILED).increment(1);
}

/// Payloads were synced.
pub(super) fn segment_synced(began: Instant) {
    histogram!(SYNC_SECONDS, "file" => SEGMENT).record(began.elapsed());
}

/// Rows were synced.
pub(super) fn log_synced(began: Instant) {
    histogram!(SYNC_SECONDS, "file" => LOG).record(began.elapsed());
}

/// A payload was read: an input, or else a result.
pub(super) fn read(is_input: bool, bytes: usize) {
    counter!(READ_BYTES, "payload" => payload(is_input)).increment(bytes as u64);
}

/// A payload was written: an input, or else a result.
pub(super) fn written(is_input: bool, bytes: usize) {
    counter!(WRITTEN_BYTES, "payload" => payload(is_input)).increment(bytes as u64);
}

fn payload(is_input: bool) -> &'static str {
    if is_input { INPUT } else { RESULT }
}

/// Leases ran out.
pub(super) fn leases_expired(leases: usize) {
    counter!(LEASES_EXPIRED).increment(leases as u64);
}

/// An opening found chunks that the last process died with.
pub(super) fn chunks_crashed(chunks: u64) {
    counter!(CHUNK_CRASHES).increment(chunks);
}

/// A job ended in this state.
pub(super) fn job_ended(state: JobState) {
    counter!(JOBS_ENDED, "state" => state.name()).increment(1);
}

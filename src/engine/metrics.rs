//! What the engine counts, with names and descriptions. The only place of the engine that names a metric.

use crate::job::Counts;
use crate::sudoku::Outcome;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

const ITEMS: &str = "sudokud_items_total";
const CHUNKS: &str = "sudokud_chunks_total";
const SOLVER_SECONDS: &str = "sudokud_solver_seconds_total";
const NODES: &str = "sudokud_nodes_total";

/// Bytes that the data directory's file system can still take.
const DISK_AVAILABLE: &str = "sudokud_disk_available_bytes";
/// 1 while that is less than the floor, else 0.
const DISK_FLOOR: &str = "sudokud_disk_floor_reached";

/// Microseconds of batch threads so far.
static SPENT: AtomicU64 = AtomicU64::new(0);

/// Describes them to the recorder in place.
pub fn describe() {
    metrics::describe_counter!(ITEMS, "Batch items with a durable result, by outcome");
    metrics::describe_counter!(CHUNKS, "Chunks that were in work, by what became of them");
    metrics::describe_counter!(SOLVER_SECONDS, metrics::Unit::Seconds, "Time of batch threads spent on chunks");
    metrics::describe_counter!(NODES, "Search nodes of batch items");
    metrics::describe_gauge!(DISK_AVAILABLE, metrics::Unit::Bytes, "Room on the data directory's file system");
    metrics::describe_gauge!(DISK_FLOOR, "Whether that is less than disk-floor-bytes: 1 or 0");
}

/// A chunk left this process; `end` is one of a few words.
pub(super) fn chunk_ended(end: &'static str) {
    metrics::counter!(CHUNKS, "result" => end).increment(1);
}

/// A chunk's result became durable.
pub(super) fn chunk_stored(counts: &Counts, nodes: u64, spent: Duration) {
    for outcome in Outcome::ALL {
        let items = counts.get(outcome);
        if items > 0 {
            metrics::counter!(ITEMS, "outcome" => outcome.word()).increment(items);
        }
    }
    metrics::counter!(NODES).increment(nodes);
    metrics::counter!(SOLVER_SECONDS).increment(whole_seconds(&SPENT, spent));
}

/// What a look at the medium saw.
pub(super) fn disk(available: u64, floor_reached: bool) {
    metrics::gauge!(DISK_AVAILABLE).set(available as f64);
    metrics::gauge!(DISK_FLOOR).set(f64::from(u8::from(floor_reached)));
}

/// Seconds completed by adding `spent` to the microseconds of all before: counters are whole numbers.
fn whole_seconds(total: &AtomicU64, spent: Duration) -> u64 {
    const SECOND: u64 = 1_000_000;
    let added = u64::try_from(spent.as_micros()).unwrap_or(0);
    let before = total.fetch_add(added, Ordering::Relaxed);
    (before + added) / SECOND - before / SECOND
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_seconds_add_up() {
        let total = AtomicU64::new(0);
        let counted = [400, 400, 400, 2_000, 799, 1].map(|ms| whole_seconds(&total, Duration::from_millis(ms)));
        assert_eq!(counted, [0, 0, 1, 2, 0, 1]);
    }
}

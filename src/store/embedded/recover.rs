//! What an opening makes of the rows that it finds: live jobs, what waits, and what the last process left undone.
//!
//! Reads directories of chunks, never payloads. Must never know threads.

use super::payload::{self, Kind};
use super::ranges::Ranges;
use super::state::Shared;
use super::{mark, row};
use crate::job::{JobEvent, JobRecord, JobState};
use crate::store::ready::ReadyChunk;
use crate::store::{metrics, rules, told};
use rusqlite::Connection;

/// Fills the memory from the database, in one transaction.
pub(super) fn recover(db: &Connection, shared: &Shared) -> rusqlite::Result<()> {
    let transaction = db.unchecked_transaction()?;
    count_ended(&transaction, shared)?;
    let (mut jobs, mut crashes, mut ended) = (0_u64, 0_u64, Vec::new());
    for (seq, record) in row::select(&transaction, "ended IS NULL ORDER BY seq", &[])? {
        crashes += mark::count_crashes(&transaction, seq)?;
        ended.extend(resume(&transaction, shared, seq, record)?);
        jobs += 1;
    }
    transaction.commit()?;
    ended.iter().for_each(told::job_ended);
    metrics::chunks_crashed(crashes);
    let chunks: u64 = shared.state().queue.waiting().iter().map(|waiting| waiting.chunks).sum();
    tracing::info!(boot = shared.boot, jobs, chunks, crashes, "the store is open");
    Ok(())
}

fn count_ended(db: &Connection, shared: &Shared) -> rusqlite::Result<()> {
    let mut query = db.prepare("SELECT state, count(*) FROM job WHERE ended IS NOT NULL GROUP BY state")?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        let (state, count) = (row.get::<_, u8>(0)?, row.get::<_, i64>(1)?);
        if let Some(jobs) = shared.state().by_state.get_mut(usize::from(state)) {
            *jobs = count as u64;
        }
    }
    Ok(())
}

/// Takes one live job in, or ends it where only its lost leases kept it: then it is returned.
fn resume(db: &Connection, shared: &Shared, seq: i64, mut record: JobRecord) -> rusqlite::Result<Option<JobRecord>> {
    let now = shared.clock.now();
    let mut done = Ranges::default();
    payload::scan(db, Kind::Result, seq, |chunk, _| done.insert(chunk.first_index, chunk.end()))?;
    let before = record.revision;
    if record.state == JobState::Cancelling {
        rules::leases_ended(&mut record, now);
    } else if record.total.is_some_and(|total| u64::from(total) == record.done()) {
        rules::advance(&mut record, JobEvent::Completed, now);
    }
    // Time when nobody could upload does not count as idle.
    record.last_input = now;
    if record.revision != before {
        row::update(db, seq, &record)?;
    }
    if record.state.is_final() {
        shared.state().by_state[record.state as usize] += 1;
        return Ok(Some(record));
    }
    let mut waiting = Vec::new();
    payload::scan(db, Kind::Input, seq, |chunk, bytes| {
        if !done.contains(chunk.first_index) {
            waiting.push((chunk, bytes));
        }
    })?;
    let mut state = shared.state();
    for (chunk, bytes) in waiting {
        let against = mark::get(db, seq, chunk)?;
        state.queue.push(&record, ReadyChunk { chunk, bytes, record: against, since: now });
    }
    state.add(seq, record, done);
    Ok(None)
}

//! A transaction over rows and segments: both, or neither.
//!
//! The segments' bytes are durable before the rows that name them are. Must never know what is committed.

use super::fault::Fault;
use super::segments::Segments;
use crate::store::metrics;
use rusqlite::Connection;
use std::time::Instant;

/// Does a change in one transaction; when it returns without an error, the change is durable.
pub(super) fn commit<R>(
    db: &Connection,
    segments: &mut Segments,
    change: impl FnOnce(&Connection, &mut Segments) -> Result<R, Fault>,
) -> Result<R, Fault> {
    let done = attempt(db, segments, change);
    match &done {
        Ok(_) => segments.settle(),
        Err(_) => segments.roll_back(),
    }
    done
}

fn attempt<R>(
    db: &Connection,
    segments: &mut Segments,
    change: impl FnOnce(&Connection, &mut Segments) -> Result<R, Fault>,
) -> Result<R, Fault> {
    let transaction = db.unchecked_transaction()?;
    let done = change(&transaction, segments)?;
    segments.sync()?;
    let began = Instant::now();
    transaction.commit()?;
    metrics::log_synced(began);
    Ok(done)
}

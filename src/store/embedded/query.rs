//! What is read from the database for callers: one job, lists of jobs, results, and checks of it all.
//!
//! Runs on blocking threads. Must never know who waits.

use super::fault::Fault;
use super::payload::{self, Damaged, Kind};
use super::segments::Files;
use super::state::Shared;
use super::{open, row, schema};
use crate::job::{ChunkRef, JobId, JobRecord, Principal};
use crate::store::api::{ListAfter, ListFilter, StoreError};
use bytes::Bytes;
use rusqlite::{Connection, ToSql};

/// A chunk's result as it was found.
pub(super) type Found = (ChunkRef, Result<Bytes, Damaged>);

/// The result that holds item `from` of a live job.
pub(super) fn result_at(db: &Connection, files: &Files, seq: i64, from: u32) -> Result<Option<Found>, Fault> {
    match payload::find(db, Kind::Result, seq, from)? {
        Some(chunk) => Ok(payload::get(db, files, Kind::Result, seq, chunk)?.map(|payload| (chunk, payload))),
        None => Ok(None),
    }
}

/// An ended job, and its first result that ends after item `from`; `None`: no such job.
pub(super) fn ended_result(
    db: &Connection,
    files: &Files,
    shared: &Shared,
    job: JobId,
    from: u32,
) -> Result<Option<(JobRecord, Option<Found>)>, Fault> {
    let transaction = db.unchecked_transaction()?;
    let Some((seq, record)) = row::by_id(&transaction, job)? else { return Ok(None) };
    if let Some((chunk, payload)) = shared.state().results.get(schema::key(seq, from)) {
        return Ok(Some((record, Some((chunk, Ok(payload))))));
    }
    let Some(chunk) = payload::find(&transaction, Kind::Result, seq, from)? else { return Ok(Some((record, None))) };
    // The payload is read by the row of now. Where that is gone, the job is.
    drop(transaction);
    let payload = payload::get(db, files, Kind::Result, seq, chunk)?;
    Ok(payload.map(|payload| (record, Some((chunk, payload)))))
}

/// [`crate::store::JobStore::list`].
pub(super) fn list(
    db: &Connection,
    principal: Option<&Principal>,
    filter: &ListFilter,
    after: Option<ListAfter>,
    limit: usize,
) -> Result<Vec<JobRecord>, Fault> {
    let mut conditions = vec!["TRUE".to_owned()];
    let mut values: Vec<Box<dyn ToSql>> = Vec::new();
    if let Some(principal) = principal {
        conditions.push("principal = ?".into());
        values.push(Box::new(principal.as_str().to_owned()));
    }
    if !filter.states.is_empty() {
        let codes: Vec<String> = filter.states.iter().map(|state| (*state as u8).to_string()).collect();
        conditions.push(format!("state IN ({})", codes.join(", ")));
    }
    for (key, value) in &filter.labels {
        conditions.push("EXISTS (SELECT 1 FROM label WHERE key = ? AND value = ? AND label.seq = job.seq)".into());
        values.push(Box::new(key.clone()));
        values.push(Box::new(value.clone()));
    }
    if let Some(ListAfter { created, id }) = after {
        conditions.push("(created, id) < (?, ?)".into());
        values.push(Box::new(created.0 as i64));
        values.push(Box::new(id.as_bytes().to_vec()));
    }
    let condition = format!("{} ORDER BY created DESC, id DESC LIMIT ?", conditions.join(" AND "));
    values.push(Box::new(i64::try_from(limit).unwrap_or(i64::MAX)));
    let values: Vec<&dyn ToSql> = values.iter().map(AsRef::as_ref).collect();
    Ok(row::select(db, &condition, &values)?.into_iter().map(|(_, record)| record).collect())
}

/// Checks the structure of the file, then every payload, one at a time.
pub(super) fn verify(db: &Connection, files: &Files) -> Result<Result<(), StoreError>, Fault> {
    let found = match open::findings(db, "PRAGMA integrity_check") {
        Err(error) if payload::is_damage(&error) => error.to_string(),
        other => other?,
    };
    if !found.is_empty() {
        return Ok(Err(StoreError::Broken(found)));
    }
    for kind in Kind::ALL {
        let mut after = -1;
        while let Some((seq, chunk)) = payload::next(db, kind, after)? {
            after = schema::key(seq, chunk.first_index);
            if payload::get(db, files, kind, seq, chunk)? == Some(Err(Damaged))
                && let Some(job) = row::id_of(db, seq)?
            {
                return Ok(Err(StoreError::Damaged { job, chunk }));
            }
        }
    }
    Ok(Ok(()))
}

/// What a caller gets for what was found.
pub(super) fn sound(job: JobId, (chunk, payload): Found) -> Result<(ChunkRef, Bytes), StoreError> {
    payload.map(|payload| (chunk, payload)).map_err(|Damaged| StoreError::Damaged { job, chunk })
}

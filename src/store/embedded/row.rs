//! A job's record as a row of `job`, and back.
//!
//! Must never know states' rules or who asks.

use crate::job::codec::{decode_spec, encode_spec};
use crate::job::{BatchSpec, Counts, JobId, JobRecord, JobState, Principal, RequestId, Timestamp};
use crate::sudoku::Outcome;
use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension, Row, ToSql};

/// A record and its job's number.
pub(super) type Numbered = (i64, JobRecord);

const COLUMNS: &str = "seq, id, principal, request_id, resolved, state, revision, stored, total, counts, \
                       upload_epoch, created, started, ended, last_input, error, payload_bytes";

/// Inserts a new job and its labels; returns its number.
pub(super) fn insert(db: &Connection, record: &JobRecord, sent: &BatchSpec) -> rusqlite::Result<i64> {
    db.prepare_cached(
        "INSERT INTO job (id, principal, request_id, sent, resolved, state, revision, stored, total, counts,
             upload_epoch, created, last_input) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
    )?
    .execute((
        record.id.as_bytes().as_slice(),
        record.principal.as_str(),
        record.request_id.as_str(),
        encode_spec(sent),
        encode_spec(&record.spec),
        record.state as u8,
        record.revision as i64,
        record.stored,
        record.total,
        counts_to_bytes(&record.counts).as_slice(),
        record.upload_epoch,
        record.created.0 as i64,
        record.last_input.0 as i64,
    ))?;
    let seq = db.last_insert_rowid();
    let mut label = db.prepare_cached("INSERT INTO label VALUES (?1, ?2, ?3)")?;
    for (key, value) in &record.spec.labels {
        label.execute((key, value, seq))?;
    }
    Ok(seq)
}

/// Writes what changes about a job. The indexed columns are left alone until it ends.
pub(super) fn update(db: &Connection, seq: i64, record: &JobRecord) -> rusqlite::Result<()> {
    db.prepare_cached(
        "UPDATE job SET state = ?2, revision = ?3, stored = ?4, total = ?5, counts = ?6, upload_epoch = ?7,
             started = ?8, last_input = ?9, error = ?10, payload_bytes = ?11 WHERE seq = ?1",
    )?
    .execute((
        seq,
        record.state as u8,
        record.revision as i64,
        record.stored,
        record.total,
        counts_to_bytes(&record.counts).as_slice(),
        record.upload_epoch,
        record.started.map(|t| t.0 as i64),
        record.last_input.0 as i64,
        &record.error,
        record.payload_bytes as i64,
    ))?;
    if let Some(ended) = record.ended {
        let expires = record.expires().map(|t| i64::try_from(t.0).unwrap_or(i64::MAX));
        db.prepare_cached("UPDATE job SET ended = ?2, expires = ?3 WHERE seq = ?1")?.execute((
            seq,
            ended.0 as i64,
            expires,
        ))?;
    }
    Ok(())
}

/// Removes a job's row and labels and leaves a tombstone, by which its payloads go later.
pub(super) fn bury(db: &Connection, seq: i64, record: &JobRecord) -> rusqlite::Result<()> {
    let mut label = db.prepare_cached("DELETE FROM label WHERE key = ?1 AND value = ?2 AND seq = ?3")?;
    for (key, value) in &record.spec.labels {
        label.execute((key, value, seq))?;
    }
    db.prepare_cached("DELETE FROM job WHERE seq = ?1")?.execute([seq])?;
    db.prepare_cached("INSERT INTO tombstone VALUES (?1)")?.execute([seq])?;
    Ok(())
}

/// The job with this id.
pub(super) fn by_id(db: &Connection, id: JobId) -> rusqlite::Result<Option<Numbered>> {
    db.prepare_cached(&format!("SELECT {COLUMNS} FROM job WHERE id = ?1"))?
        .query_row([id.as_bytes().as_slice()], read)
        .optional()
}

/// The id of the job with this number.
pub(super) fn id_of(db: &Connection, seq: i64) -> rusqlite::Result<Option<JobId>> {
    db.prepare_cached("SELECT id FROM job WHERE seq = ?1")?.query_row([seq], |row| id(row, 0)).optional()
}

/// The job that a request id made, and its spec as sent.
pub(super) fn by_request(
    db: &Connection,
    principal: &Principal,
    request: &RequestId,
) -> rusqlite::Result<Option<(JobId, BatchSpec)>> {
    db.prepare_cached("SELECT id, sent FROM job WHERE principal = ?1 AND request_id = ?2")?
        .query_row([principal.as_str(), request.as_str()], |row| Ok((id(row, 0)?, spec(row, 1)?)))
        .optional()
}

/// The jobs that a condition picks, in its order.
pub(super) fn select(db: &Connection, condition: &str, values: &[&dyn ToSql]) -> rusqlite::Result<Vec<Numbered>> {
    db.prepare_cached(&format!("SELECT {COLUMNS} FROM job WHERE {condition}"))?.query_map(values, read)?.collect()
}

fn read(row: &Row<'_>) -> rusqlite::Result<Numbered> {
    let time = |column| row.get::<_, Option<i64>>(column).map(|time| time.map(|time| Timestamp(time as u64)));
    let record = JobRecord {
        id: id(row, 1)?,
        principal: principal(row, 2)?,
        request_id: RequestId::new(row.get::<_, String>(3)?).map_err(|error| broken(3, error))?,
        spec: spec(row, 4)?,
        state: JobState::from_code(row.get(5)?).ok_or_else(|| broken(5, "no state has this code"))?,
        revision: row.get::<_, i64>(6)? as u64,
        stored: row.get(7)?,
        total: row.get(8)?,
        counts: counts_from_bytes(row.get_ref(9)?.as_blob()?),
        upload_epoch: row.get(10)?,
        created: time(11)?.unwrap_or_default(),
        started: time(12)?,
        ended: time(13)?,
        last_input: time(14)?.unwrap_or_default(),
        error: row.get(15)?,
        payload_bytes: row.get::<_, i64>(16)? as u64,
    };
    Ok((row.get(0)?, record))
}

/// A column that is a principal.
pub(super) fn principal(row: &Row<'_>, column: usize) -> rusqlite::Result<Principal> {
    Principal::new(row.get::<_, String>(column)?).map_err(|error| broken(column, error))
}

fn id(row: &Row<'_>, column: usize) -> rusqlite::Result<JobId> {
    row.get(column).map(JobId::from_bytes)
}

fn spec(row: &Row<'_>, column: usize) -> rusqlite::Result<BatchSpec> {
    decode_spec(row.get_ref(column)?.as_blob()?).map_err(|error| broken(column, error))
}

fn broken(column: usize, error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(column, Type::Blob, error.into())
}

/// Counts as 64-bit little-endian numbers in the order of `Outcome::ALL`; a later version may append to it.
fn counts_to_bytes(counts: &Counts) -> Vec<u8> {
    Outcome::ALL.iter().flat_map(|outcome| counts.get(*outcome).to_le_bytes()).collect()
}

fn counts_from_bytes(bytes: &[u8]) -> Counts {
    let mut counts = Counts::default();
    for (outcome, bytes) in Outcome::ALL.iter().zip(bytes.as_chunks::<8>().0) {
        counts.add(*outcome, u64::from_le_bytes(*bytes));
    }
    counts
}

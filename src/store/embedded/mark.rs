//! What is held against chunks, as rows of `mark`; a chunk without faults has none once its result is there.
//!
//! Must never know leases or the queue.

use super::schema;
use crate::job::ChunkRef;
use crate::store::api::ChunkRecord;
use crate::store::rules;
use rusqlite::{Connection, OptionalExtension, Row};

/// A chunk's record; the default where nothing is known against it.
pub(super) fn get(db: &Connection, seq: i64, chunk: ChunkRef) -> rusqlite::Result<ChunkRecord> {
    db.prepare_cached(
        "SELECT failures, crashes, suspect_item, suspect_times, condemned, begun_item FROM mark WHERE id = ?1",
    )?
    .query_row([schema::key(seq, chunk.first_index)], read)
    .optional()
    .map(Option::unwrap_or_default)
}

/// Notes that work on a chunk, or on one item of it, begins.
pub(super) fn begin(db: &Connection, seq: i64, chunk: ChunkRef, boot: u64, item: Option<u32>) -> rusqlite::Result<()> {
    db.prepare_cached(
        "INSERT INTO mark VALUES (?1, 0, 0, NULL, 0, x'', ?2, ?3, NULL)
         ON CONFLICT (id) DO UPDATE SET begun_boot = ?2, begun_item = ?3",
    )?
    .execute((schema::key(seq, chunk.first_index), boot as i64, item))
    .map(drop)
}

/// Notes that a chunk was handed back: a crash does not count against it any more.
pub(super) fn end(db: &Connection, seq: i64, chunk: ChunkRef) -> rusqlite::Result<()> {
    db.prepare_cached("UPDATE mark SET begun_boot = NULL, begun_item = NULL WHERE id = ?1 AND begun_boot IS NOT NULL")?
        .execute([schema::key(seq, chunk.first_index)])
        .map(drop)
}

/// Writes a chunk's record and why it changed; nothing is begun then.
pub(super) fn set(db: &Connection, seq: i64, chunk: ChunkRef, record: &ChunkRecord, why: &str) -> rusqlite::Result<()> {
    let condemned: Vec<u8> = record.condemned.iter().flat_map(|item| item.to_le_bytes()).collect();
    let (item, times) = record.suspect.unzip();
    db.prepare_cached("INSERT OR REPLACE INTO mark VALUES (?1, ?2, ?3, ?4, ?5, ?6, NULL, NULL, ?7)")?
        .execute((
            schema::key(seq, chunk.first_index),
            record.failures,
            record.crashes,
            item,
            times.unwrap_or_default(),
            condemned,
            why,
        ))
        .map(drop)
}

/// Forgets what was held against a chunk: its result is there.
pub(super) fn remove(db: &Connection, seq: i64, chunk: ChunkRef) -> rusqlite::Result<()> {
    db.prepare_cached("DELETE FROM mark WHERE id = ?1")?.execute([schema::key(seq, chunk.first_index)]).map(drop)
}

/// Forgets up to `limit` chunks of a job; returns how many went.
pub(super) fn purge(db: &Connection, seq: i64, limit: usize) -> rusqlite::Result<usize> {
    let (first, last) = schema::keys(seq);
    db.prepare_cached("DELETE FROM mark WHERE id IN (SELECT id FROM mark WHERE id BETWEEN ?1 AND ?2 LIMIT ?3)")?
        .execute((first, last, limit as i64))
}

/// Counts a crash against each chunk of a job that was begun when the process died.
pub(super) fn count_crashes(db: &Connection, seq: i64) -> rusqlite::Result<u64> {
    let begun = db
        .prepare_cached(
            "SELECT failures, crashes, suspect_item, suspect_times, condemned, begun_item, id FROM mark
             WHERE id BETWEEN ?1 AND ?2 AND begun_boot IS NOT NULL",
        )?
        .query_map(schema::keys(seq), |row| {
            Ok((schema::chunk(row.get(6)?, 1), read(row)?, row.get::<_, Option<u32>>(5)?))
        })?
        .collect::<Result<Vec<_>, _>>()?;
    let crashes = begun.len() as u64;
    for (chunk, mut record, item) in begun {
        rules::crashed(&mut record, item);
        set(db, seq, chunk, &record, "the process died")?;
    }
    Ok(crashes)
}

fn read(row: &Row<'_>) -> rusqlite::Result<ChunkRecord> {
    let condemned = row.get_ref(4)?.as_blob()?.as_chunks::<4>().0.iter().map(|item| u32::from_le_bytes(*item));
    let suspect = row.get::<_, Option<u32>>(2)?.zip(row.get(3)?);
    Ok(ChunkRecord { failures: row.get(0)?, crashes: row.get(1)?, suspect, condemned: condemned.collect() })
}

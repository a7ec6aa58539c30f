//! Payloads of chunks: the only file that reads or writes them, so that they may move out of the database.
//!
//! Each row carries a CRC32C over its payload and its key. Must never know jobs, leases or caches.

use super::schema;
use crate::job::ChunkRef;
use bytes::Bytes;
use rusqlite::{Connection, ErrorCode, OptionalExtension};

/// The two kinds of payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// What was uploaded.
    Input,
    /// What came out.
    Result,
}

/// A payload that can't be read as it was written; the chunk's key says which.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Damaged;

impl Kind {
    fn sql(self, input: &'static str, result: &'static str) -> &'static str {
        match self {
            Kind::Input => input,
            Kind::Result => result,
        }
    }
}

/// Stores a payload unless the chunk has one already: `false` then.
pub(super) fn put(db: &Connection, kind: Kind, seq: i64, chunk: ChunkRef, payload: &[u8]) -> rusqlite::Result<bool> {
    let id = schema::key(seq, chunk.first_index);
    let sql = kind.sql(
        "INSERT OR IGNORE INTO input VALUES (?1, ?2, ?3, ?4)",
        "INSERT OR IGNORE INTO result VALUES (?1, ?2, ?3, ?4)",
    );
    let changed = db.prepare_cached(sql)?.execute((id, chunk.count, checksum(id, chunk.count, payload), payload))?;
    Ok(changed == 1)
}

/// A chunk's payload; `None` where there is no such chunk. A payload whose pages are broken is `Damaged` like
/// one whose bytes are.
pub(super) fn get(
    db: &Connection,
    kind: Kind,
    seq: i64,
    chunk: ChunkRef,
) -> rusqlite::Result<Option<Result<Bytes, Damaged>>> {
    let id = schema::key(seq, chunk.first_index);
    let sql = kind.sql(
        "SELECT count, crc, payload FROM input WHERE id = ?1",
        "SELECT count, crc, payload FROM result WHERE id = ?1",
    );
    let row = db.prepare_cached(sql)?.query_row([id], |row| {
        let payload = row.get_ref(2)?.as_blob()?;
        let sound = row.get::<_, u32>(1)? == checksum(id, row.get(0)?, payload);
        Ok(if sound { Ok(Bytes::copy_from_slice(payload)) } else { Err(Damaged) })
    });
    match row.optional() {
        Err(error) if is_damage(&error) => Ok(Some(Err(Damaged))),
        other => other,
    }
}

/// The chunk that holds item `index`, else the first one after it.
pub(super) fn find(db: &Connection, kind: Kind, seq: i64, index: u32) -> rusqlite::Result<Option<ChunkRef>> {
    let (first, last) = schema::keys(seq);
    let at = schema::key(seq, index);
    let before = kind.sql(
        "SELECT id, count FROM input WHERE id BETWEEN ?1 AND ?2 ORDER BY id DESC LIMIT 1",
        "SELECT id, count FROM result WHERE id BETWEEN ?1 AND ?2 ORDER BY id DESC LIMIT 1",
    );
    let after = kind.sql(
        "SELECT id, count FROM input WHERE id BETWEEN ?1 AND ?2 ORDER BY id LIMIT 1",
        "SELECT id, count FROM result WHERE id BETWEEN ?1 AND ?2 ORDER BY id LIMIT 1",
    );
    let one = |sql, from: i64, to: i64| {
        db.prepare_cached(sql)?.query_row((from, to), |row| Ok(schema::chunk(row.get(0)?, row.get(1)?))).optional()
    };
    match one(before, first, at)? {
        Some(chunk) if chunk.contains(index) => Ok(Some(chunk)),
        _ => one(after, at, last),
    }
}

/// The chunk after a key, of any job: its job's number and which it is.
pub(super) fn next(db: &Connection, kind: Kind, after: i64) -> rusqlite::Result<Option<(i64, ChunkRef)>> {
    let sql = kind.sql(
        "SELECT id, count FROM input WHERE id > ?1 ORDER BY id LIMIT 1",
        "SELECT id, count FROM result WHERE id > ?1 ORDER BY id LIMIT 1",
    );
    let read = |row: &rusqlite::Row<'_>| Ok((row.get::<_, i64>(0)? >> 32, schema::chunk(row.get(0)?, row.get(1)?)));
    db.prepare_cached(sql)?.query_row([after], read).optional()
}

/// Gives every chunk of a job and its payload's size to `each`, in order, without reading the payloads.
pub(super) fn scan(
    db: &Connection,
    kind: Kind,
    seq: i64,
    mut each: impl FnMut(ChunkRef, usize),
) -> rusqlite::Result<()> {
    let sql = kind.sql(
        "SELECT id, count, length(payload) FROM input WHERE id BETWEEN ?1 AND ?2 ORDER BY id",
        "SELECT id, count, length(payload) FROM result WHERE id BETWEEN ?1 AND ?2 ORDER BY id",
    );
    let mut query = db.prepare_cached(sql)?;
    let mut rows = query.query(schema::keys(seq))?;
    while let Some(row) = rows.next()? {
        each(schema::chunk(row.get(0)?, row.get(1)?), row.get::<_, i64>(2)? as usize);
    }
    Ok(())
}

/// Removes up to `limit` chunks of a job; returns how many went.
pub(super) fn purge(db: &Connection, kind: Kind, seq: i64, limit: usize) -> rusqlite::Result<usize> {
    let (first, last) = schema::keys(seq);
    let sql = kind.sql(
        "DELETE FROM input WHERE id IN (SELECT id FROM input WHERE id BETWEEN ?1 AND ?2 LIMIT ?3)",
        "DELETE FROM result WHERE id IN (SELECT id FROM result WHERE id BETWEEN ?1 AND ?2 LIMIT ?3)",
    );
    db.prepare_cached(sql)?.execute((first, last, limit as i64))
}

/// Whether an error means that pages were changed under us.
pub(super) fn is_damage(error: &rusqlite::Error) -> bool {
    use rusqlite::Error::{FromSqlConversionFailure, IntegralValueOutOfRange, InvalidColumnType};
    match error {
        rusqlite::Error::SqliteFailure(code, _) => code.code == ErrorCode::DatabaseCorrupt,
        FromSqlConversionFailure(..) | IntegralValueOutOfRange(..) | InvalidColumnType(..) => true,
        _ => false,
    }
}

/// CRC32C over the payload and what says where it belongs.
fn checksum(id: i64, count: u32, payload: &[u8]) -> u32 {
    let crc = crc32c::crc32c_append(crc32c::crc32c(payload), &id.to_le_bytes());
    crc32c::crc32c_append(crc, &count.to_le_bytes())
}

//! Payloads of chunks: rows that hold a small one, or name the place of a large one in a segment.
//!
//! Each row carries a CRC32C over its payload and its key, so that no bytes but the right ones are ever taken for
//! it. Must never know jobs, leases or caches.

use super::fault::Fault;
use super::schema;
use super::segments::{Files, Place, Segments};
use crate::job::ChunkRef;
use crate::store::metrics;
use bytes::Bytes;
use rusqlite::{Connection, ErrorCode, OptionalExtension, Row};
use std::io;

/// A payload of up to so many bytes stays in its row: a second sync would cost more than writing it twice does.
const INLINE_BYTES: usize = 32 << 10;

/// Bytes in rows that one step of a purge removes at about the most.
const PURGE_BYTES: i64 = 8 << 20;

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
    pub(super) const ALL: [Kind; 2] = [Kind::Input, Kind::Result];

    pub(super) fn sql(self, input: &'static str, result: &'static str) -> &'static str {
        match self {
            Kind::Input => input,
            Kind::Result => result,
        }
    }
}

/// Stores a payload unless the chunk has one already: `false` then.
pub(super) fn put(
    db: &Connection,
    segments: &mut Segments,
    kind: Kind,
    seq: i64,
    chunk: ChunkRef,
    payload: &[u8],
) -> Result<bool, Fault> {
    let id = schema::key(seq, chunk.first_index);
    let sql = kind.sql(
        "INSERT OR IGNORE INTO input (id, count, crc, payload, segment, offset, bytes)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        "INSERT OR IGNORE INTO result (id, count, crc, payload, segment, offset, bytes)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    );
    let place = if payload.len() > INLINE_BYTES { Some(segments.append(payload)?) } else { None };
    let inline = if place.is_some() { &[] } else { payload };
    let (segment, bytes) = place.map(|place| (place.segment, place.bytes)).unzip();
    let offset = place.map(|place| place.offset as i64);
    let crc = checksum(id, chunk.count, payload);
    let changed = db.prepare_cached(sql)?.execute((id, chunk.count, crc, inline, segment, offset, bytes))?;
    if changed == 0
        && let Some(place) = place
    {
        segments.free(place);
    }
    metrics::written(kind == Kind::Input, payload.len());
    Ok(changed == 1)
}

/// A chunk's payload; `None` where there is no such chunk. A payload whose pages or segment are broken is `Damaged`
/// like one whose bytes are.
///
/// Outside of a transaction: a segment that is emptied meanwhile is followed by reading the row again.
pub(super) fn get(
    db: &Connection,
    files: &Files,
    kind: Kind,
    seq: i64,
    chunk: ChunkRef,
) -> Result<Option<Result<Bytes, Damaged>>, Fault> {
    let id = schema::key(seq, chunk.first_index);
    match follow(|| held(db, kind, id), |place| files.read(place)) {
        Err(Fault::Database(error)) if is_damage(&error) => Ok(Some(Err(Damaged))),
        Ok(Some((Held { count, crc, .. }, payload))) => {
            metrics::read(kind == Kind::Input, payload.as_ref().map_or(0, Bytes::len));
            Ok(Some(payload.filter(|payload| crc == checksum(id, count, payload)).ok_or(Damaged)))
        }
        Ok(None) => Ok(None),
        Err(fault) => Err(fault),
    }
}

/// A row and the bytes that it holds or names. Where there are none the row is read again, until it names the same
/// place twice.
fn follow(
    row: impl Fn() -> rusqlite::Result<Option<Held>>,
    read: impl Fn(Place) -> io::Result<Option<Bytes>>,
) -> Result<Option<(Held, Option<Bytes>)>, Fault> {
    let mut missed = None;
    while let Some(held) = row()? {
        let bytes = match held.place {
            None => Some(held.payload.clone()),
            Some(place) => read(place)?,
        };
        if bytes.is_some() || held.place == missed {
            return Ok(Some((held, bytes)));
        }
        missed = held.place;
    }
    Ok(None)
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
    let read = |row: &Row<'_>| Ok((row.get::<_, i64>(0)? >> 32, schema::chunk(row.get(0)?, row.get(1)?)));
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
        "SELECT id, count, ifnull(bytes, length(payload)) FROM input WHERE id BETWEEN ?1 AND ?2 ORDER BY id",
        "SELECT id, count, ifnull(bytes, length(payload)) FROM result WHERE id BETWEEN ?1 AND ?2 ORDER BY id",
    );
    let mut query = db.prepare_cached(sql)?;
    let mut rows = query.query(schema::keys(seq))?;
    while let Some(row) = rows.next()? {
        each(schema::chunk(row.get(0)?, row.get(1)?), row.get::<_, i64>(2)? as usize);
    }
    Ok(())
}

/// Removes up to `limit` chunks of a job, and no more than some bytes that rows hold; returns how many went.
pub(super) fn purge(
    db: &Connection,
    segments: &mut Segments,
    kind: Kind,
    seq: i64,
    limit: usize,
) -> rusqlite::Result<usize> {
    let (first, end) = schema::keys(seq);
    let sql = kind.sql(
        "SELECT segment, offset, bytes, id, length(payload) FROM input WHERE id BETWEEN ?1 AND ?2 ORDER BY id LIMIT ?3",
        "SELECT segment, offset, bytes, id, length(payload) FROM result WHERE id BETWEEN ?1 AND ?2 ORDER BY id LIMIT ?3",
    );
    let mut query = db.prepare_cached(sql)?;
    let mut rows = query.query((first, end, limit as i64))?;
    let (mut last, mut held) = (-1_i64, 0);
    while held < PURGE_BYTES
        && let Some(row) = rows.next()?
    {
        last = row.get(3)?;
        held += row.get::<_, i64>(4)?;
        // A place that can't be read is found to be free by the next opening.
        if let Ok(Some(place)) = place(row) {
            segments.free(place);
        }
    }
    let sql = kind.sql("DELETE FROM input WHERE id BETWEEN ?1 AND ?2", "DELETE FROM result WHERE id BETWEEN ?1 AND ?2");
    db.prepare_cached(sql)?.execute((first, last))
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

/// A row, read.
struct Held {
    count: u32,
    crc: u32,
    /// Empty where it has a place.
    payload: Bytes,
    place: Option<Place>,
}

fn held(db: &Connection, kind: Kind, id: i64) -> rusqlite::Result<Option<Held>> {
    let sql = kind.sql(
        "SELECT segment, offset, bytes, count, crc, payload FROM input WHERE id = ?1",
        "SELECT segment, offset, bytes, count, crc, payload FROM result WHERE id = ?1",
    );
    let read = |row: &Row<'_>| {
        let payload = Bytes::copy_from_slice(row.get_ref(5)?.as_blob()?);
        Ok(Held { count: row.get(3)?, crc: row.get(4)?, payload, place: place(row)? })
    };
    db.prepare_cached(sql)?.query_row([id], read).optional()
}

/// The place in the columns `segment, offset, bytes`, which come first.
pub(super) fn place(row: &Row<'_>) -> rusqlite::Result<Option<Place>> {
    let Some(segment) = row.get(0)? else { return Ok(None) };
    let offset = row.get::<_, i64>(1)?;
    let offset = u64::try_from(offset).map_err(|_| rusqlite::Error::IntegralValueOutOfRange(1, offset))?;
    Ok(Some(Place { segment, offset, bytes: row.get(2)? }))
}

/// CRC32C over the payload and what says where it belongs.
fn checksum(id: i64, count: u32, payload: &[u8]) -> u32 {
    let crc = crc32c::crc32c_append(crc32c::crc32c(payload), &id.to_le_bytes());
    crc32c::crc32c_append(crc, &count.to_le_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    #[test]
    fn a_payload_is_followed_to_where_it_moved() {
        // Segments that the row names, read after read (0: it is gone), the one that is there, and what is found.
        let cases: [(&[u32], u32, &str); 6] = [
            (&[1], 1, "Some(Some(1))"),
            (&[1, 2], 2, "Some(Some(2))"),
            (&[1, 2, 3], 3, "Some(Some(3))"),
            (&[1, 1], 2, "Some(None)"),
            (&[1, 0], 2, "None"),
            (&[0], 2, "None"),
        ];
        for (rows, there, want) in cases {
            let rows = RefCell::new(rows.iter());
            let row = || {
                let segment = *rows.borrow_mut().next().expect("is asked no further");
                let held = |place| Held { count: 1, crc: 0, payload: Bytes::new(), place: Some(place) };
                Ok((segment > 0).then_some(Place { segment, offset: 32, bytes: 1 }).map(held))
            };
            let read = |place: Place| Ok((place.segment == there).then(|| vec![place.segment as u8].into()));
            let found = follow(row, read).expect("no fault").map(|(_, bytes)| bytes.map(|bytes| bytes[0]));
            assert_eq!((format!("{found:?}"), rows.borrow().len()), (want.to_owned(), 0));
        }
    }
}

//! Empties segments that are mostly dead: what still lives in one is copied to the tail, in small steps.
//!
//! Bytes are copied as they are: the row's checksum goes with them, and tells a reader what it told before. Must
//! never know jobs.

use super::commit::commit;
use super::fault::Fault;
use super::payload::{self, Kind};
use super::segments::{Extent, Place, Segments};
use rusqlite::Connection;

/// Bytes of one step, at about the most, and payloads.
const STEP_BYTES: u64 = 2 << 20;
const STEP_PAYLOADS: i64 = 16;

/// What rows say about each segment, ascending.
pub(super) fn extents(db: &Connection) -> rusqlite::Result<Vec<Extent>> {
    let mut query = db.prepare(
        "SELECT segment, sum(bytes), max(offset + bytes) FROM (
             SELECT segment, offset, bytes FROM input WHERE segment IS NOT NULL
             UNION ALL SELECT segment, offset, bytes FROM result WHERE segment IS NOT NULL
         ) GROUP BY segment ORDER BY segment",
    )?;
    let number = |row: &rusqlite::Row<'_>, column| row.get::<_, i64>(column).map(|number| number as u64);
    query
        .query_map([], |row| Ok(Extent { segment: row.get(0)?, live: number(row, 1)?, end: number(row, 2)? }))?
        .collect()
}

/// One step. `false`: no segment is mostly dead.
pub(super) fn step(db: &Connection, segments: &mut Segments) -> Result<bool, Fault> {
    let Some(segment) = segments.sparse() else { return Ok(false) };
    if !commit(db, segments, |db, segments| empty(db, segments, segment))? {
        tracing::warn!(segment, "holds payloads that can't be read, and is kept");
        segments.give_up(segment);
    }
    Ok(true)
}

/// Copies some payloads out of a segment. `false`: there is one that can't be, or none at all.
fn empty(db: &Connection, segments: &mut Segments, segment: u32) -> Result<bool, Fault> {
    let (files, mut copied) = (segments.files(), 0);
    for kind in Kind::ALL {
        let sql = kind.sql(
            "UPDATE input SET segment = ?2, offset = ?3 WHERE id = ?1",
            "UPDATE result SET segment = ?2, offset = ?3 WHERE id = ?1",
        );
        for (id, place) in living(db, kind, segment)? {
            if copied >= STEP_BYTES {
                return Ok(true);
            }
            let Some(payload) = files.read(place)? else { return Ok(false) };
            let copy = segments.append(&payload)?;
            db.prepare_cached(sql)?.execute((id, copy.segment, copy.offset as i64))?;
            segments.free(place);
            copied += u64::from(place.bytes);
        }
    }
    Ok(copied > 0)
}

/// The first payloads of a segment, by their rows' keys.
fn living(db: &Connection, kind: Kind, segment: u32) -> rusqlite::Result<Vec<(i64, Place)>> {
    let sql = kind.sql(
        "SELECT segment, offset, bytes, id FROM input WHERE segment = ?1 ORDER BY offset LIMIT ?2",
        "SELECT segment, offset, bytes, id FROM result WHERE segment = ?1 ORDER BY offset LIMIT ?2",
    );
    let mut query = db.prepare_cached(sql)?;
    let rows =
        query.query_map((segment, STEP_PAYLOADS), |row| Ok(payload::place(row)?.map(|place| (row.get(3), place))))?;
    rows.filter_map(Result::transpose).map(|row| row.and_then(|(id, place)| Ok((id?, place)))).collect()
}

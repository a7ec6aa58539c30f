//! The tables, and the version of their format.
//!
//! A chunk's key is the job's number times 2^32 plus its first index, so that one range of keys is one job, in
//! the order of its items. Knows SQL; must never know connections, threads, or what the rows mean to a job.

use crate::job::ChunkRef;
use rusqlite::Connection;

/// Marks our files among all SQLite files: "sudo".
pub(super) const APPLICATION_ID: i64 = 0x7375_646f;

/// Version of the tables below; a file of a newer one is refused.
pub(super) const FORMAT: i64 = 3;

/// Bytes of a page in a new file: a commit writes whole pages to the log, and its rows are small.
pub(super) const PAGE_BYTES: u64 = 8_192;

/// `meta` keys.
pub(super) const META_FORMAT: &str = "format";
/// Raised at each open; tokens carry it.
pub(super) const META_BOOT: &str = "boot";
/// A random number by which segments know their store.
pub(super) const META_STORE: &str = "store";
/// 1 after a close, 0 while open: tells whether the last process died.
pub(super) const META_CLEAN: &str = "clean";

const TABLES: &str = "
CREATE TABLE meta (key TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE job (
    -- Never used twice, as a deleted job's payloads go later; half of a chunk's key, which must stay positive.
    seq INTEGER PRIMARY KEY AUTOINCREMENT CHECK (seq < 2147483648),
    id BLOB NOT NULL UNIQUE,
    principal TEXT NOT NULL,
    request_id TEXT NOT NULL,
    sent BLOB NOT NULL,
    resolved BLOB NOT NULL,
    state INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    stored INTEGER NOT NULL,
    total INTEGER,
    counts BLOB NOT NULL,
    upload_epoch INTEGER NOT NULL,
    created INTEGER NOT NULL,
    started INTEGER,
    ended INTEGER,
    expires INTEGER,
    last_input INTEGER NOT NULL,
    error TEXT,
    UNIQUE (principal, request_id)
);
CREATE INDEX job_by_principal ON job (principal, created, id);
CREATE INDEX job_by_age ON job (created, id);
CREATE INDEX job_live ON job (seq) WHERE ended IS NULL;
CREATE INDEX job_expiry ON job (expires) WHERE expires IS NOT NULL;
CREATE TABLE label (key TEXT, value TEXT, seq INTEGER, PRIMARY KEY (key, value, seq)) WITHOUT ROWID;
CREATE TABLE input (id INTEGER PRIMARY KEY, count INTEGER NOT NULL, crc INTEGER NOT NULL, payload BLOB NOT NULL);
CREATE TABLE result (id INTEGER PRIMARY KEY, count INTEGER NOT NULL, crc INTEGER NOT NULL, payload BLOB NOT NULL);
CREATE TABLE mark (
    id INTEGER PRIMARY KEY,
    failures INTEGER NOT NULL,
    crashes INTEGER NOT NULL,
    suspect_item INTEGER,
    suspect_times INTEGER NOT NULL,
    condemned BLOB NOT NULL,
    begun_boot INTEGER,  -- set by begin, cleared when the lease ends: a crash in between counts
    begun_item INTEGER,
    why TEXT
);
CREATE TABLE tombstone (seq INTEGER PRIMARY KEY);
";

/// Since format 2: a payload that is not in its row lies in a segment. Older rows hold theirs, as short ones still do.
const PLACES: &str = "
ALTER TABLE input ADD COLUMN segment INTEGER;
ALTER TABLE input ADD COLUMN offset INTEGER;
ALTER TABLE input ADD COLUMN bytes INTEGER;
ALTER TABLE result ADD COLUMN segment INTEGER;
ALTER TABLE result ADD COLUMN offset INTEGER;
ALTER TABLE result ADD COLUMN bytes INTEGER;
CREATE INDEX input_by_place ON input (segment, offset, bytes) WHERE segment IS NOT NULL;
CREATE INDEX result_by_place ON result (segment, offset, bytes) WHERE segment IS NOT NULL;
";

/// Since format 3: what each job's payloads come to.
const SIZES: &str = "ALTER TABLE job ADD COLUMN payload_bytes INTEGER NOT NULL DEFAULT 0;";

/// Adds up what an older program did not note.
const ADD_UP: &str = "
UPDATE job SET payload_bytes =
    (SELECT ifnull(sum(ifnull(bytes, length(payload))), 0) FROM input WHERE id BETWEEN seq << 32 AND (seq << 32) + 4294967295)
    + (SELECT ifnull(sum(ifnull(bytes, length(payload))), 0) FROM result WHERE id BETWEEN seq << 32 AND (seq << 32) + 4294967295);
";

/// Makes the tables of a new file and writes its format; one transaction. `store` is a random number.
pub(super) fn create(db: &Connection, store: i64) -> rusqlite::Result<()> {
    let transaction = db.unchecked_transaction()?;
    transaction.execute_batch(&format!(
        "{TABLES} {PLACES} {SIZES}
         INSERT INTO meta VALUES ('{META_FORMAT}', {FORMAT}), ('{META_BOOT}', 0), ('{META_CLEAN}', 1),
             ('{META_STORE}', {store});
         PRAGMA application_id = {APPLICATION_ID}"
    ))?;
    transaction.commit()
}

/// Makes a file of an older format one of this format; one transaction, and no payload is touched.
pub(super) fn upgrade(db: &Connection, store: i64) -> rusqlite::Result<()> {
    let transaction = db.unchecked_transaction()?;
    if meta(&transaction, META_FORMAT)? < 2 {
        transaction.execute_batch(&format!("{PLACES} INSERT INTO meta VALUES ('{META_STORE}', {store})"))?;
    }
    transaction.execute_batch(&format!("{SIZES} {ADD_UP}"))?;
    set_meta(&transaction, META_FORMAT, FORMAT)?;
    transaction.commit()
}

/// Bytes of a page in this file.
pub(super) fn page_bytes(db: &Connection) -> rusqlite::Result<u64> {
    db.pragma_query_value(None, "page_size", |row| row.get::<_, u32>(0)).map(u64::from)
}

/// A number of `meta`.
pub(super) fn meta(db: &Connection, key: &str) -> rusqlite::Result<i64> {
    db.query_row("SELECT value FROM meta WHERE key = ?1", [key], |row| row.get(0))
}

/// Sets a number of `meta`.
pub(super) fn set_meta(db: &Connection, key: &str, value: i64) -> rusqlite::Result<()> {
    db.execute("UPDATE meta SET value = ?2 WHERE key = ?1", (key, value)).map(drop)
}

/// The key of a chunk.
pub(super) fn key(seq: i64, first_index: u32) -> i64 {
    seq << 32 | i64::from(first_index)
}

/// The first and last key that a job's chunks may have.
pub(super) fn keys(seq: i64) -> (i64, i64) {
    (key(seq, 0), key(seq, u32::MAX))
}

/// The chunk that a row holds.
pub(super) fn chunk(id: i64, count: u32) -> ChunkRef {
    ChunkRef { first_index: (id & i64::from(u32::MAX)) as u32, count }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_sort_by_job_then_item_and_give_the_chunk_back() {
        assert!(key(1, u32::MAX) < key(2, 0) && key(2_147_483_647, u32::MAX) == i64::MAX);
        assert_eq!(chunk(key(7, 4_000_000_000), 5), ChunkRef { first_index: 4_000_000_000, count: 5 });
        assert_eq!(keys(3), (3 << 32, (4 << 32) - 1));
    }

    #[test]
    fn tables() {
        let db = Connection::open_in_memory().expect("memory");
        create(&db, 7).expect("tables");
        assert_eq!((meta(&db, META_FORMAT), meta(&db, META_STORE)), (Ok(FORMAT), Ok(7)));
        set_meta(&db, META_BOOT, 5).expect("set");
        assert_eq!(meta(&db, META_BOOT), Ok(5));
        assert!(meta(&db, "other").is_err());
    }
}

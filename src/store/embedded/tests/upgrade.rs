//! A store that an older program wrote.

use super::*;
use crate::store::rules;
use rusqlite::Connection;

/// The tables of format 1, as they were written then.
const FORMAT_1: &str = "
PRAGMA page_size = 32768;
PRAGMA auto_vacuum = INCREMENTAL;
PRAGMA journal_mode = WAL;
CREATE TABLE meta (key TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE job (
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
    begun_boot INTEGER,
    begun_item INTEGER,
    why TEXT
);
CREATE TABLE tombstone (seq INTEGER PRIMARY KEY);
INSERT INTO meta VALUES ('format', 1), ('boot', 4), ('clean', 1);
PRAGMA application_id = 0x7375646f;
";

/// A store of format 1 with a sealed job of five chunks, two of which have results.
fn old_store(dir: &Path) -> JobId {
    let db = Connection::open(dir.join(open::FILE)).expect("database");
    db.execute_batch(FORMAT_1).expect("tables");
    let mut record = rules::create(solve("old"), Timestamp(1_700_000_000_000));
    (record.stored, record.total, record.upload_epoch, record.state) = (50, Some(50), 1, JobState::Running);
    record.counts = unique(20);
    let seq = row::insert(&db, &record, &solve("old").sent).expect("job");
    let put = |table: &str, index: u32, payload: &[u8]| {
        let id = seq << 32 | i64::from(index);
        let text = [payload, &id.to_le_bytes(), &10_u32.to_le_bytes()].concat();
        let sql = format!("INSERT INTO {table} VALUES (?1, 10, ?2, ?3)");
        db.execute(&sql, (id, crc32c::crc32c(&text), payload)).expect("payload");
    };
    for n in 0..5 {
        put("input", n * 10, &payload(n * 10, 300_000));
    }
    put("result", 0, &payload(0, 200_000));
    put("result", 10, &payload(10, 50));
    record.id
}

fn format(dir: &Path) -> i64 {
    let db = Connection::open(dir.join(open::FILE)).expect("database");
    schema::meta(&db, schema::META_FORMAT).expect("format")
}

#[tokio::test]
async fn a_store_of_format_1_is_served_and_goes_on() {
    let dir = tempfile::tempdir().expect("dir");
    let job = old_store(dir.path());
    assert_eq!(format(dir.path()), 1);
    for round in 0..2 {
        let store = open(dir.path());
        assert_eq!(store.shared.boot, 5 + round);
        assert_eq!(store.verify().await, Ok(()));
        let usage = store.usage(&who("anonymous")).await.expect("usage");
        assert_eq!((usage.jobs, usage.bytes), (1, 5 * 300_000 + 200_000 + 50), "payloads of old are added up");
        for (first, bytes) in [(0, 200_000), (10, 50)] {
            let result = store.next_result(job, first, TTL).await;
            assert!(matches!(result, Ok(NextResult::Chunk(_, found)) if found == payload(first, bytes)));
        }
        drop(store);
        assert_eq!(format(dir.path()), 3, "an older program refuses it from now on");
    }
    let store = open(dir.path());
    for _ in 0..3 {
        let claim = claim_one(&store).await;
        let first = claim.chunk.first_index;
        assert_eq!(claim.payload, Ok(payload(first, 300_000)));
        let stored = store.complete(claim.token, unique(10), payload(first, 100_000)).await;
        assert_eq!(stored, Ok(Completion::Stored));
    }
    assert_eq!(store.job(job).await.expect("job").state, JobState::Succeeded);
    assert_eq!(segments(dir.path()), [("00000001.seg".to_owned(), 300_032)], "new payloads go to a segment");
    drop(store);
    let store = open(dir.path());
    for (first, bytes) in [(0, 200_000), (10, 50), (20, 100_000), (30, 100_000), (40, 100_000)] {
        let result = store.next_result(job, first, TTL).await;
        assert!(matches!(result, Ok(NextResult::Chunk(_, found)) if found == payload(first, bytes)));
    }
    store.delete(job).await.expect("delete");
    let rows = || {
        let db = open::reader(&store.file).expect("reader");
        db.query_row("SELECT count(*) FROM input, result, tombstone", [], |row| row.get::<_, i64>(0)).expect("count")
    };
    super::space::eventually("all is purged", || rows() == 0 && segments(dir.path()).is_empty()).await;
}

#[test]
fn an_upgraded_store_has_the_tables_of_a_new_one() {
    let tables = |db: &Connection| {
        let mut query = db
            .prepare("SELECT m.name, c.name, c.type, c.pk FROM sqlite_schema m, pragma_table_info(m.name) c ORDER BY 1, c.cid")
            .expect("query");
        let column = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?));
        query
            .query_map([], column)
            .expect("rows")
            .collect::<Result<Vec<(String, String, String, i64)>, _>>()
            .expect("row")
    };
    let (old, new) = (Connection::open_in_memory().expect("memory"), Connection::open_in_memory().expect("memory"));
    old.execute_batch(FORMAT_1).expect("tables");
    schema::upgrade(&old, 7).expect("upgrade");
    schema::create(&new, 7).expect("create");
    assert_eq!(tables(&old), tables(&new));
    assert_eq!(schema::meta(&old, schema::META_STORE), Ok(7));
}

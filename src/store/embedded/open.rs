//! Opens the data directory: the lock, the database, its format, its checks and the boot epoch.
//!
//! Must never know jobs: what the rows mean is `recover`'s.

use super::options::{OpenError, Options};
use super::schema;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags};
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The database's name in the data directory; SQLite puts `-wal` and `-shm` files beside it.
pub(super) const FILE: &str = "sudokud.db";
/// The directory of segments, beside it.
pub(super) const SEGMENTS: &str = "segments";
const LOCK: &str = "sudokud.lock";

/// A data directory that is ours.
#[derive(Debug)]
pub(super) struct Opened {
    /// Held as long as anything may write.
    pub lock: File,
    /// The database's path.
    pub file: PathBuf,
    /// The connection that writes.
    pub db: Connection,
    /// Which opening of this directory it is, from 1.
    pub boot: u64,
    /// By what its segments know the store.
    pub store: u64,
}

/// Locks the directory and opens its database, or makes them.
///
/// # Errors
/// As [`OpenError`] says; nothing was changed then, but an empty directory may have been made.
pub(super) fn open(dir: &Path, options: &Options) -> Result<Opened, OpenError> {
    let lock = lock(dir)?;
    let file = dir.join(FILE);
    let db = database(&file, options)?;
    let failed = |error: rusqlite::Error| open_error(&file, &error);
    let boot = raise_boot(&db).map_err(failed)?;
    let store = schema::meta(&db, schema::META_STORE).map_err(failed)? as u64;
    Ok(Opened { lock, file, db, boot, store })
}

/// A connection that only reads.
pub(super) fn reader(file: &Path) -> rusqlite::Result<Connection> {
    let db = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    db.busy_timeout(Duration::from_secs(10))?;
    db.execute_batch("PRAGMA cache_size = -2048; PRAGMA query_only = ON; PRAGMA trusted_schema = OFF")?;
    Ok(db)
}

/// A second connection that may write: for checkpoints.
pub(super) fn writer(file: &Path) -> rusqlite::Result<Connection> {
    let db = Connection::open_with_flags(
        file,
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )?;
    db.busy_timeout(Duration::from_secs(10))?;
    write_back_on_close(&db, false)?;
    Ok(db)
}

/// Whether closing the connection, if it is the last one, writes the log back. Only a proper close does: what
/// drops a store is in no mood to wait.
pub(super) fn write_back_on_close(db: &Connection, yes: bool) -> rusqlite::Result<()> {
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, !yes).map(drop)
}

/// What an error of SQLite means when it comes while opening.
pub(super) fn open_error(file: &Path, error: &rusqlite::Error) -> OpenError {
    let file = file.to_path_buf();
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
            OpenError::Damaged { file, found: error.to_string() }
        }
        _ => OpenError::Medium { file, problem: error.to_string() },
    }
}

fn lock(dir: &Path) -> Result<File, OpenError> {
    let failed = |error| OpenError::Directory { dir: dir.to_path_buf(), error };
    let is_new = !dir.exists();
    std::fs::create_dir_all(dir).map_err(failed)?;
    let lock = File::options().create(true).truncate(false).write(true).open(dir.join(LOCK)).map_err(failed)?;
    match lock.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Err(OpenError::Locked { dir: dir.to_path_buf() }),
        Err(TryLockError::Error(error)) => return Err(failed(error)),
    }
    if is_new && let Some(parent) = dir.canonicalize().map_err(failed)?.parent() {
        File::open(parent).and_then(|parent| parent.sync_all()).map_err(failed)?;
    }
    Ok(lock)
}

fn database(file: &Path, options: &Options) -> Result<Connection, OpenError> {
    let failed = |error: rusqlite::Error| open_error(file, &error);
    let db = writer(file).map_err(failed)?;
    let is_new =
        db.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get::<_, i64>(0)).map_err(failed)? == 0;
    if is_new {
        let pages = schema::PAGE_BYTES;
        db.execute_batch(&format!("PRAGMA page_size = {pages}; PRAGMA auto_vacuum = INCREMENTAL")).map_err(failed)?;
    } else {
        check_format(file, &db)?;
    }
    configure(&db).map_err(failed)?;
    if is_new {
        schema::create(&db, fresh_store()).map_err(failed)?;
        // The directory's own entry for the file must last as long as what is acknowledged.
        if let Some(dir) = file.parent() {
            File::open(dir)
                .and_then(|dir| dir.sync_all())
                .map_err(|error| OpenError::Directory { dir: dir.to_path_buf(), error })?;
        }
    } else if schema::meta(&db, schema::META_CLEAN).map_err(failed)? == 0 {
        check(file, &db, options.check_bytes)?;
    }
    if schema::meta(&db, schema::META_FORMAT).map_err(failed)? < schema::FORMAT {
        tracing::info!(file = %file.display(), format = schema::FORMAT, "upgrading the store");
        schema::upgrade(&db, fresh_store()).map_err(failed)?;
    }
    Ok(db)
}

fn fresh_store() -> i64 {
    uuid::Uuid::new_v4().as_u64_pair().1 as i64
}

/// Refuses what this program does not understand, before anything is written.
fn check_format(file: &Path, db: &Connection) -> Result<(), OpenError> {
    let failed = |error: rusqlite::Error| open_error(file, &error);
    let found = db.pragma_query_value(None, "application_id", |row| row.get::<_, i64>(0)).map_err(failed)?;
    if found != schema::APPLICATION_ID {
        return Err(OpenError::Foreign { file: file.to_path_buf(), found });
    }
    let found = schema::meta(db, schema::META_FORMAT).map_err(failed)?;
    if found > schema::FORMAT {
        return Err(OpenError::Newer { file: file.to_path_buf(), found, known: schema::FORMAT });
    }
    Ok(())
}

/// Checkpoints run elsewhere; FULL makes each commit wait for the disk.
fn configure(db: &Connection) -> rusqlite::Result<()> {
    db.execute_batch(
        "PRAGMA journal_mode = WAL;
         PRAGMA synchronous = FULL;
         PRAGMA wal_autocheckpoint = 0;
         PRAGMA cache_size = -16384;
         PRAGMA cell_size_check = ON;
         PRAGMA trusted_schema = OFF;
         PRAGMA temp_store = MEMORY",
    )
}

/// After a crash: the structure of the whole file, or of a large one that of the tables without payloads.
fn check(file: &Path, db: &Connection, limit: u64) -> Result<(), OpenError> {
    let failed = |error: rusqlite::Error| open_error(file, &error);
    let pages = db.pragma_query_value(None, "page_count", |row| row.get::<_, u32>(0)).map_err(failed)?;
    let whole = u64::from(pages) * schema::page_bytes(db).map_err(failed)? <= limit;
    let parts: &[&str] = if whole { &[""] } else { &["(meta)", "(job)", "(label)", "(mark)", "(tombstone)"] };
    for part in parts {
        let found = findings(db, &format!("PRAGMA quick_check{part}")).map_err(failed)?;
        if !found.is_empty() {
            return Err(OpenError::Damaged { file: file.to_path_buf(), found });
        }
    }
    Ok(())
}

/// What a check of SQLite's finds, in its words; empty when all is sound.
pub(super) fn findings(db: &Connection, pragma: &str) -> rusqlite::Result<String> {
    let mut query = db.prepare(pragma)?;
    let lines = query.query_map([], |row| row.get::<_, String>(0))?.collect::<Result<Vec<_>, _>>()?;
    Ok(lines.into_iter().filter(|line| line != "ok").take(10).collect::<Vec<_>>().join("; "))
}

fn raise_boot(db: &Connection) -> rusqlite::Result<u64> {
    let transaction = db.unchecked_transaction()?;
    let boot = schema::meta(db, schema::META_BOOT)? + 1;
    schema::set_meta(db, schema::META_BOOT, boot)?;
    schema::set_meta(db, schema::META_CLEAN, 0)?;
    transaction.commit()?;
    Ok(boot as u64)
}

//! [`Fault`]: the medium failed, by what failed and what that means to a caller.
//!
//! Must never know which operation met it.

use crate::store::api::StoreError;
use rusqlite::{ErrorCode, ffi};
use std::io;

/// A failure of the medium.
#[derive(Debug, thiserror::Error)]
pub(super) enum Fault {
    /// The database's.
    #[error(transparent)]
    Database(#[from] rusqlite::Error),
    /// A segment's.
    #[error("a segment file: {0}")]
    Segment(#[from] io::Error),
}

impl Fault {
    fn is_full(&self) -> bool {
        match self {
            // A log index that can't grow is also a full disk, by another name.
            Fault::Database(error) => {
                error.sqlite_error_code() == Some(ErrorCode::DiskFull)
                    || error.sqlite_error().is_some_and(|error| error.extended_code == ffi::SQLITE_IOERR_SHMSIZE)
            }
            Fault::Segment(error) => {
                matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
            }
        }
    }
}

impl From<&Fault> for StoreError {
    fn from(fault: &Fault) -> StoreError {
        if fault.is_full() { StoreError::Full(fault.to_string()) } else { StoreError::Broken(fault.to_string()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_told_from_a_broken_one() {
        let sql = |code| Fault::from(rusqlite::Error::SqliteFailure(ffi::Error::new(code), None));
        let file = |kind: io::ErrorKind| Fault::from(io::Error::from(kind));
        let is_full = |fault: Fault| matches!(StoreError::from(&fault), StoreError::Full(_));
        assert!(is_full(sql(ffi::SQLITE_FULL)) && is_full(sql(ffi::SQLITE_IOERR_SHMSIZE)));
        assert!(is_full(file(io::ErrorKind::StorageFull)) && is_full(file(io::ErrorKind::QuotaExceeded)));
        assert!(!is_full(sql(ffi::SQLITE_CORRUPT)) && !is_full(file(io::ErrorKind::PermissionDenied)));
    }
}

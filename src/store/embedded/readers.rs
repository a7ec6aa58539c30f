//! Connections that read, lent out one at a time to blocking threads.
//!
//! Must never know what is read. Whoever borrows one keeps no transaction open for more than a chunk.

use super::fault::Fault;
use super::open;
use crate::store::api::StoreError;
use rusqlite::Connection;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::Semaphore;

/// The connections that nobody uses at the moment; opened when first needed.
#[derive(Debug)]
pub(super) struct Readers {
    file: PathBuf,
    idle: Mutex<Vec<Connection>>,
    permits: Arc<Semaphore>,
}

impl Readers {
    /// At most `count` connections to a database.
    pub(super) fn new(file: PathBuf, count: usize) -> Readers {
        Readers { file, idle: Mutex::default(), permits: Arc::new(Semaphore::new(count.max(1))) }
    }

    /// Runs a query off the async threads.
    pub(super) async fn run<R: Send + 'static>(
        self: &Arc<Self>,
        query: impl FnOnce(&Connection) -> Result<R, Fault> + Send + 'static,
    ) -> Result<R, StoreError> {
        let permit = self.permits.clone().acquire_owned().await.map_err(|_| StoreError::Closing)?;
        let readers = self.clone();
        let read = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            let idle = readers.idle().pop();
            let db = idle.map_or_else(|| open::reader(&readers.file), Ok)?;
            let result = query(&db);
            readers.idle().push(db);
            result
        });
        match read.await {
            Ok(result) => result.map_err(|fault| StoreError::from(&fault)),
            Err(error) => Err(StoreError::Broken(format!("a reader ended: {error}"))),
        }
    }

    /// Waits until all connections are back, closes them, and lends out no more.
    pub(super) async fn close(&self, count: usize) {
        if let Ok(all) = self.permits.acquire_many(count.max(1) as u32).await {
            self.permits.close();
            self.idle().clear();
            drop(all);
        }
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Connection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

//! [`Places`]: how many connections a port may have at a time. Must never know what they carry.

use super::{descriptors, metrics};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// How often the log says that connections are refused.
const TELL_EVERY: Duration = Duration::from_secs(10);
/// Connections to each of the side ports.
const SIDE: usize = 64;
/// Descriptors for all but the API's connections: the side ports' connections, the store's files, the runtime.
const OTHERS: u64 = 256;

/// The places of one port.
pub struct Places {
    port: &'static str,
    count: usize,
    free: Arc<Semaphore>,
    /// Refused since it was last told, and when that was.
    refused: u64,
    told: Option<Instant>,
}

/// One connection's place, free again when this is dropped.
pub struct Place {
    port: &'static str,
    _permit: OwnedSemaphorePermit,
}

impl Places {
    /// For the API's port: as many as are wished, or fewer where the process may not have so many descriptors.
    pub fn api(wished: u32) -> Places {
        let (wished, descriptors) = (wished as usize, descriptors::raise());
        let count = wished.min(fitting(descriptors));
        if count < wished {
            tracing::warn!(
                descriptors,
                connections = count,
                "max-connections is more than the descriptors allow: raise the limit of open files (ulimit -n)"
            );
        }
        Places::new(metrics::API_PORT, count)
    }

    /// For a port of health checks or metrics.
    pub fn side(port: &'static str) -> Places {
        Places::new(port, SIDE)
    }

    fn new(port: &'static str, count: usize) -> Places {
        Places { port, count, free: Arc::new(Semaphore::new(count)), refused: 0, told: None }
    }

    /// A place, if one is free; who gets none is to be closed, so that it tries another server or later, rather than wait
    /// for an answer that may not come.
    pub fn take(&mut self) -> Option<Place> {
        match Arc::clone(&self.free).try_acquire_owned() {
            Ok(permit) => {
                metrics::connected(self.port);
                Some(Place { port: self.port, _permit: permit })
            }
            Err(_) => {
                self.refuse();
                None
            }
        }
    }

    fn refuse(&mut self) {
        metrics::connection_refused(self.port);
        self.refused += 1;
        if self.told.is_none_or(|told| told.elapsed() >= TELL_EVERY) {
            let (port, refused, open) = (self.port, self.refused, self.count);
            tracing::warn!(port, refused, open, "connections are closed at once: as many as may be are open");
            (self.refused, self.told) = (0, Some(Instant::now()));
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        metrics::disconnected(self.port);
    }
}

/// How many connections fit beside all else; half of the descriptors where those are very few.
fn fitting(descriptors: u64) -> usize {
    let fitting = descriptors.saturating_sub(OTHERS).max(descriptors / 2);
    usize::try_from(fitting).unwrap_or(usize::MAX).clamp(1, Semaphore::MAX_PERMITS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_free_again_when_its_connection_ends() {
        let mut places = Places::new("api", 2);
        let (first, second) = (places.take().expect("free"), places.take().expect("free"));
        assert!(places.take().is_none() && places.take().is_none());
        assert_eq!((places.refused, places.told.is_some()), (1, true), "told at once, then once in a while");
        drop(first);
        let third = places.take().expect("free again");
        assert!(places.take().is_none());
        drop((second, third));
    }

    #[test]
    fn descriptors_are_left_for_all_else() {
        for (descriptors, connections) in
            [(0, 1), (100, 50), (512, 256), (1_024, 768), (u64::MAX, Semaphore::MAX_PERMITS)]
        {
            assert_eq!(fitting(descriptors), connections, "{descriptors}");
        }
    }
}

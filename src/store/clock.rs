//! The time that a store goes by: the system's, or in tests one that stands still until told.

use crate::job::Timestamp;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A clock; clones show the same time.
#[derive(Clone, Debug, Default)]
pub struct Clock(Option<Arc<AtomicU64>>);

impl Clock {
    /// The system's.
    pub fn system() -> Clock {
        Clock(None)
    }

    /// One that shows `start` until it is advanced.
    pub fn manual(start: Timestamp) -> Clock {
        Clock(Some(Arc::new(AtomicU64::new(start.0))))
    }

    /// The time now.
    pub fn now(&self) -> Timestamp {
        match &self.0 {
            Some(manual) => Timestamp(manual.load(Ordering::SeqCst)),
            None => {
                let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
                Timestamp(millis(since))
            }
        }
    }

    /// Moves a manual clock on.
    ///
    /// # Panics
    /// On the system's clock.
    pub fn advance(&self, by: Duration) {
        let manual = self.0.as_ref().expect("only a manual clock is advanced");
        manual.fetch_add(millis(by), Ordering::SeqCst);
    }
}

/// The time `by` later than `time`, in whole milliseconds.
pub fn later(time: Timestamp, by: Duration) -> Timestamp {
    Timestamp(time.0.saturating_add(millis(by)))
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manual_clock_moves_only_when_told() {
        let clock = Clock::manual(Timestamp(5));
        let same = clock.clone();
        assert_eq!(clock.now(), Timestamp(5));
        clock.advance(Duration::from_secs(2));
        assert_eq!((clock.now(), same.now()), (Timestamp(2_005), Timestamp(2_005)));
    }

    #[test]
    fn the_system_clock_shows_a_time_of_this_century() {
        // 2020-01-01 and 2100-01-01.
        assert!((1_577_836_800_000..4_102_444_800_000).contains(&Clock::system().now().0));
    }

    #[test]
    fn later_does_not_overflow() {
        assert_eq!(later(Timestamp(1), Duration::from_micros(2_999)), Timestamp(3));
        assert_eq!(later(Timestamp(1), Duration::MAX), Timestamp(u64::MAX));
    }
}

//! [`Floor`]: whether the store's medium has room for new jobs and input. Looked at now and then, off the calls' way.

use super::error::EngineError;
use super::limit::Limit;
use super::metrics;
use crate::store::{JobStore, StoreError};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

const LOOK_EVERY: Duration = Duration::from_secs(2);
/// When to try again what needs room: time enough for someone to make some.
const RETRY: Duration = Duration::from_secs(30);
/// By this part the room must exceed the floor for it to be over, so that it does not come and go.
const SLACK: u64 = 16;

/// What the last look saw.
pub(super) struct Floor {
    bytes: u64,
    /// `None` before the first look.
    reached: watch::Sender<Option<bool>>,
}

impl Floor {
    /// At so many free bytes; 0: none.
    pub(super) fn new(bytes: u64) -> Floor {
        Floor { bytes, reached: watch::Sender::new(None) }
    }

    /// Whether less than the floor is free, as far as is known.
    pub(super) fn is_reached(&self) -> bool {
        *self.reached.borrow() == Some(true)
    }

    /// The same, after the first look.
    pub(super) async fn reached(&self) -> bool {
        // The sender is here.
        let _ = self.reached.subscribe().wait_for(Option::is_some).await;
        self.is_reached()
    }

    /// The refusal of what needs room.
    pub(super) fn refusal(&self) -> EngineError {
        let problem = format!(
            "the server's disk has less than {} bytes free, so it takes no new jobs and no input; jobs that are stored go on",
            self.bytes
        );
        EngineError::Exhausted { limit: Limit::DiskFloor, problem, retry_after: Some(RETRY) }
    }

    /// What was seen last stands.
    fn keep(&self) {
        self.reached.send_modify(|reached| *reached = Some(*reached == Some(true)));
    }

    fn note(&self, available: Option<u64>) {
        let was = self.is_reached();
        let is = available.is_some_and(|available| below(available, self.bytes, was));
        if let Some(available) = available {
            metrics::disk(available, is);
            if is && !was {
                tracing::warn!(
                    available,
                    floor = self.bytes,
                    "little disk is free: no new jobs and no input are taken"
                );
            } else if was && !is {
                tracing::info!(available, floor = self.bytes, "enough disk is free again");
            }
        }
        self.reached.send_replace(Some(is));
    }
}

fn below(available: u64, floor: u64, was: bool) -> bool {
    available < if was { floor.saturating_add(floor / SLACK) } else { floor }
}

/// Looks until the engine drains; once, where the store has no such bound.
pub(super) async fn watch_forever(floor: Arc<Floor>, store: Arc<dyn JobStore>, draining: CancellationToken) {
    let mut looks = interval(LOOK_EVERY);
    looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    while draining.run_until_cancelled(looks.tick()).await.is_some() {
        match store.available().await {
            Ok(None) => return floor.note(None),
            Ok(available) => floor.note(available),
            Err(StoreError::Closing) => break,
            Err(error) => {
                tracing::warn!(%error, "how much disk is free is not known: it is looked at again");
                floor.keep();
            }
        }
    }
    floor.keep();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_ends_only_once_there_is_some_more() {
        let floor = Floor::new(1_600);
        let seen = [2_000, 1_600, 1_599, 1_600, 1_699, 1_700, 1_600].map(|available| {
            floor.note(Some(available));
            floor.is_reached()
        });
        assert_eq!(seen, [false, false, true, true, true, false, false]);
        let off = Floor::new(0);
        off.note(Some(0));
        assert!(!off.is_reached());
        assert!(below(u64::MAX - 1, u64::MAX, false) && below(u64::MAX - 1, u64::MAX, true));
    }

    #[tokio::test]
    async fn who_comes_before_the_first_look_waits_for_it() {
        let floor = Arc::new(Floor::new(1));
        let asked = tokio::spawn({
            let floor = Arc::clone(&floor);
            async move { floor.reached().await }
        });
        tokio::task::yield_now().await;
        assert!(!asked.is_finished());
        floor.note(Some(0));
        assert!(asked.await.expect("no panic"));
    }
}

//! Waiting for a store in trouble: longer each time, never for ever, never in a spin.

use super::metrics;
use crate::store::StoreError;
use std::time::Duration;

const FIRST: Duration = Duration::from_millis(50);
const LONGEST: Duration = Duration::from_secs(5);
const ATTEMPTS: u32 = 6;

/// Growing delays.
pub(super) struct Backoff(Duration);

impl Default for Backoff {
    fn default() -> Backoff {
        Backoff(FIRST)
    }
}

impl Backoff {
    /// Waits, longer than the last time.
    pub(super) async fn wait(&mut self) {
        tokio::time::sleep(self.0).await;
        self.0 = (self.0 * 2).min(LONGEST);
    }
}

/// Calls the store until it answers, a few times at the most, where a later try may help.
pub(super) async fn retry<T, F>(what: &str, call: impl FnMut() -> F) -> Result<T, StoreError>
where
    F: Future<Output = Result<T, StoreError>>,
{
    retry_after(Backoff::default(), what, call).await
}

async fn retry_after<T, F>(mut backoff: Backoff, what: &str, mut call: impl FnMut() -> F) -> Result<T, StoreError>
where
    F: Future<Output = Result<T, StoreError>>,
{
    for _ in 1..ATTEMPTS {
        match call().await {
            Err(error @ (StoreError::Broken(_) | StoreError::Full(_))) => {
                tracing::warn!(%error, what, "the store is in trouble: trying again");
                metrics::store_retried();
                backoff.wait().await;
            }
            answer => return answer,
        }
    }
    call().await
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    async fn attempts(fails: u32, error: StoreError) -> (Result<u32, StoreError>, u32) {
        let calls = Cell::new(0);
        let call = || {
            calls.set(calls.get() + 1);
            let answer = if calls.get() <= fails { Err(error.clone()) } else { Ok(7) };
            async move { answer }
        };
        (retry_after(Backoff(Duration::from_micros(1)), "a test", call).await, calls.get())
    }

    #[tokio::test]
    async fn tries_again_where_that_may_help_and_gives_up() {
        let broken = StoreError::Broken("disk".into());
        assert_eq!(attempts(0, broken.clone()).await, (Ok(7), 1));
        assert_eq!(attempts(3, broken.clone()).await, (Ok(7), 4));
        assert_eq!(attempts(9, broken.clone()).await, (Err(broken), 6));
        assert_eq!(attempts(9, StoreError::Closing).await, (Err(StoreError::Closing), 1));
    }
}

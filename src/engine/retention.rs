//! Sweeping: idle uploads fail, ended jobs past their time go, leases that ran out come back. One process of
//! all on a store does it at a time.

use super::context::Context;
use crate::store::{StoreError, SweepLimits, Swept};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{MissedTickBehavior, interval};

const LOCK: &str = "sweep";
/// A sweep that takes longer may meet another's: harmless, only wasteful.
const LOCK_TTL: Duration = Duration::from_secs(60);

/// Sweeps until the engine drains.
pub(super) async fn sweep_forever(context: Arc<Context>) {
    let mut ticks = interval(context.options.sweep_every.max(Duration::from_millis(1)));
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    while context.draining.run_until_cancelled(ticks.tick()).await.is_some() {
        match sweep(&context).await {
            Ok(Swept { idle: 0, expired: 0, leases: 0 }) => {}
            Ok(swept) => {
                let Swept { idle, expired, leases } = swept;
                tracing::info!(idle, expired, leases, "swept idle uploads, expired jobs and lost leases");
            }
            Err(StoreError::Closing) => return,
            Err(error) => tracing::warn!(%error, "sweeping failed"),
        }
    }
}

async fn sweep(context: &Context) -> Result<Swept, StoreError> {
    let store = &context.store;
    let Some(lock) = store.lock(LOCK, LOCK_TTL).await? else { return Ok(Swept::default()) };
    let swept = store.sweep(SweepLimits { upload_idle: context.options.upload_idle }).await;
    store.unlock(LOCK, lock).await?;
    swept
}

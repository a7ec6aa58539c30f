//! [`Cancel`]: how a caller that has left tells work on a thread to end. Knows nothing of the work.

use crate::sudoku::Pace;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that a task asks at its yield points; clones share it.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Asks for the end.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the end was asked for.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Whether the end was asked for, as the pure core wants it.
    pub fn pace(&self) -> Pace {
        if self.is_cancelled() { Pace::Stop } else { Pace::Continue }
    }
}

/// Raises its flag when dropped: held by a future, it ends the work that the future waits for.
pub(super) struct CancelOnDrop(pub(super) Cancel);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

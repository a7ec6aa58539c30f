//! [`Slice`]: how long work on a batch thread may go on before it lets other chunks have the thread.

use crate::pool::Cancel;
use crate::sudoku::Pace;
use std::time::{Duration, Instant};

/// One turn of a chunk on a batch thread.
pub(super) struct Slice<'a> {
    cancel: &'a Cancel,
    started: Instant,
    length: Duration,
}

impl Slice<'_> {
    /// Begins now.
    pub(super) fn begin(cancel: &Cancel, length: Duration) -> Slice<'_> {
        Slice { cancel, started: Instant::now(), length }
    }

    /// When it is over.
    pub(super) fn end(&self) -> Instant {
        self.started + self.length
    }

    /// Raised when the caller left: what is not done is not wanted.
    pub(super) fn cancel(&self) -> &Cancel {
        self.cancel
    }

    /// Whether to stop, for either reason.
    pub(super) fn is_over(&self) -> bool {
        self.cancel.is_cancelled() || self.spent() >= self.length
    }

    /// The same, as the pure core wants it.
    pub(super) fn pace(&self) -> Pace {
        if self.is_over() { Pace::Stop } else { Pace::Continue }
    }

    /// Since it began.
    pub(super) fn spent(&self) -> Duration {
        self.started.elapsed()
    }
}

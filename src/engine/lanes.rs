//! [`Lanes`]: how many chunks this process may have claimed, at length, and solved but not yet durable.

use super::in_work::Ticket;
use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, SemaphorePermit};

/// Chunks for each batch thread: in work, about to be begun, and being claimed.
const SLOTS_PER_THREAD: usize = 3;
/// Chunks for each batch thread that outlasted a turn.
const LONG_PER_THREAD: usize = 3;
/// Solved chunks for each batch thread that wait to be durable.
const STORING_PER_THREAD: usize = 8;

/// How many chunks may be where.
pub(super) struct Lanes {
    slots: Arc<Semaphore>,
    long: Arc<Semaphore>,
    storing: Semaphore,
}

impl Lanes {
    pub(super) fn new(threads: usize) -> Lanes {
        Lanes {
            slots: Arc::new(Semaphore::new(threads * SLOTS_PER_THREAD)),
            long: Arc::new(Semaphore::new(threads * LONG_PER_THREAD)),
            storing: Semaphore::new(threads * STORING_PER_THREAD),
        }
    }

    /// A chunk outlasted a turn: the first time, it leaves its slot for a place among the long ones, if one
    /// is free.
    pub(super) fn outlast(&self, slot: &mut Option<OwnedSemaphorePermit>, ticket: &Ticket) {
        if ticket.outlast()
            && slot.is_some()
            && let Ok(place) = Arc::clone(&self.long).try_acquire_owned()
        {
            *slot = Some(place);
        }
    }

    /// Room for a solved chunk. `None` cannot happen: nobody closes the semaphore.
    pub(super) async fn store(&self) -> Option<SemaphorePermit<'_>> {
        self.storing.acquire().await.ok()
    }

    /// Waits for a slot and takes all that are free.
    pub(super) async fn free_slots(&self) -> Vec<OwnedSemaphorePermit> {
        let first = Arc::clone(&self.slots).acquire_owned().await;
        let mut slots: Vec<OwnedSemaphorePermit> = first.into_iter().collect();
        while let Ok(more) = Arc::clone(&self.slots).try_acquire_owned() {
            slots.push(more);
        }
        slots
    }
}

//! [`Segments`]: the segments as the writer changes them, within a transaction.
//!
//! Must never know rows.

use super::append::Tail;
use super::ledger::Ledger;
use super::place::Place;
use super::read::Files;
use std::io;
use std::sync::Arc;

/// What the writer knows of the segments. Its changes belong to a transaction: `sync` before the commit, then
/// `settle`, or `roll_back` when anything failed.
#[derive(Debug)]
pub struct Segments {
    pub(super) files: Arc<Files>,
    pub(super) tail: Tail,
    pub(super) ledger: Ledger,
}

impl Segments {
    /// For those who read.
    pub fn files(&self) -> Arc<Files> {
        self.files.clone()
    }

    /// Adds a payload at the end of the tail.
    pub fn append(&mut self, payload: &[u8]) -> io::Result<Place> {
        let place = self.tail.append(payload)?;
        self.ledger.add(place);
        Ok(place)
    }

    /// Notes that no row names a place any more.
    pub fn free(&mut self, place: Place) {
        self.ledger.free(place);
    }

    /// Makes durable what was appended.
    pub fn sync(&mut self) -> io::Result<()> {
        self.tail.sync()
    }

    /// The transaction was committed: removes the files in which nothing lives any more.
    pub fn settle(&mut self) {
        self.tail.settle();
        for segment in self.ledger.settle() {
            self.tail.leave(segment);
            if let Err(error) = self.files.remove(segment) {
                tracing::warn!(segment, %error, "an empty segment could not be removed; the next start tries again");
            }
        }
    }

    /// The transaction failed: what was appended is not there.
    pub fn roll_back(&mut self) {
        self.tail.roll_back();
        self.ledger.roll_back();
    }

    /// The segment that is cheapest to empty, among those that are mostly dead and not the tail.
    pub fn sparse(&self) -> Option<u32> {
        self.ledger.sparse(self.tail.number())
    }

    /// Leaves a segment as it is until the next opening: what lives in it can't be read.
    pub fn give_up(&mut self, segment: u32) {
        self.ledger.give_up(segment);
    }

    /// Whether a segment became full since the last call.
    pub fn rolled(&mut self) -> bool {
        self.tail.rolled()
    }

    /// Lets the disk be full after so many more bytes.
    #[cfg(test)]
    pub fn limit_room(&mut self, bytes: Option<u64>) {
        self.tail.room = bytes;
    }
}

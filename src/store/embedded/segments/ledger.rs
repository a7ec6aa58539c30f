//! [`Ledger`]: how many bytes live in each segment, kept beside the rows' transactions.
//!
//! It is made from the rows at each opening, so nothing of it is stored. Must never know files.

use super::file::HEADER_BYTES;
use super::place::{Extent, Place};
use std::collections::BTreeMap;

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    segments: BTreeMap<u32, Entry>,
    /// What the transaction in hand adds and frees.
    added: Vec<Place>,
    freed: Vec<Place>,
}

#[derive(Debug)]
struct Entry {
    live: u64,
    /// All bytes behind the header.
    size: u64,
    given_up: bool,
}

impl Ledger {
    /// What rows say.
    pub(super) fn new(extents: &[Extent]) -> Ledger {
        let entry =
            |extent: &Extent| (extent.segment, Entry { live: extent.live, size: size(extent.end), given_up: false });
        Ledger { segments: extents.iter().map(entry).collect(), ..Ledger::default() }
    }

    /// A row will name this place.
    pub(super) fn add(&mut self, place: Place) {
        self.added.push(place);
    }

    /// No row will.
    pub(super) fn free(&mut self, place: Place) {
        self.freed.push(place);
    }

    /// So it came: returns the segments in which nothing lives any more, and forgets them.
    pub(super) fn settle(&mut self) -> Vec<u32> {
        for Place { segment, offset, bytes } in self.added.drain(..) {
            let fresh = Entry { live: 0, size: 0, given_up: false };
            let entry = self.segments.entry(segment).or_insert(fresh);
            entry.live += u64::from(bytes);
            entry.size = entry.size.max(size(offset + u64::from(bytes)));
        }
        let mut empty = Vec::new();
        for Place { segment, bytes, .. } in self.freed.drain(..) {
            let Some(entry) = self.segments.get_mut(&segment) else { continue };
            entry.live = entry.live.saturating_sub(u64::from(bytes));
            if entry.live == 0 {
                self.segments.remove(&segment);
                empty.push(segment);
            }
        }
        empty
    }

    /// It did not come so.
    pub(super) fn roll_back(&mut self) {
        self.added.clear();
        self.freed.clear();
    }

    /// See [`super::set::Segments::sparse`].
    pub(super) fn sparse(&self, tail: Option<u32>) -> Option<u32> {
        let is_sparse =
            |number: u32, entry: &Entry| Some(number) != tail && !entry.given_up && entry.live < entry.size / 2;
        let sparse = self.segments.iter().filter(|(number, entry)| is_sparse(**number, entry));
        sparse.min_by_key(|(_, entry)| entry.live).map(|(number, _)| *number)
    }

    /// See [`super::set::Segments::give_up`].
    pub(super) fn give_up(&mut self, segment: u32) {
        if let Some(entry) = self.segments.get_mut(&segment) {
            entry.given_up = true;
        }
    }
}

fn size(end: u64) -> u64 {
    end.saturating_sub(HEADER_BYTES)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(segment: u32, offset: u64, bytes: u32) -> Place {
        Place { segment, offset, bytes }
    }

    #[test]
    fn segments_come_and_go_with_their_bytes() {
        let extent = |segment, live, end| Extent { segment, live, end };
        let mut ledger = Ledger::new(&[extent(1, 300, 332), extent(2, 100, 1_032), extent(3, 50, 932)]);
        assert_eq!((ledger.sparse(None), ledger.sparse(Some(3))), (Some(3), Some(2)));
        ledger.free(place(1, 32, 200));
        ledger.add(place(4, 32, 10));
        ledger.roll_back();
        assert!(ledger.settle().is_empty());
        ledger.free(place(1, 32, 134));
        assert!(ledger.settle().is_empty());
        ledger.give_up(3);
        assert_eq!(ledger.sparse(None), Some(2), "half of the first one lives");
        ledger.free(place(2, 32, 60));
        ledger.free(place(2, 99, 40));
        ledger.free(place(1, 166, 17));
        ledger.add(place(4, 32, 10));
        assert_eq!(ledger.settle(), [2]);
        assert_eq!(ledger.sparse(None), Some(1));
        ledger.add(place(4, 42, 90));
        ledger.free(place(4, 32, 10));
        assert!(ledger.settle().is_empty());
        ledger.free(place(4, 42, 90));
        assert_eq!(ledger.settle(), [4]);
    }
}

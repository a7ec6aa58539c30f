//! Payloads kept in memory for a moment: the newest ones, up to a number of bytes.
//!
//! Must never know where payloads come from; leaving one out of the cache only costs a read.

use crate::job::ChunkRef;
use bytes::Bytes;
use std::collections::{BTreeMap, HashMap};

/// Payloads by chunk key, the oldest dropped first.
#[derive(Debug)]
pub(super) struct Cache {
    limit: usize,
    bytes: usize,
    tick: u64,
    held: HashMap<i64, (u64, ChunkRef, Bytes)>,
    by_age: BTreeMap<u64, i64>,
}

impl Cache {
    /// An empty cache of at most `limit` bytes.
    pub(super) fn new(limit: usize) -> Cache {
        Cache { limit, bytes: 0, tick: 0, held: HashMap::new(), by_age: BTreeMap::new() }
    }

    /// Keeps a payload, and drops the oldest ones until all fit.
    pub(super) fn put(&mut self, key: i64, chunk: ChunkRef, payload: Bytes) {
        self.remove(key);
        self.bytes += cost(&payload);
        self.tick += 1;
        self.by_age.insert(self.tick, key);
        self.held.insert(key, (self.tick, chunk, payload));
        while self.bytes > self.limit
            && let Some((_, oldest)) = self.by_age.pop_first()
        {
            self.forget(oldest);
        }
    }

    /// The chunk and its payload, if it is still here.
    pub(super) fn get(&self, key: i64) -> Option<(ChunkRef, Bytes)> {
        self.held.get(&key).map(|(_, chunk, payload)| (*chunk, payload.clone()))
    }

    /// Drops one.
    pub(super) fn remove(&mut self, key: i64) {
        if let Some((tick, ..)) = self.held.get(&key) {
            self.by_age.remove(tick);
            self.forget(key);
        }
    }

    fn forget(&mut self, key: i64) {
        if let Some((.., payload)) = self.held.remove(&key) {
            self.bytes -= cost(&payload);
        }
    }
}

/// What a payload costs to keep: its bytes and about what the maps take.
fn cost(payload: &Bytes) -> usize {
    payload.len() + 128
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHUNK: ChunkRef = ChunkRef { first_index: 3, count: 4 };

    #[test]
    fn the_oldest_go_first_and_bytes_stay_bounded() {
        let mut cache = Cache::new(3 * (1_000 + 128));
        for key in 0..5 {
            cache.put(key, CHUNK, Bytes::from(vec![key as u8; 1_000]));
        }
        assert_eq!((0..5).map(|key| cache.get(key).is_some()).collect::<Vec<_>>(), [false, false, true, true, true]);
        cache.put(2, CHUNK, Bytes::from_static(b"again"));
        cache.remove(3);
        assert_eq!(cache.get(2), Some((CHUNK, Bytes::from_static(b"again"))));
        assert_eq!(cache.bytes, 1_000 + 5 + 2 * 128);
        cache.put(9, CHUNK, Bytes::from(vec![0; 10_000]));
        assert!(cache.held.is_empty() && cache.by_age.is_empty() && cache.bytes == 0, "one that never fits");
    }
}

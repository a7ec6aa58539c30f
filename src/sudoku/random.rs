//! The named, portable random source: ChaCha8 keyed by (seed, purpose, index).
//!
//! The same values on every machine and for every number of workers; the key layout is part of the
//! generator's version. Knows nothing of what its values are used for.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// What a stream of values is for: streams of different purposes have nothing in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Purpose {
    /// The order in which a family of grids is walked.
    Walk = 1,
    /// Filling one grid at random.
    Fill = 2,
    /// Making one puzzle, an attempt a stream.
    Puzzle = 3,
    /// The order in which givens are taken away.
    Minimize = 4,
}

/// A stream of random values.
#[derive(Clone, Debug)]
pub struct Random(ChaCha8Rng);

impl Random {
    /// The stream of an item. The key is `sudokud` and the purpose in one byte each, then seed and index
    /// (little-endian), then eight zero bytes.
    pub fn new(seed: u64, purpose: Purpose, index: u64) -> Random {
        Random::of_attempt(seed, purpose, index, 0)
    }

    /// The stream of an attempt at an item. The key is that of the item, but for the attempt (little-endian) in its last
    /// eight bytes: attempt 0 is the item's own stream.
    pub fn of_attempt(seed: u64, purpose: Purpose, index: u64, attempt: u64) -> Random {
        let mut key = [0; 32];
        key[..7].copy_from_slice(b"sudokud");
        key[7] = purpose as u8;
        key[8..16].copy_from_slice(&seed.to_le_bytes());
        key[16..24].copy_from_slice(&index.to_le_bytes());
        key[24..].copy_from_slice(&attempt.to_le_bytes());
        Random(ChaCha8Rng::from_seed(key))
    }

    /// Any value.
    pub fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A value in `0..bound`, each equally likely (Lemire, "Fast random integer generation in an interval", 2019).
    ///
    /// # Panics
    /// When `bound` is 0.
    pub fn below(&mut self, bound: u32) -> u32 {
        assert!(bound > 0, "no value is below 0");
        let unfair = bound.wrapping_neg() % bound;
        loop {
            let product = u64::from(self.0.next_u32()) * u64::from(bound);
            if product as u32 >= unfair {
                return (product >> 32) as u32;
            }
        }
    }

    /// Puts the items in an order, each equally likely (Fisher-Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for left in (2..=items.len()).rev() {
            items.swap(left - 1, self.below(left as u32) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_those_of_chacha8() {
        // From another implementation of ChaCha8, with the keys that `new` documents. The last is of the second block.
        let known = [
            ((0, Purpose::Walk, 0), [0x38665cbe417c2482, 0x57cf6c355541224e, 0x183471e9301a284c], 0x679a725cf59897ed),
            (
                (0x0123456789abcdef, Purpose::Fill, 7),
                [0xf3bca4ddf69a6bd4, 0x8e23e57c1fdc5ac3, 0x8f6f59ad997e583b],
                0xe9bb34be773fe048,
            ),
        ];
        for ((seed, purpose, index), first, ninth) in known {
            let mut random = Random::new(seed, purpose, index);
            assert_eq!(std::array::from_fn(|_| random.next_u64()), first);
            let rest: [u64; 6] = std::array::from_fn(|_| random.next_u64());
            assert_eq!(rest[5], ninth);
        }
    }

    #[test]
    fn below_is_even_and_in_range() {
        let mut random = Random::new(7, Purpose::Fill, 0);
        let mut counts = [0u32; 6];
        (0..60_000).for_each(|_| counts[random.below(6) as usize] += 1);
        assert!(counts.iter().all(|count| (9_500..10_500).contains(count)), "{counts:?}");
        assert_eq!(random.below(1), 0);
    }

    #[test]
    fn shuffle_reaches_every_order() {
        let mut random = Random::new(7, Purpose::Fill, 1);
        let orders: std::collections::HashSet<[u8; 4]> = (0..600)
            .map(|_| {
                let mut items = [1, 2, 3, 4];
                random.shuffle(&mut items);
                items
            })
            .collect();
        assert_eq!(orders.len(), 24);
    }
}

//! A keyed bijection of `0..size` onto itself: the order in which a family is walked.
//!
//! A Feistel network on pairs (x, y) with x below a and y below b, a·b just above the size, whose halves are added modulo
//! a and b (Black and Rogaway, "Ciphers with arbitrary finite domains", 2002), and cycle walking for the few values
//! beyond the size. The round function is the finalizer of SplitMix64 (Stafford's mix 13) on the half and
//! a round key. Knows nothing of grids. Not a cipher: it hides nothing from someone who wants the key.

use crate::sudoku::random::{Purpose, Random};

const ROUNDS: usize = 8;

/// An order of `0..size`.
#[derive(Clone, Debug)]
pub struct Walk {
    size: u64,
    /// Values of the left and right half.
    a: u64,
    b: u64,
    keys: [u64; ROUNDS],
}

impl Walk {
    /// The order that this seed gives.
    ///
    /// # Panics
    /// When `size` is 0 or above 2^60.
    pub fn new(seed: u64, size: u64) -> Walk {
        assert!((1..=1 << 60).contains(&size), "size {size}");
        let mut random = Random::new(seed, Purpose::Walk, size);
        let a = size.isqrt().max(1);
        Walk { size, a, b: size.div_ceil(a), keys: std::array::from_fn(|_| random.next_u64()) }
    }

    /// The value at this place of the order.
    ///
    /// # Panics
    /// When `index` is not below the size.
    #[inline]
    pub fn at(&self, index: u64) -> u64 {
        assert!(index < self.size, "index {index} of {}", self.size);
        let mut value = self.permute(index);
        while value >= self.size {
            value = self.permute(value);
        }
        value
    }

    #[inline]
    fn permute(&self, value: u64) -> u64 {
        let (mut x, mut y) = (value % self.a, value / self.a);
        for keys in self.keys.chunks_exact(2) {
            x = add(x, scale(mix(y ^ keys[0]), self.a), self.a);
            y = add(y, scale(mix(x ^ keys[1]), self.b), self.b);
        }
        y * self.a + x
    }
}

/// `x + y` modulo a bound above both.
#[inline]
fn add(x: u64, y: u64, bound: u64) -> u64 {
    let sum = x + y;
    if sum >= bound { sum - bound } else { sum }
}

/// A value below `bound` from any value.
#[inline]
fn scale(value: u64, bound: u64) -> u64 {
    ((u128::from(value) * u128::from(bound)) >> 64) as u64
}

/// The finalizer of SplitMix64.
#[inline]
fn mix(mut z: u64) -> u64 {
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_small_walk_visits_each_value_once() {
        for size in (1..300).chain([1000, 4096, 9973]) {
            let walk = Walk::new(size * 3, size);
            let mut seen = vec![false; size as usize];
            for index in 0..size {
                let value = walk.at(index) as usize;
                assert!(!std::mem::replace(&mut seen[value], true), "{value} twice in a walk of {size}");
            }
        }
    }

    #[test]
    fn walks_of_different_seeds_look_unrelated() {
        let (one, two) = (Walk::new(1, 10_000), Walk::new(2, 10_000));
        let same = (0..10_000).filter(|&i| one.at(i) == two.at(i)).count();
        let fixed = (0..10_000).filter(|&i| one.at(i) == i).count();
        let ascents = (1..10_000).filter(|&i| one.at(i - 1) < one.at(i)).count();
        assert!(same < 12 && fixed < 12, "{same} places the same, {fixed} fixed");
        assert!((4800..5200).contains(&ascents), "{ascents} ascents");
    }
}

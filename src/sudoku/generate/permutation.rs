//! Permutations by their rank, nine elements at most, packed as one nibble each.

/// The identity of nine: element i in nibble i.
const IDENTITY: u64 = 0x8_7654_3210;

/// The six orders of three.
pub const OF_THREE: [[u8; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

/// Takes numbers in turn off a combined one, as digits of mixed radix.
#[derive(Clone, Copy, Debug)]
pub struct Rank(pub u64);

impl Rank {
    /// The next number, below `RADIX`.
    #[inline(always)]
    pub fn take<const RADIX: u64>(&mut self) -> usize {
        let digit = self.0 % RADIX;
        self.0 /= RADIX;
        digit as usize
    }

    /// The next permutation of 0..N, one of N!.
    #[inline(always)]
    pub fn permutation<const N: usize>(&mut self) -> [u8; N] {
        let mut left = IDENTITY;
        let mut order = [0; N];
        for (i, place) in order.iter_mut().enumerate() {
            let count = (N - i) as u64;
            let k = 4 * (self.0 % count);
            self.0 /= count;
            *place = (left >> k & 0xf) as u8;
            // Close the gap.
            let below = (1u64 << k) - 1;
            left = left & below | left >> 4 & !below;
        }
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn each_rank_is_another_permutation() {
        let all: HashSet<[u8; 5]> = (0..120).map(|rank| Rank(rank).permutation()).collect();
        assert_eq!(all.len(), 120);
        for order in all {
            assert_eq!(order.iter().fold(0, |set, &i| set | 1 << i), 0b11111);
        }
        assert_eq!(Rank(0).permutation::<9>(), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(Rank(362_879).permutation::<9>(), [8, 7, 6, 5, 4, 3, 2, 1, 0]);
    }

    #[test]
    fn numbers_come_off_in_turn() {
        let mut rank = Rank(2 + 6 * (1 + 2 * 5));
        assert_eq!((rank.take::<6>(), rank.take::<2>(), rank.0), (2, 1, 5));
    }
}

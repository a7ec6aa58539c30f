//! Which cell to guess in: of the first twelve cells with two candidates the one whose open peers that share a digit
//! weigh most.
//!
//! A peer with two candidates weighs five, with three two, any other one; conflicts met before count twice. Plain loops
//! over bytes, which compilers vectorise. Knows nothing of lanes.

use super::cells::Cells;
use crate::sudoku::geometry::{Cell, PEERS};

/// How many cells with two candidates are weighed.
pub const WEIGHED: usize = 12;

/// For each cell how often a branch on it met a contradiction; the rest is 0.
pub type Conflicts = [u8; 96];

/// The weight of a cell with two candidates: the only one from four on.
const PAIR: u8 = 5;

/// Aligned as registers are.
#[repr(C, align(32))]
pub struct Aligned<T>(pub T);

/// For each cell all ones where its peers are.
pub static PEER_BYTES: Aligned<[[u8; 96]; 96]> = Aligned({
    let mut bytes = [[0; 96]; 96];
    let mut cell = 0;
    while cell < 81 {
        let mut i = 0;
        while i < 20 {
            bytes[cell][PEERS[cell][i] as usize] = 0xff;
            i += 1;
        }
        cell += 1;
    }
    bytes
});

/// A puzzle as bytes.
struct Scales {
    /// For each digit the weights of the cells that can take it.
    digits: [[u8; 96]; 9],
    /// The cells with two candidates.
    pairs: u128,
}

impl Scales {
    #[inline(always)]
    fn new(cells: &Cells) -> Scales {
        let (mut low, mut high, mut weight) = ([0; 96], [0; 96], [0; 96]);
        for i in 0..96 {
            let x = cells.0[i];
            // Without its lowest one, two and three candidates.
            let a = x & x.wrapping_sub(1);
            let b = a & a.wrapping_sub(1);
            let c = b & b.wrapping_sub(1);
            (low[i], high[i]) = (x as u8, (x >> 8) as u8);
            let more = if c == 0 { 2 } else { 1 };
            let several = if b == 0 { PAIR } else { more };
            weight[i] = if a == 0 { 0 } else { several };
        }
        let mut digits = [[0; 96]; 9];
        for (d, weights) in digits.iter_mut().enumerate() {
            let (bytes, bit) = if d < 8 { (&low, 1 << d) } else { (&high, 1) };
            for i in 0..96 {
                weights[i] = if bytes[i] & bit != 0 { weight[i] } else { 0 };
            }
        }
        let mut pairs = 0;
        for (i, eight) in weight.as_chunks::<8>().0.iter().enumerate() {
            // A product that gathers one bit of each byte in the highest byte.
            let bits =
                ((u64::from_le_bytes(*eight) / 4) & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080) >> 56;
            pairs |= u128::from(bits) << (8 * i);
        }
        Scales { digits, pairs }
    }

    /// The weight of the peers that share one of two candidates.
    #[inline(always)]
    fn weigh(&self, candidates: u16, peers: &[u8; 96]) -> u8 {
        let (a, b) = (candidates.trailing_zeros() as usize, 15 - candidates.leading_zeros() as usize);
        let (a, b) = (&self.digits[a.min(8)], &self.digits[b.min(8)]);
        let mut sums = [0u8; 32];
        for third in 0..3 {
            for (j, sum) in sums.iter_mut().enumerate() {
                let i = 32 * third + j;
                *sum += (a[i] | b[i]) & peers[i];
            }
        }
        // No byte exceeds 60 when four are one, nor their sum 100: twenty peers of weight five.
        let sums = sums.as_chunks::<8>().0.iter().fold(0, |sum, eight| sum + u64::from_le_bytes(*eight));
        (sums.wrapping_mul(0x0101_0101_0101_0101) >> 56) as u8
    }
}

/// The cell to guess in, `None` if no cell has two candidates.
#[inline(always)]
pub fn heaviest(cells: &Cells, conflicts: &Conflicts) -> Option<usize> {
    let scales = Scales::new(cells);
    let mut pairs = scales.pairs;
    let mut best = 0;
    for _ in 0..WEIGHED {
        if pairs == 0 {
            break;
        }
        let cell = pairs.trailing_zeros() as usize;
        pairs &= pairs - 1;
        let Some(peers) = PEER_BYTES.0.get(cell) else { break };
        let weight = scales.weigh(cells.0[cell], peers);
        let weight = weight.saturating_add(conflicts[cell].saturating_mul(2));
        // Of equals the first.
        best = best.max(usize::from(weight) << 8 | (0xff - cell));
    }
    (scales.pairs != 0).then_some(0xff - best % 0x100)
}

/// The first cell with two candidates.
#[inline(always)]
pub fn first(cells: &Cells) -> Option<usize> {
    cells.0.iter().position(|&x| {
        let a = x & x.wrapping_sub(1);
        a != 0 && a & (a - 1) == 0
    })
}

/// The first open cell with the fewest candidates.
#[cold]
pub fn fewest(cells: &Cells) -> usize {
    let count = |cell: &Cell| cells.0[cell.index()].count_ones();
    Cell::all().filter(|cell| count(cell) > 1).min_by_key(count).map_or(0, Cell::index)
}

//! Which cell to guess in when deduction stalls.
//!
//! A cell with two candidates, and among the first few of those the one whose peers that share a digit weigh
//! most: a peer with two candidates counts five, with three two, any other one. Where no cell has two
//! candidates, the first with the fewest.

use super::bands::Bands;
use super::lanes::Lanes;
use super::layout::{CELL, FIRST_BAND, FULL, PEERS};

/// How many cells with two candidates are weighed.
const WEIGHED: usize = 8;

/// A guess: this digit (d for digit d + 1) in this cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guess {
    /// The cell, 0..=80.
    pub cell: usize,
    /// The digit less one.
    pub d: usize,
    /// All digits that the cell could take, as [`Bands::with_candidate_in`] gives them.
    pub digits: u64,
}

/// The guess to make in a stalled state.
pub fn choose(bands: &Bands, quick: bool) -> Guess {
    let zero = Lanes::zero();
    let [mut once, mut twice, mut thrice, mut more] = [zero; 4];
    for &a in &bands.digits {
        more = more.or(thrice.and(a));
        thrice = thrice.or(twice.and(a));
        twice = twice.or(once.and(a));
        once = once.or(a);
    }
    let (two, three) = (twice.without(thrice), thrice.without(more));
    let cell = if quick && !two.is_zero() {
        first(two)
    } else if !two.is_zero() {
        heaviest(bands, two, three)
    } else if !three.is_zero() {
        first(three)
    } else {
        fewest(bands)
    };
    let digits = bands.with_candidate_in(Lanes::new(CELL[cell]));
    Guess { cell, d: digits.trailing_zeros() as usize / 4 % 9, digits }
}

/// The heaviest of the first few cells with two candidates.
fn heaviest(bands: &Bands, two: Lanes, three: Lanes) -> usize {
    let mut left = two.to_array();
    let (mut best, mut best_weight) = (0, 0);
    let mut lane = 0;
    for _ in 0..WEIGHED {
        while lane < 2 && left[lane] == 0 {
            lane += 1;
        }
        if left[lane] == 0 {
            break;
        }
        let position = left[lane].trailing_zeros();
        left[lane] &= left[lane] - 1;
        let cell = 27 * lane + usize::from(FIRST_BAND[position as usize]);
        let digits = bands.with_candidate_in(Lanes::new(CELL[cell]));
        let (low, high) = (digits.trailing_zeros() / 4, (63 - digits.leading_zeros()) / 4);
        let either = bands.digits[low as usize % 9].or(bands.digits[high as usize % 9]);
        let sharing = either.and(Lanes::new(PEERS[cell]));
        let weight = weight(sharing, two, three);
        if weight > best_weight {
            (best, best_weight) = (cell, weight);
        }
    }
    best
}

/// One for each peer, one more for those with three candidates, four more for those with two.
#[inline(always)]
fn weight(peers: Lanes, two: Lanes, three: Lanes) -> u32 {
    let nibbles = |x: Lanes| {
        let pairs = x.minus(x.shr::<1>().and(all(0x5555_5555)));
        pairs.and(all(0x3333_3333)).plus(pairs.shr::<2>().and(all(0x3333_3333)))
    };
    let bytes = |n: Lanes| n.and(all(0x0f0f_0f0f)).plus(n.shr::<4>().and(all(0x0f0f_0f0f)));
    let light = bytes(nibbles(peers).plus(nibbles(peers.and(three))));
    let heavy = bytes(nibbles(peers.and(two))).shl::<2>();
    // At most 20 peers: no byte exceeds 48 in a lane, so the bytes of all lanes' sums fit 16 bits in the end.
    let [a, b, c, _] = light.plus(heavy).to_array();
    let sum = (a & 0x00ff_00ff)
        + (a >> 8 & 0x00ff_00ff)
        + (b & 0x00ff_00ff)
        + (b >> 8 & 0x00ff_00ff)
        + (c & 0x00ff_00ff)
        + (c >> 8 & 0x00ff_00ff);
    (sum + (sum >> 16)) & 0xffff
}

#[inline(always)]
fn all(bits: u32) -> Lanes {
    Lanes::new([bits; 4])
}

/// The first cell of a set that is not empty.
fn first(cells: Lanes) -> usize {
    let words = cells.to_array();
    let lane = words.iter().position(|&bits| bits != 0).unwrap_or(0);
    27 * lane + usize::from(FIRST_BAND[(words[lane] & FULL).trailing_zeros() as usize % 32])
}

/// The first open cell with the fewest candidates, all having four or more.
fn fewest(bands: &Bands) -> usize {
    let candidates = |cell: &usize| {
        let own = Lanes::new(CELL[*cell]);
        bands.digits.iter().filter(|a| !a.and(own).is_zero()).count()
    };
    (0..81).filter(|cell| candidates(cell) > 1).min_by_key(candidates).unwrap_or(0)
}

//! [`Candidate`] and [`Literal`]: what chains are made of, as small numbers, and [`Bits`], sets of them.
//!
//! Must never know of techniques or states.

use crate::sudoku::Cell;
use crate::sudoku::logic::step::Assertion;

/// A digit in a cell: the cell's index times 9 plus the digit less 1, so 0..729.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Candidate(u16);

impl Candidate {
    /// How many there are in an empty grid.
    pub const COUNT: usize = 729;

    /// The digit, 1-9, in the cell.
    pub fn new(cell: Cell, digit: u8) -> Candidate {
        Candidate(cell.index() as u16 * 9 + u16::from(digit) - 1)
    }

    /// The candidate of this index, 0..729.
    pub fn at(index: usize) -> Candidate {
        Candidate(index as u16)
    }

    /// 0..729.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// Where.
    pub fn cell(self) -> Cell {
        Cell::new(self.index() / 9).expect("a candidate lies in a cell")
    }

    /// Which, 1-9.
    pub fn digit(self) -> u8 {
        (self.0 % 9) as u8 + 1
    }
}

/// A candidate said to hold ("on") or not ("off"): twice the candidate's index, and 1 more if it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Literal(u16);

impl Literal {
    /// How many there are.
    pub const COUNT: usize = 2 * Candidate::COUNT;

    /// It holds.
    pub fn on(candidate: Candidate) -> Literal {
        Literal(candidate.0 * 2 + 1)
    }

    /// It does not hold.
    pub fn off(candidate: Candidate) -> Literal {
        Literal(candidate.0 * 2)
    }

    /// What it speaks of.
    pub fn candidate(self) -> Candidate {
        Candidate(self.0 / 2)
    }

    /// Whether it says that the candidate holds.
    pub fn holds(self) -> bool {
        self.0 & 1 == 1
    }

    /// The contrary.
    pub fn negated(self) -> Literal {
        Literal(self.0 ^ 1)
    }

    /// 0..1458.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The same for people.
    pub fn assertion(self) -> Assertion {
        Assertion { cell: self.candidate().cell(), digit: self.candidate().digit(), holds: self.holds() }
    }
}

/// A set of the numbers below 64 times `W`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bits<const W: usize>([u64; W]);

/// A set of candidates.
pub(super) type CandidateSet = Bits<{ Candidate::COUNT.div_ceil(64) }>;

impl<const W: usize> Bits<W> {
    /// None.
    pub const EMPTY: Bits<W> = Bits([0; W]);
    /// All.
    pub const ALL: Bits<W> = Bits([!0; W]);

    /// One.
    pub fn of(bit: usize) -> Bits<W> {
        let mut bits = Bits::EMPTY;
        bits.insert(bit);
        bits
    }

    pub fn insert(&mut self, bit: usize) {
        self.0[bit / 64] |= 1 << (bit % 64);
    }

    pub fn has(&self, bit: usize) -> bool {
        self.0[bit / 64] >> (bit % 64) & 1 == 1
    }

    pub fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    /// Adds those of the other.
    pub fn add(&mut self, other: &Bits<W>) {
        self.0.iter_mut().zip(&other.0).for_each(|(mine, theirs)| *mine |= theirs);
    }

    /// Keeps those that the other has too.
    pub fn keep(&mut self, other: &Bits<W>) {
        self.0.iter_mut().zip(&other.0).for_each(|(mine, theirs)| *mine &= theirs);
    }

    /// Takes out those that the other has.
    pub fn drop(&mut self, other: &Bits<W>) {
        self.0.iter_mut().zip(&other.0).for_each(|(mine, theirs)| *mine &= !theirs);
    }

    /// Whether both have one in common.
    pub fn meets(&self, other: &Bits<W>) -> bool {
        self.0.iter().zip(&other.0).fold(0, |all, (mine, theirs)| all | mine & theirs) != 0
    }

    /// Its members, smallest first.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        self.0.iter().enumerate().flat_map(|(i, &word)| {
            let mut left = word;
            std::iter::from_fn(move || {
                let bit = (left != 0).then(|| i * 64 + left.trailing_zeros() as usize)?;
                left &= left - 1;
                Some(bit)
            })
        })
    }
}

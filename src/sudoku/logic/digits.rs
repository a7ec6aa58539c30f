//! A set of digits. Must never know of grids.

use std::fmt;
use std::ops::{BitAnd, BitOr, Sub};

/// A set of digits 1-9: bit d-1 is digit d.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Digits(u16);

impl Digits {
    /// No digit.
    pub const NONE: Digits = Digits(0);
    /// 1 to 9.
    pub const ALL: Digits = Digits(0x1ff);

    /// The set of one digit, 1-9.
    pub const fn of(digit: u8) -> Digits {
        Digits(1 << (digit - 1))
    }

    /// The set of these nine bits.
    pub const fn from_bits(bits: u16) -> Digits {
        Digits(bits & 0x1ff)
    }

    /// Bit d-1 for digit d.
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// How many.
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether there is none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the digit is in it.
    pub const fn has(self, digit: u8) -> bool {
        self.0 >> (digit - 1) & 1 == 1
    }

    /// Whether all of `other` are in it.
    pub const fn includes(self, other: Digits) -> bool {
        other.0 & !self.0 == 0
    }

    /// The only digit, if there is exactly one.
    pub fn single(self) -> Option<u8> {
        (self.len() == 1).then(|| self.0.trailing_zeros() as u8 + 1)
    }

    /// The smallest digit, if any.
    pub fn first(self) -> Option<u8> {
        (self.0 != 0).then(|| self.0.trailing_zeros() as u8 + 1)
    }

    /// The digits, smallest first.
    pub fn iter(self) -> impl Iterator<Item = u8> {
        let mut bits = self.0;
        std::iter::from_fn(move || {
            let digit = (bits != 0).then(|| bits.trailing_zeros() as u8 + 1)?;
            bits &= bits - 1;
            Some(digit)
        })
    }
}

impl BitAnd for Digits {
    type Output = Digits;
    fn bitand(self, other: Digits) -> Digits {
        Digits(self.0 & other.0)
    }
}

impl BitOr for Digits {
    type Output = Digits;
    fn bitor(self, other: Digits) -> Digits {
        Digits(self.0 | other.0)
    }
}

impl Sub for Digits {
    type Output = Digits;
    /// Without those of `other`.
    fn sub(self, other: Digits) -> Digits {
        Digits(self.0 & !other.0)
    }
}

impl fmt::Display for Digits {
    /// As `137`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|digit| write!(f, "{digit}"))
    }
}

impl fmt::Debug for Digits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{self}}}")
    }
}

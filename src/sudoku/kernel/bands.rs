//! The candidates of one puzzle, a register for each digit, and the deductions on them.
//!
//! Lanes 0-2 of a register are the bands (lane 3 stays 0), laid out as in `layout`. Every deduction acts on all boxes
//! of a digit at once, in place of the tables of bits that band solvers read cell by cell. The layout and
//! the formulas are our own; deducing on minirows and minicolumns follows Tom Dillon's tdoku. Knows nothing of search.

use super::lanes::Lanes;
use super::layout::{BITS, CELL, FIRST_BAND, FULL, GUARD, LOW, MINICOLS, MINIROWS, PEERS};
use crate::sudoku::grid::Grid;

/// Where deduction ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// No solution from here.
    Dead,
    /// Every cell holds its digit.
    Solved,
    /// Nothing more follows: a guess is needed.
    Stalled,
}

/// The candidates of a puzzle.
#[derive(Clone, Copy, Debug)]
pub struct Bands {
    /// For digit d, in `[d - 1]`, the cells where it may stand.
    pub digits: [Lanes; 9],
    /// The cells whose digit has been struck from their peers.
    settled: Lanes,
    /// The digits whose cells changed since they were last looked at; bit 4·d for digit d + 1.
    changed: u64,
}

/// The same value for each band.
#[inline(always)]
fn each_band(bits: u32) -> Lanes {
    Lanes::new([bits, bits, bits, 0])
}

/// `x` with its boxes turned by one within the band: box s takes what box s + 1 held.
/// May leave bits above the last box.
#[inline(always)]
fn next_box(x: Lanes) -> Lanes {
    x.shr::<10>().or(x.shl::<20>())
}

/// All nine cells of each box whose guard is set. `(x | GUARD) - LOW` has the guards of the boxes where x is
/// not empty, and there x without its lowest bit; `x + FULL` sets the same guards.
#[inline(always)]
fn whole_boxes(guards: Lanes) -> Lanes {
    guards.minus(guards.shr::<9>())
}

/// Keeps the minirows for which the other two boxes of the band can take the other two rows.
#[inline(always)]
fn keep_feasible_minirows(a: Lanes) -> Lanes {
    let t = a.or(a.shr::<1>()).or(a.shr::<2>()).and(each_band(MINIROWS));
    // Row r of a box takes row r + 1, r + 2; what falls outside MINIROWS is dropped by the last `and`.
    let (t1, t2) = (t.shr::<3>().or(t.shl::<6>()), t.shr::<6>().or(t.shl::<3>()));
    let pairs = t1.and(next_box(t2)).or(t2.and(next_box(t1)));
    let feasible = t.and(next_box(pairs));
    a.and(feasible.shl::<3>().minus(feasible))
}

/// Keeps the minicolumns for which the other two bands can take the other two columns.
#[inline(always)]
fn keep_feasible_minicols(a: Lanes) -> Lanes {
    let t = a.or(a.shr::<3>()).or(a.shr::<6>()).and(each_band(MINICOLS));
    let (t1, t2) = (t.shr::<1>().or(t.shl::<2>()), t.shr::<2>().or(t.shl::<1>()));
    let pairs = t1.and(t2.turned()).or(t2.and(t1.turned()));
    let feasible = t.and(pairs.turned());
    a.and(feasible.or(feasible.shl::<3>()).or(feasible.shl::<6>()))
}

/// Cells counted over all digits, a bit for each cell.
#[derive(Clone, Copy)]
struct Counts {
    once: Lanes,
    twice: Lanes,
}

impl Counts {
    #[inline(always)]
    fn none() -> Counts {
        Counts { once: Lanes::zero(), twice: Lanes::zero() }
    }

    #[inline(always)]
    fn of(digits: &[Lanes; 9]) -> Counts {
        let mut counts = Counts::none();
        digits.iter().for_each(|&a| counts.add(a));
        counts
    }

    #[inline(always)]
    fn empty_cell(self) -> bool {
        !each_band(FULL).without(self.once).is_zero()
    }

    #[inline(always)]
    fn add(&mut self, a: Lanes) {
        self.twice = self.twice.or(self.once.and(a));
        self.once = self.once.or(a);
    }
}

impl Bands {
    /// What these givens leave in their own cells; their peers follow by deduction.
    pub fn new(puzzle: &Grid) -> Bands {
        // Row 0 takes the empty cells, so that no branch depends on the puzzle; rows 10-15 stand in for bounds checks.
        let mut given = [[0u32; 4]; 16];
        let (bands, _) = puzzle.digits().as_chunks::<27>();
        for (i, &bit) in BITS.iter().enumerate() {
            for (lane, band) in bands.iter().enumerate() {
                given[usize::from(band[i] & 15)][lane] |= bit;
            }
        }
        let empty = Lanes::new(given[0]);
        let digits = std::array::from_fn(|d| Lanes::new(given[d + 1]).or(empty));
        Bands { digits, settled: Lanes::zero(), changed: 0x1_1111_1111 }
    }

    /// The grid of a solved state.
    pub fn grid(&self) -> Grid {
        let mut digits = [0; 81];
        for (digit, lanes) in (1..).zip(&self.digits) {
            for (band, mut bits) in digits.chunks_exact_mut(27).zip(lanes.to_array()) {
                while bits != 0 {
                    band[usize::from(FIRST_BAND[bits.trailing_zeros() as usize])] = digit;
                    bits &= bits - 1;
                }
            }
        }
        Grid::from_digits(digits).expect("digits 1-9")
    }

    /// Puts digit d + 1 in a cell of a stalled state, taking it from the other `digits` that it could take, and
    /// strikes it from the peers.
    #[inline(always)]
    pub fn assign(&mut self, cell: usize, d: usize, digits: u64) {
        let own = Lanes::new(CELL[cell]);
        let kept = self.digits[d].without(Lanes::new(PEERS[cell]));
        self.digits.iter_mut().for_each(|digit| *digit = digit.without(own));
        self.digits[d] = kept;
        self.changed = digits;
    }

    /// Strikes digit d + 1 from a cell of a stalled state.
    #[inline(always)]
    pub fn strike(&mut self, cell: usize, d: usize) {
        self.digits[d] = self.digits[d].without(Lanes::new(CELL[cell]));
        self.changed = 1 << (4 * d);
    }

    /// The digits with a candidate among these cells: four bits each, at least one of them set.
    #[inline(always)]
    pub fn with_candidate_in(&self, cells: Lanes) -> u64 {
        let four = |from: usize| Lanes::used(std::array::from_fn(|i| self.digits[from + i].and(cells)));
        let last = u64::from(!self.digits[8].and(cells).is_zero());
        u64::from(four(0)) | u64::from(four(4)) << 16 | last << 32
    }

    /// Deduces until the puzzle is solved, dead or stalled.
    pub fn deduce(&mut self) -> Verdict {
        let mut hidden = [Lanes::zero(); 9];
        let mut taken = Lanes::zero();
        let mut counts = Counts::of(&self.digits);
        if counts.empty_cell() {
            return Verdict::Dead;
        }
        loop {
            let settled = counts.once.without(counts.twice).or(taken);
            let mut pass = Pass::new(settled.without(self.settled), taken);
            let mut stale = self.changed | self.with_candidate_in(pass.fresh);
            (self.settled, self.changed) = (settled, 0);
            if stale == 0 {
                return Verdict::Stalled;
            }
            while stale != 0 {
                let d = stale.trailing_zeros() as usize / 4 % 9;
                stale &= !(0xf << (4 * d));
                let before = self.digits[d];
                self.digits[d] = pass.digit(before, &mut hidden[d]);
                self.changed |= u64::from(!before.xor(self.digits[d]).is_zero()) << (4 * d);
            }
            counts = Counts::of(&self.digits);
            taken = pass.taken.once;
            if counts.empty_cell() || pass.dead() {
                return Verdict::Dead;
            }
            if counts.twice.is_zero() {
                return if self.rows_hold() { Verdict::Solved } else { Verdict::Dead };
            }
        }
    }

    /// Where a contradiction shows in a dead state: cells without candidates, else all cells of the boxes that
    /// have no place for some digit; none where it is among settled cells.
    pub fn faults(&self) -> Lanes {
        let empty = each_band(FULL).without(Counts::of(&self.digits).once);
        if !empty.is_zero() {
            return empty;
        }
        let guard = each_band(GUARD);
        let placed = self.digits.iter().fold(guard, |placed, &a| placed.and(a.or(guard).minus(each_band(LOW))));
        whole_boxes(guard.without(placed))
    }

    /// Whether each digit stands once in each row, given that it stands once in each box.
    fn rows_hold(&self) -> bool {
        let rows = self.digits.iter().fold(each_band(0o111), |rows, &a| {
            let t = a.or(a.shr::<1>()).or(a.shr::<2>());
            rows.and(t.or(t.shr::<10>()).or(t.shr::<20>()))
        });
        rows.xor(each_band(0o111)).is_zero()
    }
}

/// One pass over the digits that are stale.
struct Pass {
    /// The cells settled since the pass before.
    fresh: Lanes,
    /// The cells that the pass before found to be hidden singles of some digit.
    taken_before: Lanes,
    /// The cells that this pass finds so.
    taken: Counts,
    /// Guards of the boxes where every digit so far has a place.
    boxes: Lanes,
}

impl Pass {
    #[inline(always)]
    fn new(fresh: Lanes, taken_before: Lanes) -> Pass {
        Pass { fresh, taken_before, taken: Counts::none(), boxes: each_band(GUARD) }
    }

    /// Settled cells, minirows, minicolumns and hidden singles of one digit; `hidden` are its hidden singles.
    #[inline(always)]
    fn digit(&mut self, before: Lanes, hidden: &mut Lanes) -> Lanes {
        let (full, guard, low) = (each_band(FULL), each_band(GUARD), each_band(LOW));
        let a = before.without(self.taken_before.without(*hidden));
        // A box where the digit is settled keeps that cell alone. Of two such cells in a box the second one is
        // emptied, and a cell without candidates shows in the counts.
        let s = a.and(self.fresh);
        let less = s.or(guard).minus(low);
        let a = a.without(whole_boxes(less.and(guard))).or(s.without(less));
        let a = keep_feasible_minicols(keep_feasible_minirows(a));
        let less = a.or(guard).minus(low);
        self.boxes = self.boxes.and(less);
        let several = a.and(less).plus(full).and(guard);
        *hidden = a.without(whole_boxes(several));
        self.taken.add(*hidden);
        a
    }

    /// Whether some box has no place for a digit, or two digits need the same cell.
    #[inline(always)]
    fn dead(&self) -> bool {
        !each_band(GUARD).without(self.boxes).or(self.taken.twice).is_zero()
    }
}

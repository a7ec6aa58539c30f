//! The pass: one round of deduction on all lanes at once.
//!
//! 1. Each cell keeps what its minirow and minicolumn can take, as the pass before found.
//! 2. Naked singles are struck from their box, hidden singles of the box are set.
//! 3. In each band a digit stands in three minirows, one of each row and each box: six permutations. A minirow can take
//!    a digit if one of the two permutations that use it can be had in all three places; likewise minicolumns in stacks.
//!    A minirow that can take three digits only is full with them: it bars the permutations that put them elsewhere.
//!
//! Singles of rows and columns and all locked candidates follow from 2 and 3, without tables. Deducing on minirows
//! follows Tom Dillon's tdoku, which holds one puzzle in a register; here each lane holds its own.
//! Knows nothing of guesses.

use super::cells::ALL;
use super::lanes::{Found, Lanes};
use super::vector::Vector;

/// All nine digits in each of nine cells of a house.
const COMPLETE: u16 = ALL.wrapping_mul(9);

/// Contradictions seen so far in a pass.
struct Faults<V> {
    /// Negative where a cell is empty.
    empty: V,
    /// Digits that two cells of a house claim.
    twice: V,
    /// Digits that every band and stack can take.
    placed: V,
}

/// One pass. Where `FILL`, the lanes that the route names take their staged puzzle first.
#[inline(always)]
pub fn pass<V: Vector, const FILL: bool>(proof: V::Proof, lanes: &mut Lanes<V>) -> Found {
    let none = V::splat(proof, 0);
    let all = V::splat(proof, ALL);
    let mut faults = V::carried(Faults { empty: none, twice: none, placed: all });
    let mut sum = V::carried(none);
    for band in 0..3 {
        for stack in 0..3 {
            sum = sum.plus(settle_box::<V, FILL>(lanes, band, stack, all, &mut faults));
        }
    }
    for band in 0..3 {
        permute(&mut lanes.minis, 9 * band, &mut faults);
    }
    for band in 0..3 {
        for stack in 0..3 {
            unite_columns(lanes, band, stack);
        }
    }
    for stack in 0..3 {
        permute(&mut lanes.minis, 27 + 9 * stack, &mut faults);
    }
    let stalled = sum.equal(lanes.sum);
    lanes.sum = sum;
    let dead = faults.empty.negative() | faults.twice.or(all.without(faults.placed)).nonzero();
    Found { dead, full: sum.equal(V::splat(proof, COMPLETE)), stalled }
}

/// Steps 1 and 2 for one box; the sum of its cells.
#[inline(always)]
fn settle_box<V: Vector, const FILL: bool>(
    lanes: &mut Lanes<V>,
    band: usize,
    stack: usize,
    all: V,
    faults: &mut Faults<V>,
) -> V {
    let corner = 27 * band + 3 * stack;
    let (row, col) = (9 * band + stack, 27 + 9 * stack + band);
    let mut x = [all; 9];
    for r in 0..3 {
        for c in 0..3 {
            let at = corner + 9 * r + c;
            let kept = lanes.cells[at].and3(lanes.minis[row + 3 * r], lanes.minis[col + 3 * c]);
            x[3 * r + c] = if FILL { kept.route(&lanes.route, &lanes.staged[at]) } else { kept };
        }
    }
    let (mut x, settled) = strike_singles(x, faults);
    let several = several(x);
    // What is settled was struck from the other cells, unless two cells claim it.
    faults.twice = faults.twice.or_both(settled, several);
    let hidden = all.without(several);
    for x in &mut x {
        *x = x.prefer(hidden);
    }
    for r in 0..3 {
        for c in 0..3 {
            lanes.cells[corner + 9 * r + c] = x[3 * r + c];
        }
        lanes.minis[row + 3 * r] = x[3 * r].or3(x[3 * r + 1], x[3 * r + 2]);
    }
    let sums = [x[0].plus(x[1]).plus(x[2]), x[3].plus(x[4]).plus(x[5]), x[6].plus(x[7]).plus(x[8])];
    sums[0].plus(sums[1]).plus(sums[2])
}

/// Strikes the settled cells of a box from its other cells; beside it, what is settled.
#[inline(always)]
fn strike_singles<V: Vector>(x: [V; 9], faults: &mut Faults<V>) -> ([V; 9], V) {
    let (mut s, mut less) = (x, x);
    for i in 0..9 {
        (s[i], less[i]) = x[i].single();
    }
    let settled = s[0].or3(s[1], s[2]).or3(s[3], s[4]).or3(s[5], s[6]).or3(s[7], s[8]);
    faults.empty = faults.empty.or3(less[0], less[1]).or3(less[2], less[3]).or3(less[4], less[5]);
    faults.empty = faults.empty.or3(less[6], less[7]).or(less[8]);
    let mut kept = x;
    for i in 0..9 {
        kept[i] = x[i].strike_but(settled, s[i]);
    }
    (kept, settled)
}

/// The digits that more than one cell of a box can take.
#[inline(always)]
fn several<V: Vector>(x: [V; 9]) -> V {
    let rows = [x[0].or3(x[1], x[2]), x[3].or3(x[4], x[5]), x[6].or3(x[7], x[8])];
    let [a, b, c] = [x[0].majority(x[1], x[2]), x[3].majority(x[4], x[5]), x[6].majority(x[7], x[8])];
    a.or3(b, c).or(rows[0].majority(rows[1], rows[2]))
}

/// The digits that each minicolumn of a box can take, given what its minirows can.
#[inline(always)]
fn unite_columns<V: Vector>(lanes: &mut Lanes<V>, band: usize, stack: usize) {
    let corner = 27 * band + 3 * stack;
    let (row, col) = (9 * band + stack, 27 + 9 * stack + band);
    let m = [lanes.minis[row], lanes.minis[row + 3], lanes.minis[row + 6]];
    for c in 0..3 {
        let x = [lanes.cells[corner + c], lanes.cells[corner + 9 + c], lanes.cells[corner + 18 + c]];
        lanes.minis[col + 3 * c] = m[0].and(x[0]).or_both(m[1], x[1]).or_both(m[2], x[2]);
    }
}

/// Step 3 for one band of minirows or one stack of minicolumns.
#[inline(always)]
fn permute<V: Vector>(minis: &mut [V; 54], at: usize, faults: &mut Faults<V>) {
    let m: [V; 9] = *minis[at..].first_chunk().expect("nine of a band");
    let mut p = along(m);
    if V::TRIPLES {
        // Minirows that can take three digits or fewer keep them from the other permutations.
        let mut few = m;
        for x in &mut few {
            *x = x.at_most_three();
        }
        let full = across(few);
        let barred = full[0].or3(full[1], full[2]);
        for i in 0..6 {
            p[i] = p[i].strike_but(barred, full[i]);
        }
    }
    // Which two permutations use each minirow.
    const USES: [(usize, usize); 9] = [(0, 4), (1, 5), (2, 3), (2, 5), (0, 3), (1, 4), (1, 3), (2, 4), (0, 5)];
    for (i, (a, b)) in USES.into_iter().enumerate() {
        minis[at + i] = p[a].or(p[b]);
    }
    // The minirows of a row are in all six.
    faults.placed = faults.placed.and(minis[at].or3(minis[at + 1], minis[at + 2]));
}

/// The minirows of each permutation: row 0 takes box `[0]`, row 1 box `[1]`, row 2 box `[2]`. Three even, then three odd
/// ones; the minirows of either three are all nine.
const PERMUTATIONS: [[usize; 3]; 6] = [[0, 4, 8], [1, 5, 6], [2, 3, 7], [2, 4, 6], [0, 5, 7], [1, 3, 8]];

/// The digits that all minirows of a permutation have.
#[inline(always)]
fn along<V: Vector>(m: [V; 9]) -> [V; 6] {
    let mut p = [m[0]; 6];
    for (p, [a, b, c]) in p.iter_mut().zip(PERMUTATIONS) {
        *p = m[a].and3(m[b], m[c]);
    }
    p
}

/// The digits that any minirow of a permutation has.
#[inline(always)]
fn across<V: Vector>(m: [V; 9]) -> [V; 6] {
    let mut p = [m[0]; 6];
    for (p, [a, b, c]) in p.iter_mut().zip(PERMUTATIONS) {
        *p = m[a].or3(m[b], m[c]);
    }
    p
}

//! ORBIT: every grid equivalent to a base grid, in a keyed order.
//!
//! A base grid without automorphisms gives 9! relabelings times 2·6^8 permutations of bands, stacks, rows and columns
//! with and without transposition, all different; base grids that are not equivalent share none.

use super::permutation::{OF_THREE, Rank};
use super::walk::Walk;
use crate::sudoku::grid::Grid;

/// How many base grids there are.
const BASES: u64 = 8;
/// Permutations of the cells that keep the houses.
const SHAPES: u64 = 2 * 6u64.pow(8);

/// The base grids: pairwise inequivalent, each with the trivial automorphism group (a test proves it).
const BASE_LINES: [&[u8; 81]; BASES as usize] = [
    b"753219468419586237862374591697128345134795682528643719245861973386957124971432856",
    b"836427915541396728297518346382761459174259863965843172713682594658974231429135687",
    b"827396154534218697169547832273951486491863275658724913346185729712639548985472361",
    b"752184639186395427934762581215439768843671295679258143427913856368527914591846372",
    b"718369524269541783543278691321796458897453162654182379176824935932615847485937216",
    b"361257849425398716879146325987523461213964578654781932138679254546832197792415683",
    b"786249153412538796593671248638192574941785362275463819864317925129856437357924681",
    b"832967154694521837571834926965278413423619578187345269316482795249756381758193642",
];

/// A base grid, as rows and as columns, each row padded so that any four bits index it.
type Base = [[[u8; 16]; 9]; 2];

static BASE_GRIDS: [Base; BASES as usize] = bases();

/// The family with its first cell, set up for a seed.
#[derive(Clone, Debug)]
pub struct Orbit {
    first_cell: u8,
    walk: Walk,
}

/// How many grids there are, with a first cell or (0) without.
pub const fn capacity(first_cell: u8) -> u64 {
    let relabelings = if first_cell == 0 { 362_880 } else { 40_320 };
    BASES * SHAPES * relabelings
}

impl Orbit {
    /// Sets up for a seed.
    pub fn new(seed: u64, first_cell: u8) -> Orbit {
        Orbit { first_cell, walk: Walk::new(seed, capacity(first_cell)) }
    }

    /// The grid at this place of the order.
    #[inline]
    pub fn item(&self, index: u64) -> Grid {
        let mut rank = Rank(self.walk.at(index));
        let base = &BASE_GRIDS[rank.take::<BASES>()][rank.take::<2>()];
        let (rows, cols) = (lines(&mut rank), lines(&mut rank));
        let labels = self.labels(base[usize::from(rows[0])][usize::from(cols[0])], &mut rank);
        let mut digits = [0; 81];
        for (line, row) in digits.chunks_exact_mut(9).zip(rows) {
            let source = &base[usize::from(row)];
            for (digit, col) in line.iter_mut().zip(cols) {
                *digit = labels[usize::from(source[usize::from(col) & 15] & 15)];
            }
        }
        Grid::from_digits(digits).expect("digits 1-9")
    }

    /// What each digit becomes; `first` stands in row 1 column 1.
    #[inline(always)]
    fn labels(&self, first: u8, rank: &mut Rank) -> [u8; 16] {
        let mut labels = [0; 16];
        if self.first_cell == 0 {
            let order = rank.permutation::<9>();
            labels[1..=9].copy_from_slice(&order.map(|i| i + 1));
            return labels;
        }
        // The other eight digits become the other eight labels in any order.
        let order = rank.permutation::<8>();
        for (i, label) in (1..).zip(order) {
            let digit = i + u8::from(i >= first);
            labels[usize::from(digit & 15)] = label + 1 + u8::from(label + 1 >= self.first_cell);
        }
        labels[usize::from(first & 15)] = self.first_cell;
        labels
    }
}

/// Nine rows (or columns) in an order that keeps the bands together.
#[inline(always)]
fn lines(rank: &mut Rank) -> [u8; 9] {
    let mut lines = [0; 9];
    let bands = OF_THREE[rank.take::<6>()];
    for (three, band) in lines.chunks_exact_mut(3).zip(bands) {
        let order = OF_THREE[rank.take::<6>()];
        three.iter_mut().zip(order).for_each(|(line, i)| *line = 3 * band + i);
    }
    lines
}

const fn bases() -> [Base; BASES as usize] {
    let mut bases = [[[[0; 16]; 9]; 2]; BASES as usize];
    let mut i = 0;
    while i < BASES as usize * 81 {
        let (base, cell) = (i / 81, i % 81);
        let digit = BASE_LINES[base][cell] - b'0';
        bases[base][0][cell / 9][cell % 9] = digit;
        bases[base][1][cell % 9][cell / 9] = digit;
        i += 1;
    }
    bases
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sudoku::canonical::canonical;
    use std::collections::HashSet;

    fn base(line: &[u8; 81]) -> Grid {
        Grid::from_digits(line.map(|d| d - b'0')).expect("digits")
    }

    #[test]
    fn bases_have_no_automorphisms_and_are_inequivalent() {
        let mut forms = HashSet::new();
        for line in BASE_LINES {
            let form = canonical(&base(line)).expect("no clash");
            assert!(form.grid.is_solved());
            assert_eq!(form.automorphisms, 1);
            assert!(forms.insert(form), "two bases are equivalent");
        }
    }

    #[test]
    fn grids_are_valid_distinct_and_keep_the_first_cell() {
        let count = if cfg!(debug_assertions) { 20_000 } else { 1_000_000 };
        for first_cell in [0, 1, 9] {
            let family = Orbit::new(11, first_cell);
            let mut seen = HashSet::with_capacity(count as usize);
            for index in 0..count {
                let grid = family.item(index);
                assert!(first_cell == 0 || grid.digits()[0] == first_cell);
                assert!(index % 16 != 0 || grid.is_solved());
                assert!(seen.insert(grid), "{grid} twice");
            }
        }
    }

    #[test]
    fn items_are_equivalent_to_a_base() {
        let forms = BASE_LINES.map(|line| canonical(&base(line)));
        let family = Orbit::new(5, 0);
        for index in (0..1_000).chain([capacity(0) - 1]) {
            assert!(forms.contains(&canonical(&family.item(index))));
        }
    }
}

//! [`Unavoidable`]: sets of cells of a completed grid whose digits can be exchanged for others. A puzzle of that grid has
//! one solution if and only if it has a given in each of them.
//!
//! Must never know how they are found, but for those of two lines, nor in which order cells are emptied.

use crate::sudoku::{Cell, CellSet};

/// No further set.
const END: u16 = u16::MAX;

/// Unavoidable sets that are known of a grid, each with a rank.
#[derive(Debug)]
pub struct Unavoidable {
    sets: Vec<CellSet>,
    /// For each set the next one of its rank.
    next: Vec<u16>,
    /// For each rank its first set.
    first: [u16; 81],
}

impl Default for Unavoidable {
    fn default() -> Unavoidable {
        Unavoidable { sets: Vec::with_capacity(128), next: Vec::with_capacity(128), first: [END; 81] }
    }
}

impl Unavoidable {
    /// Forgets all.
    pub fn clear(&mut self) {
        self.sets.clear();
        self.next.clear();
        self.first = [END; 81];
    }

    /// Adds the cells in which two grids differ.
    pub fn add_difference(&mut self, one: &[u8; 81], other: &[u8; 81], ranks: &[u8; 81]) {
        // Without branches: it is done for each second question.
        let (mut set, mut rank) = ([false; 81], 0);
        for (differs, (&rank_here, (one, other))) in set.iter_mut().zip(ranks.iter().zip(one.iter().zip(other))) {
            *differs = one != other;
            rank = rank.max(rank_here * u8::from(*differs));
        }
        self.add(CellSet::from_flags(&set), rank);
    }

    /// Adds a set with this rank: the highest of its cells'.
    fn add(&mut self, set: CellSet, rank: u8) {
        self.next.push(self.first[usize::from(rank)]);
        self.first[usize::from(rank)] = self.sets.len() as u16;
        self.sets.push(set);
    }

    /// Whether a set of this rank has none of these cells.
    pub fn misses(&self, rank: usize, cells: CellSet) -> bool {
        let mut at = self.first[rank];
        while at != END {
            if (self.sets[usize::from(at)] & cells).is_empty() {
                return true;
            }
            at = self.next[usize::from(at)];
        }
        false
    }

    /// The cells that are the only one of these in some set.
    pub fn critical(&self, cells: CellSet) -> CellSet {
        let hit = self.sets.iter().map(|&set| set & cells).filter(|hit| hit.len() == 1);
        hit.fold(CellSet::EMPTY, |all, hit| all | hit)
    }

    /// Adds the sets that lie in two rows of a band or two columns of a stack: the digits of those columns, or rows, in
    /// which both lines have the same digits can be exchanged between them.
    pub fn add_pairs_of_lines(&mut self, solution: &[u8; 81], ranks: &[u8; 81]) {
        for [one, other] in
            (0..3).flat_map(|band| [[0, 1], [0, 2], [1, 2]].map(|pair| pair.map(|line| 3 * band + line)))
        {
            self.add_pair(solution, ranks, [9 * one, 9 * other], 1);
            self.add_pair(solution, ranks, [one, other], 9);
        }
    }

    /// The sets of two lines that begin at these cells and go on in this step: the cycles of the permutation that takes
    /// each cell of the first line to the one with the digit that stands beside it in the other line.
    fn add_pair(&mut self, solution: &[u8; 81], ranks: &[u8; 81], [one, other]: [usize; 2], step: usize) {
        let mut place = [0; 10];
        (0..9).for_each(|i| place[usize::from(solution[one + step * i])] = i);
        let mut seen = 0u16;
        for start in 0..9 {
            let (mut set, mut rank, mut i) = (CellSet::EMPTY, 0, start);
            while seen >> i & 1 == 0 {
                seen |= 1 << i;
                for cell in [one, other].iter().filter_map(|line| Cell::new(line + step * i)) {
                    set.insert(cell);
                    rank = ranks[cell.index()].max(rank);
                }
                i = place[usize::from(solution[other + step * i])];
            }
            if !set.is_empty() {
                self.add(set, rank);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sudoku::generate::search;
    use crate::sudoku::kernel::Kernel;
    use crate::sudoku::outcome::{Limits, Outcome};
    use crate::sudoku::solve::solve;

    const RANKS: [u8; 81] = {
        let mut ranks = [0; 81];
        let mut cell = 0;
        while cell < 81 {
            ranks[cell] = cell as u8;
            cell += 1;
        }
        ranks
    };

    #[test]
    fn sets_of_two_lines_can_be_filled_otherwise() {
        let mut count = 0;
        for index in 0..20 {
            let solution = search::item(1, index, 0);
            let mut known = Unavoidable::default();
            known.add_pairs_of_lines(solution.digits(), &RANKS);
            for set in &known.sets {
                let mut puzzle = solution;
                set.iter().for_each(|cell| puzzle.set(cell, 0));
                assert_eq!(solve(Kernel::Reference, &puzzle, Limits::PROVE).outcome, Outcome::Multiple, "{puzzle}");
            }
            count += known.sets.len();
        }
        // 18 pairs of lines in each grid, and a pair has two or three sets as a rule.
        assert!((36 * 20..54 * 20).contains(&count), "{count}");
    }

    #[test]
    fn ranks_and_critical_cells() {
        let cells = |indices: &[usize]| -> CellSet { indices.iter().filter_map(|&i| Cell::new(i)).collect() };
        let mut known = Unavoidable::default();
        known.add(cells(&[1, 4, 7]), 7);
        known.add(cells(&[2, 7]), 7);
        let mut other = [0; 81];
        [2, 4, 5].into_iter().for_each(|cell| other[cell] = 1);
        known.add_difference(&[0; 81], &other, &RANKS);
        assert!(known.misses(7, cells(&[1, 4])) && !known.misses(7, cells(&[1, 2])));
        assert!(!known.misses(5, cells(&[2])) && known.misses(5, cells(&[7])) && !known.misses(4, CellSet::EMPTY));
        assert_eq!(known.critical(cells(&[1, 2, 4])), cells(&[2]));
        assert_eq!(known.critical(cells(&[1, 2, 3])), cells(&[1, 2]));
        known.clear();
        assert!(!known.misses(7, CellSet::EMPTY));
    }
}

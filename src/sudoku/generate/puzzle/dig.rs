//! [`Dig`]: emptying the cells of a completed grid, in a given order, as long as its solution stays the only one.
//!
//! A cell stays if emptying it would let another solution in, so what stays is a function of grid, order and bounds
//! alone. How that is found out is free: several cells are tried at once, and each other solution that comes to light
//! is an unavoidable set, which tells of later cells that they must stay. Must never know who answers its questions.

use super::unavoidable::Unavoidable;
use super::wishes::Bounds;
use crate::sudoku::{CellSet, Grid};

/// A grid on its way to a puzzle.
#[derive(Debug)]
pub struct Dig {
    pub solution: [u8; 81],
    /// The digits of the givens, 0 elsewhere.
    pub clues: [u8; 81],
    pub givens: CellSet,
    pub known: Unavoidable,
    /// Orbits in the order in which they are emptied; and for each cell the place of its orbit.
    pub order: Vec<CellSet>,
    ranks: [u8; 81],
    /// Orbits before this one are decided.
    at: usize,
    /// The givens of decided orbits.
    kept: CellSet,
    bounds: Bounds,
    trial: Trial,
    /// Cells to try at once at most, after more were refused.
    most: usize,
}

/// Cells to be emptied at once.
#[derive(Clone, Copy, Debug, Default)]
struct Trial {
    cells: CellSet,
    /// Cells of the same stretch that the bounds keep.
    passed: CellSet,
    /// Where the stretch ends.
    end: usize,
}

impl Dig {
    /// A place for digs.
    pub fn new() -> Dig {
        Dig {
            solution: [0; 81],
            clues: [0; 81],
            givens: CellSet::EMPTY,
            known: Unavoidable::default(),
            order: Vec::with_capacity(81),
            ranks: [0; 81],
            at: 0,
            kept: CellSet::EMPTY,
            bounds: Bounds::NONE,
            trial: Trial::default(),
            most: 81,
        }
    }

    /// Starts over with this solution, in the order that `order` has.
    pub fn begin(&mut self, solution: [u8; 81], bounds: Bounds) {
        (self.solution, self.clues, self.bounds) = (solution, solution, bounds);
        (self.givens, self.kept, self.at, self.most) = (CellSet::ALL, CellSet::EMPTY, 0, 81);
        for (rank, orbit) in (0..).zip(&self.order) {
            orbit.iter().for_each(|cell| self.ranks[cell.index()] = rank);
        }
        self.known.clear();
    }

    /// Looks for unavoidable sets that cost little to find.
    pub fn survey(&mut self) {
        self.known.add_pairs_of_lines(&self.solution, &self.ranks);
    }

    /// The cells to be emptied next, if nothing is against it; `None` at the end.
    pub fn next(&mut self) -> Option<CellSet> {
        while self.at < self.order.len() && !self.bounds.reached_by(self.givens) {
            let orbit = self.order[self.at];
            if self.known.misses(self.at, self.kept) || !self.bounds.allow(self.givens, orbit) {
                self.kept = self.kept | orbit;
                self.at += 1;
            } else {
                self.trial = self.plan();
                return Some(self.trial.cells);
            }
        }
        None
    }

    /// Empties the cells that were to be emptied next.
    pub fn accept(&mut self) {
        let Trial { cells, passed, end } = self.trial;
        cells.iter().for_each(|cell| self.clues[cell.index()] = 0);
        self.givens = self.givens - cells;
        self.kept = self.kept | passed;
        self.at = end;
    }

    /// Leaves the cells that were to be emptied next for now: fewer will be tried, or, if it was one orbit, it stays.
    pub fn refuse(&mut self) {
        let orbit = self.order[self.at];
        if self.trial.cells == orbit {
            self.kept = self.kept | orbit;
            self.at += 1;
            self.most = 81;
        } else {
            self.most = self.trial.cells.len() / 2;
        }
    }

    /// Lets cells be emptied until so many givens are left, if that is fewer than so far; whether it is.
    pub fn deepen(&mut self, floor: u8) -> bool {
        self.bounds.lower_floor(floor)
    }

    /// The orbit of that of these cells which was emptied last.
    pub fn emptied_last(&self, cells: CellSet) -> CellSet {
        let last = cells.iter().max_by_key(|cell| self.ranks[cell.index()]);
        last.map_or(CellSet::EMPTY, |cell| self.order[usize::from(self.ranks[cell.index()])])
    }

    /// Gives these cells back.
    pub fn give_back(&mut self, cells: CellSet) {
        cells.iter().for_each(|cell| self.clues[cell.index()] = self.solution[cell.index()]);
        self.givens = self.givens | cells;
    }

    /// The puzzle as it is, but for these cells.
    pub fn puzzle_without(&self, cells: CellSet) -> Grid {
        let mut digits = self.clues;
        cells.iter().for_each(|cell| digits[cell.index()] = 0);
        Grid::from_digits(digits).expect("digits of a grid")
    }

    /// Takes account of another solution that some givens have.
    pub fn learn(&mut self, other: &[u8; 81]) {
        self.known.add_difference(&self.solution, other, &self.ranks);
    }

    /// The next stretch of orbits, up to one that must stay.
    fn plan(&self) -> Trial {
        let mut trial = Trial { end: self.at, ..Trial::default() };
        let most = stride(self.givens.len()).min(self.most);
        for (rank, &orbit) in self.order.iter().enumerate().skip(self.at) {
            let must_stay = self.known.misses(rank, self.kept | trial.passed);
            let too_many = !trial.cells.is_empty() && trial.cells.len() + orbit.len() > most;
            if must_stay || too_many {
                break;
            }
            if self.bounds.allow(self.givens - trial.cells, orbit) {
                trial.cells = trial.cells | orbit;
            } else {
                trial.passed = trial.passed | orbit;
            }
            trial.end = rank + 1;
        }
        trial
    }
}

/// How many cells are tried at once when so many are given.
fn stride(givens: usize) -> usize {
    match givens {
        60.. => givens - 42,
        38.. => 4,
        35.. => 2,
        _ => 1,
    }
}

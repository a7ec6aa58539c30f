//! [`Plain`]: the reference solver as a kernel, for checking the others.

use super::searcher::{Port, Searcher, Tally};
use crate::sudoku::grid::Grid;
use crate::sudoku::outcome::Limits;
use crate::sudoku::reference::{Reference, Step};

/// Puzzle after puzzle through the reference solver.
pub struct Plain {
    reference: Reference,
    limits: Limits,
    tallies: Vec<Tally>,
    /// The puzzle in work, or to be loaded next.
    current: usize,
    loaded: bool,
    /// A cell and the digit that it must not take.
    barred: Option<(u8, u8)>,
}

impl Default for Plain {
    fn default() -> Plain {
        Plain {
            reference: Reference::default(),
            limits: Limits::PROVE,
            tallies: Vec::new(),
            current: 0,
            loaded: false,
            barred: None,
        }
    }
}

impl Searcher for Plain {
    fn begin(&mut self, count: usize, limits: Limits) {
        self.tallies.clear();
        self.tallies.resize(count, Tally::default());
        (self.limits, self.current, self.loaded) = (limits, 0, false);
    }

    /// A pass is a puzzle loaded, a digit tried or a solution found.
    fn run(&mut self, port: &mut dyn Port, passes: u32) -> bool {
        let mut left = u64::from(passes);
        while let Some(tally) = self.tallies.get_mut(self.current) {
            if left == 0 {
                return false;
            }
            if !self.loaded {
                let mut digits = [0; 81];
                port.puzzle(self.current, &mut digits);
                self.reference.load(&Grid::from_digits(digits).unwrap_or(Grid::EMPTY));
                self.barred = port.barred(self.current);
                self.loaded = true;
            }
            left -= 1;
            let granted = left.min(self.limits.node_limit - tally.nodes);
            let mut budget = granted;
            let step = self.reference.step(&mut budget);
            left -= granted - budget;
            tally.nodes += granted - budget;
            match step {
                Step::Solution => {
                    let solution = *self.reference.solution().digits();
                    let barred = self.barred.is_some_and(|(cell, digit)| solution[usize::from(cell)] == digit);
                    if !barred && port.counts(self.current, &solution) {
                        tally.found += 1;
                        port.solution(self.current, &solution);
                        tally.closed = tally.found >= self.limits.count_limit;
                    }
                }
                Step::Paused => tally.closed = tally.nodes == self.limits.node_limit,
                Step::Exhausted => {}
            }
            if tally.closed || step == Step::Exhausted {
                self.current += 1;
                self.loaded = false;
            }
        }
        true
    }

    fn tallies(&self) -> &[Tally] {
        &self.tallies
    }

    fn open(&self, with: &mut dyn FnMut(usize)) {
        (self.current..self.tallies.len()).for_each(with);
    }
}

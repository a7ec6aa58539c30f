//! The portable kernel's search: depth first, with an explicit stack, so that it can pause at each guess.

use super::bands::{Bands, Verdict};
use super::blame::Blame;
use super::branch::choose;
use super::step::Step;
use crate::sudoku::grid::Grid;

/// Every guess settles a cell that was open, so no path holds more.
const DEPTH: usize = 81;

/// A search on its way.
#[derive(Clone, Debug)]
pub struct Portable {
    /// The state worked on.
    bands: Bands,
    next: Next,
    /// The other halves of the guesses on the path: `stack[..depth]`.
    stack: [Bands; DEPTH],
    depth: usize,
    blame: Blame,
}

#[derive(Clone, Copy, Debug)]
enum Next {
    Deduce,
    Guess,
    Retreat,
}

impl Default for Portable {
    fn default() -> Portable {
        let bands = Bands::new(&Grid::EMPTY);
        Portable { bands, next: Next::Deduce, stack: [bands; DEPTH], depth: 0, blame: Blame::default() }
    }
}

impl Portable {
    /// Starts over with this puzzle; its givens may contradict each other.
    pub fn load(&mut self, puzzle: &Grid) {
        self.bands = Bands::new(puzzle);
        self.next = Next::Deduce;
        self.depth = 0;
        self.blame = Blame::default();
    }

    /// Searches for the next solution. A node is a guess between a digit and the rest of its cell;
    /// each takes one from `budget`.
    pub fn step(&mut self, budget: &mut u64) -> Step {
        loop {
            match self.next {
                Next::Deduce => match self.bands.deduce() {
                    Verdict::Stalled => self.next = Next::Guess,
                    Verdict::Dead => {
                        self.blame.record(&self.bands);
                        self.next = Next::Retreat;
                    }
                    Verdict::Solved => {
                        self.next = Next::Retreat;
                        return Step::Solution;
                    }
                },
                Next::Guess => {
                    if *budget == 0 {
                        return Step::Paused;
                    }
                    *budget -= 1;
                    let guess = if self.blame.decides() {
                        self.blame.choose(&self.bands)
                    } else {
                        choose(&self.bands, self.depth >= 6 && self.blame.is_none())
                    };
                    self.stack[self.depth] = self.bands;
                    self.stack[self.depth].strike(guess.cell, guess.d);
                    self.depth += 1;
                    self.bands.assign(guess.cell, guess.d, guess.digits);
                    self.next = Next::Deduce;
                }
                Next::Retreat => {
                    if self.depth == 0 {
                        return Step::Exhausted;
                    }
                    self.depth -= 1;
                    self.bands = self.stack[self.depth];
                    self.next = Next::Deduce;
                }
            }
        }
    }

    /// The solution that the last step found.
    pub fn solution(&self) -> Grid {
        self.bands.grid()
    }
}

//! One searcher for whichever kernel was asked for, to be loaded with puzzle after puzzle.

use super::dispatch::Kernel;
use super::portable::Portable;
use super::step::Step;
use crate::sudoku::grid::Grid;
use crate::sudoku::reference::Reference;

/// A search of either kernel. Loading it again allocates nothing.
#[derive(Clone, Debug)]
pub enum Engine {
    /// The portable kernel.
    Portable(Box<Portable>),
    /// The reference solver.
    Reference(Reference),
}

impl Engine {
    /// The engine of a kernel, with no puzzle in it yet.
    pub fn new(kernel: Kernel) -> Engine {
        match kernel {
            Kernel::Auto | Kernel::Portable => Engine::Portable(Box::default()),
            Kernel::Reference => Engine::Reference(Reference::default()),
        }
    }

    /// Starts over with this puzzle.
    pub fn load(&mut self, puzzle: &Grid) {
        match self {
            Engine::Portable(search) => search.load(puzzle),
            Engine::Reference(search) => search.load(puzzle),
        }
    }

    /// Searches for the next solution; each node takes one from `budget`.
    pub fn step(&mut self, budget: &mut u64) -> Step {
        match self {
            Engine::Portable(search) => search.step(budget),
            Engine::Reference(search) => search.step(budget),
        }
    }

    /// The solution that the last step found.
    pub fn solution(&self) -> Grid {
        match self {
            Engine::Portable(search) => search.solution(),
            Engine::Reference(search) => search.solution(),
        }
    }
}

//! Puzzles from `(seed, index, spec)` alone: grids filled at random, emptied as far as the wishes want it.
//!
//! The same on every machine, kernel and number of workers: which cells stay is decided by whether a puzzle has another
//! solution, never by which one a kernel finds first or by how long it takes.

mod attempt;
mod dig;
mod item;
mod judge;
mod made;
mod maker;
mod spec;
mod symmetry;
#[cfg(test)]
mod tests;
mod unavoidable;
mod wishes;

pub use made::{Made, Shortfall};
pub use maker::{Place, PuzzleMaker};
pub use spec::{Blanks, Contradiction, ErRange, PuzzleSpec};
pub use symmetry::Symmetry;
pub use wishes::Wish;

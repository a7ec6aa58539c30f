//! A person's way of solving: techniques, each with the pattern that justifies it, and the difficulty that
//! Sudoku Explainer 1.2.1 gives them (N. Juillerat, 2006-2007).
//!
//! Pure functions from a [`State`] to [`Step`]s. Must never guess, and never know of jobs or clocks.

pub mod aligned;
pub mod bug;
pub mod chain;
mod digits;
pub mod fish;
mod level;
pub mod locked;
mod order;
mod quick;
mod rating;
mod score;
mod sentence;
pub mod sets;
pub mod singles;
mod solver;
mod state;
mod step;
mod technique;
#[cfg(test)]
mod tests;
pub mod unique;
pub mod wings;

pub use digits::Digits;
pub use level::Level;
pub use quick::{QUICK, Reach, solvable_within};
pub use rating::{Effort, Explained, RATING_NAME, Rated, Rating};
pub use score::Score;
pub use sentence::sentence;
pub use solver::{explain, rate};
pub use state::State;
pub use step::{Assertion, Found, Step, first};
pub use technique::Technique;

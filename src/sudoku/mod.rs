//! The pure core: grids, their text and packed forms, solving and generating.
//!
//! Functions from values to values. Nothing here may know of async, clocks, files, the environment,
//! jobs or protobuf; a caller that wants to stop early says so through a [`Pace`] or a node budget.

pub mod batch;
pub mod canonical;
pub mod generate;
pub mod geometry;
pub mod grid;
pub mod kernel;
pub mod logic;
pub mod minimize;
pub mod outcome;
pub mod packed;
pub mod random;
pub mod reference;
pub mod solve;
pub mod text;

pub use batch::{BatchLimits, BatchStats, Solved, solve_batch};
pub use canonical::{Canonical, canonical};
pub use geometry::{Cell, CellSet};
pub use grid::Grid;
pub use kernel::{Kernel, Port};
pub use minimize::minimize;
pub use outcome::{Answer, Limits, Outcome, Pace};

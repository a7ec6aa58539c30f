//! The protocols of jobs, to be checked in every order: see `Cargo.toml`. `sudoku`, `job` and `store::rules` are the real
//! ones; `world` is what they are put into.

#[path = "../../../src/job/mod.rs"]
pub mod job;
#[path = "../../../src/sudoku/mod.rs"]
pub mod sudoku;

pub mod guard;
pub mod protocol;
pub mod record;
pub mod step;
pub mod store;
pub mod world;

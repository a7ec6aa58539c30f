//! The pure core as a crate of its own: see `Cargo.toml`.

#[path = "../../../src/sudoku/mod.rs"]
pub mod sudoku;

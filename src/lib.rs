//! sudokud: Sudoku as a service.
//!
//! One crate in layers, `cli → app → config → grpc → engine → {pool, store} → job → sudoku`: a folder may
//! import those to its right, never to its left (`tests/tidy.rs` enforces it). Start with
//! `ARCHITECTURE.md`, then [`sudoku`] for the core and [`engine`] for the life of a job.

pub mod app;
pub mod cli;
pub mod config;
pub mod engine;
pub mod grpc;
pub mod job;
pub mod pool;
pub mod store;
pub mod sudoku;
pub mod telemetry;

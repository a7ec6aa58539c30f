//! The real binary's command line: what it writes, where, and how it exits.

mod config;
mod explain;
mod files;
mod forms;
mod generate;
mod puzzles;
mod rate;
mod remote;
mod run;
mod solve;

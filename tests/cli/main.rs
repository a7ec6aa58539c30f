//! The real binary's command line: what it writes, where, and how it exits.

mod config;
mod explain;
mod files;
mod forms;
mod generate;
mod hold;
mod kept;
mod puzzles;
mod rate;
mod remote;
mod run;
mod server;
mod solve;

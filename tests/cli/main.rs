//! The real binary's command line: what it writes, where, and how it exits.

mod config;
mod files;
mod generate;
mod remote;
mod run;
mod solve;

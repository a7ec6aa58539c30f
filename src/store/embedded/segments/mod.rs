//! Payloads in append-only files beside the database, so that their bytes are written once.
//!
//! - `file`: a segment's name and header; `read`: payloads by their `place`; `append`: the tail, the one file
//!   that grows; `ledger`: how much of each file is alive; `set`: all of it for the writer, as part of a
//!   transaction; `recover`: from what is on the disk to that.
//!
//! A file holds a header and payloads end to end, nothing else. What lies where, and whether it is sound, only
//! rows say: bytes that no row names are not there. Must never know rows, jobs or threads.

mod append;
mod file;
mod ledger;
mod place;
mod read;
mod recover;
mod set;

pub(super) use place::{Extent, Place};
pub(super) use read::Files;
pub(super) use recover::recover;
pub(super) use set::Segments;

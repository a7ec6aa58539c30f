//! Versioned packed forms of chunks, for both durable stores: magic, version, kind, count, body, CRC32C.
//!
//! Version 1, integers little-endian:
//!
//! | bytes | what |
//! |---|---|
//! | 0-3 | magic `SDKC` |
//! | 4 | version, 1 |
//! | 5 | kind: 1 input, 2 results, 3 results with details |
//! | 6-7 | 0 |
//! | 8-11 | items |
//! | 12.. | body, as [`InputChunk`] and [`ResultChunk`] say |
//! | last 4 | CRC32C of all bytes before |
//!
//! Every chunk ever stored must stay readable: tests hold bytes of version 1. Must never know which store
//! keeps the bytes.

mod detail;
mod error;
mod fault;
mod frame;
mod input;
mod item_error;
mod outcomes;
mod result;
mod spec;
#[cfg(test)]
mod tests;

pub use detail::{Detail, DetailKind};
pub use error::CodecError;
pub use input::{InputBuilder, InputChunk};
pub use item_error::ItemError;
pub use result::{ItemResult, ResultBuilder, ResultChunk};
pub use spec::{decode_spec, encode_spec};

//! Text forms of a grid: reading every accepted one, writing the five we write.
//!
//! Bytes in, values out. Must never know where a text comes from (file, request) nor where it goes.
//!
//! One grid is 81 cells: digits, or `. 0 * _ x X` where empty. It stands on one line ([`parse_line`]), or on
//! nine, plain or drawn (`block`). [`parse`] reads one grid in any form, [`GridReader`] a whole file of them.

mod block;
mod fault;
mod format;
mod line;
mod mark;
mod one;
mod stream;
#[cfg(test)]
mod tests;
mod write;

pub use fault::{Fault, FaultKind, TextError};
pub use format::{Format, UnknownFormat};
pub use line::{PlainLines, is_item, parse_line, puzzle_lines};
pub use one::parse;
pub use stream::{GridReader, TextItem};
pub use write::Writer;

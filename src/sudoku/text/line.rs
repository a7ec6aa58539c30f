//! The fast path: one puzzle on one line.

use super::fault::{Fault, FaultKind, MAX_COUNT};
use super::mark::{self, LineKind};
use crate::sudoku::grid::Grid;

/// Reads one line (without its line end, but a final CR is fine): 81 characters, then perhaps a comment
/// behind a space, tab, comma, semicolon or `#`. What the comment says is not looked at.
///
/// # Errors
/// What is wrong and in which column.
#[inline]
pub fn parse_line(line: &[u8]) -> Result<Grid, Fault> {
    read(line).ok_or_else(|| diagnose(line))
}

/// The grid of a good line.
#[inline]
pub(super) fn read(line: &[u8]) -> Option<Grid> {
    let (cells, rest) = line.split_first_chunk::<81>()?;
    let ended = match rest.first() {
        None => true,
        Some(b'\r') => rest.len() == 1,
        Some(&byte) => mark::begins_comment(byte),
    };
    // Where a byte is no cell its value exceeds 9, which makes no grid.
    if ended { Grid::from_digits(cells.map(mark::value)) } else { None }
}

/// Lines of 81 cells and nothing else, one after the other, all with LF or all with CR LF.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlainLines {
    /// How many.
    pub count: usize,
    /// Bytes from one to the next: 82 or 83.
    pub stride: usize,
}

impl PlainLines {
    /// Those that the text begins with.
    pub fn at_start(text: &[u8]) -> PlainLines {
        if text.get(81) == Some(&b'\n') {
            PlainLines { count: count_plain::<82>(text, b"\n"), stride: 82 }
        } else {
            PlainLines { count: count_plain::<83>(text, b"\r\n"), stride: 83 }
        }
    }

    /// The digits of line `i` of the text that begins with these lines, 0 where empty.
    ///
    /// # Panics
    /// When there is no such line.
    #[inline]
    pub fn digits(&self, text: &[u8], i: usize, digits: &mut [u8; 81]) {
        for (digit, &byte) in digits.iter_mut().zip(&text[i * self.stride..][..81]) {
            *digit = mark::value(byte);
        }
    }
}

fn count_plain<const STRIDE: usize>(text: &[u8], end: &[u8]) -> usize {
    let (lines, _) = text.as_chunks::<STRIDE>();
    // Without an early exit within a line, so that it is vectorised.
    let plain = |line: &&[u8; STRIDE]| {
        let (cells, rest) = line.split_at(81);
        cells.iter().fold(0, |most, &byte| mark::value(byte).max(most)) <= 9 && rest == end
    };
    lines.iter().take_while(plain).count()
}

/// What is wrong with a line that [`read`] refused.
#[cold]
pub(super) fn diagnose(line: &[u8]) -> Fault {
    let line = mark::without_cr(line);
    let cells = line.iter().take_while(|&&byte| mark::digit(byte).is_some()).take(MAX_COUNT).count();
    match line.get(cells) {
        _ if cells > 81 => Fault::count(FaultKind::TooMany, 81, 81, cells),
        Some(_) if cells == 81 => Fault::character(FaultKind::Trailing, line, 81, 81),
        // A comment too early is a short puzzle. Not so after the very first cell: those are spaced cells.
        Some(&byte) if cells < 2 || !mark::begins_comment(byte) => {
            Fault::character(FaultKind::Character, line, cells, cells)
        }
        _ => Fault::count(FaultKind::TooFew, cells, cells, cells),
    }
}

/// The lines of a text that are items, one puzzle a line: blank lines and `#` lines are not. A byte-order
/// mark that begins the text is dropped; lines come without their LF.
pub fn puzzle_lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = text.strip_prefix(mark::BOM).unwrap_or(text);
    let lines = std::iter::from_fn(move || {
        let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        let (line, tail) = rest.split_at(end);
        let more = !rest.is_empty();
        rest = tail.get(1..).unwrap_or_default();
        more.then_some(line)
    });
    lines.filter(|line| is_item(line))
}

/// Whether a line is an item where each line may hold one: neither blank nor a `#` line. The one rule of files,
/// uploads and clients, so that they count alike.
pub fn is_item(line: &[u8]) -> bool {
    mark::kind(line) == LineKind::Content
}

//! The pieces of an uploaded block: its lines, or its puzzles, read when they are taken. Knows no job and no index.

use crate::sudoku::Grid;
use crate::sudoku::text::{self, Fault};

/// A piece of a block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Piece<'a> {
    /// A line, which may be no item.
    Line(&'a [u8]),
    /// A puzzle given by itself, in any text form.
    Puzzle(&'a str),
}

impl Piece<'_> {
    /// What it takes to read it, in lines of 81 cells, which take about 20 ns each.
    #[inline]
    pub(super) fn work(&self) -> usize {
        match self {
            Piece::Line(line) if line.len() == 81 => 1,
            Piece::Line(_) | Piece::Puzzle(_) => 8,
        }
    }

    /// Whether it is an item: blank lines and `#` lines are not.
    #[inline]
    pub(super) fn is_item(&self) -> bool {
        match self {
            Piece::Line(line) => text::is_item(line),
            Piece::Puzzle(_) => true,
        }
    }

    /// The item.
    #[inline]
    pub(super) fn read(self) -> Result<Grid, Fault> {
        match self {
            Piece::Line(line) => text::parse_line(line),
            Piece::Puzzle(puzzle) => text::parse(puzzle).map_err(|error| error.fault),
        }
    }
}

/// The lines of a text, without their ends.
pub(super) fn lines(text: &[u8]) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(text);
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        let (line, tail) = rest.split_at(end);
        rest = tail.get(1..).unwrap_or_default();
        Some(Piece::Line(line))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_lines_and_comments_are_no_items() {
        let text = b"\xef\xbb\xbf# puzzles\r\n\r\n1..\r\n  \t\n #x\n.2.  # hard\n\n";
        let items: Vec<_> = lines(text).filter(Piece::is_item).collect();
        assert_eq!(items, [Piece::Line(b"1..\r"), Piece::Line(b".2.  # hard")]);
        assert_eq!(lines(b"").count(), 0);
        assert_eq!(lines(b"1..").collect::<Vec<_>>(), [Piece::Line(b"1..")]);
    }

    #[test]
    fn a_byte_that_is_no_text_is_one_bad_item() {
        let read: Vec<_> = lines(b"\xff\n\n").filter(Piece::is_item).map(Piece::read).collect();
        let [Err(fault)] = read.as_slice() else { panic!("{read:?}") };
        assert_eq!(fault.to_string(), "cell r1c1: byte 0xFF is not UTF-8");
    }
}

//! What single bytes and whole lines of a grid's text mean.

/// The byte-order mark that may begin a text.
pub(super) const BOM: &[u8] = b"\xef\xbb\xbf";

/// What [`value`] gives for a byte that is no cell.
const NO_CELL: u8 = 0xff;

/// The digit of a cell's byte, 0 for an empty mark, over 9 if it is no cell. Free of branches and tables, so
/// that loops over it are vectorised.
#[inline]
pub(super) fn value(byte: u8) -> u8 {
    let digit = byte.wrapping_sub(b'0');
    let empty = (byte == b'.') | (byte == b'*') | (byte == b'_') | (byte | 0x20 == b'x');
    let other = if empty { 0 } else { NO_CELL };
    if digit <= 9 { digit } else { other }
}

/// The digit of a cell's byte, 0 for an empty mark; `None` if it is no cell.
#[inline]
pub(super) fn digit(byte: u8) -> Option<u8> {
    Some(value(byte)).filter(|&value| value <= 9)
}

/// Whether a comment may begin with this byte after the 81st cell.
pub(super) fn begins_comment(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b',' | b';' | b'#')
}

/// Whether the byte may stand beside the cells of a row.
pub(super) fn draws(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'|')
}

/// Whether a line draws the edge of a box: `-`, `+` or `=`, perhaps bars and blanks.
pub(super) fn is_rule(line: &[u8]) -> bool {
    let edge = |byte: &u8| matches!(byte, b'-' | b'+' | b'=');
    line.iter().any(edge) && line.iter().all(|byte| edge(byte) || draws(*byte))
}

/// Whether a line holds cells, bars and blanks alone.
pub(super) fn is_row(line: &[u8]) -> bool {
    line.iter().all(|&byte| digit(byte).is_some() || draws(byte))
}

/// How many of the line's bytes are cells.
pub(super) fn cells(line: &[u8]) -> usize {
    line.iter().filter(|&&byte| digit(byte).is_some()).count()
}

/// What a line is before it is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineKind {
    /// Nothing but blanks.
    Blank,
    /// A `#` line, as above the grid of an `.sdk` file.
    Comment,
    /// Anything else.
    Content,
}

/// What the line is, judged by its first byte that is not blank.
#[inline]
pub(super) fn kind(line: &[u8]) -> LineKind {
    match line.iter().find(|byte| !matches!(byte, b' ' | b'\t' | b'\r')) {
        None => LineKind::Blank,
        Some(b'#') => LineKind::Comment,
        Some(_) => LineKind::Content,
    }
}

/// The line without its final CR.
pub(super) fn without_cr(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

//! Files of grids, read in pieces of any size: one a line, or blocks of 9 lines, detected.
//!
//! - A line with at least half of 81 cells, or that reads as a grid, is an item by itself.
//! - Other lines gather in a block, which ends with a blank line, with an item by itself, with a `#` line
//!   after its ninth row, or with the file. Nine rows are one grid.
//! - A block that is no grid is one bad item in a file of grids, but one bad item a line in a file of lines:
//!   the last good item tells which, and before any, whether the block has a line of cells and drawing marks
//!   alone.
//! - `#` lines and the line `[Puzzle]` of `.sdk` files are headers wherever they stand.

use super::block::Block;
use super::fault::TextError;
use super::line;
use super::mark::{self, LineKind};
use crate::sudoku::grid::Grid;

/// Bytes of a line that are looked at. A puzzle and the start of its comment fit well; the rest is skipped, so
/// that an endless line costs no memory.
const LINE_CAP: usize = 4_096;

/// Lines of a block kept to be told one by one. More than a block can have that might still be a grid.
const BLOCK_LINES: usize = 24;

/// An item of a file of grids.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextItem {
    /// Line of the file where it begins, from 1.
    pub line: u64,
    /// The grid, or why there is none.
    pub grid: Result<Grid, TextError>,
}

/// What the file was seen to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Lines,
    Blocks,
}

/// Lines that may together be one grid.
#[derive(Debug)]
struct Gathered {
    first_line: u64,
    block: Block,
    /// What is wrong with each line taken for an item by itself; at most [`BLOCK_LINES`].
    alone: Vec<TextError>,
    /// Whether a line holds cells and drawing marks alone.
    drawn: bool,
}

/// Reads a file of grids piece by piece: `feed` pieces of any size, then `finish`. The pieces make no
/// difference to the items. Holds a few KiB at the most.
#[derive(Debug, Default)]
pub struct GridReader {
    /// Lines ended so far.
    lines: u64,
    /// The line that has not ended, up to `LINE_CAP`.
    pending: Vec<u8>,
    /// Whether that line is longer.
    cut: bool,
    gathered: Option<Gathered>,
    form: Option<Form>,
}

impl GridReader {
    /// Takes the next bytes of the file; pushes the items completed by them.
    pub fn feed(&mut self, bytes: &[u8], items: &mut Vec<TextItem>) {
        let mut rest = bytes;
        while let Some(end) = memchr::memchr(b'\n', rest) {
            let (line, tail) = rest.split_at(end);
            rest = &tail[1..];
            if self.pending.is_empty() {
                self.end_line(&line[..line.len().min(LINE_CAP)], line.len() > LINE_CAP, items);
            } else {
                self.keep(line);
                self.end_pending(items);
            }
        }
        self.keep(rest);
    }

    /// Whether what comes next begins a line and continues no block.
    pub fn is_between_items(&self) -> bool {
        self.pending.is_empty() && self.gathered.is_none()
    }

    /// Takes note of plain lines ([`super::PlainLines`]) that the caller reads itself; the number of the first.
    /// The reader must be between items.
    pub fn skip_plain(&mut self, lines: usize) -> u64 {
        let first = self.lines + 1;
        self.lines += lines as u64;
        self.form = Some(Form::Lines);
        first
    }

    /// The file ends here; pushes what was left. The reader is as new afterwards.
    pub fn finish(&mut self, items: &mut Vec<TextItem>) {
        if !self.pending.is_empty() {
            self.end_pending(items);
        }
        self.end_block(items);
        *self = GridReader::default();
    }

    fn keep(&mut self, bytes: &[u8]) {
        let room = LINE_CAP - self.pending.len();
        self.cut |= bytes.len() > room;
        self.pending.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }

    fn end_pending(&mut self, items: &mut Vec<TextItem>) {
        let mut line = std::mem::take(&mut self.pending);
        let cut = std::mem::take(&mut self.cut);
        self.end_line(&line, cut, items);
        line.clear();
        self.pending = line;
    }

    /// Takes a whole line, or its beginning if `cut`: such a line is never taken for blank or a row, for what
    /// was not seen of it may be wrong.
    fn end_line(&mut self, line: &[u8], cut: bool, items: &mut Vec<TextItem>) {
        self.lines += 1;
        let line = if self.lines == 1 { line.strip_prefix(mark::BOM).unwrap_or(line) } else { line };
        if let Some(grid) = line::read(line) {
            return self.push_line(Ok(grid), items);
        }
        let line = mark::without_cr(line);
        let kind = mark::kind(line);
        let section = line.starts_with(b"[") && line.trim_ascii().eq_ignore_ascii_case(b"[puzzle]");
        if kind == LineKind::Comment || section {
            self.end_full_block(items);
        } else if kind == LineKind::Blank && !cut {
            self.end_block(items);
        } else if cut || mark::cells(line) > 40 {
            self.push_line(Err(alone(self.lines, line)), items);
        } else {
            self.gather(line, items);
        }
    }

    fn push_line(&mut self, grid: Result<Grid, TextError>, items: &mut Vec<TextItem>) {
        self.form = self.form.or(Some(Form::Lines));
        self.end_block(items);
        self.form = Some(Form::Lines);
        items.push(TextItem { line: self.lines, grid });
    }

    fn gather(&mut self, line: &[u8], items: &mut Vec<TextItem>) {
        let number = self.lines;
        let start = || Gathered { first_line: number, block: Block::new(), alone: Vec::new(), drawn: false };
        let gathered = self.gathered.get_or_insert_with(start);
        gathered.block.add(number, line);
        if gathered.alone.is_empty() || self.form != Some(Form::Blocks) {
            gathered.alone.push(alone(number, line));
            gathered.drawn |= mark::is_rule(line) || mark::is_row(line);
        }
        let full = gathered.alone.len() == BLOCK_LINES;
        match self.form {
            Some(Form::Lines) if !gathered.block.is_sound() => self.end_block(items),
            None if full && gathered.drawn => self.form = Some(Form::Blocks),
            None if full => self.end_block(items),
            _ => {}
        }
    }

    fn end_full_block(&mut self, items: &mut Vec<TextItem>) {
        if self.gathered.as_ref().is_some_and(|gathered| gathered.block.is_full()) {
            self.end_block(items);
        }
    }

    fn end_block(&mut self, items: &mut Vec<TextItem>) {
        let Some(gathered) = self.gathered.take() else { return };
        let grid = gathered.block.grid();
        let by_lines = match self.form {
            Some(form) => form == Form::Lines,
            None => !gathered.drawn,
        };
        match gathered.alone.as_slice() {
            _ if grid.is_ok() => {
                self.form = Some(Form::Blocks);
                items.push(TextItem { line: gathered.first_line, grid });
            }
            // One line alone is no row with a fault of its own but a puzzle that is too short.
            alone if by_lines || (gathered.block.lines() == 1 && !gathered.block.is_sound()) => {
                items.extend(alone.iter().map(|&error| TextItem { line: error.line, grid: Err(error) }));
            }
            _ => items.push(TextItem { line: gathered.first_line, grid }),
        }
    }
}

/// What is wrong with a line taken for an item by itself.
fn alone(number: u64, line: &[u8]) -> TextError {
    TextError { line: number, fault: line::diagnose(line) }
}

//! A grid on nine lines, line by line: 9 cells a row, with or without single spaces, boxes drawn or not.

use super::fault::{Fault, FaultKind, TextError};
use super::mark;
use crate::sudoku::grid::Grid;

/// The most lines that draw edges: one above, between and below all rows.
const MAX_RULES: usize = 10;

/// Rows of one grid as they come.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    digits: [u8; 81],
    rows: usize,
    rules: usize,
    /// Cells of rows after the ninth.
    extra: usize,
    fault: Option<TextError>,
    /// Where a next row was expected: the end of the last line.
    end: TextError,
}

impl Block {
    /// No rows yet.
    pub(super) fn new() -> Block {
        let end = TextError { line: 1, fault: Fault::count(FaultKind::TooFew, 0, 0, 0) };
        Block { digits: [0; 81], rows: 0, rules: 0, extra: 0, fault: None, end }
    }

    /// Adds a row or an edge; the first fault stays.
    pub(super) fn add(&mut self, number: u64, line: &[u8]) {
        let added = match (plain_row(line), self.digits.as_chunks_mut::<9>().0.get_mut(self.rows)) {
            (Some(cells), Some(row)) => {
                *row = cells;
                self.rows += 1;
                Ok(())
            }
            _ if mark::is_rule(line) => self.add_rule(line),
            _ => self.add_row(line),
        };
        if let (None, Err(fault)) = (self.fault, added) {
            self.fault = Some(TextError { line: number, fault });
        }
        let cells = self.rows * 9;
        self.end = TextError { line: number, fault: Fault::count(FaultKind::TooFew, line.len(), cells, cells) };
    }

    fn add_rule(&mut self, line: &[u8]) -> Result<(), Fault> {
        self.rules += 1;
        if self.rules <= MAX_RULES {
            return Ok(());
        }
        Err(Fault::character(FaultKind::Character, line, 0, self.rows * 9))
    }

    fn add_row(&mut self, line: &[u8]) -> Result<(), Fault> {
        let row = self.rows;
        self.rows += 1;
        if let Some(digits) = self.digits.chunks_exact_mut(9).nth(row) {
            return read_row(line, row, digits);
        }
        self.extra += mark::cells(line);
        let at = line.iter().position(|&byte| !mark::draws(byte)).unwrap_or(0);
        Err(match mark::digit(line[at]) {
            Some(_) => Fault::count(FaultKind::TooMany, at, 81, 0),
            None => Fault::character(FaultKind::Trailing, line, at, 81),
        })
    }

    /// Rows and edges so far.
    pub(super) fn lines(&self) -> usize {
        self.rows + self.rules
    }

    /// Whether all nine rows are there.
    pub(super) fn is_full(&self) -> bool {
        self.rows >= 9
    }

    /// Whether nothing was wrong so far.
    pub(super) fn is_sound(&self) -> bool {
        self.fault.is_none()
    }

    /// The grid.
    ///
    /// # Errors
    /// The first fault, or that rows are missing.
    pub(super) fn grid(&self) -> Result<Grid, TextError> {
        match self.fault {
            Some(TextError { line, fault }) if fault.kind == FaultKind::TooMany => {
                let at = usize::from(fault.column) - 1;
                Err(TextError { line, fault: Fault::count(fault.kind, at, 81, 81 + self.extra) })
            }
            Some(error) => Err(error),
            None if self.rows < 9 => Err(self.end),
            None => Grid::from_digits(self.digits).ok_or(self.end),
        }
    }
}

/// The fast path: nine good cells, with or without single spaces, and nothing else.
fn plain_row(line: &[u8]) -> Option<[u8; 9]> {
    let cells: [u8; 9] = match line.len() {
        9 => *line.first_chunk()?,
        17 => {
            let (pairs, last) = line.as_chunks::<2>();
            if pairs.iter().any(|pair| pair[1] != b' ') {
                return None;
            }
            std::array::from_fn(|i| pairs.get(i).map_or(last[0], |pair| pair[0]))
        }
        _ => return None,
    };
    Some(cells.map(mark::value)).filter(|row| row.iter().all(|&value| value <= 9))
}

/// Reads the nine cells of row `row`. Between cells stands nothing, one space, or bars with any blanks.
fn read_row(line: &[u8], row: usize, digits: &mut [u8]) -> Result<(), Fault> {
    let (mut cells, mut gap) = (0, 0..0);
    for (at, &byte) in line.iter().enumerate() {
        if cells == 9 && row == 8 && mark::begins_comment(byte) {
            return Ok(());
        }
        match mark::digit(byte) {
            Some(digit) if cells < 9 => {
                let between = &line[gap.clone()];
                if cells > 0 && between != b"" && between != b" " && !between.contains(&b'|') {
                    let wrong = gap.start + usize::from(between[0] == b' ');
                    return Err(Fault::character(FaultKind::Character, line, wrong, row * 9 + cells));
                }
                digits[cells] = digit;
                cells += 1;
                gap = at + 1..at + 1;
            }
            Some(_) => {
                let count = 9 + mark::cells(&line[at..]);
                return Err(Fault::count(FaultKind::LongRow, at, row * 9 + 9, count));
            }
            None if mark::draws(byte) => gap.end = at + 1,
            None if cells == 9 => return Err(Fault::character(FaultKind::Trailing, line, at, row * 9 + 9)),
            None => return Err(Fault::character(FaultKind::Character, line, at, row * 9 + cells)),
        }
    }
    if cells == 9 { Ok(()) } else { Err(Fault::count(FaultKind::ShortRow, line.len(), row * 9 + cells, cells)) }
}

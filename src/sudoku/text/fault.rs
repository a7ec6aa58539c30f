//! Why a text is no grid, small enough to be stored for each bad item of a batch.

use crate::sudoku::geometry::Cell;
use std::fmt;

/// Cells are counted up to here; a fault that says so means "or more".
pub(super) const MAX_COUNT: usize = 1_000;

/// What is wrong. The discriminants are stored: never reuse one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum FaultKind {
    /// A character that is neither a digit, an empty mark nor a drawing mark; `detail` is the character.
    Character = 1,
    /// Fewer than 81 cells; `detail` is how many there are.
    TooFew = 2,
    /// More than 81 cells; `detail` is how many there are, 1,000 standing for that many or more.
    TooMany = 3,
    /// Not UTF-8; `detail` is the byte.
    Encoding = 4,
    /// A row of a grid on nine lines with fewer than 9 cells; `detail` is how many it has.
    ShortRow = 5,
    /// A row of a grid on nine lines with more than 9 cells; `detail` is how many it has.
    LongRow = 6,
    /// A character right after the last cell (of the grid, or of a row) that begins no comment; `detail` is
    /// the character.
    Trailing = 7,
    /// More text after the end of a grid where only one was expected; `detail` is 0.
    Excess = 8,
}

impl FaultKind {
    /// Every kind, in the order of its discriminant (1..=8).
    pub const ALL: [FaultKind; 8] = [
        FaultKind::Character,
        FaultKind::TooFew,
        FaultKind::TooMany,
        FaultKind::Encoding,
        FaultKind::ShortRow,
        FaultKind::LongRow,
        FaultKind::Trailing,
        FaultKind::Excess,
    ];

    /// The kind with this discriminant, `None` outside 1..=8.
    pub fn from_code(code: u8) -> Option<FaultKind> {
        Self::ALL.get(usize::from(code).checked_sub(1)?).copied()
    }
}

/// Why an item is no grid: what, where in its line, and the character or count concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fault {
    /// What is wrong.
    pub kind: FaultKind,
    /// Column in its line, from 1, in characters; saturates at 65,535.
    pub column: u16,
    /// Which of the 81 cells was being read, 0..=81 (81: all cells were there).
    pub cell: u8,
    /// As [`FaultKind`] says: a character, a byte or a count.
    pub detail: u32,
}

impl Fault {
    /// The machine-readable reason: `INVALID_CHARACTER`, `TOO_FEW_CELLS`, `TOO_MANY_CELLS` or
    /// `INVALID_ENCODING`. Stable: clients match on it.
    pub fn reason(&self) -> &'static str {
        match self.kind {
            FaultKind::Character | FaultKind::Trailing => "INVALID_CHARACTER",
            FaultKind::TooFew | FaultKind::ShortRow => "TOO_FEW_CELLS",
            FaultKind::TooMany | FaultKind::LongRow | FaultKind::Excess => "TOO_MANY_CELLS",
            FaultKind::Encoding => "INVALID_ENCODING",
        }
    }

    /// A fault at byte `at` of a line, all bytes before it being ASCII, with a count for its detail.
    pub(super) fn count(kind: FaultKind, at: usize, cell: usize, count: usize) -> Fault {
        let column = u16::try_from(at + 1).unwrap_or(u16::MAX);
        Fault { kind, column, cell: cell.min(81) as u8, detail: count.min(MAX_COUNT) as u32 }
    }

    /// A fault about the character at byte `at` of a line, all bytes before it being ASCII; an
    /// [`FaultKind::Encoding`] fault if no character begins there.
    pub(super) fn character(kind: FaultKind, line: &[u8], at: usize, cell: usize) -> Fault {
        let bytes = &line[at..line.len().min(at + 4)];
        let first = bytes.utf8_chunks().next().and_then(|chunk| chunk.valid().chars().next());
        let (kind, detail) = match first {
            Some(character) => (kind, u32::from(character)),
            None => (FaultKind::Encoding, bytes.first().copied().map_or(0, u32::from)),
        };
        Fault { detail, ..Fault::count(kind, at, cell, 0) }
    }
}

impl fmt::Display for Fault {
    /// What is wrong, without line and column.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cell = usize::from(self.cell);
        let place = Cell::new(cell).map_or("after cell r9c9".into(), |cell| format!("cell {cell}"));
        let character = char::from_u32(self.detail).unwrap_or(char::REPLACEMENT_CHARACTER);
        let row = cell.saturating_sub(1) / 9 + 1;
        let cells = match self.detail {
            1 => "1 cell".into(),
            n if n as usize >= MAX_COUNT => format!("at least {n} cells"),
            n => format!("{n} cells"),
        };
        match self.kind {
            FaultKind::Character => write!(f, "{place}: {character:?} is not a digit 1-9 or an empty mark"),
            FaultKind::TooFew | FaultKind::TooMany => write!(f, "puzzle has {cells}, expected 81"),
            FaultKind::Encoding => write!(f, "{place}: byte 0x{:02X} is not UTF-8", self.detail),
            FaultKind::ShortRow => write!(f, "row {} has {cells}, expected 9", cell / 9 + 1),
            FaultKind::LongRow => write!(f, "row {row} has {cells}, expected 9"),
            FaultKind::Trailing if cell == 81 => {
                write!(f, "{character:?} after cell r9c9: a comment begins with a space, tab, comma, semicolon or '#'")
            }
            FaultKind::Trailing => write!(f, "{character:?} after cell r{row}c9, expected the end of the row"),
            FaultKind::Excess => write!(f, "text follows the puzzle, expected one puzzle"),
        }
    }
}

impl std::error::Error for Fault {}

/// A fault and the line it is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextError {
    /// Line in the text, from 1.
    pub line: u64,
    /// What is wrong there.
    pub fault: Fault,
}

impl fmt::Display for TextError {
    /// The fault's words, then line and column.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (line {}, column {})", self.fault, self.line, self.fault.column)
    }
}

impl std::error::Error for TextError {}

//! One grid in any accepted form.

use super::fault::{Fault, FaultKind, TextError};
use super::line::parse_line;
use super::stream::GridReader;
use crate::sudoku::grid::Grid;

/// Reads a text that holds one grid in any accepted form, perhaps between blank lines and `#` lines.
///
/// # Errors
/// Where and why it is none.
pub fn parse(text: &str) -> Result<Grid, TextError> {
    if text.len() == 81
        && let Ok(grid) = parse_line(text.as_bytes())
    {
        return Ok(grid);
    }
    let (mut reader, mut items) = (GridReader::default(), Vec::new());
    for line in text.as_bytes().split_inclusive(|&byte| byte == b'\n') {
        reader.feed(line, &mut items);
        if items.len() > 1 {
            break;
        }
    }
    reader.finish(&mut items);
    let Some(first) = items.first() else {
        return Err(TextError { line: 1, fault: Fault::count(FaultKind::TooFew, 0, 0, 0) });
    };
    match items.get(1) {
        Some(second) if first.grid.is_ok() => {
            Err(TextError { line: second.line, fault: Fault::count(FaultKind::Excess, 0, 81, 0) })
        }
        _ => first.grid,
    }
}

//! Answers that are no grids as lines: fields with tabs between them, or a JSON object.

use super::args::Form;
use super::exit::Failure;
use crate::sudoku::Outcome;
use serde::Serialize;
use std::fmt::Display;

/// A line of JSON.
#[derive(Serialize)]
struct Item<'a, R> {
    index: u64,
    outcome: &'static str,
    #[serde(flatten)]
    row: Option<&'a R>,
}

/// Appends an item's line: its fields, by `Display` or by `Serialize`, or the word of its outcome (`None`: `notrun`).
///
/// # Errors
/// When the fields can't be written as JSON.
pub fn line<R: Display + Serialize>(
    form: Form,
    index: u64,
    outcome: Option<Outcome>,
    row: Option<&R>,
    text: &mut Vec<u8>,
) -> Result<(), Failure> {
    let word = outcome.map_or("notrun", Outcome::word);
    match (form, row) {
        (Form::Text, Some(row)) => text.extend_from_slice(row.to_string().as_bytes()),
        (Form::Text, None) => text.extend_from_slice(word.as_bytes()),
        (Form::Json, row) => {
            let item = Item { index, outcome: word, row };
            serde_json::to_writer(&mut *text, &item).map_err(|e| Failure::io(format!("internal fault: {e}")))?;
        }
    }
    text.push(b'\n');
    Ok(())
}

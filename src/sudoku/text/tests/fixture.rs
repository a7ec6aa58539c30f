//! The puzzle that the tests write down in every form.

use crate::sudoku::grid::Grid;

pub(super) const ROWS: [&str; 9] = [
    "7.4.2.38.",
    ".26...7.4",
    "3.5.1..2.",
    "1..2.3..7",
    ".6.85..4.",
    "8..1..26.",
    ".9.6.8..1",
    "6..5.14.2",
    ".71.9.6.8",
];

/// The puzzle's 81 characters.
pub(super) fn line() -> String {
    ROWS.concat()
}

/// The puzzle on nine lines.
pub(super) fn block() -> String {
    ROWS.join("\n")
}

/// The puzzle on nine lines, one of them another one.
pub(super) fn block_with(row: usize, other: &str) -> String {
    let mut rows = ROWS;
    rows[row - 1] = other;
    rows.join("\n")
}

/// Each of the puzzle's rows in another shape.
pub(super) fn rows(shape: impl FnMut(&&str) -> String) -> String {
    ROWS.iter().map(shape).collect::<Vec<_>>().join("\n")
}

/// Cells one by one with single spaces.
pub(super) fn spaced(row: &str) -> String {
    row.chars().map(String::from).collect::<Vec<_>>().join(" ")
}

/// The puzzle with its boxes drawn: `rule` above, between and below, `bar` at both ends of a row.
pub(super) fn drawn(rule: &str, bar: &str) -> String {
    let row = |row: &&str| {
        let boxes = [&row[..3], &row[3..6], &row[6..]].map(spaced).join(" | ");
        format!("{bar}{boxes}{bar}")
    };
    let bands = ROWS.chunks(3).map(|band| band.iter().map(row).collect::<Vec<_>>().join("\n"));
    format!("{rule}\n{}\n{rule}", bands.collect::<Vec<_>>().join(&format!("\n{rule}\n")))
}

pub(super) fn puzzle() -> Grid {
    let cells = line().bytes().map(|byte| if byte == b'.' { 0 } else { byte - b'0' }).collect::<Vec<_>>();
    Grid::from_digits(cells.try_into().expect("81 cells")).expect("digits")
}

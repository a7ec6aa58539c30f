//! Texts that are no grid, with the words that say why.

use super::fixture::{ROWS, block, block_with, line, spaced};
use crate::sudoku::text::line::parse_line;
use crate::sudoku::text::one::parse;

type Case = (String, &'static str, &'static str);

fn case(text: impl Into<String>, message: &'static str, reason: &'static str) -> Case {
    (text.into(), message, reason)
}

/// One line, and what `parse_line` says.
fn lines() -> Vec<Case> {
    let line = line();
    let at = |cell: usize, other: &str| format!("{}{other}{}", &line[..cell], &line[cell + 1..]);
    vec![
        case("", "puzzle has 0 cells, expected 81", "TOO_FEW_CELLS"),
        case("7", "puzzle has 1 cell, expected 81", "TOO_FEW_CELLS"),
        case(&line[..80], "puzzle has 80 cells, expected 81", "TOO_FEW_CELLS"),
        case(format!("{} # short", &line[..80]), "puzzle has 80 cells, expected 81", "TOO_FEW_CELLS"),
        case(format!("{},{line}", &line[..79]), "puzzle has 79 cells, expected 81", "TOO_FEW_CELLS"),
        case(format!("{line}."), "puzzle has 82 cells, expected 81", "TOO_MANY_CELLS"),
        case(format!("{line}{line}"), "puzzle has 162 cells, expected 81", "TOO_MANY_CELLS"),
        case("1".repeat(5_000), "puzzle has at least 1000 cells, expected 81", "TOO_MANY_CELLS"),
        case(at(22, "٣"), "cell r3c5: '٣' is not a digit 1-9 or an empty mark", "INVALID_CHARACTER"),
        case(at(0, "a"), "cell r1c1: 'a' is not a digit 1-9 or an empty mark", "INVALID_CHARACTER"),
        case(at(80, "\u{1f600}"), "cell r9c9: '😀' is not a digit 1-9 or an empty mark", "INVALID_CHARACTER"),
        case(at(40, "-"), "cell r5c5: '-' is not a digit 1-9 or an empty mark", "INVALID_CHARACTER"),
        case(at(9, "?"), "cell r2c1: '?' is not a digit 1-9 or an empty mark", "INVALID_CHARACTER"),
        case(at(9, "\0"), "cell r2c1: '\\0' is not a digit 1-9 or an empty mark", "INVALID_CHARACTER"),
        case(at(9, "１"), "cell r2c1: '１' is not a digit 1-9 or an empty mark", "INVALID_CHARACTER"),
        case(at(9, "\r"), "cell r2c1: '\\r' is not a digit 1-9 or an empty mark", "INVALID_CHARACTER"),
        case(format!(" {line}"), "cell r1c1: ' ' is not a digit 1-9 or an empty mark", "INVALID_CHARACTER"),
        case(format!("\"{line}\""), "cell r1c1: '\"' is not a digit 1-9 or an empty mark", "INVALID_CHARACTER"),
        case(spaced(&line), "cell r1c2: ' ' is not a digit 1-9 or an empty mark", "INVALID_CHARACTER"),
        case("hello", "cell r1c1: 'h' is not a digit 1-9 or an empty mark", "INVALID_CHARACTER"),
        case(
            format!("{line}é"),
            "'é' after cell r9c9: a comment begins with a space, tab, comma, semicolon or '#'",
            "INVALID_CHARACTER",
        ),
        case(
            format!("{line}|x"),
            "'|' after cell r9c9: a comment begins with a space, tab, comma, semicolon or '#'",
            "INVALID_CHARACTER",
        ),
    ]
}

/// Texts of several lines with too few or too many cells, and what `parse` says, with the place.
fn counts() -> Vec<Case> {
    let block = block();
    vec![
        case(" \n\n#A me\n", "puzzle has 0 cells, expected 81 (line 1, column 1)", "TOO_FEW_CELLS"),
        case(&block[..79], "puzzle has 72 cells, expected 81 (line 8, column 10)", "TOO_FEW_CELLS"),
        case(block_with(9, "---"), "puzzle has 72 cells, expected 81 (line 9, column 4)", "TOO_FEW_CELLS"),
        case(block_with(4, ""), "puzzle has 27 cells, expected 81 (line 3, column 10)", "TOO_FEW_CELLS"),
        case("---", "puzzle has 0 cells, expected 81 (line 1, column 4)", "TOO_FEW_CELLS"),
        case("\n.........\n", "puzzle has 9 cells, expected 81 (line 2, column 10)", "TOO_FEW_CELLS"),
        case("\n12345", "puzzle has 5 cells, expected 81 (line 2, column 6)", "TOO_FEW_CELLS"),
        case(block_with(5, ".6.85..4"), "row 5 has 8 cells, expected 9 (line 5, column 9)", "TOO_FEW_CELLS"),
        case(block_with(2, "||"), "row 2 has 0 cells, expected 9 (line 2, column 3)", "TOO_FEW_CELLS"),
        case(block_with(5, ".6.85..4.."), "row 5 has 10 cells, expected 9 (line 5, column 10)", "TOO_MANY_CELLS"),
        case(block_with(9, "123456789012"), "row 9 has 12 cells, expected 9 (line 9, column 10)", "TOO_MANY_CELLS"),
        case(
            block_with(1, "1 2 3 4 5 6 7 8 9 1"),
            "row 1 has 10 cells, expected 9 (line 1, column 19)",
            "TOO_MANY_CELLS",
        ),
    ]
}

/// Texts of several lines where a character is wrong.
fn characters() -> Vec<Case> {
    vec![
        case(
            "-\n".repeat(11),
            "cell r1c1: '-' is not a digit 1-9 or an empty mark (line 11, column 1)",
            "INVALID_CHARACTER",
        ),
        case(
            block_with(3, "3.5.٣..2."),
            "cell r3c5: '٣' is not a digit 1-9 or an empty mark (line 3, column 5)",
            "INVALID_CHARACTER",
        ),
        case(
            format!("#A me\n\n{}", block_with(3, "3 . 5 | . ٣ . | . 2 .")),
            "cell r3c5: '٣' is not a digit 1-9 or an empty mark (line 5, column 11)",
            "INVALID_CHARACTER",
        ),
        case(
            block_with(7, ".  9 . 6 . 8 . . 1"),
            "cell r7c2: ' ' is not a digit 1-9 or an empty mark (line 7, column 3)",
            "INVALID_CHARACTER",
        ),
        case(
            block_with(7, ".\t9 . 6 . 8 . . 1"),
            "cell r7c2: '\\t' is not a digit 1-9 or an empty mark (line 7, column 2)",
            "INVALID_CHARACTER",
        ),
        case(
            block_with(2, ".26...7.4,"),
            "',' after cell r2c9, expected the end of the row (line 2, column 10)",
            "INVALID_CHARACTER",
        ),
    ]
}

/// Texts that go on after the grid.
fn endings() -> Vec<Case> {
    let block = block();
    vec![
        case(
            format!("{block}!"),
            "'!' after cell r9c9: a comment begins with a space, tab, comma, semicolon or '#' (line 9, column 10)",
            "INVALID_CHARACTER",
        ),
        case(
            format!("{block}\nhello"),
            "'h' after cell r9c9: a comment begins with a space, tab, comma, semicolon or '#' (line 10, column 1)",
            "INVALID_CHARACTER",
        ),
        case(
            format!("{block}\n {}", ROWS[0]),
            "puzzle has 90 cells, expected 81 (line 10, column 2)",
            "TOO_MANY_CELLS",
        ),
        case(format!("{block}\n{block}"), "puzzle has 162 cells, expected 81 (line 10, column 1)", "TOO_MANY_CELLS"),
        case(
            format!("{block}\n\n{block}"),
            "text follows the puzzle, expected one puzzle (line 11, column 1)",
            "TOO_MANY_CELLS",
        ),
        case(
            format!("{0}\n{0}", line()),
            "text follows the puzzle, expected one puzzle (line 2, column 1)",
            "TOO_MANY_CELLS",
        ),
        case(
            format!("{}\nhello", line()),
            "text follows the puzzle, expected one puzzle (line 2, column 1)",
            "TOO_MANY_CELLS",
        ),
    ]
}

#[test]
fn a_bad_line_says_why() {
    for (text, message, reason) in lines() {
        let fault = parse_line(text.as_bytes()).expect_err(&text);
        assert_eq!((fault.to_string().as_str(), fault.reason()), (message, reason), "{text:?}");
        let error = parse(&text).expect_err(&text);
        assert_eq!(error.to_string(), format!("{message} (line 1, column {})", fault.column), "{text:?}");
    }
}

#[test]
fn a_bad_text_says_why_and_where() {
    for (text, message, reason) in counts().into_iter().chain(characters()).chain(endings()) {
        let error = parse(&text).expect_err(&text);
        assert_eq!((error.to_string().as_str(), error.fault.reason()), (message, reason), "{text:?}");
    }
}

#[test]
fn bytes_that_are_no_utf8_are_named() {
    let line = line();
    let cases: [(&[u8], usize, &str); 4] = [
        (b"\xff", 4, "cell r1c5: byte 0xFF is not UTF-8"),
        (b"\xd9", 80, "cell r9c9: byte 0xD9 is not UTF-8"),
        (b"\xed\xa0\x80", 22, "cell r3c5: byte 0xED is not UTF-8"),
        (b"\xc3", 81, "after cell r9c9: byte 0xC3 is not UTF-8"),
    ];
    for (bytes, at, message) in cases {
        let text = [&line.as_bytes()[..at], bytes, line.as_bytes().get(at + 1..).unwrap_or_default()].concat();
        let fault = parse_line(&text).expect_err("not UTF-8");
        assert_eq!((fault.to_string().as_str(), fault.reason()), (message, "INVALID_ENCODING"));
        assert_eq!(usize::from(fault.column), at + 1);
    }
}

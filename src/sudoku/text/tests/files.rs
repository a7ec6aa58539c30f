//! Files of several items: the form is detected, and a bad item is one bad item.

use super::fixture::{block, block_with, drawn, line, puzzle};
use crate::sudoku::text::line::{parse_line, puzzle_lines};
use crate::sudoku::text::stream::{GridReader, TextItem};

fn read(text: &[u8]) -> Vec<TextItem> {
    let (mut reader, mut items) = (GridReader::default(), Vec::new());
    reader.feed(text, &mut items);
    reader.finish(&mut items);
    items
}

/// Each item as the line where it begins, with `ok` (the puzzle) or the error's words.
fn told(text: &str) -> Vec<String> {
    let words = |item: TextItem| match item.grid {
        Ok(grid) => {
            assert_eq!(grid, puzzle());
            format!("{} ok", item.line)
        }
        Err(error) => format!("{} {error}", item.line),
    };
    read(text.as_bytes()).into_iter().map(words).collect()
}

const SHORT_9: &str = "puzzle has 9 cells, expected 81";

#[test]
fn one_puzzle_a_line() {
    let line = line();
    let short = ".........";
    let cases = [
        (String::new(), vec![]),
        (format!("{line}\n{line}"), vec!["1 ok".into(), "2 ok".into()]),
        (format!("# all\n\n{line} easy\r\n \n{line}\r\n"), vec!["3 ok".into(), "5 ok".into()]),
        // Bad lines in a file of lines count one by one, wherever they stand.
        (
            format!("{line}\n{short}\n{line}\n"),
            vec!["1 ok".into(), format!("2 {SHORT_9} (line 2, column 10)"), "3 ok".into()],
        ),
        (
            format!("{line}\n{short}\n{short}\n\n"),
            vec!["1 ok".into(), format!("2 {SHORT_9} (line 2, column 10)"), format!("3 {SHORT_9} (line 3, column 10)")],
        ),
        (
            format!("{short}\n{short}\n{line}\n"),
            vec![format!("1 {SHORT_9} (line 1, column 10)"), format!("2 {SHORT_9} (line 2, column 10)"), "3 ok".into()],
        ),
        (
            format!("quizzes,solutions\n{line},{line}\n"),
            vec!["1 cell r1c1: 'q' is not a digit 1-9 or an empty mark (line 1, column 1)".into(), "2 ok".into()],
        ),
        (
            "multiple\nfailed\n".into(),
            vec![
                "1 cell r1c1: 'm' is not a digit 1-9 or an empty mark (line 1, column 1)".into(),
                "2 cell r1c1: 'f' is not a digit 1-9 or an empty mark (line 2, column 1)".into(),
            ],
        ),
        (
            format!("{}\n{line}", &line[1..]),
            vec!["1 puzzle has 80 cells, expected 81 (line 1, column 81)".into(), "2 ok".into()],
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(told(&text), expected, "{text:?}");
    }
}

#[test]
fn grids_of_nine_lines() {
    let (block, drawn) = (block(), drawn("+---+---+---+", "|"));
    let eight = &block[..79];
    let cases = [
        (format!("{block}\n\n{block}\n"), vec!["1 ok".into(), "11 ok".into()]),
        (format!("{drawn}\n\n\n{drawn}\n{drawn}"), {
            let error = "puzzle has 162 cells, expected 81 (line 30, column 2)";
            vec!["1 ok".to_string(), format!("16 {error}")]
        }),
        (format!("#A me\n{block}\n#A me\n#D again\n{block}\n"), vec!["2 ok".into(), "13 ok".into()]),
        (
            format!("{eight}\n\n{block}\n\n{eight}\n"),
            vec![
                "1 puzzle has 72 cells, expected 81 (line 8, column 10)".into(),
                "10 ok".into(),
                "20 puzzle has 72 cells, expected 81 (line 27, column 10)".into(),
            ],
        ),
        (
            format!("{}\n\n{block}", block_with(5, "..........")),
            vec!["1 row 5 has 10 cells, expected 9 (line 5, column 10)".into(), "11 ok".into()],
        ),
        (
            format!("{block}\n\nmultiple\n\n{block}\n"),
            vec![
                "1 ok".into(),
                "11 cell r1c1: 'm' is not a digit 1-9 or an empty mark (line 11, column 1)".into(),
                "13 ok".into(),
            ],
        ),
        (
            format!("{block}\n\nx\nhello\n{}\n\n{block}\n", "more\n".repeat(40)),
            vec!["1 ok".into(), "11 row 1 has 1 cell, expected 9 (line 11, column 2)".into(), "55 ok".into()],
        ),
        (
            format!("{}\n\n{block}\n", "123456789\n".repeat(40)),
            vec!["1 puzzle has 360 cells, expected 81 (line 10, column 1)".into(), "43 ok".into()],
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(told(&text), expected, "{text:?}");
    }
}

#[test]
fn files_that_mix_both() {
    let (line, block) = (line(), block());
    let text = format!("{line}\n{block}\n{line}\n\n{block}\n\n{}\n{line}\n.........\n", &block[..79]);
    let expected = [
        "1 ok",
        "2 ok",
        "11 ok",
        "13 ok",
        "23 puzzle has 72 cells, expected 81 (line 30, column 10)",
        "31 ok",
        "32 puzzle has 9 cells, expected 81 (line 32, column 10)",
    ];
    assert_eq!(told(&text), expected);
}

#[test]
fn an_endless_line_costs_no_memory() {
    let (mut reader, mut items) = (GridReader::default(), Vec::new());
    let piece = [b'1'; 1 << 16];
    for _ in 0..64 {
        reader.feed(&piece, &mut items);
    }
    assert!(format!("{reader:?}").len() < 40_000, "the reader holds no more than a few KiB");
    reader.feed(format!("\n{}{}\n", line(), " ".repeat(9_000)).as_bytes(), &mut items);
    reader.feed(format!("{}9\n{}\n", " ".repeat(9_000), line()).as_bytes(), &mut items);
    reader.finish(&mut items);
    let words: Vec<String> =
        items.iter().map(|item| item.grid.map_or_else(|e| e.to_string(), |_| "ok".into())).collect();
    let expected = [
        "puzzle has at least 1000 cells, expected 81 (line 1, column 82)",
        "ok",
        "cell r1c1: ' ' is not a digit 1-9 or an empty mark (line 3, column 1)",
        "ok",
    ];
    assert_eq!(words, expected);
}

#[test]
fn uploaded_lines_are_those_of_a_file_of_lines() {
    let text = format!("\u{feff}{0}\r\n\n#no item\n \t\r\n  # nor this\n{0} easy\nhello\n\n{0}", line());
    let uploaded: Vec<bool> = puzzle_lines(text.as_bytes()).map(|line| parse_line(line).is_ok()).collect();
    assert_eq!(uploaded, [true, true, false, true]);
    let items: Vec<bool> = read(text.as_bytes()).iter().map(|item| item.grid.is_ok()).collect();
    assert_eq!(items, uploaded);
}

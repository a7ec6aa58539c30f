//! Texts of one grid in every accepted form.

use super::fixture::{block, drawn, line, puzzle, rows, spaced};
use crate::sudoku::text::line::parse_line;
use crate::sudoku::text::one::parse;

fn on_one_line() -> Vec<String> {
    let line = line();
    let mut texts: Vec<String> = ["0", "*", "_", "x", "X"].iter().map(|mark| line.replace('.', mark)).collect();
    texts.push(line.replacen('.', "0", 9).replacen('.', "*", 9).replacen('.', "_", 9).replacen('.', "x", 9));
    for comment in [" easy", "\tby hand", ",0.5,1", ";1", "#C", "  ", " 1", ",٣", " \u{fffd}", "\t"] {
        texts.push(format!("{line}{comment}"));
    }
    texts.push(line);
    texts
}

fn with_ends_and_headers() -> Vec<String> {
    [line(), block(), drawn("+-------+-------+-------+", "| ")]
        .iter()
        .flat_map(|text| {
            [
                format!("{text}\n"),
                format!("{text}\r\n").replace("\r\n", "\n").replace('\n', "\r\n"),
                format!("\u{feff}{text}"),
                format!("\n \n\t\n{text}\n\n \n"),
                format!("#A someone\n#D a puzzle\n\n{text}\n#L easy\n"),
                format!("\u{feff}#A someone\r\n#D ٣\r\n{}\r\n", text.replace('\n', "\r\n")),
                format!("[Puzzle]\n{text}"),
            ]
        })
        .collect()
}

fn on_nine_lines() -> Vec<String> {
    vec![
        block(),
        rows(|row| spaced(row)),
        rows(|row| format!("{row}  ")),
        rows(|row| format!("  {}\t", spaced(row))),
        rows(|row| row.replace('.', "x")),
        rows(|row| format!("|{}|", spaced(row).replace(' ', "|"))),
        rows(|row| format!("|{}|{}|{}|", &row[..3], &row[3..6], &row[6..])),
        drawn("+-------+-------+-------+", "| "),
        drawn("------+-------+------", ""),
        drawn("=======================", "|"),
        drawn(" |-------+-------+-------| ", " | "),
        drawn("===+===", "||  "),
        format!("{} # the ninth row", block()),
        format!("{}, a comment", block()),
        format!("{}|;1", block()),
        format!("{} 1", rows(|row| spaced(row))),
        format!("#A me\n#D mine\n{}\n", block().replacen('\n', "\n# between\n", 3)),
    ]
}

#[test]
fn every_form_is_read() {
    let texts = [on_one_line(), with_ends_and_headers(), on_nine_lines()].concat();
    assert!(texts.len() >= 50);
    for text in texts {
        assert_eq!(parse(&text), Ok(puzzle()), "{text:?}");
    }
}

#[test]
fn the_fast_path_reads_every_line() {
    for text in on_one_line() {
        assert_eq!(parse_line(text.as_bytes()), Ok(puzzle()), "{text:?}");
        assert_eq!(parse_line(format!("{text}\r").as_bytes()), Ok(puzzle()), "{text:?}");
    }
    let latin1_comment = [line().as_bytes(), b" \xe9t\xe9"].concat();
    assert_eq!(parse_line(&latin1_comment), Ok(puzzle()));
}

//! Any bytes: no reader panics, pieces make no difference, and what is written reads back equal.

#![no_main]

use libfuzzer_sys::fuzz_target;
use sudokud::sudoku::text::{Format, GridReader, TextItem, Writer, parse, parse_line, puzzle_lines};
use sudokud::sudoku::{Grid, Outcome};

fn read<'a>(pieces: impl Iterator<Item = &'a [u8]>) -> Vec<TextItem> {
    let (mut reader, mut items) = (GridReader::default(), Vec::new());
    pieces.for_each(|piece| reader.feed(piece, &mut items));
    reader.finish(&mut items);
    items
}

fn grids(text: &[u8]) -> Vec<Grid> {
    read(std::iter::once(text)).into_iter().filter_map(|item| item.grid.ok()).collect()
}

/// The text is read alike whole and in pieces whose sizes its own bytes name.
fn pieces_make_no_difference(text: &[u8]) -> Vec<TextItem> {
    let whole = read(std::iter::once(text));
    let mut rest = text;
    let pieces = std::iter::from_fn(|| {
        let size = 1 + usize::from(*rest.first()?) % 11;
        rest.split_off(..size.min(rest.len()))
    });
    assert_eq!(read(pieces), whole);
    assert_eq!(read(text.chunks(1)), whole);
    whole
}

fn written_forms_read_back(items: &[Grid]) {
    for format in [Format::Line, Format::Grid, Format::Sdk] {
        let (mut whole, mut parts) = (Vec::new(), Vec::new());
        let mut writer = Writer::new(format, 0);
        for (i, grid) in items.iter().enumerate() {
            writer.item(Some(Outcome::Found), Some(grid), &mut whole);
            Writer::new(format, i as u64).item(Some(Outcome::Found), Some(grid), &mut parts);
        }
        assert_eq!(whole, parts);
        assert_eq!(grids(&whole), items);
    }
}

fuzz_target!(|text: &[u8]| {
    let items = pieces_make_no_difference(text);
    let good: Vec<Grid> = items.iter().filter_map(|item| item.grid.ok()).collect();
    written_forms_read_back(&good);
    for item in items {
        if let Err(error) = item.grid {
            assert!(error.line >= item.line && error.fault.column >= 1 && error.fault.cell <= 81);
            assert!(!error.to_string().is_empty());
        }
    }
    for line in puzzle_lines(text) {
        if let Ok(grid) = parse_line(line) {
            assert_eq!(parse_line(grid.to_string().as_bytes()), Ok(grid));
        }
    }
    if let Ok(text) = std::str::from_utf8(text)
        && let Ok(grid) = parse(text)
    {
        assert_eq!(good, [grid]);
    }
});

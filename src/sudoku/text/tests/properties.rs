//! What holds for every text: pieces make no difference, nothing panics, written forms read back equal.

use super::fixture::{ROWS, block, drawn, line, spaced};
use crate::sudoku::grid::Grid;
use crate::sudoku::outcome::Outcome;
use crate::sudoku::text::format::Format;
use crate::sudoku::text::line::parse_line;
use crate::sudoku::text::one::parse;
use crate::sudoku::text::stream::{GridReader, TextItem};
use crate::sudoku::text::write::Writer;
use proptest::prelude::*;

fn read(text: &[u8], sizes: &[usize]) -> Vec<TextItem> {
    let (mut reader, mut items, mut rest) = (GridReader::default(), Vec::new(), text);
    for &size in sizes {
        let (piece, tail) = rest.split_at(size.min(rest.len()));
        reader.feed(piece, &mut items);
        rest = tail;
    }
    reader.feed(rest, &mut items);
    reader.finish(&mut items);
    items
}

fn any_grid() -> impl Strategy<Value = Grid> {
    proptest::collection::vec(0u8..=9, 81)
        .prop_map(|digits| Grid::from_digits(digits.try_into().expect("81 digits")).expect("digits"))
}

/// Texts that come near to grids: whole forms, rows, rules, rubbish, in any order.
fn any_text() -> impl Strategy<Value = Vec<u8>> {
    let fragment = prop_oneof![
        Just(line().into_bytes()),
        Just(block().into_bytes()),
        Just(drawn("+---+---+", "| ").into_bytes()),
        Just(ROWS[0].into()),
        Just(spaced(ROWS[1]).into_bytes()),
        Just(b"+---+".to_vec()),
        Just(b"\xef\xbb\xbf".to_vec()),
        Just(b"#A me".to_vec()),
        Just(b"\r".to_vec()),
        Just(vec![b'7'; 5_000]),
        proptest::collection::vec(any::<u8>(), 0..12),
    ];
    let separator = prop_oneof![Just(&b"\n"[..]), Just(&b"\r\n"[..]), Just(&b"\n\n"[..]), Just(&b""[..])];
    proptest::collection::vec((fragment, separator), 0..8).prop_map(|parts| {
        parts.into_iter().flat_map(|(fragment, separator)| [fragment.as_slice(), separator].concat()).collect()
    })
}

proptest! {
    #[test]
    fn pieces_make_no_difference(text in any_text(), sizes in proptest::collection::vec(0usize..200, 0..60)) {
        prop_assert_eq!(read(&text, &sizes), read(&text, &[]));
    }

    #[test]
    fn one_grid_is_a_file_of_one(text in any_text()) {
        let items = read(&text, &[]);
        match std::str::from_utf8(&text).map(parse) {
            Ok(Ok(grid)) => prop_assert_eq!(items.iter().map(|item| item.grid).collect::<Vec<_>>(), [Ok(grid)]),
            Ok(Err(error)) => {
                prop_assert!(items.len() != 1 || items[0].grid == Err(error));
                prop_assert!(error.line <= 1 + text.iter().filter(|&&byte| byte == b'\n').count() as u64);
            }
            Err(_) => {}
        }
    }

    #[test]
    fn written_grids_read_back(grids in proptest::collection::vec(any_grid(), 1..6)) {
        for format in [Format::Line, Format::Grid, Format::Sdk] {
            let (mut text, mut writer) = (Vec::new(), Writer::new(format, 0));
            grids.iter().for_each(|grid| writer.item(Some(Outcome::Found), Some(grid), &mut text));
            let back: Vec<_> = read(&text, &[]).into_iter().filter_map(|item| item.grid.ok()).collect();
            prop_assert_eq!(&back, &grids, "{}", format);
        }
        for grid in grids {
            prop_assert_eq!(parse_line(grid.to_string().as_bytes()), Ok(grid));
        }
    }
}

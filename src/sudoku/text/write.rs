//! The written forms: line, grid, sdk, csv, json.

use super::format::Format;
use crate::sudoku::grid::Grid;
use crate::sudoku::outcome::Outcome;

/// Appends items to a buffer in one form, keeping track of what stands between them.
///
/// Writers of consecutive parts of a sequence, each created with the index of its part's first item, write
/// texts that make the whole when put one after the other.
#[derive(Debug)]
pub struct Writer {
    format: Format,
    index: u64,
}

impl Writer {
    /// A writer whose first item has this index (0: the form's header is written first, and nothing
    /// separates it from an item before).
    pub fn new(format: Format, first_index: u64) -> Writer {
        Writer { format, index: first_index }
    }

    /// Appends the item's text: its grid, or the word of its outcome (`None`: `notrun`). In the forms of
    /// several lines the word stands where the first row would.
    pub fn item(&mut self, outcome: Option<Outcome>, grid: Option<&Grid>, out: &mut Vec<u8>) {
        let word = outcome.map_or("notrun", Outcome::word);
        match self.format {
            Format::Line => line(grid, word, out),
            Format::Grid => {
                self.separate(out);
                match grid {
                    Some(grid) => out.extend_from_slice(&spaced(grid)),
                    None => line(None, word, out),
                }
            }
            Format::Sdk => {
                self.separate(out);
                out.extend_from_slice(format!("#C item {}\n", self.index).as_bytes());
                match grid {
                    Some(grid) => characters(grid).chunks_exact(9).for_each(|row| {
                        out.extend_from_slice(row);
                        out.push(b'\n');
                    }),
                    None => line(None, word, out),
                }
            }
            Format::Csv => {
                if self.index == 0 {
                    out.extend_from_slice(b"index,outcome,grid\n");
                }
                out.extend_from_slice(format!("{},{word},", self.index).as_bytes());
                line(grid, "", out);
            }
            Format::Json => {
                let start = format!("{{\"index\":{},\"outcome\":\"{word}\",\"grid\":", self.index);
                out.extend_from_slice(start.as_bytes());
                match grid {
                    Some(grid) => {
                        out.push(b'"');
                        out.extend_from_slice(&characters(grid));
                        out.extend_from_slice(b"\"}\n");
                    }
                    None => out.extend_from_slice(b"null}\n"),
                }
            }
        }
        self.index += 1;
    }

    /// The blank line between two items.
    fn separate(&self, out: &mut Vec<u8>) {
        if self.index > 0 {
            out.push(b'\n');
        }
    }
}

/// A grid's 81 characters, else the word; and the line's end.
fn line(grid: Option<&Grid>, word: &str, out: &mut Vec<u8>) {
    match grid {
        Some(grid) => out.extend_from_slice(&characters(grid)),
        None => out.extend_from_slice(word.as_bytes()),
    }
    out.push(b'\n');
}

fn character(digit: u8) -> u8 {
    if digit == 0 { b'.' } else { b'0' + digit }
}

fn characters(grid: &Grid) -> [u8; 81] {
    grid.digits().map(character)
}

/// What follows each cell on nine lines with single spaces.
const AFTER: [u8; 81] = {
    let mut after = [b' '; 81];
    let mut row = 0;
    while row < 9 {
        after[row * 9 + 8] = b'\n';
        row += 1;
    }
    after
};

fn spaced(grid: &Grid) -> [u8; 162] {
    let mut text = [0; 162];
    for ((pair, &digit), &after) in text.chunks_exact_mut(2).zip(grid.digits()).zip(&AFTER) {
        pair[0] = character(digit);
        pair[1] = after;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid() -> Grid {
        let mut digits = [0; 81];
        for (i, digit) in digits.iter_mut().enumerate() {
            *digit = ((i / 9 * 3 + i / 27 + i) % 9 + 1) as u8;
        }
        Grid::from_digits(digits).expect("digits")
    }

    /// Three items: a completed grid, one without, a puzzle.
    fn items() -> [(Option<Outcome>, Option<Grid>); 3] {
        let mut puzzle = grid();
        puzzle.set(crate::sudoku::geometry::Cell::at(0, 1), 0);
        [(Some(Outcome::Unique), Some(grid())), (Some(Outcome::Multiple), None), (None, Some(puzzle))]
    }

    fn written(format: Format) -> String {
        let (mut whole, mut parts) = (Vec::new(), Vec::new());
        let mut writer = Writer::new(format, 0);
        for (index, (outcome, grid)) in (0..).zip(items()) {
            writer.item(outcome, grid.as_ref(), &mut whole);
            Writer::new(format, index).item(outcome, grid.as_ref(), &mut parts);
        }
        assert_eq!(whole, parts, "{format}: parts make the whole");
        String::from_utf8(whole).expect("ASCII")
    }

    const LINES: [&str; 3] = [
        "123456789456789123789123456234567891567891234891234567345678912678912345912345678",
        "multiple",
        "1.3456789456789123789123456234567891567891234891234567345678912678912345912345678",
    ];

    #[test]
    fn forms_of_one_line_an_item() {
        let [first, word, last] = LINES;
        assert_eq!(written(Format::Line), format!("{first}\n{word}\n{last}\n"));
        let csv = format!("index,outcome,grid\n0,unique,{first}\n1,multiple,\n2,notrun,{last}\n");
        assert_eq!(written(Format::Csv), csv);
        let json = format!(
            "{{\"index\":0,\"outcome\":\"unique\",\"grid\":\"{first}\"}}\n\
             {{\"index\":1,\"outcome\":\"multiple\",\"grid\":null}}\n\
             {{\"index\":2,\"outcome\":\"notrun\",\"grid\":\"{last}\"}}\n"
        );
        assert_eq!(written(Format::Json), json);
    }

    #[test]
    fn forms_of_nine_lines_an_item() {
        let rows = "4 5 6 7 8 9 1 2 3\n7 8 9 1 2 3 4 5 6\n2 3 4 5 6 7 8 9 1\n5 6 7 8 9 1 2 3 4\n\
                    8 9 1 2 3 4 5 6 7\n3 4 5 6 7 8 9 1 2\n6 7 8 9 1 2 3 4 5\n9 1 2 3 4 5 6 7 8\n";
        let grid = format!("1 2 3 4 5 6 7 8 9\n{rows}\nmultiple\n\n1 . 3 4 5 6 7 8 9\n{rows}");
        assert_eq!(written(Format::Grid), grid);
        let rows = rows.replace(' ', "");
        let sdk = format!("#C item 0\n123456789\n{rows}\n#C item 1\nmultiple\n\n#C item 2\n1.3456789\n{rows}");
        assert_eq!(written(Format::Sdk), sdk);
    }

    #[test]
    fn grids_take_163_bytes_each_less_one() {
        for count in 1..5 {
            let (mut text, mut writer) = (Vec::new(), Writer::new(Format::Grid, 0));
            (0..count).for_each(|_| writer.item(Some(Outcome::Found), Some(&grid()), &mut text));
            assert_eq!(text.len(), 163 * count - 1);
            assert!(!text.ends_with(b"\n\n") && text.ends_with(b"\n"));
        }
    }

    #[test]
    fn an_item_without_a_grid_is_its_word() {
        for outcome in Outcome::ALL {
            let mut text = Vec::new();
            Writer::new(Format::Line, 7).item(Some(outcome), None, &mut text);
            assert_eq!(text, format!("{}\n", outcome.word()).into_bytes());
        }
        let mut text = Vec::new();
        Writer::new(Format::Line, 7).item(None, None, &mut text);
        assert_eq!(text, b"notrun\n");
    }
}

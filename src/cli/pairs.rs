//! Puzzles as text, each with its solution beside it where that is wished.

use super::exit::Failure;
use crate::sudoku::text::{Format, Writer};
use crate::sudoku::{Grid, Outcome};

/// Appends items to a text, as [`Writer`] does.
#[derive(Debug)]
pub struct PairWriter {
    writer: Writer,
    format: Format,
    with_solution: bool,
    index: u64,
}

/// Whether solutions have a place in this form.
///
/// # Errors
/// When not.
pub fn check(format: Format, with_solution: bool) -> Result<(), Failure> {
    if with_solution && matches!(format, Format::Grid | Format::Sdk) {
        return Err(Failure::usage(format!(
            "--with-solution: --format {format} has no room for it: use line, csv or json"
        )));
    }
    Ok(())
}

impl PairWriter {
    /// A writer whose first item has this index.
    pub fn new(format: Format, with_solution: bool, first_index: u64) -> PairWriter {
        PairWriter { writer: Writer::new(format, first_index), format, with_solution, index: first_index }
    }

    /// Appends the item's text: its grid, or the word of its outcome (`None`: `notrun`).
    pub fn item(&mut self, outcome: Option<Outcome>, grid: Option<&Grid>, solution: Option<&Grid>, text: &mut Vec<u8>) {
        if self.with_solution {
            let word = outcome.map_or("notrun", Outcome::word);
            text.extend_from_slice(self.beside(word, grid.zip(solution)).as_bytes());
        } else {
            self.writer.item(outcome, grid, text);
        }
        self.index += 1;
    }

    fn beside(&self, word: &str, pair: Option<(&Grid, &Grid)>) -> String {
        let index = self.index;
        match (self.format, pair) {
            (Format::Csv, pair) => {
                let header = if index == 0 { "index,outcome,grid,solution\n" } else { "" };
                let (grid, solution) =
                    pair.map(|(grid, solution)| (grid.to_string(), solution.to_string())).unwrap_or_default();
                format!("{header}{index},{word},{grid},{solution}\n")
            }
            (Format::Json, pair) => {
                let quoted = |grid: Option<&Grid>| grid.map_or("null".into(), |grid| format!("\"{grid}\""));
                let (grid, solution) = (quoted(pair.map(|pair| pair.0)), quoted(pair.map(|pair| pair.1)));
                format!("{{\"index\":{index},\"outcome\":\"{word}\",\"grid\":{grid},\"solution\":{solution}}}\n")
            }
            (_, Some((grid, solution))) => format!("{grid}\t{solution}\n"),
            (_, None) => format!("{word}\n"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solutions_beside_puzzles() {
        let (empty, full) = (Grid::EMPTY, Grid::from_digits([1; 81]).expect("digits"));
        let written = |format| {
            let (mut text, mut writer) = (Vec::new(), PairWriter::new(format, true, 0));
            writer.item(Some(Outcome::Unique), Some(&empty), Some(&full), &mut text);
            writer.item(Some(Outcome::Failed), None, None, &mut text);
            writer.item(None, None, None, &mut text);
            String::from_utf8(text).expect("text")
        };
        let (puzzle, solution) = (".".repeat(81), "1".repeat(81));
        assert_eq!(written(Format::Line), format!("{puzzle}\t{solution}\nfailed\nnotrun\n"));
        let csv = format!("index,outcome,grid,solution\n0,unique,{puzzle},{solution}\n1,failed,,\n2,notrun,,\n");
        assert_eq!(written(Format::Csv), csv);
        let json = format!(
            "{{\"index\":0,\"outcome\":\"unique\",\"grid\":\"{puzzle}\",\"solution\":\"{solution}\"}}\n\
             {{\"index\":1,\"outcome\":\"failed\",\"grid\":null,\"solution\":null}}\n\
             {{\"index\":2,\"outcome\":\"notrun\",\"grid\":null,\"solution\":null}}\n"
        );
        assert_eq!(written(Format::Json), json);
        assert!(
            check(Format::Grid, true).is_err()
                && check(Format::Grid, false).is_ok()
                && check(Format::Csv, true).is_ok()
        );
    }
}

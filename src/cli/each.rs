//! Commands that answer each puzzle of a file with a line of its own, on every core.

use super::args::{EachArgs, Form};
use super::exit::{Ended, Failure};
use super::input::{Block, Input};
use super::offline::Offline;
use super::output::Output;
use super::progress::Progress;
use super::report::{Report, fault, place};
use super::rows;
use crate::pool::Cancel;
use crate::sudoku::{Grid, Kernel, Outcome};
use serde::Serialize;
use std::fmt::Display;
use std::time::Instant;

/// Puzzles in a block: enough that handing it over costs little, and few where a single puzzle takes seconds.
const BLOCK_ITEMS: usize = 128;

/// What a puzzle comes to.
#[derive(Debug)]
pub struct Answer<R> {
    /// Whether it has one solution.
    pub outcome: Outcome,
    /// Its fields; one that has none is named as a problem. The line of text by `Display`, the members of the JSON object by `Serialize`.
    pub row: Option<R>,
}

/// A block's lines.
struct Answered {
    text: Vec<u8>,
    report: Report,
    bytes_read: u64,
}

/// Runs a command. `answer` gets puzzles and gives one answer for each.
///
/// # Errors
/// As the exit codes say.
pub fn run<R: Display + Serialize>(
    args: &EachArgs,
    doing: &'static str,
    answer: impl Fn(Kernel, &[Grid], &Cancel) -> Vec<Answer<R>> + Send + Sync + 'static,
) -> Ended {
    let start = Instant::now();
    let input = Input::open(&args.file)?;
    let offline = Offline::start(Kernel::default())?;
    let mut output = Output::open(args.output.as_deref(), &offline.litter)?;
    let progress = Progress::bytes(doing, input.length);
    let (kernel, form, name) = (offline.kernel(), args.format, input.name.clone());
    let mut report = Report::default();
    let file = name.clone();
    let work = move |block: Block, cancel: &Cancel| {
        let puzzles: Vec<Grid> = block.items.iter().filter_map(|item| item.grid.ok()).collect();
        write(&block, answer(kernel, &puzzles, cancel), form, &file)
    };
    offline.run_uneven(small_blocks(input), work, |answered| {
        let answered = answered?;
        output.write(&answered.text)?;
        report.merge(answered.report);
        progress.at(answered.bytes_read);
        Ok(())
    })?;
    output.finish()?;
    drop(progress);
    report.tell_file(&name, start)
}

/// The lines of a block; an item that is no puzzle has the word `invalid`.
fn write<R: Display + Serialize>(
    block: &Block,
    answers: Vec<Answer<R>>,
    form: Form,
    file: &str,
) -> Result<Answered, Failure> {
    let mut answers = answers.into_iter();
    let mut text = Vec::with_capacity(block.items.len() * 84);
    let mut report = Report::default();
    for (index, item) in (block.first_index..).zip(&block.items) {
        let invalid = Answer { outcome: Outcome::Invalid, row: None };
        let answer = if item.grid.is_ok() { answers.next().unwrap_or(invalid) } else { invalid };
        rows::line(form, index, Some(answer.outcome), answer.row.as_ref(), &mut text)?;
        match answer.row {
            Some(_) => report.answered(answer.outcome),
            None => report.add(answer.outcome, || place(file, item), || fault(item)),
        }
    }
    Ok(Answered { text, report, bytes_read: block.bytes_read })
}

/// The blocks of an input in smaller ones.
fn small_blocks(input: Input) -> impl Iterator<Item = Result<Block, Failure>> {
    let mut bytes_before = 0;
    input.flat_map(move |block| {
        let bytes = bytes_before;
        match block {
            Err(failure) => vec![Err(failure)],
            Ok(block) => {
                bytes_before = block.bytes_read;
                split(block, bytes).into_iter().map(Ok).collect()
            }
        }
    })
}

/// The bytes of the block, which begins after `bytes_before`, are shared out evenly.
fn split(block: Block, bytes_before: u64) -> Vec<Block> {
    let (count, bytes) = (block.items.len() as u64, block.bytes_read - bytes_before);
    let mut first_index = block.first_index;
    let mut items = block.items.into_iter().peekable();
    let mut blocks = Vec::new();
    while items.peek().is_some() {
        let part: Vec<_> = items.by_ref().take(BLOCK_ITEMS).collect();
        let next = first_index + part.len() as u64;
        let bytes_read = bytes_before + bytes * (next - block.first_index) / count;
        blocks.push(Block { first_index, items: part, bytes_read });
        first_index = next;
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sudoku::text::TextItem;

    #[test]
    fn a_block_in_parts() {
        let items = vec![TextItem { line: 1, grid: Ok(Grid::EMPTY) }; 300];
        let parts = split(Block { first_index: 1_000, items, bytes_read: 400 }, 100);
        let seen: Vec<_> = parts.iter().map(|part| (part.first_index, part.items.len(), part.bytes_read)).collect();
        assert_eq!(seen, [(1_000, 128, 228), (1_128, 128, 356), (1_256, 44, 400)]);
        assert!(split(Block { first_index: 0, items: Vec::new(), bytes_read: 0 }, 0).is_empty());
    }
}

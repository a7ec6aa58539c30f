//! `generate --puzzles`: puzzles as wished from a seed, on this machine.

use super::args::{GenerateArgs, PuzzleArgs};
use super::exit::{Ended, Failure};
use super::offline::Offline;
use super::output::Output;
use super::pairs::{self, PairWriter};
use super::progress::{Progress, pace};
use super::report::{NOT_MADE, Report};
use super::say::note;
use super::seed;
use crate::pool::Cancel;
use crate::sudoku::generate::puzzle::{Contradiction, Place, PuzzleMaker, PuzzleSpec};
use crate::sudoku::text::Format;
use crate::sudoku::{Kernel, Outcome};
use std::ops::Range;
use std::time::Instant;

/// Puzzles in a block: enough that the attempts in work fill the lanes most of the time.
const BLOCK_PUZZLES: u64 = 1_024;

/// The same where few attempts come to a puzzle, and each takes long to judge.
const BLOCK_HARD_PUZZLES: u64 = 64;

/// Runs the command for so many puzzles.
///
/// # Errors
/// As the exit codes say.
pub fn run(args: &GenerateArgs, count: u64) -> Ended {
    let start = Instant::now();
    let (spec, format) = (checked(&args.of_puzzles)?, args.out.format);
    let with_solution = args.of_puzzles.with_solution;
    pairs::check(format, with_solution)?;
    let offline = Offline::start(Kernel::default())?;
    let mut output = Output::open(args.out.output.as_deref(), &offline.litter)?;
    let task = Task { kernel: offline.kernel(), spec, seed: seed::chosen(args.seed), format, with_solution };
    let progress = Progress::items("generating", Some(count));
    let size = if spec.level.is_some() || spec.er.is_some() { BLOCK_HARD_PUZZLES } else { BLOCK_PUZZLES };
    let blocks = (0..count.div_ceil(size)).map(|i| Ok(i * size..count.min((i + 1) * size)));
    let mut report = Report::default();
    offline.run_uneven(
        blocks,
        move |block, cancel| task.make(&block, cancel),
        |made| {
            let made = made?;
            output.write(&made.text)?;
            report.merge(made.report);
            progress.at(made.end);
            Ok(())
        },
    )?;
    output.finish()?;
    drop(progress);
    let ended = report.tell_problems(NOT_MADE);
    note(format!("{} ({})", report.summary(), pace(count, start.elapsed())));
    ended
}

/// The wishes, unless they contradict each other.
///
/// # Errors
/// The contradiction.
pub fn checked(wished: &PuzzleArgs) -> Result<PuzzleSpec, Failure> {
    let spec = PuzzleSpec {
        level: wished.level,
        er: wished.er,
        min_clues: wished.clues.map(|(min, _)| min),
        max_clues: wished.clues.map(|(_, max)| max),
        symmetry: wished.symmetry,
        minimal: wished.minimal,
        blanks_per_row: wished.blanks_per_row,
        allow_multiple: wished.allow_multiple,
    };
    spec.check().map_err(|contradiction| refused(&contradiction))?;
    Ok(spec)
}

fn refused(contradiction: &Contradiction) -> Failure {
    Failure::usage(in_flags(&format!("{}: {}", contradiction.field, contradiction.problem)))
}

/// The spec's names of wishes, which a text begins with or mentions, as those of the flags.
pub fn in_flags(text: &str) -> String {
    let mut text = text.to_owned();
    for (name, flag) in [
        ("min_clues and max_clues", "--clues"),
        ("min_clues or max_clues", "--clues"),
        ("min_clues", "--clues"),
        ("max_clues", "--clues"),
        ("blanks_per_row", "--blanks-per-row"),
        ("allow_multiple", "--allow-multiple"),
    ] {
        text = text.replace(name, flag);
    }
    if text.starts_with("--") { text } else { format!("--{text}") }
}

/// What is done with each block.
struct Task {
    kernel: Kernel,
    spec: PuzzleSpec,
    seed: u64,
    format: Format,
    with_solution: bool,
}

/// A block's puzzles.
struct Written {
    text: Vec<u8>,
    report: Report,
    end: u64,
}

impl Task {
    fn make(&self, block: &Range<u64>, cancel: &Cancel) -> Result<Written, Failure> {
        let mut maker = PuzzleMaker::new(self.kernel, &self.spec, self.seed).map_err(|e| refused(&e))?;
        let mut places: Vec<Place> = vec![None; (block.end - block.start) as usize];
        maker.fill(block.start, &mut places, &mut || cancel.pace());
        let mut written = Written { text: Vec::new(), report: Report::default(), end: block.end };
        let mut writer = PairWriter::new(self.format, self.with_solution, block.start);
        for (index, place) in (block.start..).zip(&places) {
            let made = place.as_ref().and_then(|made| made.as_ref().ok());
            let outcome = match made {
                Some(_) if self.spec.allow_multiple => Outcome::Found,
                Some(_) => Outcome::Unique,
                None => Outcome::Failed,
            };
            let (puzzle, solution) = (made.map(|made| &made.puzzle), made.map(|made| &made.solution));
            writer.item(Some(outcome), puzzle, solution, &mut written.text);
            let why = || match place {
                Some(Err(shortfall)) => in_flags(&shortfall.to_string()),
                _ => "stopped".into(),
            };
            written.report.add(outcome, || format!("item {index}"), why);
        }
        Ok(written)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wishes_are_named_by_their_flags() {
        for (told, words) in [
            ("symmetry: widen min_clues or max_clues", "--symmetry: widen --clues"),
            ("max_clues: 16: too few, or allow_multiple", "--clues: 16: too few, or --allow-multiple"),
            ("blanks_per_row: not met in 5 attempts", "--blanks-per-row: not met in 5 attempts"),
            ("min_clues and max_clues: not met", "--clues: not met"),
            ("level: not met", "--level: not met"),
        ] {
            assert_eq!(in_flags(told), words);
        }
    }
}

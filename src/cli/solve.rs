//! `solve`: a file of puzzles to a file of solutions, on this machine.

use super::args::SolveArgs;
use super::exit::Ended;
use super::input::{Block, Input, Part, Plain};
use super::offline::Offline;
use super::output::Output;
use super::progress::Progress;
use super::report::{Report, clash, fault, place};
use crate::pool::Cancel;
use crate::sudoku::batch::Batch;
use crate::sudoku::text::{self, Format, Writer};
use crate::sudoku::{BatchLimits, Grid, Kernel, Outcome, Pace, Port, solve_batch};
use std::time::Instant;

/// Runs the command.
///
/// # Errors
/// As the exit codes say.
pub fn run(args: &SolveArgs) -> Ended {
    let start = Instant::now();
    let input = Input::open(&args.file)?;
    let offline = Offline::start(args.kernel)?;
    let mut output = Output::open(args.out.output.as_deref(), &offline.litter)?;
    let progress = Progress::bytes("solving", input.length);
    let name = input.name.clone();
    let task = Task {
        kernel: offline.kernel(),
        limits: BatchLimits { max_solutions: if args.any { 1 } else { args.max_solutions }, node_limit: u64::MAX },
        format: args.out.format,
        file: name.clone(),
    };
    let mut report = Report::default();
    let solve = move |part, _: &Cancel| match part {
        Part::Items(block) => task.solve(&block),
        Part::Plain(plain) => task.solve_plain(&plain),
    };
    offline.run(input.parts(), solve, |solved| {
        output.write(&solved.text)?;
        report.merge(solved.report);
        progress.at(solved.bytes_read);
        Ok(())
    })?;
    output.finish()?;
    drop(progress);
    report.tell_file(&name, start)
}

/// Bytes of a solution on a line.
const LINE_BYTES: usize = 82;

/// What is done with each block.
struct Task {
    kernel: Kernel,
    limits: BatchLimits,
    format: Format,
    file: String,
}

/// A block's results.
struct Solved {
    text: Vec<u8>,
    report: Report,
    bytes_read: u64,
}

impl Task {
    fn solve(&self, block: &Block) -> Solved {
        let puzzles: Vec<Grid> = block.items.iter().filter_map(|item| item.grid.ok()).collect();
        let mut answers = vec![None; puzzles.len()];
        solve_batch(self.kernel, &puzzles, self.limits, &mut answers, &mut || Pace::Continue);
        let mut answers = answers.into_iter().flatten();
        let mut writer = Writer::new(self.format, block.first_index);
        let mut solved = Solved { text: Vec::new(), report: Report::default(), bytes_read: block.bytes_read };
        solved.text.reserve(block.items.len() * 84);
        for item in &block.items {
            let answer = item.grid.is_ok().then(|| answers.next()).flatten();
            let outcome = answer.map_or(Outcome::Invalid, |answer| answer.outcome);
            let grid = answer.map(|answer| answer.grid).filter(|_| outcome.shows_grid());
            writer.item(Some(outcome), grid.as_ref(), &mut solved.text);
            solved.report.add(outcome, || place(&self.file, item), || fault(item));
        }
        solved
    }

    /// Text straight into the kernel and out of it.
    fn solve_plain(&self, plain: &Plain) -> Solved {
        let count = plain.lines.count;
        let mut text = PlainText { plain, solutions: vec![[b'\n'; LINE_BYTES]; count] };
        let mut batch = Batch::new(self.kernel);
        batch.begin(count, self.limits);
        batch.run(&mut text, &mut || Pace::Continue);
        let mut solved = Solved { text: Vec::new(), report: Report::default(), bytes_read: plain.bytes_read };
        let outcomes: Vec<Outcome> = batch.outcomes().into_iter().flatten().collect();
        for ((item, &outcome), line) in outcomes.iter().enumerate().zip(plain.first_line..) {
            solved.report.add(outcome, || format!("{}:{line}", self.file), || plain_clash(plain, item));
        }
        if self.format == Format::Line && outcomes.iter().all(|outcome| outcome.shows_grid()) {
            solved.text = text.solutions.into_flattened();
            return solved;
        }
        let mut writer = Writer::new(self.format, plain.first_index);
        for (&outcome, line) in outcomes.iter().zip(&text.solutions) {
            let grid = outcome.shows_grid().then(|| text::parse_line(&line[..81]).ok()).flatten();
            writer.item(Some(outcome), grid.as_ref(), &mut solved.text);
        }
        solved
    }
}

/// Which givens of a plain line clash, in words.
fn plain_clash(plain: &Plain, item: usize) -> String {
    let mut digits = [0; 81];
    plain.lines.digits(&plain.text, item, &mut digits);
    Grid::from_digits(digits).as_ref().map(clash).unwrap_or_default()
}

/// Plain lines in, plain lines out.
struct PlainText<'a> {
    plain: &'a Plain,
    /// A solution of each puzzle that has any.
    solutions: Vec<[u8; LINE_BYTES]>,
}

impl Port for PlainText<'_> {
    fn puzzle(&mut self, puzzle: usize, digits: &mut [u8; 81]) {
        self.plain.lines.digits(&self.plain.text, puzzle, digits);
    }

    fn solution(&mut self, puzzle: usize, digits: &[u8; 81]) {
        for (byte, digit) in self.solutions[puzzle].iter_mut().zip(digits) {
            *byte = b'0' + digit;
        }
    }
}

//! `generate`: completed grids from a seed, on this machine; or puzzles.

use super::args::GenerateArgs;
use super::exit::{Ended, Exit, Failure};
use super::offline::Offline;
use super::output::Output;
use super::progress::{Progress, count, counted, pace};
use super::say::note;
use super::{puzzles, seed};
use crate::sudoku::generate::{CompleteSpec, Completer};
use crate::sudoku::text::{Format, Writer};
use crate::sudoku::{Grid, Kernel, Outcome, Pace};
use std::ops::Range;
use std::time::Instant;

/// Grids in a block.
const BLOCK_GRIDS: u64 = 8_192;

/// Runs the command.
///
/// # Errors
/// As the exit codes say.
pub fn run(args: &GenerateArgs) -> Ended {
    match (args.count.puzzles, args.count.grids) {
        (Some(count), _) => puzzles::run(args, count),
        (None, count) => complete(args, count.unwrap_or_default()),
    }
}

fn complete(args: &GenerateArgs, grids: u64) -> Ended {
    let start = Instant::now();
    let spec = CompleteSpec { first_cell: args.of_grids.first_cell, family: args.of_grids.family };
    if args.of_puzzles.with_solution {
        return Err(Failure::usage("--with-solution: completed grids have none; use it with --puzzles"));
    }
    if let Some(capacity) = spec.capacity().filter(|&capacity| grids > capacity) {
        let (wanted, all) = (count(grids), counted(capacity, "different grid"));
        return Err(Failure::usage(format!("--grids: {wanted} are more than the family holds: {all}")));
    }
    let offline = Offline::start(Kernel::default())?;
    let mut output = Output::open(args.out.output.as_deref(), &offline.litter)?;
    let (completer, format) = (Completer::new(spec, seed::chosen(args.seed)), args.out.format);
    let progress = Progress::items("generating", Some(grids));
    let blocks = (0..grids.div_ceil(BLOCK_GRIDS)).map(|i| Ok(i * BLOCK_GRIDS..grids.min((i + 1) * BLOCK_GRIDS)));
    offline.run(
        blocks,
        move |block, _| (write(&completer, format, &block), block.end),
        |(text, end)| {
            output.write(&text)?;
            progress.at(end);
            Ok(())
        },
    )?;
    output.finish()?;
    drop(progress);
    note(format!("{} ({})", counted(grids, "grid"), pace(grids, start.elapsed())));
    Ok(Exit::Done)
}

/// The text of a block of grids.
fn write(completer: &Completer, format: Format, block: &Range<u64>) -> Vec<u8> {
    let mut grids = vec![Grid::EMPTY; (block.end - block.start) as usize];
    completer.fill(block.start, &mut grids, &mut || Pace::Continue);
    let mut text = Vec::with_capacity(grids.len() * 164);
    let mut writer = Writer::new(format, block.start);
    grids.iter().for_each(|grid| writer.item(Some(Outcome::Found), Some(grid), &mut text));
    text
}

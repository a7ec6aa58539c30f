//! Our kernels against the `sudoku` crate, alternately in one process and thread:
//! `cargo run --release --manifest-path benches/peers/Cargo.toml -- FILE…`.
//!
//! Tab-separated, a line for each set and kernel: set, kernel, puzzles a second of ours and of the peer, and the median of
//! the ratios of the rounds, in processor time of the thread. The sets are `easy` (made here: 33-36 clues, singles
//! suffice) and each file of one puzzle a line (`#` lines are skipped). Both sides read a line of text, prove uniqueness
//! and write the solution as text; where the solution is not unique the peer writes nothing. Both must agree on every
//! puzzle.

mod easy;

use cpu_time::ThreadTime;
use std::hint::black_box;
use std::time::Duration;
use sudoku::Sudoku;
use sudokud::sudoku::batch::Batch;
use sudokud::sudoku::{BatchLimits, Kernel, Outcome, Pace, Port};

const ROUNDS: usize = 11;
const PROVE: BatchLimits = BatchLimits { max_solutions: 2, node_limit: u64::MAX };
/// Puzzles of a set that the peer solves in a round: it takes far longer.
const PEER_PUZZLES: usize = 5_000;
/// Puzzles that ours take at a time, as a chunk of a job and a part of a file.
const BATCH: usize = 8_192;
/// What ours do in a round at least.
const ROUND: Duration = Duration::from_millis(100);

type Line = [u8; 81];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("set\tkernel\tours/s\tpeer/s\tratio");
    compare("easy", &easy::lines(100_000))?;
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).map_err(|e| format!("{path}: {e}"))?;
        let lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
        let puzzles: Option<Vec<Line>> = lines.map(|line| line.as_bytes().first_chunk().copied()).collect();
        let puzzles = puzzles.ok_or_else(|| format!("{path}: not one puzzle of 81 cells a line"))?;
        compare(path.rsplit('/').next().unwrap_or(&path), &puzzles)?;
    }
    Ok(())
}

/// Lines in, lines out.
struct Text<'a> {
    puzzles: &'a [Line],
    out: &'a mut [Line],
}

impl Port for Text<'_> {
    fn puzzle(&mut self, puzzle: usize, digits: &mut Line) {
        for (digit, &byte) in digits.iter_mut().zip(&self.puzzles[puzzle]) {
            let value = byte.wrapping_sub(b'0');
            *digit = if value > 9 { 0 } else { value };
        }
    }

    fn solution(&mut self, puzzle: usize, digits: &Line) {
        for (byte, digit) in self.out[puzzle].iter_mut().zip(digits) {
            *byte = b'0' + digit;
        }
    }
}

fn compare(set: &str, puzzles: &[Line]) -> Result<(), Box<dyn std::error::Error>> {
    let sample: Vec<Line> = puzzles.iter().step_by(puzzles.len().div_ceil(PEER_PUZZLES)).copied().collect();
    let solutions = agreed(puzzles)?;
    for kernel in Kernel::all().filter(|&kernel| kernel != Kernel::Reference) {
        let mut batch = Batch::new(kernel);
        let (mut out, mut outcomes) = (vec![[0; 81]; puzzles.len()], Vec::new());
        let (mut ours, mut theirs, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            let start = ThreadTime::now();
            let mut done = 0;
            while start.elapsed() < ROUND {
                outcomes.clear();
                for (puzzles, out) in puzzles.chunks(BATCH).zip(out.chunks_mut(BATCH)) {
                    batch.begin(puzzles.len(), PROVE);
                    batch.run(&mut Text { puzzles, out }, &mut || Pace::Continue);
                    outcomes.extend(batch.outcomes());
                }
                done += puzzles.len();
            }
            ours.push(done as f64 / start.elapsed().as_secs_f64());
            let start = ThreadTime::now();
            for line in &sample {
                drop(black_box(peer(line)));
            }
            theirs.push(sample.len() as f64 / start.elapsed().as_secs_f64());
            ratios.push(ours[ours.len() - 1] / theirs[theirs.len() - 1]);
        }
        for ((puzzle, outcome), (line, solution)) in puzzles.iter().zip(&outcomes).zip(out.iter().zip(&solutions)) {
            if (*outcome == Some(Outcome::Unique)) != solution.is_some()
                || solution.is_some_and(|unique| unique != *line)
            {
                return Err(format!("{}: {kernel} and the peer differ", String::from_utf8_lossy(puzzle)).into());
            }
        }
        println!("{set}\t{kernel}\t{:.0}\t{:.0}\t{:.3}", median(ours), median(theirs), median(ratios));
    }
    Ok(())
}

/// What the peer says of each puzzle.
fn agreed(puzzles: &[Line]) -> Result<Vec<Option<Line>>, String> {
    puzzles.iter().map(peer).collect()
}

/// The unique solution.
fn peer(line: &Line) -> Result<Option<Line>, String> {
    let text = std::str::from_utf8(line).map_err(|e| e.to_string())?;
    let puzzle = Sudoku::from_str_line(text).map_err(|e| e.to_string())?;
    let Some(solution) = puzzle.solution() else { return Ok(None) };
    let line = solution.to_str_line();
    let bytes: &str = &line;
    bytes.as_bytes().try_into().map(Some).map_err(|_| "81 digits".to_string())
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

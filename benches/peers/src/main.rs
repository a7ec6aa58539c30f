//! Our solver against the `sudoku` crate, alternately in one process and thread:
//! `cargo run --release --manifest-path benches/peers/Cargo.toml -- FILE…`.
//!
//! A line for each file of one puzzle a line (`#` lines are skipped): set, kernel, puzzles a second of ours
//! and of the peer, and the median of the ratios of the rounds. Both prove uniqueness and must agree on every puzzle.

use std::time::Instant;
use sudoku::Sudoku;
use sudokud::sudoku::{BatchLimits, Grid, Kernel, Outcome, Pace, Solved, solve_batch};

const ROUNDS: usize = 11;
const PROVE: BatchLimits = BatchLimits { max_solutions: 2, node_limit: u64::MAX };

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("set\tkernel\tours/s\tpeer/s\tratio");
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).map_err(|e| format!("{path}: {e}"))?;
        let lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
        let puzzles: Option<Vec<Grid>> = lines.map(parse).collect();
        let puzzles = puzzles.ok_or_else(|| format!("{path}: not one puzzle of 81 cells a line"))?;
        compare(path.rsplit('/').next().unwrap_or(&path), &puzzles)?;
    }
    Ok(())
}

fn parse(line: &str) -> Option<Grid> {
    let cells = line.as_bytes().first_chunk::<81>()?;
    Grid::from_digits(cells.map(|c| if c.is_ascii_digit() { c - b'0' } else { 0 }))
}

fn compare(set: &str, puzzles: &[Grid]) -> Result<(), Box<dyn std::error::Error>> {
    let kernel = Kernel::Auto.resolved();
    let peers = puzzles.iter().map(|puzzle| Sudoku::from_bytes(*puzzle.digits())).collect::<Result<Vec<_>, _>>()?;
    let mut out: Vec<Option<Solved>> = vec![None; puzzles.len()];
    let (mut ours, mut theirs, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let start = cpu_seconds();
        solve_batch(kernel, puzzles, PROVE, &mut out, &mut || Pace::Continue);
        let middle = cpu_seconds();
        let counts: Vec<usize> = peers.iter().map(|peer| peer.solutions_count_up_to(2)).collect();
        let end = cpu_seconds();
        agree(puzzles, &out, &counts)?;
        ours.push(puzzles.len() as f64 / (middle - start));
        theirs.push(puzzles.len() as f64 / (end - middle));
        ratios.push((end - middle) / (middle - start));
    }
    println!("{set}\t{kernel}\t{:.0}\t{:.0}\t{:.3}", median(ours), median(theirs), median(ratios));
    Ok(())
}

fn agree(puzzles: &[Grid], out: &[Option<Solved>], counts: &[usize]) -> Result<(), String> {
    for ((puzzle, solved), count) in puzzles.iter().zip(out).zip(counts) {
        let expected = [Outcome::Unsolvable, Outcome::Unique, Outcome::Multiple][*count];
        if solved.is_none_or(|solved| solved.outcome != expected) {
            return Err(format!("{puzzle}: ours {solved:?}, the peer finds {count} solutions"));
        }
    }
    Ok(())
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Processor time of this thread where Linux tells it (to the next tick), else a clock: other load on the machine
/// then shows, though it hits both sides.
fn cpu_seconds() -> f64 {
    thread_local!(static START: Instant = Instant::now());
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = stat.as_deref().and_then(|stat| stat.split(' ').next()?.parse::<f64>().ok());
    nanos.map_or_else(|| START.with(|start| start.elapsed().as_secs_f64()), |nanos| nanos / 1e9)
}

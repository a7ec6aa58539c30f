//! Speed of the solver on one thread: `cargo bench --bench solver -- [--kernel NAME] [FILE…]`.
//!
//! Tab-separated, a line for each file of one puzzle a line (`#` lines are skipped), or for generated sets without
//! a file: set, kernel, puzzles a second of processor time, nodes a puzzle, 99th percentile of the time of one puzzle in µs.

use std::time::Instant;
use sudokud::sudoku::generate::{CompleteSpec, Completer, Family};
use sudokud::sudoku::random::{Purpose, Random};
use sudokud::sudoku::{BatchLimits, Cell, Grid, Kernel, Limits, Outcome, Pace, Solved, solve, solve_batch};

const PROVE: BatchLimits = BatchLimits { max_solutions: 2, node_limit: u64::MAX };
const ROUNDS: usize = 5;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut kernel, mut sets) = (Kernel::Auto, Vec::new());
    let mut args = std::env::args().skip(1).filter(|arg| arg != "--bench");
    while let Some(arg) = args.next() {
        if arg == "--kernel" {
            kernel = args.next().ok_or("--kernel needs a name")?.parse()?;
        } else {
            let text = std::fs::read_to_string(&arg).map_err(|e| format!("{arg}: {e}"))?;
            sets.push((name(&arg), read(&text).map_err(|e| format!("{arg}: {e}"))?));
        }
    }
    if sets.is_empty() {
        sets = vec![("generated-30-givens".into(), masked(20_000)), ("generated-minimal".into(), minimal(2_000))];
    }
    println!("set\tkernel\tpuzzles/s\tnodes/puzzle\tp99 µs");
    for (set, puzzles) in sets {
        measure(&set, kernel.resolved(), &puzzles);
    }
    Ok(())
}

fn name(path: &str) -> String {
    path.rsplit('/').next().unwrap_or(path).to_string()
}

/// The puzzles of a file.
fn read(text: &str) -> Result<Vec<Grid>, String> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.starts_with('#') && !line.trim().is_empty());
    lines.map(|(i, line)| parse(line).ok_or_else(|| format!("line {}: not 81 cells", i + 1))).collect()
}

fn parse(line: &str) -> Option<Grid> {
    let cells = line.as_bytes().first_chunk::<81>()?;
    Grid::from_digits(cells.map(|c| if c.is_ascii_digit() { c - b'0' } else { 0 }))
}

fn measure(set: &str, kernel: Kernel, puzzles: &[Grid]) {
    let mut out: Vec<Option<Solved>> = vec![None; puzzles.len()];
    let mut seconds = Vec::new();
    let mut nodes = 0;
    for _ in 0..ROUNDS {
        let start = cpu_seconds();
        nodes = solve_batch(kernel, puzzles, PROVE, &mut out, &mut || Pace::Continue).nodes;
        seconds.push(cpu_seconds() - start);
    }
    let mut single = Vec::with_capacity(puzzles.len());
    for puzzle in puzzles {
        let start = Instant::now();
        solve_batch(kernel, std::slice::from_ref(puzzle), PROVE, &mut out[..1], &mut || Pace::Continue);
        single.push(start.elapsed().as_secs_f64() * 1e6);
    }
    // The best round is the least disturbed one.
    let best = seconds.into_iter().fold(f64::INFINITY, f64::min);
    single.sort_by(f64::total_cmp);
    let count = puzzles.len() as f64;
    let p99 = single.get(puzzles.len() * 99 / 100).copied().unwrap_or(0.0);
    println!("{set}\t{kernel}\t{:.0}\t{:.3}\t{p99:.1}", count / best, nodes as f64 / count);
}

/// Processor time of this thread where Linux tells it (to the next tick), else a clock.
fn cpu_seconds() -> f64 {
    thread_local!(static START: Instant = Instant::now());
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = stat.as_deref().and_then(|stat| stat.split(' ').next()?.parse::<f64>().ok());
    nanos.map_or_else(|| START.with(|start| start.elapsed().as_secs_f64()), |nanos| nanos / 1e9)
}

/// The cells in random order.
fn cells(random: &mut Random) -> Vec<Cell> {
    let mut cells: Vec<Cell> = Cell::all().collect();
    random.shuffle(&mut cells);
    cells
}

fn grid(index: u64) -> Grid {
    Completer::new(CompleteSpec { first_cell: 0, family: Family::Search }, 1).item(index)
}

/// Grids of which 30 random cells are left: most have one solution, some several.
fn masked(count: u64) -> Vec<Grid> {
    let mask = |index| {
        let mut puzzle = grid(index);
        let order = cells(&mut Random::new(2, Purpose::Fill, index));
        order[30..].iter().for_each(|&cell| puzzle.set(cell, 0));
        puzzle
    };
    (0..count).map(mask).collect()
}

/// Puzzles with one solution, none of whose givens can be left out.
fn minimal(count: u64) -> Vec<Grid> {
    let reduce = |index| {
        let mut puzzle = grid(index);
        for cell in cells(&mut Random::new(3, Purpose::Fill, index)) {
            let digit = puzzle.get(cell);
            puzzle.set(cell, 0);
            if solve::solve(Kernel::Auto, &puzzle, Limits::PROVE).outcome != Outcome::Unique {
                puzzle.set(cell, digit);
            }
        }
        puzzle
    };
    (0..count).map(reduce).collect()
}

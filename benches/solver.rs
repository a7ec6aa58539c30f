//! Speed of the solver: `cargo bench --bench solver -- [--kernel NAME] [FILE…]`.
//!
//! Tab-separated, a line for each file of one puzzle a line (`#` lines are skipped), or for generated sets without
//! a file: set, kernel, puzzles a second of processor time on one thread, puzzles a second on all cores and that as a
//! multiple of one thread beside a clock, nodes a puzzle, median and 99th percentile of the time of one puzzle by itself
//! in µs.

use std::time::{Duration, Instant};
use sudokud::sudoku::batch::Batch;
use sudokud::sudoku::generate::{CompleteSpec, Completer, Family};
use sudokud::sudoku::random::{Purpose, Random};
use sudokud::sudoku::{BatchLimits, Cell, Grid, Kernel, Limits, Outcome, Pace, Port, solve};

const PROVE: BatchLimits = BatchLimits { max_solutions: 2, node_limit: u64::MAX };
const ROUNDS: usize = 7;
const ROUND: Duration = Duration::from_millis(300);
/// Puzzles in a batch at a time, as in a chunk of a job.
const BATCH: usize = 8_192;
/// Puzzles whose time alone is taken.
const SINGLES: usize = 2_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut kernel, mut sets) = (Kernel::default(), Vec::new());
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
    println!("set\tkernel\tpuzzles/s\tall cores/s\ttimes\tnodes/puzzle\tp50 µs\tp99 µs");
    for (set, puzzles) in sets {
        measure(&set, kernel, &puzzles);
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

/// Grids in, solutions out.
struct Grids<'a> {
    puzzles: &'a [Grid],
    out: [[u8; 81]; BATCH],
}

impl Port for Grids<'_> {
    fn puzzle(&mut self, puzzle: usize, digits: &mut [u8; 81]) {
        *digits = *self.puzzles[puzzle].digits();
    }

    fn solution(&mut self, puzzle: usize, digits: &[u8; 81]) {
        self.out[puzzle] = *digits;
    }
}

/// Solves the puzzles over and over, for [`ROUND`] at least; puzzles solved and nodes spent.
fn solve_many(kernel: Kernel, puzzles: &[Grid]) -> (usize, u64) {
    let start = Instant::now();
    let mut batch = Batch::new(kernel);
    let mut grids = Box::new(Grids { puzzles, out: [[0; 81]; BATCH] });
    let (mut done, mut nodes) = (0, 0);
    while start.elapsed() < ROUND {
        for puzzles in puzzles.chunks(BATCH) {
            grids.puzzles = puzzles;
            batch.begin(puzzles.len(), PROVE);
            batch.run(&mut *grids, &mut || Pace::Continue);
            nodes += batch.nodes();
        }
        done += puzzles.len();
    }
    (done, nodes)
}

fn measure(set: &str, kernel: Kernel, puzzles: &[Grid]) {
    let (mut one, mut all, mut times) = (Vec::new(), Vec::new(), Vec::new());
    let mut nodes_each = 0.0;
    for _ in 0..ROUNDS {
        let (start, clock) = (cpu_seconds(), Instant::now());
        let (done, nodes) = solve_many(kernel, puzzles);
        one.push(done as f64 / (cpu_seconds() - start));
        let alone = done as f64 / clock.elapsed().as_secs_f64();
        nodes_each = nodes as f64 / done as f64;
        all.push(on_all_cores(kernel, puzzles));
        times.push(all[all.len() - 1] / alone);
    }
    let single = puzzles.iter().step_by(puzzles.len().div_ceil(SINGLES)).map(|puzzle| {
        let start = Instant::now();
        std::hint::black_box(solve::solve(kernel, puzzle, Limits::PROVE));
        start.elapsed().as_secs_f64() * 1e6
    });
    let single = sorted(single.collect());
    let at = |percent: usize| single[(single.len() - 1) * percent / 100];
    // The best round is the least disturbed one.
    let (one, all, times) = (sorted(one), sorted(all), sorted(times));
    println!(
        "{set}\t{kernel}\t{:.0}\t{:.0}\t{:.2}\t{nodes_each:.3}\t{:.1}\t{:.1}",
        one[ROUNDS - 1],
        all[ROUNDS - 1],
        times[ROUNDS / 2],
        at(50),
        at(99)
    );
}

/// Puzzles a second when every core solves them.
fn on_all_cores(kernel: Kernel, puzzles: &[Grid]) -> f64 {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let clock = Instant::now();
    let done = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..cores).map(|_| scope.spawn(|| solve_many(kernel, puzzles).0)).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).sum::<usize>()
    });
    done as f64 / clock.elapsed().as_secs_f64()
}

fn sorted(mut values: Vec<f64>) -> Vec<f64> {
    values.sort_by(f64::total_cmp);
    values
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
            if solve::solve(Kernel::default(), &puzzle, Limits::PROVE).outcome != Outcome::Unique {
                puzzle.set(cell, digit);
            }
        }
        puzzle
    };
    (0..count).map(reduce).collect()
}

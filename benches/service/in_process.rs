//! The same puzzles without a service: one thread a core over the batch solver.

use std::sync::Mutex;
use std::time::Instant;
use sudokud::sudoku::{BatchLimits, Grid, Kernel, Pace, Solved, solve_batch, text};

/// Puzzles a thread takes at a time, as many as the server's chunks hold.
const CHUNK: usize = 8_192;

/// The puzzles as grids; the time of this is not measured.
pub fn parse(puzzles: &[u8]) -> Vec<Grid> {
    let grid = |line| text::parse_line(line).unwrap_or_else(|fault| panic!("{}: {fault}", line.escape_ascii()));
    text::puzzle_lines(puzzles).map(grid).collect()
}

/// Solves them all; puzzles a second.
pub fn solve(grids: &[Grid]) -> f64 {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut solved: Vec<Option<Solved>> = vec![None; grids.len()];
    let begin = Instant::now();
    {
        let chunks = Mutex::new(grids.chunks(CHUNK).zip(solved.chunks_mut(CHUNK)));
        let next = || chunks.lock().expect("no thread panics").next();
        let work = || {
            while let Some((puzzles, out)) = next() {
                let limits = BatchLimits { max_solutions: 2, node_limit: u64::MAX };
                solve_batch(Kernel::default(), puzzles, limits, out, &mut || Pace::Continue);
            }
        };
        std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    }
    let seconds = begin.elapsed().as_secs_f64();
    assert!(solved.iter().all(Option::is_some), "every puzzle has an answer");
    grids.len() as f64 / seconds
}

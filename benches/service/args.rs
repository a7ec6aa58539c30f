//! What the bench is asked for, and the puzzles it works on.

use bytes::Bytes;
use sudokud::sudoku::generate::{CompleteSpec, Completer};
use sudokud::sudoku::text::puzzle_lines;

/// Puzzles unless told otherwise.
const DEFAULT_PUZZLES: usize = 2_000_000;

/// Bytes of a puzzle: 81 cells and the line's end.
pub const LINE: usize = 82;

/// The command line.
pub struct Args {
    file: Option<String>,
    puzzles: usize,
    /// Times that each throughput is measured; the best counts.
    pub rounds: usize,
    /// Puzzles of the job that nobody reads; 0: none.
    pub unread: usize,
    /// Throughput alone: no single calls.
    pub brief: bool,
    /// Many calls beside a batch alone.
    pub load: bool,
}

impl Args {
    /// Reads the command line; ends the process with words if it can't.
    pub fn read() -> Args {
        let mut args = Args { file: None, puzzles: DEFAULT_PUZZLES, rounds: 3, unread: 0, brief: false, load: false };
        let mut words = std::env::args().skip(1);
        while let Some(word) = words.next() {
            let mut number = || words.next().and_then(|word| word.replace('_', "").parse().ok()).filter(|&n| n > 0);
            match word.as_str() {
                // Cargo's own.
                "--bench" => {}
                "--puzzles" => args.puzzles = number().unwrap_or_else(usage),
                "--rounds" => args.rounds = number().unwrap_or_else(usage),
                "--brief" => args.brief = true,
                "--load" => args.load = true,
                "--unread" => args.unread = number().unwrap_or_else(usage),
                flag if flag.starts_with('-') => usage(),
                path => args.file = Some(path.into()),
            }
        }
        args
    }

    /// The puzzles, each a line of 81 cells and its end.
    pub fn text(&self) -> Bytes {
        let Some(path) = &self.file else { return masked(self.puzzles) };
        let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
        let lines: Vec<&[u8]> = puzzle_lines(text.as_bytes()).map(|line| &line[..81]).collect();
        assert!(!lines.is_empty(), "{path} holds no puzzle");
        let lines = lines.into_iter().cycle().take(self.puzzles);
        lines
            .flat_map(|line| {
                [
                    line, b"
",
                ]
            })
            .collect::<Vec<_>>()
            .concat()
            .into()
    }
}

fn usage<T>() -> T {
    eprintln!(
        "usage: cargo bench --bench service -- [FILE] [--puzzles N] [--rounds N] [--unread N] [--brief | --load]"
    );
    std::process::exit(2)
}

/// Generated grids with all but about 30 cells blank; most have one solution.
fn masked(count: usize) -> Bytes {
    let completer = Completer::new(CompleteSpec::default(), 1);
    let puzzle = |index: usize| {
        let grid = completer.item(index as u64).to_string();
        let mut random = index as u64;
        let mut keeps = move || {
            // Knuth's multiplier of a linear congruential generator (MMIX).
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) % 81 < 30
        };
        let cells = grid.chars().map(move |digit| if keeps() { digit } else { '.' });
        cells.chain(['\n']).collect::<String>()
    };
    (0..count).map(puzzle).collect::<String>().into()
}

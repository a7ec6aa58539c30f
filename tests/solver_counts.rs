//! Puzzles whose number of solutions is known, from independent counters, and puzzles made to hurt backtracking.

#[path = "solver/run.rs"]
mod run;

use run::{fast, run};
use sudokud::sudoku::{Grid, Kernel, Limits, Outcome, solve};

/// Isomorphs (relabeled, permuted, some transposed) of puzzles with published counts: of tdoku's tests, of Sudopedia's
/// invalid grids and of public bug reports.
const KNOWN: [(&str, u64); 37] = [
    ("16...2.9...487...67.8.193.......6..3935.8..7...2.5....4.72....1..9.65..83....15.4", 1),
    (".73.8...29.43...812......6.495.176..6...4.....8.2...5...1.7854.75..2...9...16..3.", 1),
    ("..76.5...24....3.5..948...76...48.....1..689..34.7.5.272....91..1835.4.6...1.....", 1),
    (".78...1...5.6.9...3.4.2..5.26..87..3.19..3......5...46.....257...173.8..9...15.62", 1),
    ("71..3.5..25.....89.8..6.4..47.........287..63...1.5.9...52.16.7..3..9.428..64..1.", 1),
    ("..4.2..8..5.4.....82............7..6..31......4..5..3.4...3..2...9.....1...6..74.", 1),
    ("..17..9.3.9..3...85......4..4......5..9..76..8...6.......1.9.....2.7.1.......2...", 1),
    (".71......6...5...8..4...7..7..1..8....6.3...9.....2.6......6.3.4..8......6..9...2", 1),
    ("...1....2..95..7...6...8.3.7.......9.4..5..8...2.......5.....4.6...43.......8.6..", 1),
    ("..8.3.15...3.5..2.9....1...........6......4....278..3...75.8..........7.23..7....", 0),
    ("2.....6....98...5..7......1.6..4......3..8.9.....9.7.......51...2...3.....4.8..3.", 0),
    ("95....7....8..2..6....5......4..8..273.....9....3.......1...........128....46...1", 0),
    ("........71..5.73....7.8...15..7.4..3....2.5..3.....4...9.......7..4.1.3...6......", 0),
    ("....4.....6...72..3........62...58....9....1..8...65...7..6...8.....8.2....75.6..", 0),
    ("...285436...647159...3918274.5.......8.......7.3.........7246.....169..2...853..1", 125),
    (".4....8628.....753..3...419921...576586...134437...928...3.8......1.2.......4....", 113),
    ("......68.......94.........5.1.657...9..834...5..192...345968...798241...261573...", 91),
    ("...3.........84.......91...568...379749...821321...456285......937...54.416.....2", 13),
    (".31......8.........52.........193745...458962...276318...5..431....2.589....8.627", 3),
    (".....6....85...6..6......599....85....3.2...7...7......2.3...1.8....59......1....", 633),
    (".63..5...8...4.6....4....7...8.3.2..6.......92....1....8..6.3.......8.1....5....7", 838),
    (".4...891.1........8......424....915..9......7.5...6.....4..158.....6.......9.....", 847),
    (".9.5.7...7..12..54.........43.9...7..........87......53.2.....8....6.9....9285.4.", 3),
    ("........8........1.8529.63.82..67...9.61.3.........35.23..56...5.18.9.........47.", 10),
    ("43.2...6....8..5...5.93.1..1.47...8.....8..1...5.2.63.......4......9....786..4.51", 0),
    ("....4..78.1.9....6..625....5...6............19.....4.......6.........56..6...89..", 0),
    ("3.2..8.1.4............9...6...7.31....64...8.....1.8......794..74.1.....1......38", 0),
    ("..5.8...4....71.21.69...3...4...7...6...2..1....9..27...........81........2.9.58.", 0),
    ("4...62...5.2......3.7...8.6........57..1...83.......1.6....173....3.8..4..4.2....", 26),
    ("....3149..2.........8..9...3...4......96....75.7.2...8........18..4.....1.....72.", 1),
    ("....62....1.4.3.59..31676.2..73....8.3..1..6........955.9......38.2...7667..5.94.", 0),
    ("3.........74.......29.........375648...214953...689712....5.861....6.439...1..275", 125),
    ("562...831817...942934...756..6...587.5....3143.....269.....5......71.......63....", 113),
    (".....4865.....8732....5.491...437128...289356...51697421.........4......38.......", 91),
    ("387...6.4165......294....5.....14.......72......3.....523...496478...125916...378", 13),
    ("381456...726193...495782..........23......6.........54.3.629...2..574....6.318...", 3),
    (".8.....379.3...8.....8.........4.....9.3..7....4..1..2.....6....3.7..9..6...2..1.", 633),
];

/// Puzzles on which plain backtracking in reading order tries many millions of digits, and how many solutions they have.
const HOSTILE: [(&str, u64); 4] = [
    // Against solvers that go row by row (Wikipedia, "Sudoku solving algorithms").
    ("..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9", 1),
    // No solution, 24 minutes in Norvig's solver ("Solving Every Sudoku Puzzle").
    (".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4.........", 0),
    // Inkala's "AI Escargot" (2006) and his hardest of 2012.
    ("1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..", 1),
    ("8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..", 1),
];

fn grid(line: &str) -> Grid {
    let cells: [u8; 81] = line.as_bytes().try_into().expect("81 cells");
    Grid::from_digits(cells.map(|c| if c == b'.' { 0 } else { c - b'0' })).expect("digits")
}

fn count_all(node_limit: u64) -> Limits {
    Limits { max_solutions: 10_000, count_limit: 1_000_000, node_limit }
}

#[test]
fn known_counts_hold() {
    for ((line, count), kernel) in KNOWN.into_iter().flat_map(|known| fast().map(move |kernel| (known, kernel))) {
        let puzzle = grid(line);
        let answer = solve::solve(kernel, &puzzle, count_all(u64::MAX));
        assert_eq!((answer.count, answer.exact), (count, true), "{line}");
        let outcome = match count {
            0 => Outcome::Unsolvable,
            1 => Outcome::Unique,
            _ => Outcome::Multiple,
        };
        assert_eq!(answer.outcome, outcome, "{line}");
        assert!(answer.solutions.iter().all(|solution| solution.is_solved() && solution.extends(&puzzle)), "{line}");
        let mut lines: Vec<String> = answer.solutions.iter().map(Grid::to_string).collect();
        lines.sort_unstable();
        lines.dedup();
        assert_eq!(lines.len() as u64, count, "{line}");
    }
}

#[test]
fn known_counts_hold_in_one_batch() {
    let puzzles = KNOWN.map(|(line, _)| grid(line));
    for kernel in fast() {
        let ran = run(kernel, &puzzles, count_all(u64::MAX), 100);
        let counts = ran.tallies.iter().map(|tally| tally.found);
        assert!(counts.eq(KNOWN.iter().map(|&(_, count)| count)), "{kernel}: {:?}", ran.tallies);
        assert!(ran.tallies.iter().all(|tally| !tally.closed), "{kernel}");
    }
}

#[test]
fn the_reference_agrees_where_it_gets_through() {
    let mut decided = 0;
    for (line, count) in KNOWN {
        let answer = solve::solve(Kernel::Reference, &grid(line), count_all(20_000));
        assert!(answer.count <= count, "{line}");
        if answer.exact {
            assert_eq!(answer.count, count, "{line}");
            decided += 1;
        }
    }
    assert!(decided >= 20, "only {decided} decided");
}

#[test]
fn hostile_puzzles_take_few_guesses() {
    for ((line, count), kernel) in HOSTILE.into_iter().flat_map(|known| fast().map(move |kernel| (known, kernel))) {
        let answer = solve::solve(kernel, &grid(line), Limits::PROVE);
        assert_eq!((answer.count, answer.exact), (count, true), "{line}");
        assert!(answer.nodes < 20_000, "{line}: {} nodes", answer.nodes);
    }
}

//! Puzzles with known answers, as many as wanted: item `i` is a base puzzle whose digits are relabeled and whose
//! rows and columns are permuted as `i` says. Such a change keeps the number of solutions and carries the solution
//! with it, so an answer is known without any solver.

use sudokud::grpc::proto::v1::Outcome;

/// One item and what must become of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// The line to send.
    pub line: String,
    /// Its outcome.
    pub outcome: Outcome,
    /// Its solution; empty where the outcome shows none.
    pub solution: String,
    /// Its ER in tenths; 0 where it has not exactly one solution.
    pub er: u8,
}

/// A puzzle that others are made of.
pub struct Base {
    puzzle: &'static str,
    outcome: Outcome,
    solution: &'static str,
    /// As Sudoku Explainer 1.2.1 says.
    er: u8,
}

/// Three with many givens, three minimal ones, two with several solutions, two with none.
const BASES: [Base; 10] = [
    unique(
        12,
        "2.35.7..6..742...9.41.3..2...5.6.9...3914.56881..5......8.7469.36.29..8.97.8..4..",
        "293587146687421359541639827425768913739142568816953274158374692364295781972816435",
    ),
    unique(
        15,
        "..8.....35..1.....7.169.8....3..9..2..9.7.6...174.3589..53..4..18....3.736......8",
        "498527163526138974731694825653819742849275631217463589975382416182946357364751298",
    ),
    unique(
        15,
        "1..6..5.4....7..3..2..85.1.78...4..9....6....53.9.84.26.1.4......3..........29.5.",
        "178693524465271938329485716782534169914762385536918472651847293293156847847329651",
    ),
    unique(
        71,
        "..5.4..8.....1...3.......6.5.6..3.7..9..8.......4.19.....1....7.42.....63....5..4",
        "935746182867912543421358769516293478294587631783461925658134297142879356379625814",
    ),
    unique(
        15,
        "869..2..4.....3.....3.....17.5....6.9............56.4....8..5.25...1..87..2......",
        "869172354251943876473685921745391268916428735328756149697834512534219687182567493",
    ),
    unique(
        66,
        "...8.9....1.5..8.4......1..5412.6.......5....6.......73......59..74.........35.6.",
        "435819276716523894298647135541276983879354621623198547362781459957462318184935762",
    ),
    gridless("9.3.....421........7.1..3..48...5.......8..1....74..8....87.9.....2....3....945..", Outcome::Multiple),
    gridless("........4......8...........48....2....................5.....9...9.......1.76..5..", Outcome::Multiple),
    gridless("..9......51..3.4.........7..9...3.8413.4.9.2.4..52.3.6....9......167.9.2.57.486..", Outcome::Unsolvable),
    gridless(".....98..6.7.2.34..83..56...78.5.9.64.......5.69..2.8.....1..92.....3..8..2.96..3", Outcome::Unsolvable),
];

/// No solution, and a long search to prove it.
pub const LONG: Base =
    gridless("....1.92..............275...........1.....6...9....1............69.5......5.96...", Outcome::Unsolvable);

const fn unique(er: u8, puzzle: &'static str, solution: &'static str) -> Base {
    Base { puzzle, outcome: Outcome::Unique, solution, er }
}

const fn gridless(puzzle: &'static str, outcome: Outcome) -> Base {
    Base { puzzle, outcome, solution: "", er: 0 }
}

/// Item `index` of the mixture: all sorts of puzzles, one in 64 of them no puzzle at all.
pub fn mixed(index: u32) -> Known {
    let mut known = variant(&BASES[Random(u64::from(index)).below(BASES.len())], index);
    match index % 128 {
        63 => known = invalid(&known.line[..80]),
        127 => known = invalid(&known.line.replacen('.', "?", 1)),
        _ => {}
    }
    known
}

/// Variant `index` of a puzzle.
pub fn variant(base: &Base, index: u32) -> Known {
    Symmetry::draw(&mut Random(u64::from(index) << 32)).apply(base)
}

fn invalid(line: &str) -> Known {
    Known { line: line.to_owned(), outcome: Outcome::Invalid, solution: String::new(), er: 0 }
}

/// The items of a range as an upload's text.
pub fn text(range: std::ops::Range<u32>) -> String {
    let mut text = String::with_capacity(82 * range.len());
    for index in range {
        text.push_str(&mixed(index).line);
        text.push('\n');
    }
    text
}

/// A change of a grid that keeps the number of its solutions.
struct Symmetry {
    digits: [usize; 9],
    rows: [usize; 9],
    columns: [usize; 9],
    transpose: bool,
}

impl Symmetry {
    fn draw(random: &mut Random) -> Symmetry {
        let (rows, columns) = (lines(random), lines(random));
        Symmetry { digits: random.permutation(), rows, columns, transpose: random.below(2) == 1 }
    }

    fn apply(&self, base: &Base) -> Known {
        let solution = if base.solution.is_empty() { String::new() } else { self.moved(base.solution) };
        Known { line: self.moved(base.puzzle), outcome: base.outcome, solution, er: base.er }
    }

    fn moved(&self, grid: &str) -> String {
        let from = grid.as_bytes();
        let source = |cell: usize| {
            let (row, column) = (self.rows[cell / 9], self.columns[cell % 9]);
            from[if self.transpose { column * 9 + row } else { row * 9 + column }]
        };
        let relabel = |mark: u8| if mark == b'.' { '.' } else { digit(self.digits[usize::from(mark - b'1')]) };
        (0..81).map(|cell| relabel(source(cell))).collect()
    }
}

fn digit(value: usize) -> char {
    char::from(b"123456789"[value])
}

/// The nine lines with bands, and lines within each, in another order.
fn lines(random: &mut Random) -> [usize; 9] {
    let bands = random.permutation::<3>();
    let within = [random.permutation::<3>(), random.permutation::<3>(), random.permutation::<3>()];
    std::array::from_fn(|i| 3 * bands[i / 3] + within[i / 3][i % 3])
}

/// SplitMix64 (Steele, Lea and Flood, 2014).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }

    fn permutation<const N: usize>(&mut self) -> [usize; N] {
        let mut order = std::array::from_fn(|i| i);
        for i in (1..N).rev() {
            order.swap(i, self.below(i + 1));
        }
        order
    }
}

/// The tests' own ground: givens stand in the solution, every house of which holds each digit.
#[test]
fn the_known_answers_are_answers() {
    use sudokud::sudoku::Grid;
    let grid = |text: &str| {
        let digits: Vec<u8> = text.bytes().map(|mark| if mark == b'.' { 0 } else { mark - b'0' }).collect();
        Grid::from_digits(digits.try_into().expect("81 cells")).expect("digits")
    };
    let mut seen = std::collections::HashSet::new();
    for known in (0..2_000).map(mixed).filter(|known| known.outcome == Outcome::Unique) {
        let (puzzle, solution) = (grid(&known.line), grid(&known.solution));
        assert!(solution.is_solved() && solution.extends(&puzzle), "{known:?}");
        assert!(seen.insert(known.line), "the same puzzle twice");
    }
    assert!(seen.len() > 1_000);
}

//! Published and countable forms, the slow search, and random equivalents.

use super::lines::{Least, sides};
use super::*;
use crate::sudoku::generate::{CompleteSpec, Completer, Family};
use crate::sudoku::geometry::Cell;
use crate::sudoku::random::{Purpose, Random};

fn grid(line: &str) -> Grid {
    let digits: Vec<u8> = line.bytes().map(|b| if b == b'.' { 0 } else { b - b'0' }).collect();
    Grid::from_digits(digits.try_into().expect("81 cells")).expect("digits")
}

/// The order of nine lines that a random exchange of bands and of lines within them gives.
fn line_order(random: &mut Random) -> [usize; 9] {
    let mut bands = [0, 1, 2];
    random.shuffle(&mut bands);
    let mut lines = [0; 9];
    for (three, band) in lines.chunks_exact_mut(3).zip(bands) {
        three.copy_from_slice(&[3 * band, 3 * band + 1, 3 * band + 2]);
        random.shuffle(three);
    }
    lines
}

/// A random grid equivalent to this one.
fn equivalent(grid: &Grid, random: &mut Random) -> Grid {
    let (rows, cols) = (line_order(random), line_order(random));
    let mut labels = [1, 2, 3, 4, 5, 6, 7, 8, 9];
    random.shuffle(&mut labels);
    let turned = random.below(2) == 1;
    let digit = |i: usize| {
        let (row, col) = if turned { (i % 9, i / 9) } else { (i / 9, i % 9) };
        match grid.digits()[9 * rows[row] + cols[col]] {
            0 => 0,
            digit => labels[usize::from(digit) - 1],
        }
    };
    Grid::from_digits(std::array::from_fn(digit)).expect("digits")
}

/// Completed grids of all sorts, each with its number of givens left out at random.
fn puzzles(each: u64) -> impl Iterator<Item = Grid> {
    let completer = Completer::new(CompleteSpec { first_cell: 0, family: Family::Search }, 4);
    (0..82 * each).map(move |index| {
        let mut puzzle = completer.item(index);
        let mut cells: Vec<Cell> = Cell::all().collect();
        Random::new(4, Purpose::Fill, index).shuffle(&mut cells);
        cells[..(index % 82) as usize].iter().for_each(|&cell| puzzle.set(cell, 0));
        puzzle
    })
}

/// Grids that are their own forms, and how many automorphisms they have.
const KNOWN: [(&str, u64); 10] = [
    // The most symmetrical grid (Russell and Jarvis, "Mathematics of Sudoku II").
    ("123456789456789123789123456231564897564897231897231564312645978645978312978312645", 648),
    // The least and the greatest of all canonical grids, the latter 72 automorphisms (Red Ed, Sudoku Players' forum,
    // 2007); the three of the former are counted by the slow search.
    ("123456789456789123789123456214365897365897214897214365531642978642978531978531642", 3),
    ("123456789457893612986217354274538196531964827698721435342685971715349268869172543", 72),
    // sudokuwiki.org, "Sudoku Min-Lex".
    ("123456789457189236698273541261947853745831692839625417384792165512368974976514328", 1),
    // The example that Dobrichev gave with a mended RowMinStdForm (2011).
    ("..................................12.....3..4..5.6...7...4..8....62......97...3..", 6),
    (".................................................................................", 2 * 1_679_616 * 362_880),
    // There are 81 cells and 9 digits.
    ("................................................................................1", 2 * 1_679_616 * 40_320 / 81),
    // 18 lines, 9 cells to leave empty.
    (".........................................................................12345678", 2 * 1_679_616 / (18 * 9)),
    // Nine digits, one in each row and column, three of them in a box: 6^4 patterns.
    ("........1.......2.......3.......4.......5.......6.......7.......8.......9........", 2 * 1_679_616 / 1_296),
    // A digit once in every house: 6^6 patterns, 9 digits.
    ("........1.....1.....1.............1.....1.....1.............1.....1.....1........", 72 * 40_320),
];

#[test]
fn known_forms() {
    let mut random = Random::new(1, Purpose::Fill, 0);
    for (line, automorphisms) in KNOWN {
        let expected = Some(Canonical { grid: grid(line), automorphisms });
        assert_eq!(canonical(&grid(line)), expected);
        for _ in 0..20 {
            assert_eq!(canonical(&equivalent(&grid(line), &mut random)), expected);
        }
    }
}

#[test]
fn digits_that_clash_have_no_form() {
    assert_eq!(canonical(&grid(&format!("1.......1{}", ".".repeat(72)))), None);
    assert_eq!(canonical(&grid(&"1".repeat(81))), None);
}

#[test]
fn equivalent_grids_share_their_form() {
    let mut random = Random::new(2, Purpose::Fill, 0);
    let mut forms = std::collections::HashSet::new();
    for puzzle in puzzles(4) {
        let form = canonical(&puzzle).expect("no clash");
        assert_eq!(form.grid.clue_count(), puzzle.clue_count());
        assert_eq!(canonical(&form.grid), Some(form), "{puzzle}");
        for _ in 0..3 {
            assert_eq!(canonical(&equivalent(&puzzle, &mut random)), Some(form), "{puzzle}");
        }
        forms.insert(form.grid);
    }
    // All of them differ but those of 0 and 1 givens, and of 2 in some cases.
    assert!(forms.len() > 4 * 79, "{} forms", forms.len());
}

#[test]
fn both_searches_agree_on_completed_grids() {
    let known = KNOWN.iter().map(|(line, _)| grid(line)).filter(|grid| grid.clue_count() == 81);
    for grid in known.chain(puzzles(2).filter(|puzzle| puzzle.clue_count() == 81)) {
        let sides = sides(&grid);
        assert_eq!(complete::least(&sides), partial::least(&sides), "{grid}");
    }
}

/// Grids for the slow search, each for something that the quick ones do: none is its own form.
const SLOW: [&str; 7] = [
    // 17 givens; an empty row, column and band.
    "...8.1..........435............7.8........1...2..3....6......75..34........2..6..",
    "5.3.......4.....1...8............6.1..2.......7..........................3..7.5..",
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
    // 80, 72 and 81 givens.
    "53467891267219534819834256785976142342685379171392485696153728428741963534528617.",
    ".3467891267219.34819834256.8597.142342.85379171392485.961537.8428741.6353.5286179",
    "978531642531642978642978531456789123123456789789123456365897214214365897897214365",
    // Symmetrical.
    "1.......2...3.......4...5.......6.......7.......8.......9...4.......3...2.......1",
];

#[test]
fn the_slow_search_agrees() {
    for line in SLOW {
        let puzzle = grid(line);
        assert!(puzzle.conflicts().is_empty(), "{line}");
        let quick: Least = if puzzle.clue_count() == 81 { complete::least } else { partial::least }(&sides(&puzzle));
        assert_eq!(quick, slow::least(&puzzle), "{line}");
    }
}

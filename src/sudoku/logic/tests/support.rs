//! States, puzzles and steps for the tests.

use crate::sudoku::generate::{CompleteSpec, Completer, Family};
use crate::sudoku::logic::{Digits, State, Step};
use crate::sudoku::random::{Purpose, Random};
use crate::sudoku::solve::solve;
use crate::sudoku::{Cell, CellSet, Grid, Kernel, Limits, Outcome};

/// The grid of 81 characters, `.` where empty.
pub fn grid(line: &str) -> Grid {
    let digits: Vec<u8> = line.bytes().map(|byte| if byte == b'.' { 0 } else { byte - b'0' }).collect();
    Grid::from_digits(digits.try_into().expect("81 cells")).expect("digits")
}

/// Restricts the state by these words: `r1c1=12` leaves a cell two candidates, `b3:5=r1c7,r1c8` a digit two places in a
/// house (`r`, `c` or `b` and its number), `r1c1!5` places a digit.
pub fn restrict(mut state: State, words: &str) -> State {
    for word in words.split_whitespace() {
        if let Some((house, rest)) = word.split_once(':') {
            let (digit, cells) = rest.split_once('=').expect("a digit and its places");
            let cells: CellSet = cells.split(',').map(cell).collect();
            for cell in (CellSet::house(house_of(house)) - cells).iter() {
                state.remove(cell, digits(digit));
            }
        } else if let Some((at, left)) = word.split_once('=') {
            state.remove(cell(at), Digits::ALL - digits(left));
        } else {
            let (at, placed) = word.split_once('!').expect("a digit to place");
            state.place(cell(at), digits(placed).single().expect("one digit"));
        }
    }
    state
}

fn digits(text: &str) -> Digits {
    text.bytes().fold(Digits::NONE, |digits, byte| digits | Digits::of(byte - b'0'))
}

fn number(byte: u8) -> usize {
    usize::from(byte - b'1')
}

fn cell(name: &str) -> Cell {
    let name = name.as_bytes();
    Cell::at(number(name[1]), number(name[3]))
}

fn house_of(name: &str) -> usize {
    let name = name.as_bytes();
    number(name[1])
        + match name[0] {
            b'r' => 0,
            b'c' => 9,
            _ => 18,
        }
}

/// As `XWing 3.2 r1c23-5 r5c2-5`: technique, score, placement, and removals, those of a row together if alike.
pub fn told(step: &Step) -> String {
    let mut told = format!("{:?} {}", step.technique, step.score);
    if let Some((cell, digit)) = step.placement {
        told += &format!(" {cell}={digit}");
    }
    let alike = |a: &(Cell, Digits), b: &(Cell, Digits)| a.0.row() == b.0.row() && a.1 == b.1;
    for group in step.removals.chunk_by(alike) {
        let columns: String = group.iter().map(|(cell, _)| (cell.col() + 1).to_string()).collect();
        told += &format!(" r{}c{columns}-{}", group[0].0.row() + 1, group[0].1);
    }
    told
}

/// Puzzles with one solution, and that: more or less emptied at random.
pub fn puzzles(count: u64) -> impl Iterator<Item = (Grid, Grid)> {
    let completer = Completer::new(CompleteSpec { first_cell: 0, family: Family::Search }, 2_026);
    (0..count).map(move |index| {
        let solution = completer.item(index);
        let mut random = Random::new(2_026, Purpose::Fill, 1_000_000 + index);
        let mut cells: Vec<Cell> = Cell::all().collect();
        random.shuffle(&mut cells);
        let (mut puzzle, givens) = (solution, 22 + random.below(10) as usize);
        for cell in cells {
            if puzzle.clue_count() == givens {
                break;
            }
            puzzle.set(cell, 0);
            if solve(Kernel::default(), &puzzle, Limits::PROVE).outcome != Outcome::Unique {
                puzzle.set(cell, solution.get(cell));
            }
        }
        (puzzle, solution)
    })
}

/// An isomorphic puzzle: digits renamed, lines and bands exchanged, perhaps transposed.
pub fn isomorph(puzzle: &Grid, random: &mut Random) -> Grid {
    let mut names = [1, 2, 3, 4, 5, 6, 7, 8, 9];
    random.shuffle(&mut names);
    let (rows, columns) = (lines(random), lines(random));
    let transposed = random.below(2) == 1;
    let mut image = Grid::EMPTY;
    for cell in Cell::all().filter(|&cell| puzzle.get(cell) != 0) {
        let (row, col) = (rows[cell.row()], columns[cell.col()]);
        let to = if transposed { Cell::at(col, row) } else { Cell::at(row, col) };
        image.set(to, names[usize::from(puzzle.get(cell)) - 1]);
    }
    image
}

/// Where each of nine lines goes: bands change places, and lines within them.
fn lines(random: &mut Random) -> [usize; 9] {
    let mut bands = [0, 1, 2];
    random.shuffle(&mut bands);
    let mut lines = [0; 9];
    for (band, to) in bands.into_iter().enumerate() {
        let mut within = [0, 1, 2];
        random.shuffle(&mut within);
        (0..3).for_each(|line| lines[3 * band + line] = 3 * to + within[line]);
    }
    lines
}

//! Easy puzzles: generated grids from which givens are taken while naked and hidden singles still solve the rest.

use super::Line;
use sudokud::sudoku::Cell;
use sudokud::sudoku::generate::{CompleteSpec, Completer, Family};
use sudokud::sudoku::geometry::HOUSES;
use sudokud::sudoku::random::{Purpose, Random};

const SEED: u64 = 1;

/// So many puzzles of 33 to 36 clues.
pub fn lines(count: usize) -> Vec<Line> {
    let completer = Completer::new(CompleteSpec { first_cell: 0, family: Family::Orbit }, SEED);
    (0..).filter_map(|index| puzzle(&completer, index)).take(count).collect()
}

fn puzzle(completer: &Completer, index: u64) -> Option<Line> {
    let mut random = Random::new(SEED, Purpose::Fill, index);
    let clues = 33 + (index % 4) as usize;
    let mut digits = *completer.item(index).digits();
    let mut cells: Vec<Cell> = Cell::all().collect();
    random.shuffle(&mut cells);
    let mut left = 81;
    for cell in cells {
        let digit = std::mem::take(&mut digits[cell.index()]);
        left -= 1;
        if !singles_solve(digits) {
            digits[cell.index()] = digit;
            left += 1;
        }
        if left == clues {
            return Some(digits.map(|digit| if digit == 0 { b'.' } else { b'0' + digit }));
        }
    }
    None
}

/// Whether naked and hidden singles fill every cell.
fn singles_solve(mut digits: Line) -> bool {
    while digits.contains(&0) {
        let candidates = candidates(&digits);
        // For each house the digits that one cell alone can take.
        let alone = HOUSES.map(|house| {
            let (mut once, mut twice) = (0, 0);
            for cell in house {
                twice |= once & candidates[usize::from(cell)];
                once |= candidates[usize::from(cell)];
            }
            once & !twice
        });
        let before = digits;
        for cell in Cell::all().filter(|cell| before[cell.index()] == 0) {
            let own = candidates[cell.index()];
            let hidden = own & (alone[cell.row()] | alone[9 + cell.col()] | alone[18 + cell.box_()]);
            let single = if own.is_power_of_two() { own } else { hidden };
            if single.is_power_of_two() {
                digits[cell.index()] = single.trailing_zeros() as u8;
            }
        }
        if digits == before {
            return false;
        }
    }
    true
}

/// The digits that each empty cell can take: bit d for digit d.
fn candidates(digits: &Line) -> [u16; 81] {
    let used = HOUSES.map(|house| house.iter().fold(0u16, |used, &cell| used | 1 << digits[usize::from(cell)]));
    let mut candidates = [0; 81];
    for cell in Cell::all().filter(|cell| digits[cell.index()] == 0) {
        candidates[cell.index()] = 0x3fe & !(used[cell.row()] | used[9 + cell.col()] | used[18 + cell.box_()]);
    }
    candidates
}

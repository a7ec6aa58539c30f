//! [`Matrix`]: the links of a state as rows of bits, to follow many at once. Must never know of chains.

use super::candidate::{Bits, Candidate};
use super::links::Links;
use crate::sudoku::Cell;
use crate::sudoku::logic::state::State;

/// The candidates of a state, numbered in reading order, and their links. `W` words hold a bit for each.
pub(super) struct Matrix<const W: usize> {
    /// The candidate of each number.
    pub candidates: Vec<Candidate>,
    /// Of the same digit: those that share a house, and those that are the only others of a house.
    pub houses: [Vec<Bits<W>>; 2],
    /// In the same cell: the others, and the only other.
    cells: [Vec<Bits<W>>; 2],
}

/// For each candidate those that go when it holds, and those that hold when it goes.
pub(super) struct Rows<const W: usize> {
    pub excluded: Vec<Bits<W>>,
    pub forced: Vec<Bits<W>>,
    /// Those of which the going makes others hold.
    pub forcing: Bits<W>,
}

impl<const W: usize> Matrix<W> {
    /// # Panics
    /// When the state has more candidates than bits.
    pub fn new(state: &State) -> Matrix<W> {
        let numbers = |cell: Cell| state.candidates(cell).iter().map(move |digit| Candidate::new(cell, digit));
        let candidates: Vec<Candidate> = Cell::all().flat_map(numbers).collect();
        let mut in_houses = [[Bits::EMPTY; 9]; 27];
        let mut in_cells = [Bits::EMPTY; 81];
        for (number, candidate) in candidates.iter().enumerate() {
            in_cells[candidate.cell().index()].insert(number);
            for (house, _) in candidate.cell().houses() {
                in_houses[house][usize::from(candidate.digit()) - 1].insert(number);
            }
        }
        let rows = || Vec::with_capacity(candidates.len());
        let (houses, cells) = ([rows(), rows()], [rows(), rows()]);
        let mut matrix = Matrix { candidates, houses, cells };
        for (number, candidate) in matrix.candidates.iter().enumerate() {
            let (cell, digit) = (candidate.cell(), candidate.digit());
            let mut own = Bits::EMPTY;
            own.insert(number);
            let [mut peers, mut partners] = [Bits::EMPTY; 2];
            for (house, _) in cell.houses() {
                let mut others = in_houses[house][usize::from(digit) - 1];
                others.drop(&own);
                peers.add(&others);
                if state.places(house, digit).count_ones() == 2 {
                    partners.add(&others);
                }
            }
            matrix.houses[0].push(peers);
            matrix.houses[1].push(partners);
            let mut others = in_cells[cell.index()];
            others.drop(&own);
            matrix.cells[0].push(others);
            matrix.cells[1].push(if state.candidates(cell).len() == 2 { others } else { Bits::EMPTY });
        }
        matrix
    }

    /// The rows that these links make.
    pub fn rows(&self, links: Links) -> Rows<W> {
        let both = |i: usize, houses: bool, cells: bool| {
            let row = |(in_houses, in_cells): (&Bits<W>, &Bits<W>)| {
                let mut row = if houses { *in_houses } else { Bits::EMPTY };
                if cells {
                    row.add(in_cells);
                }
                row
            };
            self.houses[i].iter().zip(&self.cells[i]).map(row).collect()
        };
        let forced: Vec<Bits<W>> = both(1, links.houses, links.cells);
        let mut forcing = Bits::EMPTY;
        let some = forced.iter().enumerate().filter(|(_, row)| !row.is_empty());
        some.for_each(|(number, _)| forcing.insert(number));
        Rows { excluded: both(0, true, links.cells), forced, forcing }
    }
}

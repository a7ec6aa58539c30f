//! Bivalue universal grave: if every empty cell had two candidates and every digit two places in each house, there would be
//! two solutions or none. So one of the extra candidates is right.
//!
//! Must never know of other techniques.

use super::digits::Digits;
use super::order::{BOXES, COLUMNS, ROWS, cells_in, houses_of, members, peers, subsets};
use super::score::Score;
use super::state::State;
use super::step::{Found, Step};
use super::technique::Technique;
use crate::sudoku::geometry::{Cell, CellSet};
use std::ops::ControlFlow;

/// The steps of a grave, types 1 to 4. `cells` are those with extra candidates, `digits` those candidates, for type 4 the
/// digit that has to be in one of the two cells, with the extra ones as `extra`. Type 3 is a naked set with the cells
/// `beside` on the digits `extra`.
pub fn find(state: &State, found: Found) -> ControlFlow<()> {
    let Some(grave) = Grave::new(state) else { return ControlFlow::Continue(()) };
    match grave.cells.len() {
        0 => ControlFlow::Continue(()),
        1 => found(grave.type_1(state)),
        _ if grave.digits.len() == 1 => {
            grave.type_2(state, found)?;
            grave.type_4(state, found)
        }
        _ if grave.common.is_empty() => ControlFlow::Continue(()),
        _ => {
            grave.type_4(state, found)?;
            grave.type_3(state, found)
        }
    }
}

/// A state that is a grave but for extra candidates.
struct Grave {
    /// The cells with extra candidates, as they were found, and those.
    cells: Vec<(Cell, Digits)>,
    /// The extra candidates of all cells.
    digits: Digits,
    /// What all these cells see, without themselves.
    common: CellSet,
}

impl Grave {
    fn new(state: &State) -> Option<Grave> {
        let mut grave = Grave { cells: Vec::new(), digits: Digits::NONE, common: CellSet::ALL };
        for house in BOXES.chain(ROWS).chain(COLUMNS) {
            for digit in 1..=9 {
                if !matches!(state.places(house, digit).count_ones(), 0 | 2) {
                    grave.dig(state, house, digit)?;
                }
            }
        }
        grave.is_sound(state).then_some(grave)
    }

    /// Finds the cell to blame for a digit that has not two places in a house. `None` if this is no grave. Where several
    /// cells may be to blame another house will tell.
    fn dig(&mut self, state: &State, house: usize, digit: u8) -> Option<()> {
        let places = cells_in(house).filter(|&cell| state.candidates(cell).has(digit));
        let mut suspects = places.filter(|&cell| state.candidates(cell).len() >= 3);
        let cell = suspects.next()?;
        if suspects.next().is_some() {
            return Some(());
        }
        match self.cells.iter_mut().find(|(known, _)| *known == cell) {
            Some((_, extra)) => *extra = *extra | Digits::of(digit),
            None => self.cells.push((cell, Digits::of(digit))),
        }
        self.digits = self.digits | Digits::of(digit);
        self.common = (self.common & CellSet::peers(cell)) - self.cell_set();
        let hopeless = self.cells.len() > 1 && self.digits.len() > 1 && self.common.is_empty();
        (!hopeless).then_some(())
    }

    /// Whether without the extra candidates each cell has two, and each digit two places in each house or none.
    fn is_sound(&self, state: &State) -> bool {
        let mut rest = state.clone();
        self.cells.iter().for_each(|&(cell, extra)| rest.remove(cell, extra));
        let two_places = |house| (1..=9).all(|digit| matches!(rest.places(house, digit).count_ones(), 0 | 2));
        rest.empty().iter().all(|cell| rest.candidates(cell).len() == 2) && (0..27).all(two_places)
    }

    fn cell_set(&self) -> CellSet {
        self.cells.iter().map(|&(cell, _)| cell).collect()
    }

    fn step(&self, technique: Technique, score: u32) -> Step {
        Step { cells: self.cell_set(), digits: self.digits, ..Step::new(technique, Score(score as u8)) }
    }

    /// One cell: it holds an extra candidate.
    fn type_1(&self, state: &State) -> Step {
        let removals = state.having(self.cell_set(), Digits::ALL - self.digits);
        Step { removals, ..self.step(Technique::Bug1, 56) }
    }

    /// One extra digit: it is in one of the cells.
    fn type_2(&self, state: &State, found: Found) -> ControlFlow<()> {
        let removals = state.having(self.common, self.digits);
        if removals.is_empty() {
            return ControlFlow::Continue(());
        }
        found(Step { removals, ..self.step(Technique::Bug2, 57) })
    }

    /// The extra digits of the cells make a naked set with other cells of their house.
    fn type_3(&self, state: &State, found: Found) -> ControlFlow<()> {
        for house in self.shared_houses() {
            let others = self.common & CellSet::house(house);
            // In the order in which the first cell sees them.
            let in_order: Vec<Cell> = peers(self.cells[0].0).filter(|&cell| others.contains(cell)).collect();
            for size in 2..=in_order.len().min(6) as u32 {
                for set in subsets(size - 1).take_while(|set| usize::from(*set) < 1 << in_order.len()) {
                    let cells: CellSet = members(set).map(|i| in_order[i]).collect();
                    let digits = cells.iter().fold(Digits::NONE, |all, cell| all | state.candidates(cell));
                    let naked = cells.iter().all(|cell| state.candidates(cell).len() > 1) && digits.len() == size;
                    if !naked || !digits.includes(self.digits) {
                        continue;
                    }
                    let removals = state.having(others - cells, digits);
                    if !removals.is_empty() {
                        let step = self.step(Technique::Bug3, 57 + size - 1);
                        found(Step { beside: cells, extra: digits, houses: vec![house as u8], removals, ..step })?;
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Two cells of a house with one further digit in common, which has to be in one of them.
    fn type_4(&self, state: &State, found: Found) -> ControlFlow<()> {
        let [(first, _), (second, _)] = self.cells[..] else { return ControlFlow::Continue(()) };
        let shared = (state.candidates(first) & state.candidates(second)) - self.digits;
        if shared.len() != 1 {
            return ControlFlow::Continue(());
        }
        let lost = |&(cell, extra): &(Cell, Digits)| (cell, state.candidates(cell) - extra - shared);
        for house in self.shared_houses() {
            let mut removals: Vec<_> = self.cells.iter().map(lost).collect();
            removals.sort_by_key(|&(cell, _)| cell);
            let step = self.step(Technique::Bug4, 57);
            found(Step { digits: shared, extra: self.digits, houses: vec![house as u8], removals, ..step })?;
        }
        ControlFlow::Continue(())
    }

    /// The houses that all cells share: box, row, column.
    fn shared_houses(&self) -> impl Iterator<Item = usize> {
        let cells = self.cell_set();
        houses_of(self.cells[0].0).into_iter().filter(move |&house| (cells - CellSet::house(house)).is_empty())
    }
}

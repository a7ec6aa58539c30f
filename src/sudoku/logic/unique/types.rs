//! What follows from a loop: types 1 to 4. Must never know how loops are found, nor which step is taken.

use super::hint::{Hint, Kind};
use super::loops::Loop;
use crate::sudoku::geometry::{Cell, CellSet};
use crate::sudoku::logic::order::{cells_in, members, shared_houses, subsets};
use crate::sudoku::logic::{Digits, Score, State, Step, Technique};

/// Reports what a loop comes to, also what removes nothing.
pub fn steps(state: &State, cycle: Loop, take: &mut dyn FnMut(Hint)) {
    let open = cycle.open(state);
    let extra = open.iter().fold(Digits::NONE, |all, &cell| all | state.candidates(cell)) - cycle.pair;
    match open[..] {
        // Two solutions: not for a technique to tell.
        [] => {}
        [cell] => {
            let removals = vec![(cell, cycle.pair)];
            take(Hint::new(&cycle, Kind::One, 0, Step { removals, ..step(&cycle, extra) }));
        }
        [first, second] => {
            if extra.len() == 1 {
                take(type_2(state, &cycle, &open, extra));
            } else {
                let pair = Pair { cycle: &cycle, first, second, extra };
                for size in extra.len()..=7 {
                    for house in shared_houses(first, second) {
                        pair.naked_sets(state, house, size, take);
                        pair.hidden_sets(state, house, size, take);
                    }
                }
            }
            type_4(state, &cycle, [first, second], extra).into_iter().for_each(take);
        }
        _ => take(type_2(state, &cycle, &open, extra)),
    }
}

fn type_2(state: &State, cycle: &Loop, open: &[Cell], extra: Digits) -> Hint {
    let common = open.iter().fold(CellSet::ALL, |common, &cell| common & CellSet::peers(cell));
    let digit = extra.first().map_or(Digits::NONE, Digits::of);
    Hint::new(cycle, Kind::Two, 0, Step { removals: state.having(common, digit), ..step(cycle, digit) })
}

/// The digit that has no other place in a house of both cells, the smaller one if both have none.
fn type_4(state: &State, cycle: &Loop, open: [Cell; 2], extra: Digits) -> Option<Hint> {
    let cells: CellSet = open.into_iter().collect();
    let locked = |digit| {
        let houses = shared_houses(open[0], open[1]);
        let locks = move |house: &usize| (state.cells_with(digit) & (CellSet::house(*house) - cells)).is_empty();
        houses.filter(locks).last().map(|house| (digit, house))
    };
    let (digit, house) = cycle.pair.iter().find_map(locked)?;
    let removals = state.having(cells, cycle.pair - Digits::of(digit));
    Some(Hint::new(cycle, Kind::Four, 0, Step { removals, houses: vec![house as u8], ..step(cycle, extra) }))
}

/// A loop with two open cells, whose other candidates are two or more.
struct Pair<'a> {
    cycle: &'a Loop<'a>,
    first: Cell,
    second: Cell,
    extra: Digits,
}

impl Pair<'_> {
    /// Type 3: the two cells as one with the extra candidates, in a naked set of `size`.
    fn naked_sets(&self, state: &State, house: usize, size: u32, take: &mut dyn FnMut(Hint)) {
        if 2 * size > state.empty().in_house(house).count_ones() {
            return;
        }
        let all: CellSet = CellSet::house(house);
        let own: CellSet = [self.first, self.second].into_iter().collect();
        let (first, second) = (own_place(house, self.first), own_place(house, self.second));
        let both = self.extra & state.candidates(self.first) & state.candidates(self.second);
        for set in subsets(size).filter(|set| set & first != 0 && set & second == 0) {
            let others: CellSet = members(set & !first).filter_map(|i| cells_in(house).nth(i)).collect();
            let among = others.iter().fold(Digits::NONE, |all, cell| all | state.candidates(cell));
            let digits = among | self.extra;
            let fits = others.iter().all(|cell| state.candidates(cell).len() > 1) && digits.len() == size;
            if fits && (among | both).len() == size {
                let removals = state.having(all - others - own, digits);
                let step = Step { houses: vec![house as u8], removals, beside: others, ..step(self.cycle, digits) };
                take(Hint::new(self.cycle, Kind::ThreeNaked, size - 1, step));
            }
        }
    }

    /// Type 3: the loop's digits, of which one is in one of the two cells, in a hidden set of `size` digits.
    fn hidden_sets(&self, state: &State, house: usize, size: u32, take: &mut dyn FnMut(Hint)) {
        if 2 * size >= state.empty().in_house(house).count_ones() {
            return;
        }
        let (first, second) = (own_place(house, self.first), own_place(house, self.second));
        let outside = Digits::ALL - self.extra - self.cycle.pair;
        for more in subsets(size - 2).map(Digits::from_bits).filter(|&more| outside.includes(more)) {
            let digits = more | self.cycle.pair;
            let places: Vec<u16> = digits.iter().map(|digit| state.places(house, digit) & !second).collect();
            let union = places.iter().fold(0, |union, places| union | places);
            if !places.contains(&0) && union.count_ones() == size {
                let set = union & !first;
                let cells: CellSet = members(set).filter_map(|i| cells_in(house).nth(i)).collect();
                let removals = state.having(cells, Digits::ALL - digits);
                let step = Step { houses: vec![house as u8], removals, beside: cells, ..step(self.cycle, digits) };
                take(Hint::new(self.cycle, Kind::ThreeHidden, set.count_ones() - 1, step));
            }
        }
    }
}

/// A cell among those of its house, as a bit.
fn own_place(house: usize, cell: Cell) -> u16 {
    [cell].into_iter().collect::<CellSet>().in_house(house)
}

fn step(cycle: &Loop, extra: Digits) -> Step {
    let technique = if cycle.cells.len() == 4 { Technique::UniqueRectangle } else { Technique::UniqueLoop };
    Step { cells: cycle.cell_set(), digits: cycle.pair, extra, ..Step::new(technique, Score(0)) }
}

//! [`Item`]: the attempts at one item, of which the first that meets the wishes is the item.
//!
//! Attempts run side by side and end in any order; which one is the item does not depend on that. Must never know what an
//! attempt is.

use super::made::{Made, Shortfall};
use super::wishes::Wish;

/// How far one item has come.
#[derive(Clone, Debug, Default)]
pub struct Item {
    /// Attempts begun: these numbers from 0 on.
    begun: u32,
    /// Attempts in work.
    in_work: u32,
    /// How many attempts missed each wish.
    missed: [u32; Wish::ALL.len()],
    /// The first attempt that met the wishes, so far.
    best: Option<(u32, Made)>,
}

impl Item {
    /// The number of a further attempt, if one may be begun: one at a time, or, where `ahead`, one more with each that
    /// failed.
    pub fn begin(&mut self, budget: u32, ahead: bool) -> Option<u32> {
        let failed: u32 = self.missed.iter().sum();
        let most = if ahead { 1 + failed } else { 1 };
        let may = self.best.is_none() && self.begun < budget && self.in_work < most;
        may.then(|| {
            self.begun += 1;
            self.in_work += 1;
            self.begun - 1
        })
    }

    /// An attempt missed a wish.
    pub fn miss(&mut self, wish: Wish) {
        self.in_work -= 1;
        self.missed[wish as usize] += 1;
    }

    /// An attempt met all wishes.
    pub fn meet(&mut self, number: u32, made: Made) {
        self.in_work -= 1;
        if self.best.is_none_or(|(best, _)| number < best) {
            self.best = Some((number, made));
        }
    }

    /// Whether an attempt can no longer be the item; then it is taken off.
    pub fn drops(&mut self, number: u32) -> bool {
        let late = self.best.is_some_and(|(best, _)| number > best);
        self.in_work -= u32::from(late);
        late
    }

    /// The item, once no attempt before the best one is in work, and that there is none once the budget is spent.
    pub fn result(&self, budget: u32) -> Option<Result<Made, Shortfall>> {
        if self.in_work > 0 {
            return None;
        }
        match self.best {
            Some((_, made)) => Some(Ok(made)),
            None if self.begun == budget => Some(Err(Shortfall { wish: self.mostly_missed(), attempts: budget })),
            None => None,
        }
    }

    fn mostly_missed(&self) -> Wish {
        let most = Wish::ALL.into_iter().rev().max_by_key(|&wish| self.missed[wish as usize]);
        most.expect("there are wishes")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sudoku::{Cell, Grid};

    fn made(digit: u8) -> Made {
        let mut puzzle = Grid::EMPTY;
        puzzle.set(Cell::at(0, 0), digit);
        Made { puzzle, solution: Grid::EMPTY, level: None, er: None }
    }

    #[test]
    fn the_first_attempt_by_number_is_the_item() {
        let mut item = Item::default();
        assert_eq!((item.begin(9, false), item.begin(9, false), item.begin(9, true)), (Some(0), None, None));
        item.miss(Wish::Clues);
        // One failed, so two may run.
        assert_eq!((item.begin(9, true), item.begin(9, true), item.begin(9, true)), (Some(1), Some(2), None));
        item.miss(Wish::Clues);
        assert_eq!((item.begin(9, true), item.begin(9, true)), (Some(3), Some(4)));
        item.meet(3, made(3));
        assert_eq!((item.result(9), item.begin(9, true)), (None, None));
        assert!(item.drops(4) && !item.drops(2));
        item.meet(2, made(2));
        assert_eq!(item.result(9), Some(Ok(made(2))));
    }

    #[test]
    fn a_spent_budget_names_the_wish_that_was_mostly_missed() {
        let mut item = Item::default();
        for wish in [Wish::Clues, Wish::Minimal, Wish::Minimal] {
            assert_eq!(item.result(3), None);
            item.begin(3, false).expect("within the budget");
            item.miss(wish);
        }
        assert_eq!(item.begin(3, false), None);
        assert_eq!(item.result(3), Some(Err(Shortfall { wish: Wish::Minimal, attempts: 3 })));
    }
}

//! [`Attempt`]: one try at a puzzle, as a sequence of questions. It comes to the same end whoever answers them, in
//! whichever way, since the answers' truth is all that counts. Must never know who answers.

use super::dig::Dig;
use super::judge;
use super::made::Made;
use super::wishes::{Guide, Relief, Wish, Wishes};
use crate::sudoku::generate::search;
use crate::sudoku::logic::{self, Score};
use crate::sudoku::random::Random;
use crate::sudoku::{Cell, CellSet, Grid, Kernel};

/// One try, which asks whether its givens but for some have another solution than the one known.
#[derive(Debug)]
pub struct Attempt {
    dig: Box<Dig>,
    stage: Stage,
    guide: Guide,
    /// What the question takes away.
    without: CellSet,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Dig,
    /// These givens are not yet known to be needed.
    Prove(CellSet),
}

/// What comes next in an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// A question is to be answered.
    Question,
    /// The pattern stands: the puzzle is to be judged.
    Pattern,
    /// A wish was missed.
    Missed(Wish),
}

/// What an attempt comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// A puzzle as wished.
    Met(Made),
    /// A wish was missed.
    Missed(Wish),
    /// The dig goes on.
    Open,
}

impl Attempt {
    /// A place for attempts.
    pub fn new() -> Attempt {
        Attempt { dig: Box::new(Dig::new()), stage: Stage::Dig, guide: Guide::Nothing, without: CellSet::EMPTY }
    }

    /// Starts over with this stream of random values.
    pub fn begin(&mut self, wishes: &Wishes, random: &mut Random) {
        let solution = search::fill(random);
        wishes.order(random, &mut self.dig.order);
        self.dig.begin(solution, wishes.bounds(random));
        self.guide = wishes.guide;
        if self.guide != Guide::Nothing {
            self.dig.survey();
        }
        self.stage = Stage::Dig;
    }

    /// Goes on to the next question or to the end.
    pub fn next(&mut self, wishes: &Wishes) -> Next {
        if self.stage == Stage::Dig {
            if self.dig_on() {
                return Next::Question;
            }
            if wishes.relief == Relief::None
                && let Some(wish) = wishes.missed_by(self.dig.givens)
            {
                return Next::Missed(wish);
            }
            self.stage = Stage::Prove(if wishes.minimal { self.dig.givens } else { CellSet::EMPTY });
        }
        self.prove()
    }

    /// Empties cells up to the next question, if there is a further one.
    fn dig_on(&mut self) -> bool {
        while let Some(cells) = self.dig.next() {
            self.without = cells;
            let may = match self.guide {
                Guide::Nothing => true,
                Guide::Solutions => return true,
                Guide::Techniques(hardest) => logic::solvable_within(&self.dig.puzzle_without(cells), hardest),
            };
            if may {
                self.dig.accept();
            } else {
                self.dig.refuse();
            }
        }
        false
    }

    /// Looks for a given that is not known to be needed.
    fn prove(&mut self) -> Next {
        let Stage::Prove(unproven) = self.stage else { unreachable!("only after the dig") };
        let left = if unproven.is_empty() { unproven } else { unproven - self.dig.known.critical(self.dig.givens) };
        self.stage = Stage::Prove(left);
        match left.iter().next() {
            Some(cell) => {
                self.without = [cell].into_iter().collect();
                Next::Question
            }
            None => Next::Pattern,
        }
    }

    /// Decides about a puzzle whose pattern stands; gives givens back where it is too hard.
    pub fn judge(&mut self, wishes: &Wishes, kernel: Kernel) -> Verdict {
        let Some(range) = wishes.er else { return Verdict::Met(self.made(None)) };
        if judge::is_too_easy(&self.puzzle(), range) {
            if self.dig.deepen(wishes.fewest()) {
                self.stage = Stage::Dig;
                return Verdict::Open;
            }
            return Verdict::Missed(Wish::Difficulty);
        }
        self.relieve(wishes.relief);
        if let Some(wish) = wishes.missed_by(self.dig.givens) {
            return Verdict::Missed(wish);
        }
        judge::within(kernel, &self.puzzle(), range)
            .map_or(Verdict::Missed(Wish::Difficulty), |er| Verdict::Met(self.made(er)))
    }

    /// Gives givens back.
    fn relieve(&mut self, relief: Relief) {
        let (Relief::Into(limit) | Relief::UpTo(limit)) = relief else { return };
        let mut unsolved = logic::unsolved_within(&self.puzzle(), limit);
        while !unsolved.is_empty() {
            let before = (self.dig.clues, self.dig.givens);
            self.dig.give_back(unsolved);
            unsolved = logic::unsolved_within(&self.puzzle(), limit);
            if unsolved.is_empty() && relief == Relief::UpTo(limit) {
                (self.dig.clues, self.dig.givens) = before;
            }
        }
    }

    fn puzzle(&self) -> Grid {
        self.dig.puzzle_without(CellSet::EMPTY)
    }

    fn made(&self, er: Option<Score>) -> Made {
        let solution = Grid::from_digits(self.dig.solution).expect("digits of a grid");
        Made { puzzle: self.puzzle(), solution, er }
    }

    /// The digits of the question, 0 where empty.
    pub fn question(&self, digits: &mut [u8; 81]) {
        *digits = *self.dig.puzzle_without(self.without).digits();
    }

    /// The cell and its digit that other solutions of the question cannot have, if there is one.
    pub fn barred(&self) -> Option<(Cell, u8)> {
        let cell = self.without.iter().next().filter(|_| self.without.len() == 1)?;
        Some((cell, self.dig.solution[cell.index()]))
    }

    /// The solution known.
    pub fn solution(&self) -> &[u8; 81] {
        &self.dig.solution
    }

    /// Takes the answer: another solution, or that there is none.
    ///
    /// # Errors
    /// The wish that is missed by that.
    pub fn answer(&mut self, other: Option<&[u8; 81]>) -> Result<(), Wish> {
        match (other, self.stage) {
            (Some(other), _) => self.dig.learn(other),
            (None, Stage::Dig) => self.dig.accept(),
            (None, Stage::Prove(_)) => return Err(Wish::Minimal),
        }
        Ok(())
    }
}

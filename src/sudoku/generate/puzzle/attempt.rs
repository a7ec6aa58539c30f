//! [`Attempt`]: one try at a puzzle, as a sequence of questions. It comes to the same end whoever answers them, in
//! whichever way, since the answers' truth is all that counts. Must never know who answers.

use super::dig::Dig;
use super::judge;
use super::made::Made;
use super::wishes::{Guide, Relief, Wish, Wishes};
use crate::sudoku::generate::search;
use crate::sudoku::logic::{Level, Reach, Score, solvable_within};
use crate::sudoku::random::Random;
use crate::sudoku::{Cell, CellSet, Grid, Kernel, Pace};

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
    /// The puzzle may be as hard as wished: its rating tells.
    Likely,
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
            if wishes.are_too_many(self.dig.givens) {
                return Next::Missed(Wish::Clues);
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
                Guide::Techniques(hardest) => solvable_within(&self.dig.puzzle_without(cells), hardest),
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

    /// Decides about a puzzle whose pattern stands, as far as its rating is not needed; gives givens back where it is too
    /// hard.
    pub fn judge(&mut self, wishes: &Wishes) -> Verdict {
        let Some(range) = wishes.er else { return Verdict::Met(self.made(None, None)) };
        let mut reach = Reach::of(&self.puzzle(), judge::easier(range)).expect("givens of a grid");
        if reach.unsolved().is_empty() {
            if self.dig.deepen(wishes.fewest()) {
                self.stage = Stage::Dig;
                return Verdict::Open;
            }
            return Verdict::Missed(Wish::Difficulty);
        }
        match wishes.relief {
            Relief::None => {}
            Relief::Into(limit) => self.relieve(&mut reach, limit, 0),
            Relief::NearTo(limit) => self.relieve(&mut reach, limit, judge::FEW_UNSOLVED),
        }
        if let Some(wish) = wishes.missed_by(self.dig.givens) {
            return Verdict::Missed(wish);
        }
        if wishes.relief == Relief::None && judge::is_unlikely(range, self.dig.givens, reach.unsolved()) {
            return Verdict::Missed(Wish::Difficulty);
        }
        Verdict::Likely
    }

    /// Decides about a likely puzzle. What it says after `pace` said stop is void.
    pub fn rate(&self, wishes: &Wishes, kernel: Kernel, pace: &mut dyn FnMut() -> Pace) -> Verdict {
        let within = |range| Some((range, judge::within(kernel, &self.puzzle(), range, pace)?));
        match wishes.er.and_then(within) {
            Some((range, er)) => Verdict::Met(self.made(judge::level(range, er), er)),
            None => Verdict::Missed(Wish::Difficulty),
        }
    }

    /// Gives givens back, the last one emptied first, until techniques up to `limit` leave no more than `few` cells
    /// unsolved; not those that would solve the puzzle, if some are to stay so.
    fn relieve(&mut self, reach: &mut Reach, limit: Score, few: usize) {
        reach.go_on(limit);
        let mut worth_trying = reach.unsolved();
        while reach.unsolved().len() > few && !worth_trying.is_empty() {
            let back = self.dig.emptied_last(worth_trying);
            let mut further = reach.clone();
            back.iter().for_each(|cell| further.give(cell, self.dig.solution[cell.index()]));
            further.go_on(limit);
            worth_trying = worth_trying - back;
            if few == 0 || !further.unsolved().is_empty() {
                self.dig.give_back(back);
                worth_trying = worth_trying & further.unsolved();
                *reach = further;
            }
        }
    }

    fn puzzle(&self) -> Grid {
        self.dig.puzzle_without(CellSet::EMPTY)
    }

    fn made(&self, level: Option<Level>, er: Option<Score>) -> Made {
        let solution = Grid::from_digits(self.dig.solution).expect("digits of a grid");
        Made { puzzle: self.puzzle(), solution, level, er }
    }

    /// The digits of the question, 0 where empty.
    pub fn question(&self, digits: &mut [u8; 81]) {
        *digits = self.dig.clues;
        self.without.iter().for_each(|cell| digits[cell.index()] = 0);
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

    /// Takes the answer that there is another solution.
    pub fn learn(&mut self, other: &[u8; 81]) {
        self.dig.learn(other);
    }

    /// Takes the answer that there is no other solution.
    ///
    /// # Errors
    /// The wish that is missed by that.
    pub fn accept(&mut self) -> Result<(), Wish> {
        match self.stage {
            Stage::Dig => self.dig.accept(),
            Stage::Prove(_) => return Err(Wish::Minimal),
        }
        Ok(())
    }
}

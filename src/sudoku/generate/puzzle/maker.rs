//! [`PuzzleMaker`]: many puzzles at once, so that the lanes are full: the questions of some hundred attempts go through
//! the kernel together, round by round.
//!
//! An item is the first of its attempts, by number, that meets the wishes. When there are no more items to begin, those
//! whose attempts failed get several at a time; that changes what work is done, never which attempt is the item. Must
//! never know of clocks: a budget counts attempts.

use super::attempt::{Attempt, Next, Verdict};
use super::item::Item;
use super::made::{Made, Shortfall};
use super::spec::{Contradiction, PuzzleSpec};
use super::wishes::{Guide, Wish, Wishes};
use crate::sudoku::batch::{Batch, BatchLimits};
use crate::sudoku::random::{Purpose, Random};
use crate::sudoku::{Kernel, Pace, Port};

/// Attempts in work at once.
const WIDTH: usize = 384;
/// The first other solution will do.
const ANY_OTHER: BatchLimits = BatchLimits { max_solutions: 1, node_limit: u64::MAX };

/// A generator of puzzles, set up once for a seed.
///
/// Memory: about 5 kB for each of 384 attempts, and 200 bytes an item.
pub struct PuzzleMaker {
    wishes: Wishes,
    kernel: Kernel,
    seed: u64,
    budget: u32,
    /// Attempts begun between two questions to the pace.
    stretch: usize,
    batch: Batch,
    /// Whether the batch has the questions of `works`.
    asking: bool,
    /// Attempts in work, each with a question.
    works: Vec<Work>,
    /// An attempt whose puzzle is to be rated.
    likely: Option<Work>,
    /// Attempts whose puzzles wait to be judged.
    patterns: Vec<Work>,
    /// Places of attempts for later, and an empty list for works.
    idle: Vec<Attempt>,
    spare: Vec<Work>,
    /// The index of the first item; the items, of which the first `begun` are begun; those of them that have no result.
    first: u64,
    items: Vec<Item>,
    begun: usize,
    open: Vec<usize>,
}

/// An attempt in work.
struct Work {
    item: usize,
    number: u32,
    attempt: Attempt,
    /// Whether it learned of another solution.
    learned: bool,
}

/// What becomes of an item: `None` while that is not known.
pub type Place = Option<Result<Made, Shortfall>>;

impl PuzzleMaker {
    /// Sets up for a seed.
    ///
    /// # Errors
    /// The contradiction in the spec, if any.
    pub fn new(kernel: Kernel, spec: &PuzzleSpec, seed: u64) -> Result<PuzzleMaker, Contradiction> {
        let wishes = Wishes::of(spec)?;
        let budget = wishes.attempts();
        // Where techniques guide the dig all of it is done at once.
        let stretch = if matches!(wishes.guide, Guide::Techniques(_)) { 8 } else { 128 };
        Ok(PuzzleMaker {
            wishes,
            stretch,
            kernel,
            seed,
            budget,
            batch: Batch::new(kernel),
            asking: false,
            works: Vec::with_capacity(WIDTH),
            likely: None,
            patterns: Vec::new(),
            idle: Vec::new(),
            spare: Vec::with_capacity(WIDTH),
            first: 0,
            items: Vec::new(),
            begun: 0,
            open: Vec::new(),
        })
    }

    /// Makes the items from `first` on, one for each place of `out`; false where `pace` stopped it, after which
    /// [`PuzzleMaker::run`] goes on.
    pub fn fill(&mut self, first: u64, out: &mut [Place], pace: &mut dyn FnMut() -> Pace) -> bool {
        self.begin(first, out.len());
        out.fill(None);
        self.run(out, pace)
    }

    /// Sets how many attempts are made at an item.
    #[cfg(test)]
    pub(super) fn limit_attempts(&mut self, budget: u32) {
        self.budget = budget;
    }

    /// Starts over with `count` items, `first` and those after it.
    pub fn begin(&mut self, first: u64, count: usize) {
        let begun = self.works.drain(..).chain(self.likely.take()).chain(self.patterns.drain(..));
        self.idle.extend(begun.map(|work| work.attempt));
        self.items.clear();
        self.items.resize(count, Item::default());
        self.open.clear();
        (self.first, self.begun, self.asking) = (first, 0, false);
    }

    /// Works until each item has its result (true) or `pace`, asked at least each millisecond, says stop. Results appear in
    /// `out` as they are known, in any order.
    ///
    /// The rating of a puzzle that `pace` stops is begun anew, and may take seconds where an ER beyond 8.4 must be told
    /// exactly: to take turns with others, wait in `pace` instead of stopping.
    ///
    /// # Panics
    /// When `out` has not one place for each item.
    pub fn run(&mut self, out: &mut [Place], pace: &mut dyn FnMut() -> Pace) -> bool {
        assert_eq!(out.len(), self.items.len(), "one place for each item");
        loop {
            if pace() == Pace::Stop {
                return false;
            }
            if self.asking {
                if !self.batch.run(&mut Questions(&mut self.works), pace) {
                    return false;
                }
                self.asking = false;
                self.take_answers();
            } else if let Some(likely) = self.likely.take() {
                if !self.rate(likely, pace) {
                    return false;
                }
            } else if let Some(mut pattern) = self.patterns.pop() {
                let verdict = pattern.attempt.judge(&self.wishes);
                self.act(pattern, verdict);
            } else {
                self.settle(out);
                self.begin_attempts();
                if !self.works.is_empty() {
                    self.batch.begin(self.works.len(), ANY_OTHER);
                    self.asking = true;
                } else if self.patterns.is_empty() && self.open.is_empty() && self.begun == self.items.len() {
                    return true;
                }
            }
        }
    }

    /// Lets each attempt go on after its answer.
    fn take_answers(&mut self) {
        let mut works = std::mem::replace(&mut self.works, std::mem::take(&mut self.spare));
        for mut work in works.drain(..) {
            let learned = std::mem::take(&mut work.learned);
            match if learned { Ok(()) } else { work.attempt.accept() } {
                Ok(()) => self.advance(work),
                Err(wish) => self.miss(work, wish),
            }
        }
        self.spare = works;
    }

    /// Takes an attempt on to its next question, or to be judged, or off.
    fn advance(&mut self, mut work: Work) {
        match work.attempt.next(&self.wishes) {
            Next::Question => self.works.push(work),
            Next::Pattern => self.patterns.push(work),
            Next::Missed(wish) => self.miss(work, wish),
        }
    }

    /// Rates a likely puzzle; false where `pace` stopped that.
    fn rate(&mut self, likely: Work, pace: &mut dyn FnMut() -> Pace) -> bool {
        let mut stopped = false;
        let mut pace = || {
            stopped = stopped || pace() == Pace::Stop;
            if stopped { Pace::Stop } else { Pace::Continue }
        };
        let verdict = likely.attempt.rate(&self.wishes, self.kernel, &mut pace);
        if stopped {
            self.likely = Some(likely);
        } else {
            self.act(likely, verdict);
        }
        !stopped
    }

    /// Does with an attempt what the verdict about its puzzle wants.
    fn act(&mut self, work: Work, verdict: Verdict) {
        match verdict {
            Verdict::Open => self.advance(work),
            Verdict::Likely => self.likely = Some(work),
            Verdict::Missed(wish) => self.miss(work, wish),
            Verdict::Met(made) => {
                self.items[work.item].meet(work.number, made);
                self.idle.push(work.attempt);
            }
        }
    }

    fn miss(&mut self, work: Work, wish: Wish) {
        self.items[work.item].miss(wish);
        self.idle.push(work.attempt);
    }

    /// Drops attempts that are no longer needed, and hands out results.
    fn settle(&mut self, out: &mut [Place]) {
        let (items, idle) = (&mut self.items, &mut self.idle);
        for work in self.works.extract_if(.., |work| items[work.item].drops(work.number)) {
            idle.push(work.attempt);
        }
        self.open.retain(|&item| {
            out[item] = items[item].result(self.budget);
            out[item].is_none()
        });
    }

    /// Begins attempts: at items that have none in work, then at new items, then several at the same.
    fn begin_attempts(&mut self) {
        let room = (WIDTH - self.works.len()).min(self.stretch);
        let mut begun = 0;
        for i in 0..self.open.len() {
            begun += usize::from(begun < room && self.begin_attempt(self.open[i], false));
        }
        while begun < room && self.begun < self.items.len() {
            self.open.push(self.begun);
            self.begun += 1;
            begun += usize::from(self.begin_attempt(self.begun - 1, false));
        }
        for i in 0..self.open.len() {
            while begun < room && self.begin_attempt(self.open[i], true) {
                begun += 1;
            }
        }
    }

    /// Begins an attempt at an item, if there may be a further one.
    fn begin_attempt(&mut self, item: usize, ahead: bool) -> bool {
        let Some(number) = self.items[item].begin(self.budget, ahead) else { return false };
        let mut attempt = self.idle.pop().unwrap_or_else(Attempt::new);
        let index = self.first.wrapping_add(item as u64);
        attempt.begin(&self.wishes, &mut Random::of_attempt(self.seed, Purpose::Puzzle, index, number.into()));
        self.advance(Work { item, number, attempt, learned: false });
        true
    }
}

/// The questions of attempts as puzzles: has it another solution than the one known?
struct Questions<'a>(&'a mut [Work]);

impl Port for Questions<'_> {
    fn puzzle(&mut self, puzzle: usize, digits: &mut [u8; 81]) {
        self.0[puzzle].attempt.question(digits);
    }

    fn barred(&mut self, puzzle: usize) -> Option<(u8, u8)> {
        self.0[puzzle].attempt.barred().map(|(cell, digit)| (cell.index() as u8, digit))
    }

    fn counts(&mut self, puzzle: usize, digits: &[u8; 81]) -> bool {
        self.0[puzzle].attempt.solution() != digits
    }

    fn solution(&mut self, puzzle: usize, digits: &[u8; 81]) {
        self.0[puzzle].attempt.learn(digits);
        self.0[puzzle].learned = true;
    }
}

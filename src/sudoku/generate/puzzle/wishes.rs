//! [`Wishes`]: a spec worked out: what an attempt aims at and what it must come to. Must never know how cells are emptied.

use super::judge;
use super::spec::{Blanks, Contradiction, ErRange, PuzzleSpec};
use crate::sudoku::CellSet;
use crate::sudoku::logic::{QUICK, Score};
use crate::sudoku::random::Random;

/// Numbers of givens that are usual.
const USUAL: (u8, u8) = (24, 32);

/// Up to this score looking at boxes is enough. So few puzzles are that easy that they are aimed at.
const BOXES: Score = Score(14);

/// Up to this score there are no chains but for short ones of one digit.
const FEW_CHAINS: Score = Score(67);

/// What is wished.
#[derive(Clone, Debug)]
pub struct Wishes {
    /// The cells that are emptied together.
    pub orbits: Vec<CellSet>,
    /// Whether each given must be needed.
    pub minimal: bool,
    /// How hard it must be.
    pub er: Option<ErRange>,
    /// What decides whether cells may be emptied.
    pub guide: Guide,
    /// What is done where the puzzle is too hard then.
    pub relief: Relief,
    /// The least and the greatest number of givens that will do.
    clues: (u8, u8),
    /// The numbers of givens that attempts aim at, each as often.
    targets: Vec<u8>,
    blanks: Option<Blanks>,
    /// Whether each row has a number of blanks of its own.
    by_row: bool,
}

/// How far cells may be emptied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Givens that stay.
    floor: u8,
    /// Blanks at most in each row.
    blanks: Option<[u8; 9]>,
}

/// What decides whether cells may be emptied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guide {
    /// Nothing.
    Nothing,
    /// That there is no other solution.
    Solutions,
    /// That techniques up to this score solve the puzzle; then there is no other solution.
    Techniques(Score),
}

/// How a puzzle that is too hard is made easier: givens come back in cells that techniques up to a score do not solve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relief {
    /// Not at all.
    None,
    /// Until they solve it.
    Into(Score),
    /// Until they leave few cells unsolved.
    NearTo(Score),
}

/// A wish that a puzzle can miss.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wish {
    /// The number of givens.
    Clues,
    /// Blanks in each row.
    BlanksPerRow,
    /// No given too many.
    Minimal,
    /// Level and ER.
    Difficulty,
}

impl Wish {
    /// All of them.
    pub const ALL: [Wish; 4] = [Wish::Clues, Wish::BlanksPerRow, Wish::Minimal, Wish::Difficulty];

    /// Its fields in the spec.
    pub fn name(self) -> &'static str {
        match self {
            Wish::Clues => "min_clues and max_clues",
            Wish::BlanksPerRow => "blanks_per_row",
            Wish::Minimal => "minimal",
            Wish::Difficulty => "level and er",
        }
    }
}

impl Wishes {
    /// Works out a spec.
    ///
    /// # Errors
    /// Its contradiction, if any.
    pub fn of(spec: &PuzzleSpec) -> Result<Wishes, Contradiction> {
        let (possible, er) = (spec.possible_clues()?, spec.difficulty()?);
        let free = spec.min_clues.is_none() && spec.max_clues.is_none();
        Ok(Wishes {
            orbits: spec.symmetry.orbits(),
            minimal: spec.minimal,
            er,
            guide: guide(spec, er),
            relief: relief(spec, er),
            clues: (possible[0], possible[possible.len() - 1]),
            targets: targets(spec, &possible),
            blanks: spec.blanks_per_row,
            by_row: free && !spec.minimal && er.is_none() && spec.symmetry.keeps_rows(),
        })
    }

    /// How many attempts to make at an item: a second to some seconds of work where all fail.
    pub fn attempts(&self) -> u32 {
        self.er.map_or(100_000, judge::attempts)
    }

    /// The orbits in an order in which to empty them: random, but those first that each row's least blanks take.
    pub fn order(&self, random: &mut Random, order: &mut Vec<CellSet>) {
        order.clone_from(&self.orbits);
        random.shuffle(order);
        if let Some(Blanks { min, .. }) = self.blanks {
            let mut lacking = [min; 9];
            let (needed, others): (Vec<CellSet>, Vec<CellSet>) = order.iter().partition(|orbit| {
                let needed = orbit.iter().any(|cell| lacking[cell.row()] > 0);
                orbit.iter().for_each(|cell| lacking[cell.row()] = lacking[cell.row()].saturating_sub(1));
                needed
            });
            *order = [needed, others].concat();
        }
    }

    /// How far an attempt empties cells.
    pub fn bounds(&self, random: &mut Random) -> Bounds {
        if let Some(Blanks { min, max }) = self.blanks.filter(|_| self.by_row) {
            let blanks = std::array::from_fn(|_| min + random.below(u32::from(max - min) + 1) as u8);
            return Bounds { floor: self.clues.0, blanks: Some(blanks) };
        }
        let target = self.targets[random.below(self.targets.len() as u32) as usize];
        Bounds { floor: if self.minimal { 0 } else { target }, blanks: self.blanks.map(|blanks| [blanks.max; 9]) }
    }

    /// The fewest givens that will do.
    pub fn fewest(&self) -> u8 {
        self.clues.0
    }

    /// Whether there are more givens than will do.
    pub fn are_too_many(&self, givens: CellSet) -> bool {
        givens.len() > usize::from(self.clues.1)
    }

    /// The first wish about the pattern that these givens miss.
    pub fn missed_by(&self, givens: CellSet) -> Option<Wish> {
        let (fewest, most) = self.clues;
        if !(usize::from(fewest)..=usize::from(most)).contains(&givens.len()) {
            return Some(Wish::Clues);
        }
        let blanks = self.blanks?;
        let fits = |row| (blanks.min..=blanks.max).contains(&blanks_in(givens, row));
        (!(0..9).all(fits)).then_some(Wish::BlanksPerRow)
    }
}

impl Bounds {
    /// Every cell may be emptied.
    pub const NONE: Bounds = Bounds { floor: 0, blanks: None };

    /// Whether these cells may be emptied.
    pub fn allow(&self, givens: CellSet, cells: CellSet) -> bool {
        let left = givens - cells;
        left.len() >= usize::from(self.floor) && self.blanks.is_none_or(|most| Self::rows_allow(&most, left, cells))
    }

    fn rows_allow(most: &[u8; 9], left: CellSet, cells: CellSet) -> bool {
        cells.iter().all(|cell| blanks_in(left, cell.row()) <= most[cell.row()])
    }

    /// Lets fewer givens stay; whether these are fewer.
    pub fn lower_floor(&mut self, floor: u8) -> bool {
        let lower = floor < self.floor;
        self.floor = self.floor.min(floor);
        lower
    }

    /// Whether so many givens are as few as there may be.
    pub fn reached_by(&self, givens: CellSet) -> bool {
        givens.len() <= usize::from(self.floor)
    }
}

/// Empty cells of a row.
fn blanks_in(givens: CellSet, row: usize) -> u8 {
    9 - (givens & CellSet::house(row)).len() as u8
}

fn guide(spec: &PuzzleSpec, er: Option<ErRange>) -> Guide {
    match er {
        _ if spec.allow_multiple => Guide::Nothing,
        Some(er) if er.max <= BOXES && !spec.minimal => Guide::Techniques(er.max),
        _ => Guide::Solutions,
    }
}

fn relief(spec: &PuzzleSpec, er: Option<ErRange>) -> Relief {
    match er {
        Some(er) if er.max <= QUICK && !spec.minimal => Relief::Into(er.max),
        Some(er) if er.min > QUICK && er.max <= FEW_CHAINS && !spec.minimal => Relief::NearTo(QUICK),
        _ => Relief::None,
    }
}

/// The numbers of givens to aim at: the usual ones, unless the spec bounds them.
fn targets(spec: &PuzzleSpec, possible: &[u8]) -> Vec<u8> {
    let (low, high) = match (spec.min_clues, spec.max_clues) {
        (None, None) => USUAL,
        (Some(min), None) => (min, USUAL.1.max(min)),
        (None, Some(max)) => (USUAL.0.min(max), max),
        (Some(min), Some(max)) => (min, max),
    };
    let wished: Vec<u8> = possible.iter().copied().filter(|clues| (low..=high).contains(clues)).collect();
    if wished.is_empty() { possible.to_vec() } else { wished }
}

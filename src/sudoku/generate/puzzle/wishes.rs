//! [`Wishes`]: a spec worked out: what an attempt aims at and what it must come to. Must never know how cells are emptied.

use super::spec::{Blanks, Contradiction, ErRange, PuzzleSpec};
use crate::sudoku::logic::{Score, solvable_within};
use crate::sudoku::random::Random;
use crate::sudoku::{CellSet, Grid};

/// Numbers of givens that are usual.
const USUAL: (u8, u8) = (24, 32);

/// Up to this score [`solvable_within`] is exact.
const QUICK: Score = Score(36);

/// Scores up to which techniques are tested while cells are emptied: looking at boxes, singles of all houses, all singles,
/// locked candidates, small sets.
const TIERS: [Score; 5] = [Score(12), Score(15), Score(23), Score(28), Score(36)];

/// What is wished.
#[derive(Clone, Debug)]
pub struct Wishes {
    /// The cells that are emptied together.
    pub orbits: Vec<CellSet>,
    /// Whether there must be exactly one solution.
    pub unique: bool,
    /// Whether each given must be needed.
    pub minimal: bool,
    /// How hard it must be.
    pub er: Option<ErRange>,
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
            Wish::Difficulty => "level",
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
            unique: !spec.allow_multiple,
            minimal: spec.minimal,
            er,
            clues: (possible[0], possible[possible.len() - 1]),
            targets: targets(spec, &possible),
            blanks: spec.blanks_per_row,
            by_row: free && !spec.minimal && er.is_none() && spec.symmetry.keeps_rows(),
        })
    }

    /// How many attempts to make at an item, some seconds' work where all fail; and how many to begin in one go: that takes
    /// less than a millisecond.
    pub fn effort(&self) -> (u32, usize) {
        match self.er {
            None => (50_000, 128),
            Some(er) if er.max <= QUICK && !self.minimal => (20_000, 2),
            Some(_) => (5_000, 128),
        }
    }

    /// The orbits in an order in which to empty them: random, but those first that each row's least blanks take.
    pub fn order(&self, random: &mut Random, order: &mut Vec<CellSet>) {
        order.clone_from(&self.orbits);
        random.shuffle(order);
        if let Some(Blanks { min, .. }) = self.blanks {
            let mut lacking = [min; 9];
            order.sort_by_cached_key(|&orbit| {
                let needed = orbit.iter().any(|cell| lacking[cell.row()] > 0);
                orbit.iter().for_each(|cell| lacking[cell.row()] = lacking[cell.row()].saturating_sub(1));
                !needed
            });
        }
    }

    /// What an attempt heeds: where a quick test of techniques tells enough, one of those that the range has, each as
    /// often.
    pub fn guide(&self, random: &mut Random) -> Guide {
        match self.er {
            _ if !self.unique => Guide::Nothing,
            Some(er) if er.max <= QUICK && !self.minimal => {
                let hardest: Vec<Score> = TIERS.into_iter().filter(|&tier| er.min <= tier && tier <= er.max).collect();
                let any = random.below(hardest.len().max(1) as u32) as usize;
                Guide::Techniques(hardest.get(any).copied().unwrap_or(er.max))
            }
            _ => Guide::Solutions,
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

    /// Whether techniques below the least ER solve a puzzle, as far as a quick test tells.
    pub fn is_too_easy(&self, puzzle: &Grid) -> bool {
        let easier = self.er.and_then(|er| er.min.0.checked_sub(1));
        easier.is_some_and(|easier| solvable_within(puzzle, Score(easier)))
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

    /// The same with this many givens that stay.
    pub fn with_floor(self, floor: u8) -> Bounds {
        Bounds { floor, ..self }
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

//! [`Search`]: many puzzles through the lanes, by deduction and guesses.
//!
//! A lane that stalls keeps one half of a guess; the other half waits in the pool. Free lanes are filled from a staging
//! block with waiting branches and new puzzles, so that all lanes are busy and the branches of a hard puzzle share them.
//! Knows no instruction set.

use super::blame::{ASTRAY, Blame, CALM};
use super::cells::{ALL, Cells};
use super::heaviest::{Conflicts, fewest};
use super::lanes::{Found, Lanes};
use super::pass::pass;
use super::pool::{Branch, Pool};
use super::searcher::{Port, Searcher, Tally};
use super::vector::{LaneSet, Vector};
use crate::sudoku::outcome::Limits;

/// Puzzles whose conflicts are remembered at a time, a power of two; further ones share the memory.
const REMEMBERED: usize = 512;
/// Where conflicts say whether there was any, beside the cells. A puzzle's first guess has no cell before it: the place
/// in between counts those.
const ANY: usize = 82;
pub(super) const NO_CELL: u8 = 81;
/// While nothing was contradicted, any cell with two candidates will do from this depth on, or from the first guess on
/// when fewer candidates are left than this: such puzzles have solutions wherever one looks.
const DIVE_DEPTH: u8 = 5;
const DIVE_CANDIDATES: u32 = 150;
/// Branches that may wait before lanes stop making more: see [`Search::is_narrow`].
const ROOM: usize = 4096;

/// A search on its way.
pub struct Search<V: Vector> {
    pub(super) proof: V::Proof,
    pub(super) lanes: Lanes<V>,
    /// Lanes that hold a branch.
    pub(super) alive: LaneSet,
    /// What each lane holds.
    pub(super) holds: [Branch; 32],
    /// What is staged: `waiting[..staged]`.
    pub(super) waiting: [Branch; 32],
    pub(super) staged: usize,
    pub(super) pool: Pool,
    pub(super) tallies: Vec<Tally>,
    /// The next puzzle to be staged.
    pub(super) next: usize,
    pub(super) scratch: Box<[Cells; 32]>,
    conflicts: Vec<Conflicts>,
    blame: Blame,
    limits: Limits,
    room: usize,
}

impl<V: Vector> Search<V> {
    /// A search without puzzles.
    pub fn new(proof: V::Proof) -> Search<V> {
        Search {
            proof,
            lanes: Lanes::new(proof),
            alive: 0,
            holds: [Branch::default(); 32],
            waiting: [Branch::default(); 32],
            staged: 0,
            pool: Pool::default(),
            tallies: Vec::new(),
            next: 0,
            scratch: Box::new([Cells::NONE; 32]),
            conflicts: Vec::new(),
            blame: Blame::default(),
            limits: Limits::PROVE,
            room: ROOM,
        }
    }

    /// The same, with room for fewer branches.
    #[cfg(test)]
    pub(super) fn with_room(self, room: usize) -> Search<V> {
        Search { room, ..self }
    }

    /// Whether so many branches wait that one lane alone may make more.
    ///
    /// This bounds the pool. Between two fillings a lane settles a cell with each guess, so it adds at most 81 branches.
    /// Once the room is used up the lanes run out one after the other; then one lane goes on, depth first, with at most
    /// one branch for each of the 648 candidates struck on its path. So never more than `ROOM + 81 * LANES + 648` wait:
    /// 7,336 of 200 bytes with 32 lanes.
    pub(super) fn is_narrow(&self) -> bool {
        self.pool.len() + V::LANES > self.room
    }

    /// Whether half of the room is used.
    pub(super) fn is_crowded(&self) -> bool {
        self.pool.len() > self.room / 2
    }

    #[inline(always)]
    fn run_here(&mut self, port: &mut dyn Port, passes: u32) -> bool {
        for _ in 0..passes {
            let filled = self.fill(port);
            if self.alive == 0 {
                return true;
            }
            let found = if filled {
                pass::<V, true>(self.proof, &mut self.lanes)
            } else {
                pass::<V, false>(self.proof, &mut self.lanes)
            };
            self.settle(found, port);
        }
        false
    }

    /// Acts on what a pass found.
    #[inline(always)]
    fn settle(&mut self, found: Found, port: &mut dyn Port) {
        let dead = found.dead & self.alive;
        let full = found.full & self.alive & !dead;
        self.alive &= !(dead | full);
        for lane in lanes_of(dead) {
            let Branch { puzzle, cell, .. } = self.holds[lane];
            let conflicts = self.conflicts_of(puzzle);
            conflicts[usize::from(cell)] = conflicts[usize::from(cell)].saturating_add(1);
            conflicts[ANY] = 1;
            if self.tallies[puzzle as usize].nodes > CALM {
                V::extract(&self.lanes.cells, lane, &mut self.scratch[0]);
                self.blame.record(puzzle, &self.scratch[0]);
            }
        }
        for lane in lanes_of(full) {
            self.take_solution(lane, port);
        }
        let mut stalled = found.stalled & self.alive;
        if self.is_narrow() {
            stalled &= self.alive & self.alive.wrapping_neg();
        }
        if stalled != 0 {
            self.guess(stalled);
        }
    }

    #[inline(always)]
    fn conflicts_of(&mut self, puzzle: u32) -> &mut Conflicts {
        // As many as a power of two.
        let mask = self.conflicts.len() - 1;
        &mut self.conflicts[puzzle as usize & mask]
    }

    /// Takes a solution out of a lane, unless some cell is empty.
    #[inline(always)]
    fn take_solution(&mut self, lane: usize, port: &mut dyn Port) {
        let puzzle = self.holds[lane].puzzle as usize;
        let tally = &mut self.tallies[puzzle];
        let mut digits = [0; 81];
        let cells = &mut self.scratch[0];
        if !tally.closed {
            V::extract(&self.lanes.cells, lane, cells);
            if V::digits(cells, &mut digits) && port.counts(puzzle, &digits) {
                tally.found += 1;
                tally.closed = tally.found >= self.limits.count_limit;
                port.solution(puzzle, &digits);
            }
        }
    }

    /// Makes a guess in each of these lanes. In three rounds, so that the work on one lane does not wait for another.
    #[inline(always)]
    fn guess(&mut self, stalled: LaneSet) {
        let mut lanes = [0u8; 32];
        let mut count = 0;
        for lane in lanes_of(stalled) {
            let Branch { puzzle, depth, .. } = self.holds[lane];
            let tally = &mut self.tallies[puzzle as usize];
            if tally.closed || tally.nodes >= self.limits.node_limit {
                tally.closed = true;
                self.alive &= !(1 << lane);
                continue;
            }
            tally.nodes += 1;
            if depth == 0 {
                *self.conflicts_of(puzzle) = [0; 96];
            }
            V::extract(&self.lanes.cells, lane, &mut self.scratch[count]);
            lanes[count] = lane as u8;
            count += 1;
        }
        let mut chosen = [0u8; 32];
        for i in 0..count {
            let Branch { puzzle, depth, .. } = self.holds[usize::from(lanes[i]) & 31];
            let cells = &self.scratch[i];
            chosen[i] = choose::<V>(cells, &self.conflicts[puzzle as usize & (self.conflicts.len() - 1)], depth);
            if self.tallies[puzzle as usize].nodes > ASTRAY
                && let Some(cell) = self.blame.choose(puzzle, cells)
            {
                chosen[i] = cell as u8;
            }
        }
        for i in 0..count {
            self.branch(usize::from(lanes[i]) & 31, i, usize::from(chosen[i]));
        }
    }

    /// Leaves the lowest candidate of a cell in the lane, and puts the others into the pool.
    #[inline(always)]
    fn branch(&mut self, lane: usize, scratch: usize, cell: usize) {
        let cells = &self.scratch[scratch];
        let digit = cells.0[cell] & cells.0[cell].wrapping_neg();
        let others = cells.0[cell] ^ digit;
        let Branch { puzzle, depth, .. } = self.holds[lane];
        let branch = Branch { puzzle, cell: cell as u8, depth: depth.saturating_add(1) };
        self.holds[lane] = branch;
        let nodes = self.tallies[puzzle as usize].nodes;
        V::limit(self.pool.push(branch, cells, nodes), cell, others);
        *self.lanes.cells[cell].lane_mut(lane) = digit;
        for mini in SEEING[cell] {
            *self.lanes.minis[usize::from(mini)].lane_mut(lane) &= ALL ^ digit;
        }
    }
}

impl<V: Vector> Searcher for Search<V> {
    fn begin(&mut self, count: usize, limits: Limits) {
        self.alive = 0;
        self.staged = 0;
        self.pool.clear();
        self.blame.clear();
        self.tallies.clear();
        self.tallies.resize(count, Tally::default());
        (self.next, self.limits) = (0, limits);
        self.conflicts.resize(count.next_power_of_two().min(REMEMBERED), [0; 96]);
    }

    fn run(&mut self, port: &mut dyn Port, passes: u32) -> bool {
        V::enter(
            self.proof,
            #[inline(always)]
            || self.run_here(port, passes),
        )
    }

    fn tallies(&self) -> &[Tally] {
        &self.tallies
    }

    fn open(&self, with: &mut dyn FnMut(usize)) {
        let lanes = lanes_of(self.alive).map(|lane| &self.holds[lane]);
        let branches = lanes.chain(&self.waiting[..self.staged]).chain(self.pool.branches());
        let begun = branches.map(|branch| branch.puzzle as usize).filter(|&puzzle| !self.tallies[puzzle].closed);
        begun.chain(self.next..self.tallies.len()).for_each(with);
    }
}

/// The cell to guess in.
#[inline(always)]
fn choose<V: Vector>(cells: &Cells, conflicts: &Conflicts, depth: u8) -> u8 {
    let dive = conflicts[ANY] == 0 && (depth >= DIVE_DEPTH || depth >= 1 && cells.candidates() < DIVE_CANDIDATES);
    let cell = if dive { V::first(cells) } else { V::heaviest(cells, conflicts) };
    cell.unwrap_or_else(|| fewest(cells)) as u8
}

/// The lanes of a set.
#[inline(always)]
fn lanes_of(mut set: LaneSet) -> impl Iterator<Item = usize> {
    std::iter::from_fn(
        #[inline(always)]
        move || {
            let lane = (set != 0).then(|| set.trailing_zeros() as usize & 31)?;
            set &= set - 1;
            Some(lane)
        },
    )
}

/// For each cell the other minirows and minicolumns of its houses, as places in [`Lanes::minis`]: together they hold the
/// cell's peers, so a digit struck from them is struck from the peers in the next pass.
static SEEING: [[u8; 8]; 81] = {
    let mut seeing = [[0; 8]; 81];
    let mut cell = 0;
    while cell < 81 {
        let (row, col) = (cell / 9, cell % 9);
        let (band, stack, r, c) = (row / 3, col / 3, row % 3, col % 3);
        let mut i = 1;
        while i < 3 {
            // Of the row and of the box; of the column and of the box.
            seeing[cell][i - 1] = (9 * band + 3 * r + (stack + i) % 3) as u8;
            seeing[cell][i + 1] = (9 * band + 3 * ((r + i) % 3) + stack) as u8;
            seeing[cell][i + 3] = (27 + 9 * stack + 3 * c + (band + i) % 3) as u8;
            seeing[cell][i + 5] = (27 + 9 * stack + 3 * ((c + i) % 3) + band) as u8;
            i += 1;
        }
        cell += 1;
    }
    seeing
};

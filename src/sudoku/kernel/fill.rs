//! How free lanes of a [`Search`] come to hold branches again: pool and new puzzles to the staging block, staging block to
//! lanes.

use super::cells::Cells;
use super::pool::{Branch, QUICK, SLOW};
use super::search::{NO_CELL, Search};
use super::searcher::Port;
use super::vector::Vector;

/// While fewer branches wait, new puzzles go first: mixed lanes stall at different times.
const SHALLOW: usize = 256;

impl<V: Vector> Search<V> {
    /// Gives free lanes what is staged; whether the next pass must route it.
    #[inline(always)]
    pub(super) fn fill(&mut self, port: &mut dyn Port) -> bool {
        let mut free = !self.alive & (u32::MAX >> (32 - V::LANES));
        if self.is_narrow() {
            free = u32::from(self.alive == 0);
        }
        let mut from = [0; 32];
        let mut taking = 0;
        while free != 0 {
            // What lanes will take in the coming pass must not be overwritten before.
            if self.staged == 0 && (taking != 0 || !self.stage(port)) {
                break;
            }
            self.staged -= 1;
            let branch = self.waiting[self.staged & 31];
            if self.tallies[branch.puzzle as usize].closed {
                continue;
            }
            let lane = free.trailing_zeros() as usize & 31;
            free &= free - 1;
            self.holds[lane] = branch;
            from[lane] = self.staged as u8;
            taking |= 1 << lane;
            if !V::ROUTES {
                self.lanes.copy(self.staged, lane);
            }
        }
        self.alive |= taking;
        self.lanes.route = V::plan(self.proof, taking, &from);
        taking != 0 && V::ROUTES
    }

    /// Stages waiting branches and new puzzles; false if there are none.
    #[inline(never)]
    fn stage(&mut self, port: &mut dyn Port) -> bool {
        V::enter(
            self.proof,
            #[inline(always)]
            || self.stage_here(port),
        )
    }

    #[inline(always)]
    fn stage_here(&mut self, port: &mut dyn Port) -> bool {
        let room = if self.is_narrow() { 1 } else { V::LANES };
        let mut puzzles = [&Cells::NONE; 32];
        let (mut count, mut taken) = (0, [0, 0]);
        for (stack, most) in self.shares(room) {
            while count < most {
                let Some((branch, cells)) = self.pool.peek(stack, taken[stack]) else { break };
                taken[stack] += 1;
                if !self.tallies[branch.puzzle as usize].closed {
                    (self.waiting[count], puzzles[count]) = (branch, cells);
                    count += 1;
                }
            }
        }
        let mut digits = [0; 81];
        for (scratch, (waiting, puzzle)) in
            self.scratch.iter_mut().zip(self.waiting.iter_mut().zip(&mut puzzles).take(room).skip(count))
        {
            if self.next == self.tallies.len() {
                break;
            }
            port.puzzle(self.next, &mut digits);
            V::load(scratch, &digits);
            if let Some((cell, digit)) = port.barred(self.next) {
                scratch.0[usize::from(cell)] &= !(1 << (digit - 1));
            }
            *waiting = Branch { puzzle: self.next as u32, cell: NO_CELL, depth: 0 };
            *puzzle = scratch;
            self.next += 1;
            count += 1;
        }
        V::gather(&puzzles[..count], &mut self.lanes.staged);
        self.pool.drop_top(taken);
        self.staged = count;
        count != 0
    }

    /// From which stack of the pool to stage until how much of the room is used, in this order; the rest is for new
    /// puzzles. Slow puzzles never keep others from the lanes, nor do those keep them; and once half of the pool's room
    /// is used, what has begun is ended first.
    #[inline(always)]
    fn shares(&self, room: usize) -> [(usize, usize); 3] {
        let fresh = self.next < self.tallies.len();
        if self.is_narrow() {
            // Strictly depth first, which the bound of the pool rests on: a puzzle that becomes slow goes on as such.
            return [(SLOW, room), (QUICK, room), (QUICK, room)];
        }
        if self.is_crowded() {
            return [(SLOW, room / 2), (QUICK, room), (SLOW, room)];
        }
        let quick = if fresh && self.pool.len() < SHALLOW { 0 } else { room };
        let slow = if fresh || self.pool.has_quick() { room / 4 } else { room };
        [(SLOW, slow), (QUICK, quick), (SLOW, slow)]
    }
}

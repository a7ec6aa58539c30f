//! [`Pool`]: branches that wait for a lane.
//!
//! Last in, first out, so that the search stays deep and the pool small. The branches of slow puzzles wait apart, so that
//! they don't keep others from the lanes. Knows nothing of lanes.

use super::cells::Cells;

/// Guesses after which a puzzle is slow. The hardest puzzles known take some hundreds.
const SLOW_NODES: u64 = 10_000;
/// The stack of most puzzles.
pub const QUICK: usize = 0;
/// The stack of slow puzzles.
pub const SLOW: usize = 1;

/// What a branch belongs to.
#[derive(Clone, Copy, Debug, Default)]
pub struct Branch {
    /// The puzzle, by its place in the batch.
    pub puzzle: u32,
    /// The cell guessed in last.
    pub cell: u8,
    /// How many guesses deep, up to 255.
    pub depth: u8,
}

/// Branches and their candidates, in two stacks: [`QUICK`] and [`SLOW`].
#[derive(Debug, Default)]
pub struct Pool([Stack; 2]);

#[derive(Debug, Default)]
struct Stack {
    cells: Vec<Cells>,
    branches: Vec<Branch>,
}

impl Pool {
    /// Adds a branch of a puzzle that has taken so many nodes; its candidates, to be changed.
    #[inline(always)]
    pub fn push(&mut self, branch: Branch, cells: &Cells, nodes: u64) -> &mut Cells {
        let stack = &mut self.0[if nodes > SLOW_NODES { SLOW } else { QUICK }];
        let at = stack.cells.len();
        stack.cells.push(*cells);
        stack.branches.push(branch);
        &mut stack.cells[at]
    }

    /// How many wait.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.0[0].branches.len() + self.0[1].branches.len()
    }

    /// Whether branches wait that are not of slow puzzles.
    pub fn has_quick(&self) -> bool {
        !self.0[QUICK].branches.is_empty()
    }

    /// The branch `back` places below the top of a stack.
    #[inline(always)]
    pub fn peek(&self, stack: usize, back: usize) -> Option<(Branch, &Cells)> {
        let stack = &self.0[stack];
        let at = stack.branches.len().checked_sub(back + 1)?;
        Some((stack.branches[at], &stack.cells[at]))
    }

    /// Drops the top branches of each stack.
    #[inline(always)]
    pub fn drop_top(&mut self, counts: [usize; 2]) {
        for (stack, count) in self.0.iter_mut().zip(counts) {
            let left = stack.branches.len().saturating_sub(count);
            stack.branches.truncate(left);
            stack.cells.truncate(left);
        }
    }

    /// Drops all.
    pub fn clear(&mut self) {
        self.drop_top([usize::MAX; 2]);
    }

    /// Every branch.
    pub fn branches(&self) -> impl Iterator<Item = &Branch> {
        self.0.iter().flat_map(|stack| &stack.branches)
    }
}

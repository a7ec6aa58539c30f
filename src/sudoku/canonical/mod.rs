//! The canonical form of a grid: the same for all that differ only in labels and arrangement.
//!
//! Two grids are equivalent if one becomes the other by relabeling digits, exchanging rows within a band, columns
//! within a stack, bands, stacks, and rows with columns. Must never solve: what is equivalent is decided on the cells
//! as they are.

mod complete;
mod lines;
mod partial;
#[cfg(test)]
mod slow;
#[cfg(test)]
mod tests;

use super::grid::Grid;

/// A grid's class of equivalent grids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Canonical {
    /// The least of them.
    pub grid: Grid,
    /// Relabelings and rearrangements that leave the grid as it is, the one that does nothing included:
    /// 1..=2·6^8·9!, which is how many an empty grid has. There are 2·6^8·9! divided by this equivalent grids.
    ///
    /// Exchanging digits that do not occur counts, too; a puzzle of one solution lacks at most one.
    pub automorphisms: u64,
}

/// The canonical form of a completed grid or a puzzle, `None` if its digits clash.
///
/// It is the least of all equivalent grids as 81 digits row by row, an empty cell being 0: "row min-lex", as Deverin
/// defined it for his RowMinStdForm (2007; part of gsf's `sudoku`). His program chooses the first band by its numbers of
/// givens before it looks at labels, and so misses the least form of some puzzles, 3 % of those of 17 givens; this one does
/// not. The form of a puzzle is its own: it is not the form of its solution with cells left out.
///
/// Takes some 7 µs for a completed grid or a puzzle. The worst that a search for it found, a few full rows in different
/// bands, take 3 ms and half a megabyte.
pub fn canonical(grid: &Grid) -> Option<Canonical> {
    if !grid.conflicts().is_empty() {
        return None;
    }
    let sides = lines::sides(grid);
    let least = if grid.clue_count() == 81 { complete::least(&sides) } else { partial::least(&sides) };
    let absent = (1..=9).filter(|digit| !grid.digits().contains(digit)).count() as u64;
    Some(Canonical { grid: least.grid(), automorphisms: least.ways * (1..=absent).product::<u64>() })
}

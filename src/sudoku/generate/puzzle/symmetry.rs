//! [`Symmetry`]: which cells of a puzzle are given or empty together. Must never know of digits.

use crate::sudoku::{Cell, CellSet};

/// How a puzzle's pattern of givens looks alike when the grid is turned or mirrored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Symmetry {
    /// Any pattern.
    #[default]
    None,
    /// Turned by half a circle: the usual one in print.
    Rotational180,
    /// Turned by a quarter.
    Rotational90,
    /// The left half mirrors the right one.
    Mirror,
    /// Mirrored at the diagonal from r1c1 to r9c9.
    Diagonal,
    /// Turned by a quarter, and mirrored in every way.
    Full,
}

impl Symmetry {
    /// All of them.
    pub const ALL: [Symmetry; 6] = [
        Symmetry::None,
        Symmetry::Rotational180,
        Symmetry::Rotational90,
        Symmetry::Mirror,
        Symmetry::Diagonal,
        Symmetry::Full,
    ];

    /// Its name in messages and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Symmetry::None => "none",
            Symmetry::Rotational180 => "rotational-180",
            Symmetry::Rotational90 => "rotational-90",
            Symmetry::Mirror => "mirror",
            Symmetry::Diagonal => "diagonal",
            Symmetry::Full => "full",
        }
    }

    /// Whether a row's pattern depends on no other row's.
    pub fn keeps_rows(self) -> bool {
        matches!(self, Symmetry::None | Symmetry::Mirror)
    }

    /// The sets of cells that are given or empty together, each cell in one of them.
    pub fn orbits(self) -> Vec<CellSet> {
        let mut orbits: Vec<CellSet> = Vec::new();
        for cell in Cell::all() {
            if !orbits.iter().any(|orbit| orbit.contains(cell)) {
                orbits.push(self.orbit(cell));
            }
        }
        orbits
    }

    /// Everywhere that the symmetry takes a cell.
    fn orbit(self, cell: Cell) -> CellSet {
        let mut orbit = CellSet::EMPTY;
        let mut new = vec![cell];
        while let Some(cell) = new.pop() {
            if !orbit.contains(cell) {
                orbit.insert(cell);
                new.extend(self.images(cell));
            }
        }
        orbit
    }

    /// Where the turns and mirrors that make up the symmetry take a cell.
    fn images(self, cell: Cell) -> impl Iterator<Item = Cell> {
        let (row, col) = (cell.row(), cell.col());
        let half = || Cell::at(8 - row, 8 - col);
        let quarter = || Cell::at(col, 8 - row);
        let mirrored = || Cell::at(row, 8 - col);
        let diagonal = || Cell::at(col, row);
        let images = match self {
            Symmetry::None => [None, None],
            Symmetry::Rotational180 => [Some(half()), None],
            Symmetry::Rotational90 => [Some(quarter()), None],
            Symmetry::Mirror => [Some(mirrored()), None],
            Symmetry::Diagonal => [Some(diagonal()), None],
            Symmetry::Full => [Some(quarter()), Some(diagonal())],
        };
        images.into_iter().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orbits_part_the_grid() {
        // Orbits of one cell, two, four and eight.
        let expected = [[81, 0, 0, 0], [1, 40, 0, 0], [1, 0, 20, 0], [9, 36, 0, 0], [9, 36, 0, 0], [1, 0, 8, 6]];
        for (symmetry, expected) in Symmetry::ALL.into_iter().zip(expected) {
            let orbits = symmetry.orbits();
            let sizes = [1, 2, 4, 8].map(|size| orbits.iter().filter(|orbit| orbit.len() == size).count());
            assert_eq!(sizes, expected, "{symmetry:?}");
            assert_eq!(orbits.iter().fold(CellSet::EMPTY, |all, &orbit| all | orbit), CellSet::ALL);
        }
    }

    #[test]
    fn orbits_of_a_corner_and_of_an_edge() {
        let of = |symmetry: Symmetry, cell| {
            let cells: Vec<String> = symmetry.orbit(cell).iter().map(|cell| cell.to_string()).collect();
            cells.join(" ")
        };
        let cell = Cell::at(0, 1);
        assert_eq!(of(Symmetry::Rotational180, cell), "r1c2 r9c8");
        assert_eq!(of(Symmetry::Rotational90, cell), "r1c2 r2c9 r8c1 r9c8");
        assert_eq!(of(Symmetry::Mirror, cell), "r1c2 r1c8");
        assert_eq!(of(Symmetry::Diagonal, cell), "r1c2 r2c1");
        assert_eq!(of(Symmetry::Full, cell), "r1c2 r1c8 r2c1 r2c9 r8c1 r8c9 r9c2 r9c8");
        assert_eq!(of(Symmetry::Full, Cell::at(4, 4)), "r5c5");
    }
}

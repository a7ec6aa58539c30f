//! What the tests share: the vectors of this machine, lanes written and read, puzzles, a port that keeps all.

use crate::sudoku::grid::Grid;
use crate::sudoku::kernel::cells::Cells;
use crate::sudoku::kernel::searcher::Port;
use crate::sudoku::kernel::vector::{LaneSet, Vector};

/// Runs a generic test on each vector that this machine has.
macro_rules! on_each_vector {
    ($test:ident($($argument:expr),*)) => {{
        $test::<crate::sudoku::kernel::array::Array>(() $(, $argument)*);
        #[cfg(target_arch = "x86_64")]
        if let Some(proof) = crate::sudoku::kernel::avx2::Proof::detect() {
            $test::<crate::sudoku::kernel::avx2::Avx2>(proof $(, $argument)*);
        }
        #[cfg(target_arch = "x86_64")]
        if let Some(proof) = crate::sudoku::kernel::avx512::Proof::detect() {
            $test::<crate::sudoku::kernel::avx512::Avx512>(proof $(, $argument)*);
        }
    }};
}
pub(super) use on_each_vector;

/// All lanes of a vector.
pub fn every<V: Vector>() -> LaneSet {
    u32::MAX >> (32 - V::LANES)
}

/// The vector of the first of these words.
pub fn write<V: Vector>(proof: V::Proof, words: &[u16; 32]) -> V {
    let mut vector = V::splat(proof, 0);
    (0..V::LANES).for_each(|lane| *vector.lane_mut(lane) = words[lane]);
    vector
}

/// The words of a vector.
pub fn read<V: Vector>(vector: &V) -> Vec<u16> {
    (0..V::LANES).map(|lane| vector.lane(lane)).collect()
}

/// A puzzle in text, `.` where empty.
pub fn digits(line: &str) -> [u8; 81] {
    line.as_bytes()
        .try_into()
        .map(|cells: [u8; 81]| cells.map(|c| if c == b'.' { 0 } else { c - b'0' }))
        .expect("81 cells")
}

/// The candidates that these digits leave in their own cells.
pub fn candidates(digits: &[u8; 81]) -> Cells {
    let mut cells = Cells::NONE;
    cells.load(digits);
    cells
}

/// Puzzles in, the number of their solutions out.
pub struct Road {
    pub puzzles: Vec<[u8; 81]>,
    pub found: Vec<u64>,
}

impl Road {
    pub fn new(puzzles: Vec<[u8; 81]>) -> Road {
        Road { found: vec![0; puzzles.len()], puzzles }
    }
}

impl Port for Road {
    fn puzzle(&mut self, puzzle: usize, digits: &mut [u8; 81]) {
        *digits = self.puzzles[puzzle];
    }

    fn solution(&mut self, puzzle: usize, digits: &[u8; 81]) {
        let grid = Grid::from_digits(*digits).expect("digits");
        let given = Grid::from_digits(self.puzzles[puzzle]).expect("digits");
        assert!(grid.is_solved() && grid.extends(&given), "{grid}");
        self.found[puzzle] += 1;
    }
}

//! Puzzles with known solutions, as many as wanted: one puzzle with its digits renamed.

/// One solution.
pub const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// It.
pub const SOLUTION: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
/// No two digits clash, yet there is no solution: r1c9 can only be 9, which column 9 has.
pub const UNSOLVABLE: &str = "12345678.........9...............................................................";
/// 80 cells.
pub const SHORT: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..7";

/// The `index`-th renaming of the digits 1-9, in factorial base.
fn renaming(index: usize) -> [u8; 10] {
    let mut left: Vec<u8> = (b'1'..=b'9').collect();
    let (mut rest, mut names) = (index % 362_880, [b'.'; 10]);
    for (i, name) in names[1..].iter_mut().enumerate() {
        *name = left.remove(rest % (9 - i));
        rest /= 9 - i;
    }
    names
}

fn renamed(grid: &str, index: usize) -> String {
    let names = renaming(index);
    grid.bytes().map(|cell| if cell == b'.' { '.' } else { char::from(names[usize::from(cell - b'0')]) }).collect()
}

/// Puzzle `index`, another for each index below 362,880.
pub fn puzzle(index: usize) -> String {
    renamed(PUZZLE, index)
}

/// Its solution.
pub fn solution(index: usize) -> String {
    renamed(SOLUTION, index)
}

/// Puzzles as lines.
pub fn lines(indices: std::ops::Range<usize>) -> String {
    indices.map(|index| puzzle(index) + "\n").collect()
}

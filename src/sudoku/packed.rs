//! Packed forms of a grid: givens in 41 bytes, completed grids in 32.

use super::grid::Grid;

/// Bytes of packed givens: 81 cells of 4 bits, the first cell in the high half; the last half is 0.
pub const GIVENS_BYTES: usize = 41;
/// Bytes of a packed completed grid: rows 1-8, columns 1-8, 4 bits each.
pub const SOLVED_BYTES: usize = 32;

/// Packs any grid.
#[inline]
pub fn pack_givens(grid: &Grid, out: &mut [u8; GIVENS_BYTES]) {
    let (pairs, last) = grid.digits().as_chunks::<2>();
    for (to, pair) in out.iter_mut().zip(pairs) {
        *to = pair[0] << 4 | pair[1];
    }
    out[40] = last[0] << 4;
}

/// Whether [`unpack_givens`] gives a grid.
#[inline]
pub fn is_givens(bytes: &[u8; GIVENS_BYTES]) -> bool {
    let over = |byte: u8| byte & 0x88 & (byte << 1 | byte << 2);
    bytes.iter().fold(0, |bad, &byte| bad | over(byte)) == 0 && bytes[40] & 0x0f == 0
}

/// The grid packed in these bytes; `None` if a half exceeds 9 or the spare half is not 0.
#[inline]
pub fn unpack_givens(bytes: &[u8; GIVENS_BYTES]) -> Option<Grid> {
    let mut digits = [0; 81];
    for (pair, &byte) in digits.as_chunks_mut::<2>().0.iter_mut().zip(bytes) {
        *pair = [byte >> 4, byte & 0x0f];
    }
    digits[80] = bytes[40] >> 4;
    if bytes[40] & 0x0f == 0 { Grid::from_digits(digits) } else { None }
}

/// Packs a completed grid ([`Grid::is_solved`]); of any other one the bytes mean nothing.
#[inline]
pub fn pack_solved(grid: &Grid, out: &mut [u8; SOLVED_BYTES]) {
    for (to, row) in out.as_chunks_mut::<4>().0.iter_mut().zip(grid.digits().chunks_exact(9)) {
        if let Some(eight) = row.first_chunk() {
            *to = squeeze(*eight);
        }
    }
}

/// Whether the bytes are a packed completed grid: [`unpack_solved`] gives one.
pub fn is_solved(bytes: &[u8; SOLVED_BYTES]) -> bool {
    // Sets of digits, 16 bits each, for columns 1-4 and 5-8 side by side, and column 9. Eight cells of a
    // house leave at least one digit; if only one, they all differ and the ninth cell holds it.
    let mut seen = Row::default();
    let mut bands = [Row::default(); 3];
    let mut wrong = 0;
    for (r, four) in bytes.as_chunks::<4>().0.iter().enumerate() {
        let [a, b, c, d] = four.map(|byte| PAIRS[usize::from(byte)]);
        let mut row = Row { left: a | b << 32, right: c | d << 32, last: 0 };
        row.last = row.rest();
        wrong |= row.last & (row.last - 1);
        seen = seen.either(row);
        bands[r / 3] = bands[r / 3].either(row);
    }
    let all = ALL * EACH;
    let ninth = Row { left: all ^ seen.left, right: all ^ seen.right, last: ALL ^ seen.last };
    wrong |= ninth.left & (ninth.left - EACH) | ninth.right & (ninth.right - EACH);
    wrong |= ninth.rest() ^ ninth.last | ninth.last & ninth.last.wrapping_sub(1);
    bands[2] = bands[2].either(ninth);
    wrong == 0 && bands.iter().all(Row::fills_boxes)
}

/// The completed grid packed in these bytes; `None` if there is none.
pub fn unpack_solved(bytes: &[u8; SOLVED_BYTES]) -> Option<Grid> {
    if is_solved(bytes) { expand_solved(bytes) } else { None }
}

/// The completed grid packed in bytes that [`is_solved`] was asked about; of others `None` or any grid.
#[inline]
pub fn expand_solved(bytes: &[u8; SOLVED_BYTES]) -> Option<Grid> {
    let mut digits = [0; 81];
    // What the rows above leave of 45, a byte a column; and of column 9.
    let (mut rest, mut corner) = (SUMS, 45u8);
    let (upper, ninth) = digits.split_at_mut(72);
    for (row, four) in upper.as_chunks_mut::<9>().0.iter_mut().zip(bytes.as_chunks::<4>().0) {
        let eight = spread(*four);
        row[..8].copy_from_slice(&eight.to_be_bytes());
        row[8] = missing(eight);
        rest = rest.wrapping_sub(eight);
        corner = corner.wrapping_sub(row[8]);
    }
    ninth[..8].copy_from_slice(&rest.to_be_bytes());
    ninth[8] = corner;
    Grid::from_digits(digits)
}

/// The completed grid packed in these bytes as a line of text, in one step: results are written so by the million. Of
/// bytes that are none the line means nothing, but is ASCII.
#[inline]
pub fn solved_line(bytes: &[u8; SOLVED_BYTES]) -> [u8; 82] {
    const ZEROS: u64 = 0x3030_3030_3030_3030;
    let mut line = [b'\n'; 82];
    // What the rows so far leave for row 9.
    let mut rest = SUMS;
    let (upper, ninth) = line.split_at_mut(72);
    for (row, four) in upper.as_chunks_mut::<9>().0.iter_mut().zip(bytes.as_chunks::<4>().0) {
        let eight = spread(*four);
        row[..8].copy_from_slice(&(eight | ZEROS).to_be_bytes());
        row[8] = b'0' | missing(eight) & 0x0f;
        rest = rest.wrapping_sub(eight);
    }
    let rest = rest & 0x0f0f_0f0f_0f0f_0f0f;
    ninth[..8].copy_from_slice(&(rest | ZEROS).to_be_bytes());
    ninth[8] = b'0' | missing(rest) & 0x0f;
    line
}

/// What the digits of a row or column add up to, in each byte.
const SUMS: u64 = 0x2d2d_2d2d_2d2d_2d2d;

/// The digit that a house's other eight leave.
#[inline]
fn missing(eight: u64) -> u8 {
    45u8.wrapping_sub((eight.wrapping_mul(0x0101_0101_0101_0101) >> 56) as u8)
}

/// Nine digits, one bit each.
const ALL: u64 = 0x3fe;
/// The lowest bit of each of four sets.
const EACH: u64 = 0x0001_0001_0001_0001;

/// The digits' bits of both halves of a byte, 16 bits each, the high half's lowest; none for halves outside 1-9.
static PAIRS: [u64; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = (1 << (byte >> 4) & ALL) | (1 << (byte & 15) & ALL) << 16;
        byte += 1;
    }
    table
};

/// A set of digits for each column.
#[derive(Clone, Copy, Default)]
struct Row {
    left: u64,
    right: u64,
    last: u64,
}

impl Row {
    fn either(self, other: Row) -> Row {
        Row { left: self.left | other.left, right: self.right | other.right, last: self.last | other.last }
    }

    /// The digits that columns 1-8 leave.
    fn rest(self) -> u64 {
        let both = self.left | self.right;
        let pair = both | both >> 32;
        ALL ^ (pair | pair >> 16) & ALL
    }

    /// Whether each of the three boxes of this band has all digits.
    fn fills_boxes(&self) -> bool {
        let Row { left, right, last } = self;
        let boxes =
            [left | left >> 16 | left >> 32, left >> 48 | right | right >> 16, right >> 32 | right >> 48 | last];
        boxes.iter().all(|digits| digits & ALL == ALL)
    }
}

/// Eight digits as halves.
#[inline]
fn squeeze(digits: [u8; 8]) -> [u8; 4] {
    let mut x = u64::from_be_bytes(digits);
    x = (x | x >> 4) & 0x00ff_00ff_00ff_00ff;
    x = (x | x >> 8) & 0x0000_ffff_0000_ffff;
    ((x | x >> 16) as u32).to_be_bytes()
}

/// Eight halves as digits, a byte each, the first highest.
#[inline]
fn spread(halves: [u8; 4]) -> u64 {
    let mut x = u64::from(u32::from_be_bytes(halves));
    x = (x | x << 16) & 0x0000_ffff_0000_ffff;
    x = (x | x << 8) & 0x00ff_00ff_00ff_00ff;
    (x | x << 4) & 0x0f0f_0f0f_0f0f_0f0f
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A completed grid: the classic pattern, relabelled, with rows and columns of bands and stacks exchanged.
    fn completed() -> impl Strategy<Value = Grid> {
        let nine = || Just([0usize, 1, 2, 3, 4, 5, 6, 7, 8]).prop_shuffle();
        let three = || proptest::collection::vec(Just([0usize, 1, 2]).prop_shuffle(), 4);
        (nine(), three(), three(), any::<bool>()).prop_map(|(labels, rows, cols, turned)| {
            let place = |order: &[[usize; 3]], i: usize| order[3][i / 3] * 3 + order[i / 3][i % 3];
            let digits = std::array::from_fn(|i| {
                let (r, c) = if turned { (i % 9, i / 9) } else { (i / 9, i % 9) };
                let (r, c) = (place(&rows, r), place(&cols, c));
                labels[(r * 3 + r / 3 + c) % 9] as u8 + 1
            });
            Grid::from_digits(digits).expect("digits")
        })
    }

    fn packed(grid: &Grid) -> [u8; SOLVED_BYTES] {
        let mut bytes = [0; SOLVED_BYTES];
        pack_solved(grid, &mut bytes);
        bytes
    }

    /// What the bytes say, told slowly.
    fn spelled_out(bytes: &[u8; SOLVED_BYTES]) -> Option<Grid> {
        let mut rows: Vec<Vec<i32>> =
            bytes.chunks(4).map(|four| four.iter().flat_map(|b| [b >> 4, b & 15]).map(i32::from).collect()).collect();
        rows.iter_mut().for_each(|row| row.push(45 - row.iter().sum::<i32>()));
        rows.push((0..9).map(|c| 45 - rows.iter().map(|row| row[c]).sum::<i32>()).collect());
        let digits: Vec<u8> = rows.concat().into_iter().map(u8::try_from).collect::<Result<_, _>>().ok()?;
        Grid::from_digits(digits.try_into().ok()?).filter(Grid::is_solved)
    }

    proptest! {
        #[test]
        fn givens_round_trip(cells in proptest::collection::vec(0u8..=9, 81)) {
            let grid = Grid::from_digits(cells.try_into().expect("81 cells")).expect("digits");
            let mut bytes = [0xff; GIVENS_BYTES];
            pack_givens(&grid, &mut bytes);
            prop_assert!(is_givens(&bytes));
            prop_assert_eq!(unpack_givens(&bytes), Some(grid));
        }

        #[test]
        fn any_givens_are_checked(bytes in any::<[u8; GIVENS_BYTES]>(), low in any::<bool>()) {
            let bytes = if low { bytes.map(|byte| byte & 0x99) } else { bytes };
            let good = bytes.iter().all(|byte| byte >> 4 <= 9 && byte & 15 <= 9) && bytes[40] & 15 == 0;
            prop_assert_eq!(is_givens(&bytes), good);
            prop_assert_eq!(unpack_givens(&bytes).is_some(), good);
        }

        #[test]
        fn completed_grids_round_trip(grid in completed()) {
            prop_assert!(grid.is_solved());
            prop_assert_eq!(unpack_solved(&packed(&grid)), Some(grid));
            prop_assert_eq!(expand_solved(&packed(&grid)), Some(grid));
            let (line, plain) = (solved_line(&packed(&grid)), format!("{grid}\n"));
            prop_assert_eq!(&line[..], plain.as_bytes());
        }

        #[test]
        fn bytes_that_are_no_completed_grid_are_refused(
            grid in completed(),
            changes in proptest::collection::vec((0usize..SOLVED_BYTES, any::<u8>()), 1..4),
            (a, b) in (0usize..SOLVED_BYTES, 0usize..SOLVED_BYTES),
        ) {
            let mut bytes = packed(&grid);
            bytes.swap(a, b);
            prop_assert_eq!(unpack_solved(&bytes), spelled_out(&bytes));
            changes.iter().for_each(|&(at, byte)| bytes[at] = byte);
            prop_assert_eq!(unpack_solved(&bytes), spelled_out(&bytes));
        }

        #[test]
        fn any_bytes_are_checked(bytes in any::<[u8; SOLVED_BYTES]>()) {
            prop_assert_eq!(unpack_solved(&bytes), spelled_out(&bytes));
            expand_solved(&bytes);
            prop_assert!(solved_line(&bytes).is_ascii());
        }
    }

    #[test]
    fn the_form_is_fixed() {
        let mut digits = [0; 81];
        digits[0] = 7;
        digits[1] = 1;
        digits[80] = 9;
        let mut bytes = [0; GIVENS_BYTES];
        pack_givens(&Grid::from_digits(digits).expect("digits"), &mut bytes);
        let mut expected = [0; GIVENS_BYTES];
        expected[0] = 0x71;
        expected[40] = 0x90;
        assert_eq!(bytes, expected);
        let latin =
            Grid::from_digits(std::array::from_fn(|i| ((i / 9 * 3 + i / 27 + i) % 9 + 1) as u8)).expect("digits");
        assert_eq!(packed(&latin)[..8], [0x12, 0x34, 0x56, 0x78, 0x45, 0x67, 0x89, 0x12]);
    }

    #[test]
    fn rows_and_columns_alone_are_not_enough() {
        let latin = Grid::from_digits(std::array::from_fn(|i| ((i / 9 + i) % 9 + 1) as u8)).expect("digits");
        assert!(!latin.is_solved());
        assert_eq!(unpack_solved(&packed(&latin)), None);
        let zeros = [0; SOLVED_BYTES];
        assert_eq!(unpack_solved(&zeros), None);
        assert_eq!(unpack_solved(&[0xff; SOLVED_BYTES]), None);
    }
}

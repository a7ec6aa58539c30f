//! A packed completed grid as a line of text, in one step: results are written so by the million. Must never know
//! where the line goes.

use crate::sudoku::packed::SOLVED_BYTES;

/// 81 digits and a newline.
const LINE_BYTES: usize = 82;
/// `0` in each byte.
const ZEROS: u64 = 0x3030_3030_3030_3030;
/// What the digits of a row or column add up to, in each byte.
const SUMS: u64 = 0x2d2d_2d2d_2d2d_2d2d;
/// The low half of each byte.
const HALVES: u64 = 0x0f0f_0f0f_0f0f_0f0f;

/// Appends the grid's line. Of bytes that are no packed completed grid the line means nothing, but is ASCII.
#[inline]
pub(super) fn push_line(grid: &[u8; SOLVED_BYTES], out: &mut Vec<u8>) {
    let mut line = [b'\n'; LINE_BYTES];
    // What the rows so far leave for row 9.
    let mut rest = SUMS;
    let (upper, ninth) = line.split_at_mut(72);
    for (row, four) in upper.as_chunks_mut::<9>().0.iter_mut().zip(grid.as_chunks::<4>().0) {
        let eight = spread(*four);
        row[..8].copy_from_slice(&(eight | ZEROS).to_be_bytes());
        row[8] = missing(eight);
        rest = rest.wrapping_sub(eight);
    }
    let rest = rest & HALVES;
    ninth[..8].copy_from_slice(&(rest | ZEROS).to_be_bytes());
    ninth[8] = missing(rest);
    out.extend_from_slice(&line);
}

/// Eight halves as digits, a byte each, the first highest.
#[inline]
fn spread(halves: [u8; 4]) -> u64 {
    let mut x = u64::from(u32::from_be_bytes(halves));
    x = (x | x << 16) & 0x0000_ffff_0000_ffff;
    x = (x | x << 8) & 0x00ff_00ff_00ff_00ff;
    (x | x << 4) & HALVES
}

/// The character of the digit that a house's other eight leave.
#[inline]
fn missing(eight: u64) -> u8 {
    let sum = (eight.wrapping_mul(0x0101_0101_0101_0101) >> 56) as u8;
    b'0' | 45u8.wrapping_sub(sum) & 0x0f
}

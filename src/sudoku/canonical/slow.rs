//! For tests: the least form by trying each of the 2·6^8 rearrangements.

use super::lines::{Least, append, transposed};
use crate::sudoku::grid::Grid;
use std::cmp::Ordering;

/// Orders of nine lines that keep the bands together: 1,296.
fn line_orders() -> Vec<[usize; 9]> {
    let three = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    let mut orders = Vec::new();
    for code in 0..6usize.pow(4) {
        let bands = three[code % 6];
        let inner = [three[code / 6 % 6], three[code / 36 % 6], three[code / 216]];
        orders.push(std::array::from_fn(|i| 3 * bands[i / 3] + inner[i / 3][i % 3]));
    }
    orders
}

/// The least form.
pub fn least(grid: &Grid) -> Least {
    let rows: [[u8; 9]; 9] = std::array::from_fn(|r| std::array::from_fn(|c| grid.digits()[9 * r + c]));
    let orders = line_orders();
    let mut least = Least::NONE;
    for side in [rows, transposed(&rows)] {
        for rows in &orders {
            for cols in &orders {
                offer(&side, rows, cols, &mut least);
            }
        }
    }
    least
}

/// Compares one arrangement with the least so far. Digits are labeled in the order in which they appear.
fn offer(side: &[[u8; 9]; 9], rows: &[usize; 9], cols: &[usize; 9], least: &mut Least) {
    let (mut labels, mut appeared) = ([0u8; 10], 0);
    let mut lines = [0; 9];
    let mut order = Ordering::Equal;
    for (i, &row) in rows.iter().enumerate() {
        for &col in cols {
            let digit = usize::from(side[row][col]);
            if digit != 0 && labels[digit] == 0 {
                appeared += 1;
                labels[digit] = appeared;
            }
            lines[i] = append(lines[i], labels[digit]);
        }
        order = order.then(lines[i].cmp(&least.lines[i]));
        if order == Ordering::Greater {
            return;
        }
    }
    if order == Ordering::Less {
        *least = Least { lines, ways: 0 };
    }
    least.ways += 1;
}

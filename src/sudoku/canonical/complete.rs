//! The least form of a completed grid, from the 36 pairs of rows that can come first.
//!
//! The first line is 123456789 whichever row comes first. Three digits of the second row under one stack of the first are
//! those of another stack, or two of them are: least is a second line that begins with 456, or else with 457. So a pair of
//! rows, the stack that comes first and the order of its columns tell the order of all columns and every label, and rows
//! to follow are sorted by their first digits: at most 18 arrangements for each pair, six as a rule.

use super::lines::{Least, Line, Sides, append, head};

/// The first line of every least form.
const FIRST: Line = 0x1_2345_6789;

/// The six orders of three.
const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

/// The least form of a completed grid.
pub fn least(sides: &Sides) -> Least {
    let mut least = Least::NONE;
    for rows in sides {
        for first in 0..9 {
            let mut columns = [0; 10];
            (0..).zip(&rows[first]).for_each(|(col, &digit)| columns[usize::from(digit)] = col);
            for second in [1, 2].map(|i| first / 3 * 3 + (first + i) % 3) {
                Pair { rows, first, second, columns }.offer_all(&mut least);
            }
        }
    }
    least
}

/// Two rows that come first.
struct Pair<'a> {
    rows: &'a [[u8; 9]; 9],
    first: usize,
    second: usize,
    /// For each digit its column in the first row.
    columns: [u8; 10],
}

/// An order of the columns.
struct Order {
    /// For each place the column.
    cols: [u8; 9],
    /// For each digit its place in the first row, from 1; 0 while it has none.
    labels: [u8; 10],
    /// The next free place of each stack.
    free: [u8; 3],
}

impl Pair<'_> {
    /// Tries every order of the columns that may give the least second line.
    fn offer_all(&self, least: &mut Least) {
        let [first, second] = [self.rows[self.first], self.rows[self.second]];
        // How many digits of the second row's stack 0 are of the first row's stack 1; the others are of its stack 2. It is
        // the same for each stack and the next, going round in one direction, and 3 minus it in the other.
        let shared = second[..3].iter().filter(|&&digit| self.stack(digit) == 1).count();
        let step = if shared >= 2 { 1 } else { 2 };
        let is_whole = shared % 3 == 0;
        for stack in 0..3 {
            let stacks = [stack, (stack + step) % 3, (stack + 2 * step) % 3];
            for order in ORDERS {
                let cols = order.map(|i| 3 * stack + i);
                // 457: the column of the last stack's digit comes last.
                if !is_whole && self.stack(second[cols[2]]) != stacks[2] {
                    continue;
                }
                // Whether an order can be least shows in the fourth digit as a rule.
                let fourth = second[self.column(second[cols[0]])];
                let fourth = match cols.iter().position(|&col| first[col] == fourth) {
                    Some(place) => place as u8 + 1,
                    None if is_whole => 7,
                    None => 8,
                };
                if append(if is_whole { 0x456 } else { 0x457 }, fourth) <= head(least.lines[1], 4) {
                    self.offer(&self.arrange(cols, stacks), least);
                }
            }
        }
    }

    /// The column of a digit in the first row.
    #[inline(always)]
    fn column(&self, digit: u8) -> usize {
        usize::from(self.columns[usize::from(digit)])
    }

    /// The stack of a digit in the first row.
    #[inline(always)]
    fn stack(&self, digit: u8) -> usize {
        self.column(digit) / 3
    }

    /// The order that begins with these columns, takes the stacks in this order, and makes the second line least.
    fn arrange(&self, begin: [usize; 3], stacks: [usize; 3]) -> Order {
        let [first, second] = [&self.rows[self.first], &self.rows[self.second]];
        let mut order = Order { cols: [0; 9], labels: [0; 10], free: [0; 3] };
        (0..).zip(stacks).for_each(|(i, stack)| order.free[stack] = 3 * i);
        begin.iter().for_each(|&col| order.seat(first[col], col));
        // Each further column as early as can be: in the order in which the second line asks for its digit.
        begin.iter().for_each(|&col| order.seat(second[col], self.column(second[col])));
        // At most one column of the second stack is left.
        let rest = 9 * stacks[1] + 3 - usize::from(order.cols[3] + order.cols[4]);
        order.seat(first[rest], rest);
        for place in 3..6 {
            let digit = second[usize::from(order.cols[place])];
            order.seat(digit, self.column(digit));
        }
        order
    }

    /// Compares one order with the least so far, line by line.
    fn offer(&self, order: &Order, least: &mut Least) {
        let mut lines = [FIRST; 9];
        let band = self.first / 3;
        lines[1] = order.line(&self.rows[self.second]);
        if lines[1] > least.lines[1] {
            return;
        }
        lines[2] = order.line(&self.rows[9 * band + 3 - self.first - self.second]);
        if lines[1..3] > least.lines[1..3] {
            return;
        }
        for (other, three) in [(band + 1) % 3, (band + 2) % 3].into_iter().zip(lines[3..].chunks_exact_mut(3)) {
            (0..).zip(&mut *three).for_each(|(i, line)| *line = order.line(&self.rows[3 * other + i]));
            three.sort_unstable();
        }
        if lines[3] > lines[6] {
            lines[3..].rotate_left(3);
        }
        if lines < least.lines {
            *least = Least { lines, ways: 0 };
        }
        least.ways += u64::from(lines == least.lines);
    }
}

impl Order {
    /// Gives a digit's column the next free place of its stack, unless it has one.
    #[inline(always)]
    fn seat(&mut self, digit: u8, col: usize) {
        let label = &mut self.labels[usize::from(digit)];
        if *label == 0 {
            let place = &mut self.free[col / 3];
            self.cols[usize::from(*place)] = col as u8;
            *place += 1;
            *label = *place;
        }
    }

    /// A row in this order.
    #[inline(always)]
    fn line(&self, row: &[u8; 9]) -> Line {
        self.cols.iter().fold(0, |line, &col| append(line, self.labels[usize::from(row[usize::from(col)])]))
    }
}

//! The least form of a grid with empty cells, row by row.
//!
//! Every way of placing some first rows that makes them least is kept, and each is tried with every row that may come
//! next. A way decides no more than the rows so far tell: columns (and stacks) that are empty in them stay in no order,
//! and rows, columns, bands and stacks that are wholly empty are never told apart but counted. Digits get their labels
//! where they first appear, so that only their order within one stack of one row is ever tried.

use super::lines::{Least, Line, Sides, append, head};

/// One way of placing the first rows, one of those that make them least.
#[derive(Clone, Copy)]
struct Way {
    /// Rows placed, or (1) columns.
    side: u8,
    /// Which of them are placed, bit r for row r of the source.
    placed: u16,
    /// For each place the column of the source.
    cols: [u8; 9],
    /// How many columns, the first of each stack, are empty in all rows placed. Stacks that are empty come first.
    open: [u8; 3],
    /// What each digit became; 0 if it did not appear yet.
    labels: [u8; 10],
    /// Digits that appeared.
    appeared: u8,
}

/// The least next line so far, and the ways that lead to it.
struct Next {
    line: Line,
    ways: Vec<Way>,
}

/// The least form of a grid whose digits do not clash.
///
/// Time and memory follow the ways that share the least first rows, of which there are some dozens as a rule.
pub fn least(sides: &Sides) -> Least {
    let start =
        |side| Way { side, placed: 0, cols: [0, 1, 2, 3, 4, 5, 6, 7, 8], open: [3; 3], labels: [0; 10], appeared: 0 };
    let twins = [twins(&sides[0]), twins(&sides[1])];
    let mut ways = vec![start(0), start(1)];
    let mut lines = [0; 9];
    for line in &mut lines {
        let mut next = Next { line: Line::MAX, ways: Vec::new() };
        for way in &ways {
            let side = usize::from(way.side);
            for row in rows_to_come(way.placed, &twins[side]) {
                let placed = Way { placed: way.placed | 1 << row, ..*way };
                Row { digits: &sides[side][row], open: way.open, next: &mut next }.fill_stack(placed, 0, 0);
            }
        }
        (*line, ways) = (next.line, next.ways);
    }
    Least { lines, ways: ways.len() as u64 * orders_of_empty(&sides[0]) * orders_of_empty(&sides[1]) }
}

/// For each row those before it that it is interchangeable with, since both are empty: rows of one band, or of bands
/// that are wholly empty.
fn twins(rows: &[[u8; 9]; 9]) -> [u16; 9] {
    let empty: [bool; 9] = std::array::from_fn(|row| rows[row] == [0; 9]);
    let band_empty = |band: usize| empty[3 * band..3 * band + 3] == [true; 3];
    let alike = |row: usize, other: usize| {
        empty[row] && empty[other] && (row / 3 == other / 3 || band_empty(row / 3) && band_empty(other / 3))
    };
    std::array::from_fn(|row| (0..row).filter(|&other| alike(row, other)).fold(0, |set, other| set | 1 << other))
}

/// How many orders of empty rows and bands there are, all alike.
fn orders_of_empty(rows: &[[u8; 9]; 9]) -> u64 {
    let in_band = |band: &[[u8; 9]]| band.iter().filter(|row| **row == [0; 9]).count() as u64;
    let counts = rows.chunks_exact(3).map(in_band);
    let bands = counts.clone().filter(|&count| count == 3).count() as u64;
    counts.chain([bands]).map(|count| (1..=count).product::<u64>()).product()
}

/// The rows of which one comes next: of the band begun, else of any band; of interchangeable rows the first.
fn rows_to_come(placed: u16, twins: &[u16; 9]) -> impl Iterator<Item = usize> {
    let of_band = move |row: usize| placed >> (row / 3 * 3) & 0b111;
    let begun = (0..9).step_by(3).any(|row| !matches!(of_band(row), 0 | 0b111));
    (0..9).filter(move |&row| placed >> row & 1 == 0 && (of_band(row) != 0) == begun && twins[row] & !placed == 0)
}

/// A row of the source on its way into the next line, place by place.
struct Row<'a> {
    digits: &'a [u8; 9],
    /// As before this row.
    open: [u8; 3],
    next: &'a mut Next,
}

impl Row<'_> {
    /// Fills a stack and those after it: each open stack may be the one to come.
    fn fill_stack(&mut self, way: Way, stack: usize, line: Line) {
        if stack == 3 {
            return self.keep(way, line);
        }
        if self.open[stack] < 3 {
            return self.fill_place(way, 3 * stack, line);
        }
        let open = stack..self.open.iter().take_while(|&&open| open == 3).count();
        let swapped = |other: usize| {
            let mut way = way;
            (0..3).for_each(|i| way.cols.swap(3 * stack + i, 3 * other + i));
            way
        };
        let is_empty = |way: &Way| way.cols[3 * stack..][..3].iter().all(|&col| self.digits[usize::from(col)] == 0);
        // Empty stacks come first, and stay in no order.
        match open.clone().map(swapped).find(is_empty) {
            Some(way) => self.fill_place(way, 3 * stack, line),
            None => open.map(swapped).for_each(|way| self.fill_place(way, 3 * stack, line)),
        }
    }

    /// Fills a place and those after it with the column that makes the line least; one after the other if several do.
    fn fill_place(&mut self, way: Way, place: usize, line: Line) {
        let (stack, in_stack) = (place / 3, place % 3);
        let is_open = in_stack < usize::from(self.open[stack]);
        let choice = if is_open { place..3 * stack + usize::from(self.open[stack]) } else { place..place + 1 };
        let label = |place: usize| match usize::from(self.digits[usize::from(way.cols[place])]) {
            0 => 0,
            digit if way.labels[digit] == 0 => way.appeared + 1,
            digit => way.labels[digit],
        };
        let least = choice.clone().map(label).min().expect("one place at least");
        let line = append(line, least);
        if line > head(self.next.line, place + 1) {
            return;
        }
        for other in choice.filter(|&other| label(other) == least) {
            let mut way = way;
            way.cols.swap(place, other);
            if least != 0 {
                way.labels[usize::from(self.digits[usize::from(way.cols[place])])] = least;
                way.appeared = way.appeared.max(least);
                way.open[stack] = way.open[stack].min(in_stack as u8);
            }
            if in_stack == 2 {
                self.fill_stack(way, stack + 1, line);
            } else {
                self.fill_place(way, place + 1, line);
            }
            if least == 0 {
                // Columns that are empty stay in no order.
                break;
            }
        }
    }

    fn keep(&mut self, way: Way, line: Line) {
        if line < self.next.line {
            self.next.line = line;
            self.next.ways.clear();
        }
        self.next.ways.push(way);
    }
}

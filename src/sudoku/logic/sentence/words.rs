//! Lists in words: cells, digits, houses, removals. Must never know of techniques.

use crate::sudoku::Cell;
use crate::sudoku::logic::digits::Digits;
use crate::sudoku::logic::order::{BOXES, COLUMNS};
use crate::sudoku::logic::step::Step;
use std::fmt::Display;

/// `a`, `a and b`, `a, b and c`; nothing of nothing.
pub fn list<T: Display>(items: impl IntoIterator<Item = T>, last: &str) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    match items.split_last() {
        None => String::new(),
        Some((only, [])) => only.clone(),
        Some((end, rest)) => format!("{} {last} {end}", rest.join(", ")),
    }
}

/// `2, 5 and 8`.
pub fn all<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    list(items, "and")
}

/// `2, 5 or 8`.
pub fn any<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    list(items, "or")
}

/// `row 4`, from its index among the houses.
pub fn house(house: u8) -> String {
    let (kind, number) = parts(house);
    format!("{kind} {number}")
}

/// `rows 2 and 7`, of houses of one kind.
pub fn houses(houses: &[u8]) -> String {
    match houses {
        [] => String::new(),
        [only] => house(*only),
        [first, ..] => format!("{} {}", plural(*first), all(houses.iter().map(|&house| parts(house).1))),
    }
}

/// `rows`: the kind of a house.
pub fn plural(house: u8) -> &'static str {
    match parts(house).0 {
        "row" => "rows",
        "column" => "columns",
        _ => "boxes",
    }
}

fn parts(house: u8) -> (&'static str, usize) {
    match usize::from(house) {
        row if row < COLUMNS.start => ("row", row + 1),
        column if COLUMNS.contains(&column) => ("column", column - COLUMNS.start + 1),
        boxed => ("box", boxed - BOXES.start + 1),
    }
}

/// The house that matters most.
pub fn first_house(step: &Step) -> String {
    step.houses.first().map_or("its house".into(), |&first| house(first))
}

/// The house that matters last.
pub fn last_house(step: &Step) -> String {
    step.houses.last().map_or("its house".into(), |&last| house(last))
}

/// `r3c4 is 7`, `5 can be removed from r2c3 and r2c8 and 6 from r2c5`, or both.
pub fn conclusion(step: &Step) -> String {
    let placed = step.placement.map(|(cell, digit)| format!("{cell} is {digit}"));
    let removed = (!step.removals.is_empty()).then(|| removed(&step.removals));
    all(placed.into_iter().chain(removed))
}

/// The candidates that go, those of cells with the same ones together.
fn removed(removals: &[(Cell, Digits)]) -> String {
    let mut groups: Vec<(Digits, Vec<Cell>)> = Vec::new();
    for &(cell, digits) in removals {
        match groups.iter_mut().find(|(known, _)| *known == digits) {
            Some((_, cells)) => cells.push(cell),
            None => groups.push((digits, vec![cell])),
        }
    }
    let each = groups.iter().enumerate().map(|(i, (digits, cells))| {
        let go = if i == 0 { " can be removed" } else { "" };
        format!("{}{go} from {}", all(digits.iter()), all(cells))
    });
    let each: Vec<String> = each.collect();
    let clear = groups.iter().all(|(digits, cells)| digits.len() == 1 && cells.len() == 1);
    if clear { all(each) } else { each.join("; ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists() {
        assert_eq!([&[][..], &[1], &[1, 2], &[1, 2, 3]].map(all), ["", "1", "1 and 2", "1, 2 and 3"]);
        assert_eq!(any([4, 5]), "4 or 5");
        assert_eq!([0, 8, 9, 17, 18, 26].map(house), ["row 1", "row 9", "column 1", "column 9", "box 1", "box 9"]);
        assert_eq!(houses(&[10, 12, 13]), "columns 2, 4 and 5");
        assert_eq!(houses(&[20]), "box 3");
    }
}

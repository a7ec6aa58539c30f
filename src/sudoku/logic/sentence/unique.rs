//! Patterns that would have two solutions, in words. Must never know how they are found.

use super::words::{all, any, first_house, last_house};
use crate::sudoku::CellSet;
use crate::sudoku::logic::digits::Digits;
use crate::sudoku::logic::step::Step;
use crate::sudoku::logic::technique::Technique;

/// A unique rectangle or loop.
pub fn of_loop(step: &Step) -> String {
    let kind = if step.technique == Technique::UniqueRectangle { "rectangle" } else { "loop" };
    let (cells, pair) = (all(step.cells.iter()), all(step.digits.iter()));
    let deadly = format!("If the {kind} {cells} held only {pair}, these could be exchanged for a second solution");
    let Some(follows) = of_type(step) else { return deadly };
    format!("{deadly}: {follows}")
}

/// What follows in all types but the first, where one cell has to hold something else.
fn of_type(step: &Step) -> Option<String> {
    let lost: CellSet = step.removals.iter().map(|&(cell, _)| cell).collect();
    let removed = step.removals.iter().fold(Digits::NONE, |all, &(_, digits)| all | digits);
    let house = step.houses.first().map(|_| first_house(step));
    Some(match house {
        None if (lost - step.cells).is_empty() => return None,
        None => format!("one of its cells must be {}", any(step.extra.iter())),
        Some(house) if step.beside.is_empty() => {
            let kept = any((step.digits - removed).iter());
            format!("in {house} the {kept} can only go in {}", any(lost.iter()))
        }
        // In a hidden set the cells beside the loop are those that lose something.
        Some(house) if (lost - step.beside).is_empty() => {
            let (pair, beside) = (all(step.digits.iter()), all(step.beside.iter()));
            let set = all(step.extra.iter());
            format!("in {house} it takes only one of {pair}, so {set} leave no room for others in {beside}")
        }
        Some(house) => {
            let (set, beside) = (all(step.extra.iter()), all(step.beside.iter()));
            format!("in {house} its other digits and {beside} make a naked set of {set}")
        }
    })
}

/// A bivalue universal grave.
pub fn of_grave(step: &Step) -> String {
    let (cells, digits) = (step.cells, step.digits);
    let extra = if step.technique == Technique::Bug4 { step.extra } else { digits };
    let deadly = format!(
        "Without {} in {} every empty cell would have two candidates, every digit two places in each house, and there \
         would be two solutions or none",
        any(extra.iter()),
        any(cells.iter())
    );
    let (one_of, extra) = (all(cells.iter()), any(extra.iter()));
    match step.technique {
        Technique::Bug1 => deadly,
        Technique::Bug2 => format!("{deadly}: one of {one_of} must be {extra}"),
        Technique::Bug3 => {
            let (set, beside) = (all(step.extra.iter()), all(step.beside.iter()));
            format!(
                "{deadly}: one of {one_of} must be {extra}, which with {beside} makes a naked set of {set} in {}",
                last_house(step)
            )
        }
        _ => {
            let shared = all(digits.iter());
            format!(
                "{deadly}: one of {one_of} must be {extra}, the other {shared}, which has no other place in {}",
                last_house(step)
            )
        }
    }
}

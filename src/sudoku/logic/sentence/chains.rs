//! Chains in words: "If r1c1 is 5, then …". Must never know how they are found.

use super::words::{all, any, house};
use crate::sudoku::CellSet;
use crate::sudoku::logic::digits::Digits;
use crate::sudoku::logic::step::{Assertion, Step};
use crate::sudoku::logic::technique::Technique;
use std::fmt;

/// Links told of all chains of a step together; of each the first and the last ones.
const TOLD: usize = 24;

/// Links told of each chain at least: two on either side of a gap.
const TOLD_OF_ONE: usize = 4;

/// Links that are not worth a gap.
const SPARED: usize = 2;

/// A loop that holds in both directions.
pub fn cycle(step: &Step) -> String {
    let mut chain = step.chains.first().cloned().unwrap_or_default();
    if let Some(&start) = chain.first().filter(|&start| chain.last() != Some(start)) {
        chain.push(start);
    }
    let told = implied(&chain, TOLD, step.technique);
    format!("If {told}, and the same backwards: of every two neighbours in this loop exactly one is right")
}

/// An assumption that leads to its contrary.
pub fn reversal(step: &Step) -> String {
    format!("If {}: a contradiction", nth(step, 0))
}

/// An assumption from which a statement and its contrary follow.
pub fn contradiction(step: &Step) -> String {
    match &step.chains[..] {
        [_, second, ..] => {
            let more = links(second, share(step), step.technique);
            format!("If {}; but also {more}: a contradiction", nth(step, 0))
        }
        _ => reversal(step),
    }
}

/// A candidate and its absence lead to the same end.
pub fn either_way(step: &Step) -> String {
    capital(&ways(step))
}

/// All candidates of a cell, or all places of a digit in a house, lead to the same end.
pub fn every_way(step: &Step) -> String {
    let starts: Vec<Assertion> = step.chains.iter().filter_map(|chain| chain.first().copied()).collect();
    let cells: CellSet = starts.iter().map(|start| start.cell).collect();
    let digits = starts.iter().fold(Digits::NONE, |all, start| all | Digits::of(start.digit));
    let cases = match (cells.len(), step.houses.first()) {
        (1, _) => format!("{} is {}", all(cells.iter()), any(digits.iter())),
        (_, Some(&place)) => format!("In {} the {} is in {}", house(place), all(digits.iter()), any(cells.iter())),
        _ => format!("The {} is in {}", all(digits.iter()), any(cells.iter())),
    };
    format!("{cases}: {}", ways(step))
}

/// All chains.
fn ways(step: &Step) -> String {
    (0..step.chains.len()).map(|n| format!("if {}", nth(step, n))).collect::<Vec<_>>().join("; ")
}

/// A chain of the step from its assumption.
fn nth(step: &Step, n: usize) -> String {
    implied(step.chains.get(n).map_or(&[], |chain| chain), share(step), step.technique)
}

/// `r1c1 is 5, then r1c7 is not 5, so r7c7 is 5`: a chain from its assumption, up to `told` links of it.
fn implied(chain: &[Assertion], told: usize, technique: Technique) -> String {
    match chain {
        [] => "it is so".into(),
        [only] => format!("{only}, it is so at once"),
        [start, ..] => format!("{start}, then {}", links(chain, told, technique)),
    }
}

/// How many links each chain of the step may show.
fn share(step: &Step) -> usize {
    (TOLD / step.chains.len().max(1)).max(TOLD_OF_ONE)
}

/// What follows from the chain's assumption, up to `told` links of it.
fn links(chain: &[Assertion], told: usize, technique: Technique) -> String {
    let links = chain.get(1..).unwrap_or_default();
    // With branches, a link need not follow from the one before it, but from any.
    let then = if is_linear(technique) { ", so " } else { ", " };
    let join = |links: &[Assertion]| links.iter().map(Assertion::to_string).collect::<Vec<_>>().join(then);
    let last = if is_linear(technique) || links.len() < 2 { "" } else { "so at last " };
    let Some((end, before)) = links.split_last() else { return String::new() };
    if links.len() <= told + SPARED {
        let before = if before.is_empty() { String::new() } else { format!("{}{then}", join(before)) };
        return format!("{before}{last}{end}");
    }
    let (head, tail) = (told.div_ceil(2), told / 2);
    let gap = links.len() - head - tail;
    let tail = &before[head + gap..];
    let tail = if tail.is_empty() { String::new() } else { format!("{}{then}", join(tail)) };
    format!("{}, ({gap} more links){then}{tail}{last}{end}", join(&links[..head]))
}

/// Whether each link of such a chain follows from the one before it.
fn is_linear(technique: Technique) -> bool {
    !matches!(
        technique,
        Technique::Nishio
            | Technique::DynamicContradiction
            | Technique::DynamicDouble
            | Technique::DynamicCell
            | Technique::DynamicHouse
    )
}

fn capital(text: &str) -> String {
    text.get(..1).unwrap_or_default().to_uppercase() + text.get(1..).unwrap_or_default()
}

impl fmt::Display for Assertion {
    /// As `r1c1 is 5` or `r1c1 is not 5`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is {}{}", self.cell, if self.holds { "" } else { "not " }, self.digit)
    }
}

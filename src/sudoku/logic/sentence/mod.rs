//! A step in one plain English sentence, for a person with pencil marks in front of him.
//!
//! Must never look at a state: what a sentence says is in the step.

mod chains;
mod names;
#[cfg(test)]
mod tests;
mod unique;
mod words;

use super::digits::Digits;
use super::score::Score;
use super::step::Step;
use super::technique::Technique as T;
use words::{all, any, conclusion, first_house, house, houses, last_house, plural};

/// From here on dynamic chains may hold more than links between candidates.
const BEYOND_LINKS: Score = Score(90);

const NOT_LINKS_ALONE: &str = " (links may rest on locked candidates, pairs, X-Wings or chains of their own)";

/// What justifies the step and what follows, in at most some 1,500 characters of ASCII: where chains are long, it says
/// how many links it leaves out.
pub fn sentence(step: &Step) -> String {
    let why = match step.technique {
        T::LastInHouse => format!("{} is the last empty cell of {}", all(step.cells.iter()), first_house(step)),
        T::HiddenSingleBox | T::HiddenSingleLine => {
            format!("In {} the only place left for {} is {}", first_house(step), digits(step), all(step.cells.iter()))
        }
        T::NakedSingle => format!("{} is the only candidate left in {}", digits(step), all(step.cells.iter())),
        T::Pointing | T::Claiming => locked(step),
        T::DirectPointing | T::DirectClaiming => format!("{}; {}", locked(step), only_place_left(step)),
        T::NakedPair | T::NakedTriplet | T::NakedQuad => naked_set(step),
        T::HiddenPair | T::HiddenTriplet | T::HiddenQuad => hidden_set(step),
        T::DirectHiddenPair | T::DirectHiddenTriplet => format!("{}; {}", hidden_set(step), only_place_left(step)),
        T::XWing | T::Swordfish | T::Jellyfish => fish(step),
        T::XyWing | T::XyzWing => return wing(step),
        T::UniqueRectangle | T::UniqueLoop => unique::of_loop(step),
        T::Bug1 | T::Bug2 | T::Bug3 | T::Bug4 => unique::of_grave(step),
        T::AlignedPairExclusion | T::AlignedTripletExclusion => aligned(step),
        T::XCycle | T::YCycle | T::XyCycle => chains::cycle(step),
        T::ForcingXChain | T::ForcingChain => chains::reversal(step),
        T::Nishio | T::DynamicContradiction => chains::contradiction(step),
        T::DynamicDouble => chains::either_way(step),
        T::CellForcingChains | T::DynamicCell | T::HouseForcingChains | T::DynamicHouse => chains::every_way(step),
    };
    let therefore = match step.technique {
        T::DynamicDouble => ": either way",
        T::CellForcingChains | T::DynamicCell | T::HouseForcingChains | T::DynamicHouse => ": in every case",
        _ => ", so",
    };
    let beyond =
        if step.technique >= T::DynamicContradiction && step.score >= BEYOND_LINKS { NOT_LINKS_ALONE } else { "" };
    format!("{why}{therefore} {}{beyond}.", conclusion(step))
}

fn digits(step: &Step) -> String {
    all(step.digits.iter())
}

fn locked(step: &Step) -> String {
    let cells = all(step.cells.iter());
    let into = step.houses.get(1).map_or("one line".into(), |&into| house(into));
    format!("In {} all places for {}, {cells}, lie in {into}", first_house(step), digits(step))
}

fn only_place_left(step: &Step) -> String {
    let (cell, digit) = step.placement.map_or_else(Default::default, |(cell, digit)| (cell.to_string(), digit));
    format!("that leaves only {cell} for {digit} in {}", last_house(step))
}

fn naked_set(step: &Step) -> String {
    let (cells, among) = (all(step.cells.iter()), if step.cells.len() > 2 { " among them" } else { "" });
    format!("In {} the cells {cells} have only the candidates {}{among}", first_house(step), digits(step))
}

fn hidden_set(step: &Step) -> String {
    let (cells, house) = (any(step.cells.iter()), first_house(step));
    format!("In {house} the digits {} can only go in {cells}, which have no room for others", digits(step))
}

fn fish(step: &Step) -> String {
    let (base, cover) = step.houses.split_at(step.houses.len() / 2);
    let kind = base.first().map_or("lines", |&line| plural(line));
    let (size, every) = match base.len() {
        2 => ("two", "both"),
        3 => ("three", "all three"),
        _ => ("four", "all four"),
    };
    let across = cover.first().map_or("lines", |&line| plural(line));
    let (digit, base, cover) = (digits(step), houses(base), houses(cover));
    format!("In {base} all places for {digit} lie in {cover}: the {size} {kind} take the {digit} of {every} {across}")
}

fn wing(step: &Step) -> String {
    let with_pivot = step.technique == T::XyzWing;
    let last = step.removals.iter().fold(Digits::NONE, |all, &(_, digits)| all | digits);
    let held = if with_pivot { step.digits } else { step.digits - last };
    let ends = if with_pivot { step.cells | step.beside } else { step.beside };
    let see = if step.removals.len() == 1 { "sees" } else { "see" };
    format!(
        "Whether {} is {}, one of {} is {}, so {}, which {see} {}.",
        all(step.cells.iter()),
        any(held.iter()),
        all(ends.iter()),
        all(last.iter()),
        conclusion(step),
        if with_pivot { "all three" } else { "both" },
    )
}

fn aligned(step: &Step) -> String {
    let (cells, what) = (all(step.cells.iter()), if step.cells.len() == 2 { "pair" } else { "triplet" });
    let gone = step.removals.iter().map(|&(cell, digits)| format!("{} in {cell}", any(digits.iter())));
    let (left, has) = (all(step.beside.iter()), any(gone));
    format!("Of the {what}s of digits that {cells} can hold, none that leaves a candidate for each of {left} has {has}")
}

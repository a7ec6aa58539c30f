//! Values of flags, read and refused.

use crate::job::Priority;
use crate::sudoku::generate::Family;
use crate::sudoku::generate::puzzle::{Blanks, ErRange, Symmetry};
use crate::sudoku::logic::{Level, Score};
use crate::sudoku::text::Format;
use clap::builder::{PossibleValuesParser, TypedValueParser};

/// How an answer that is no grid is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// For people, and for tools that read lines.
    Text,
    /// One JSON object a line.
    Json,
}

/// One of some words, each with its meaning.
fn words<T: Clone + Send + Sync + 'static>(all: &'static [(&'static str, T)]) -> impl TypedValueParser<Value = T> {
    let names = PossibleValuesParser::new(all.iter().map(|(name, _)| *name));
    names.try_map(move |given| {
        all.iter().find(|(name, _)| *name == given).map(|(_, value)| value.clone()).ok_or("no such word")
    })
}

/// The name of a written form.
pub fn formats() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::ALL.map(Format::name)).try_map(|name| name.parse::<Format>())
}

/// The name of a form.
pub fn forms() -> impl TypedValueParser<Value = Form> {
    words(&[("text", Form::Text), ("json", Form::Json)])
}

/// The name of a family.
pub fn families() -> impl TypedValueParser<Value = Family> {
    words(&[("orbit", Family::Orbit), ("shift", Family::Shift), ("search", Family::Search)])
}

/// The name of a level.
pub fn levels() -> impl TypedValueParser<Value = Level> {
    PossibleValuesParser::new(Level::ALL.map(Level::name)).try_map(|name| name.parse::<Level>())
}

/// The name of a symmetry.
pub fn symmetries() -> impl TypedValueParser<Value = Symmetry> {
    let of_name = |name: String| Symmetry::ALL.into_iter().find(|symmetry| symmetry.name() == name);
    PossibleValuesParser::new(Symmetry::ALL.map(Symmetry::name)).try_map(move |name| of_name(name).ok_or("no symmetry"))
}

/// The name of a priority.
pub fn priorities() -> impl TypedValueParser<Value = Priority> {
    words(&[("low", Priority::Low), ("normal", Priority::Normal), ("high", Priority::High)])
}

/// A whole number from 1 on.
pub fn positive(text: &str) -> Result<u64, String> {
    let number = text.parse::<u64>().ok().filter(|&n| n > 0);
    number.ok_or_else(|| "give a whole number, 1 or more".into())
}

/// `N` or `MIN-MAX`, of numbers up to `most`.
fn range(text: &str, most: u8) -> Option<(u8, u8)> {
    let (min, max) = text.split_once('-').unwrap_or((text, text));
    let (min, max) = (min.trim().parse().ok()?, max.trim().parse().ok()?);
    (min <= max && max <= most).then_some((min, max))
}

/// How many givens.
pub fn clues(text: &str) -> Result<(u8, u8), String> {
    range(text, 81).ok_or_else(|| "give a number or MIN-MAX, such as 24-30, 81 at most".into())
}

/// How many empty cells in a row.
pub fn blanks(text: &str) -> Result<Blanks, String> {
    let range = range(text, 9).map(|(min, max)| Blanks { min, max });
    range.ok_or_else(|| "give MIN-MAX, such as 3-8, 9 at most".into())
}

/// Difficulties from one to another.
pub fn difficulties(text: &str) -> Result<ErRange, String> {
    let (min, max) = text.split_once('-').unwrap_or((text, text));
    let range = score(min).zip(score(max)).filter(|(min, max)| min <= max);
    range.map(|(min, max)| ErRange { min, max }).ok_or_else(|| "give MIN-MAX, such as 2.5-3.6 or 7-7.2".into())
}

/// `7.1` or `7`.
fn score(text: &str) -> Option<Score> {
    let (whole, tenth) = text.trim().split_once('.').unwrap_or((text.trim(), "0"));
    let (whole, tenth): (u8, u8) = (whole.parse().ok()?, tenth.parse().ok().filter(|_| tenth.len() == 1)?);
    whole.checked_mul(10)?.checked_add(tenth).map(Score)
}

/// Any 64 bits as a number.
pub fn seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("give a whole number, 0 to {}", u64::MAX))
}

/// `KEY=VALUE`.
pub fn label(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').filter(|(key, _)| !key.is_empty()).ok_or("give KEY=VALUE")?;
    Ok((key.to_owned(), value.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges() {
        assert_eq!([clues("24"), clues("24-30"), clues("0-81")], [Ok((24, 24)), Ok((24, 30)), Ok((0, 81))]);
        assert_eq!(blanks("3-8"), Ok(Blanks { min: 3, max: 8 }));
        let range = |min, max| Ok(ErRange { min: Score(min), max: Score(max) });
        assert_eq!(
            [difficulties("2.5-3.6"), difficulties("7-7.2"), difficulties("8")],
            [range(25, 36), range(70, 72), range(80, 80)]
        );
        for wrong in ["", "-", "30-24", "-5", "24-", "82", "a-b", "24-30-36", "2.5", "999"] {
            assert!(clues(wrong).is_err(), "{wrong}");
        }
        for wrong in ["", "-", "3.6-2.5", "2.55-3", "26-27", "2,5-3", "-1", "1.-2"] {
            assert!(difficulties(wrong).is_err(), "{wrong}");
        }
        assert!(blanks("3-10").is_err() && blanks("8-3").is_err());
    }
}

//! Values of flags, read and refused.

use crate::job::Priority;
use crate::sudoku::generate::Family;
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

/// The name of a priority.
pub fn priorities() -> impl TypedValueParser<Value = Priority> {
    words(&[("low", Priority::Low), ("normal", Priority::Normal), ("high", Priority::High)])
}

/// A whole number from 1 on.
pub fn positive(text: &str) -> Result<u64, String> {
    let number = text.parse::<u64>().ok().filter(|&n| n > 0);
    number.ok_or_else(|| "give a whole number, 1 or more".into())
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

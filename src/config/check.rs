//! Values within their ranges. Knows no option by name.

use super::error::ConfigError;
use super::value::{Size, Span};
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::time::Duration;

/// The usual upper end of a time.
pub const HOUR: Duration = Duration::from_secs(3600);
/// The usual lower end of a time.
pub const SECOND: Duration = Duration::from_secs(1);

/// Parsing where an empty text means the default.
pub trait ParseOr {
    fn parse_or<T: std::str::FromStr<Err = String>>(&self, key: &'static str, unset: T) -> Result<T, ConfigError>;
}

impl ParseOr for str {
    fn parse_or<T: std::str::FromStr<Err = String>>(&self, key: &'static str, unset: T) -> Result<T, ConfigError> {
        if self.is_empty() { Ok(unset) } else { self.parse().map_err(|e| invalid(key, e)) }
    }
}

/// An option whose value makes no sense.
pub fn invalid(key: &'static str, problem: String) -> ConfigError {
    ConfigError::Invalid { key, problem }
}

/// A number in a range.
pub fn number<T: Copy + PartialOrd + Display>(
    key: &'static str,
    given: Option<T>,
    unset: T,
    range: RangeInclusive<T>,
) -> Result<T, ConfigError> {
    let value = given.unwrap_or(unset);
    let wrong = || invalid(key, format!("{value} is out of range: give {} to {}", range.start(), range.end()));
    range.contains(&value).then_some(value).ok_or_else(wrong)
}

/// A size between two powers of two.
pub fn sized(
    key: &'static str,
    given: Option<Size>,
    unset: usize,
    powers: RangeInclusive<u32>,
) -> Result<usize, ConfigError> {
    let value = given.unwrap_or(Size(unset as u64));
    let (low, high) = (Size(1 << powers.start()), Size(1 << powers.end()));
    let fits = (low.0..=high.0).contains(&value.0);
    let wrong = || invalid(key, format!("{value} is out of range: give {low} to {high}"));
    usize::try_from(value.0).ok().filter(|_| fits).ok_or_else(wrong)
}

/// A time in a range.
pub fn within(
    key: &'static str,
    given: Option<Span>,
    unset: Duration,
    range: RangeInclusive<Duration>,
) -> Result<Duration, ConfigError> {
    let value = given.map_or(unset, |span| span.0);
    let most = if *range.end() == Duration::MAX { "or more".into() } else { format!("to {}", Span(*range.end())) };
    let wrong = || invalid(key, format!("{} is out of range: give {} {most}", Span(value), Span(*range.start())));
    range.contains(&value).then_some(value).ok_or_else(wrong)
}

/// Whole seconds, at least one.
pub fn seconds(key: &'static str, given: Option<Span>, unset: Duration) -> Result<Duration, ConfigError> {
    let value = within(key, given, unset, SECOND..=Duration::MAX)?;
    let wrong = || invalid(key, format!("{} is no whole number of seconds", Span(value)));
    (value.subsec_nanos() == 0).then_some(value).ok_or_else(wrong)
}

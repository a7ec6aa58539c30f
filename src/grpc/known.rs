//! Enums of requests.

use super::status::Refusal;

/// An enum's value.
///
/// # Errors
/// A value that this server does not know.
pub fn known<E: TryFrom<i32>>(field: &str, value: i32) -> Result<E, Refusal> {
    E::try_from(value).map_err(|_| Refusal::invalid(field, format!("{value} is no value of this enum")))
}

//! The part of the real store that decides.

#[path = "../../../src/store/api.rs"]
pub mod api;
#[path = "../../../src/store/clock.rs"]
pub mod clock;
#[path = "../../../src/store/rules/mod.rs"]
pub mod rules;
#[path = "../../../src/store/usage.rs"]
pub mod usage;

//! Where jobs live: one trait, its contract, and the backends, which never see each other.
//!
//! [`api`] is the contract. [`rules`], [`ready`] and [`clock`] are what backends build on, [`memory`] and
//! [`embedded`] the backends; `conformance` holds each of them to the contract.

pub mod api;
pub mod clock;
#[cfg(test)]
pub(crate) mod conformance;
pub mod embedded;
pub mod memory;
pub mod metrics;
pub mod ready;
pub mod rules;
mod told;

pub use api::*;
pub use clock::Clock;
pub use rules::advance;

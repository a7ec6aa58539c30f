//! Configuration: flags over environment over a TOML file over defaults. [`RawConfig`] is what was typed,
//! [`Config`] what is used: resolved and checked. Opens nothing but the configuration file.

mod check;
pub mod error;
mod jobs;
pub mod layers;
mod network;
pub mod raw;
pub mod resolved;
pub mod table;
pub mod tls;
pub mod value;

pub use error::ConfigError;
pub use raw::RawConfig;
pub use resolved::{Config, StoreChoice};

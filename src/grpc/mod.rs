//! The edge: protobuf in, typed requests to the engine, protobuf out. The only layer that knows tonic on the
//! server's side; must never know which store runs.
//!
//! [`server`] binds and serves; `solve`, `batch` and `jobs` are the calls; `decode`, `encode` and
//! `status` translate.

mod admin;
mod auth;
mod batch;
mod block;
mod call;
mod calls;
mod deadline;
mod decode;
mod descriptors;
mod drained;
mod edge;
mod encode;
mod exposed;
mod follow;
pub mod grants;
mod health;
mod intake;
mod jobs;
mod known;
mod linger;
mod link;
pub mod metrics;
mod named;
mod observe;
pub mod options;
mod page;
mod places;
mod preface;
pub mod proto;
mod pull;
mod reload;
pub mod role;
pub mod server;
mod solve;
mod status;
mod steps;
mod tls;
mod wished;
mod wishes;

pub use call::REQUEST_ID;
pub use options::Options;
pub use server::{Bound, ServeError, Server};
pub use wished::{grid_spec, puzzle_spec};

//! The life of a job: admit, split, persist; claim, run, commit; replay and follow results; retention.
//!
//! [`Engine`] is the one type that gRPC and the command line call. Must never know protobuf or tonic, nor
//! which store runs.

pub mod compute;
pub mod error;
pub mod explain;
pub mod handle;
pub mod limit;
pub mod metrics;
pub mod options;
pub mod results;
pub mod solver;
pub mod submit;
pub mod upload;

mod care;
mod chunk_size;
mod chunker;
mod context;
mod dispatch;
mod feed;
mod in_work;
mod lanes;
mod making;
mod origins;
mod pieces;
mod retention;
mod retry;
mod run;
mod slice;
mod stint;
mod told;
mod verdict;
mod window;
mod work;
mod writer;

pub use compute::Compute;
pub use error::EngineError;
pub use explain::{Explain, Explanation};
pub use handle::Engine;
pub use limit::Limit;
pub use options::Options;
pub use results::{Followed, ResultFollow, ResultSlice};
pub use solver::{ChunkSearch, ChunkSolver};
pub use submit::OpenedBatch;
pub use upload::Upload;

#[cfg(test)]
mod tests;

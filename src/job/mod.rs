//! Jobs as values: ids, specs valid by construction, chunks, results, the state machine and the codec of
//! both durable stores. No I/O, no clock (time comes in as a value), no async.

pub mod check;
pub mod chunk;
pub mod codec;
pub mod fair;
pub mod id;
pub mod record;
#[cfg(test)]
mod samples;
pub mod spec;
pub mod state;

pub use chunk::ChunkRef;
pub use codec::{CodecError, InputChunk, ResultChunk};
pub use id::{JobId, Principal, RequestId};
pub use record::{Counts, JobRecord, Timestamp};
pub use spec::{BatchSpec, GenerateSpec, GenerateWork, Priority, RateWork, ResultFormat, ResultMode, SolveWork, Work};
pub use state::{JobEvent, JobState};

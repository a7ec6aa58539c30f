//! A job's results as blocks: what SubmitBatch and StreamResults share.

use super::block::Blocks;
use super::proto::v1;
use crate::engine::results::Followed;
use crate::engine::{EngineError, ResultFollow};
use crate::job::{JobRecord, ResultFormat};
use std::time::Duration;

/// Reads a job's results as blocks, in order.
pub struct Follow {
    results: ResultFollow,
    blocks: Blocks,
    format: ResultFormat,
}

/// What a follower meets.
pub enum Step {
    /// Results.
    Block(v1::ResultBlock),
    /// None yet; ask again.
    Pending,
    /// Nothing follows; the job, where it has ended and was followed.
    End(Option<Box<JobRecord>>),
}

impl Follow {
    /// Reads `results` in a format.
    pub fn new(results: ResultFollow, format: ResultFormat) -> Follow {
        Follow { results, blocks: Blocks::default(), format }
    }

    /// What follows, waiting up to `wait` where it follows. Safe to drop and call again.
    pub async fn next(&mut self, wait: Duration) -> Result<Step, EngineError> {
        loop {
            if let Some(block) = self.blocks.next(self.format) {
                return Ok(Step::Block(block));
            }
            match self.results.next(wait).await? {
                Followed::Slice(slice) => self.blocks.feed(slice),
                Followed::Pending => return Ok(Step::Pending),
                Followed::End(job) => return Ok(Step::End(job)),
            }
        }
    }
}

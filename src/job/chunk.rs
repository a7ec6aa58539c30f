//! A job is a directory of chunks: which items each holds.

/// Items `first_index .. first_index + count` of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChunkRef {
    /// Index of its first item in the job.
    pub first_index: u32,
    /// How many items it holds, at least 1.
    pub count: u32,
}

impl ChunkRef {
    /// The index after its last item.
    pub fn end(self) -> u32 {
        self.first_index + self.count
    }

    /// Whether it holds this item.
    pub fn contains(self, index: u32) -> bool {
        (self.first_index..self.end()).contains(&index)
    }
}

/// Items a chunk holds unless the work is hard or the input pauses.
pub const DEFAULT_CHUNK_ITEMS: u32 = 8_192;

/// Items a job holds at the most.
pub const MAX_JOB_ITEMS: u32 = 4_000_000_000;

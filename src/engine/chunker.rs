//! [`Chunker`]: packs items as they come and cuts them into chunks. Knows no store and no stream.

use crate::job::ChunkRef;
use crate::job::codec::InputBuilder;
use crate::store::PutChunk;
use crate::sudoku::{Grid, text::Fault};

/// Packed bytes at which a chunk is cut however few its items: half of what the tightest store takes.
const MAX_CHUNK_BYTES: usize = 512 << 10;

/// Packs consecutive items into chunks.
pub(super) struct Chunker {
    first_index: u32,
    max_items: u32,
    items: InputBuilder,
}

impl Chunker {
    /// For items from `first_index` on.
    pub(super) fn new(first_index: u32, max_items: u32) -> Chunker {
        Chunker { first_index, max_items: max_items.max(1), items: InputBuilder::default() }
    }

    /// Adds the next item; the chunk that it completes.
    #[inline]
    pub(super) fn push(&mut self, item: Result<Grid, Fault>) -> Option<PutChunk> {
        self.items.push(item);
        if self.items.len() >= self.max_items || self.items.bytes() >= MAX_CHUNK_BYTES { self.cut() } else { None }
    }

    /// The partial chunk, if there is one.
    pub(super) fn cut(&mut self) -> Option<PutChunk> {
        let chunk = ChunkRef { first_index: self.first_index, count: self.items.len() };
        if chunk.count == 0 {
            return None;
        }
        self.first_index = chunk.end();
        Some(PutChunk { chunk, payload: self.items.finish() })
    }

    /// The index that the next item gets.
    #[inline]
    pub(super) fn next_index(&self) -> u32 {
        self.first_index + self.items.len()
    }

    /// Whether items wait for the chunk to fill.
    pub(super) fn has_partial(&self) -> bool {
        !self.items.is_empty()
    }
}

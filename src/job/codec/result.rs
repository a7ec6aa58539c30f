//! Chunks of results: outcomes at 3 bits or in runs, grids at 32 bytes for the outcomes that show one, errors.

use super::error::CodecError;
use super::frame::{self, Kind};
use super::item_error::ItemError;
use super::outcomes::{self, Outcomes};
use crate::job::record::Counts;
use crate::sudoku::packed::{SOLVED_BYTES, expand_solved, is_solved, pack_solved, solved_line};
use crate::sudoku::{Grid, Outcome};
use bytes::Bytes;
use std::ops::Range;
use std::sync::Arc;

/// The result of one item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemResult {
    /// What became of it.
    pub outcome: Outcome,
    /// The completed grid, exactly where `outcome.shows_grid()`.
    pub grid: Option<Grid>,
    /// Why, exactly where the outcome is INVALID or FAILED.
    pub error: Option<ItemError>,
}

fn packed(grid: &Grid) -> [u8; SOLVED_BYTES] {
    let mut bytes = [0; SOLVED_BYTES];
    pack_solved(grid, &mut bytes);
    bytes
}

/// Builds a chunk of results item by item.
#[derive(Debug, Default)]
pub struct ResultBuilder {
    outcomes: Vec<Outcome>,
    grids: Vec<u8>,
    errors: Vec<u8>,
}

impl ResultBuilder {
    /// Adds an item's result.
    ///
    /// # Panics
    /// When grid or error are not there exactly where the outcome has one, or the grid is not completed.
    pub fn push(&mut self, item: &ItemResult) {
        match &item.error {
            Some(error) => {
                assert!(item.grid.is_none(), "an item with an error and a grid");
                assert_eq!(error.outcome(), item.outcome, "an error that the outcome does not have");
                self.push_error(error);
            }
            None => self.push_solved(item.outcome, item.grid.as_ref().map(packed).as_ref()),
        }
    }

    /// Adds the result of an item that was solved or tried: any outcome but INVALID and FAILED; the grid packed.
    ///
    /// # Panics
    /// When the grid is not there exactly where the outcome shows one, or is not completed.
    pub fn push_solved(&mut self, outcome: Outcome, grid: Option<&[u8; SOLVED_BYTES]>) {
        assert!(!matches!(outcome, Outcome::Invalid | Outcome::Failed), "{outcome:?} without its error");
        assert_eq!(outcome.shows_grid(), grid.is_some(), "{outcome:?} and its grid");
        if let Some(grid) = grid {
            // Checked here, where it names the item, and not when the whole chunk can no longer be read.
            assert!(is_solved(grid), "{grid:02x?} is no completed grid");
            self.grids.extend_from_slice(grid);
        }
        self.outcomes.push(outcome);
    }

    /// Adds an item that is INVALID or FAILED, as its error says.
    pub fn push_error(&mut self, error: &ItemError) {
        error.encode(&mut self.errors);
        self.outcomes.push(error.outcome());
    }

    /// Counts by outcome and the packed chunk; the builder is empty afterwards, and keeps its memory.
    ///
    /// # Panics
    /// When there are 2^32 items or more.
    pub fn finish(&mut self) -> (Counts, Bytes) {
        let count = u32::try_from(self.outcomes.len()).expect("a chunk holds fewer than 2^32 items");
        let mut counts = Counts::default();
        self.outcomes.iter().for_each(|&outcome| counts.add(outcome, 1));
        let bound = 32 + self.outcomes.len() * 3 / 8 + self.grids.len() + self.errors.len();
        let mut chunk = Vec::with_capacity(bound);
        frame::begin(Kind::Results, &mut chunk);
        outcomes::encode(&self.outcomes, &mut chunk);
        chunk.append(&mut self.grids);
        chunk.append(&mut self.errors);
        self.outcomes.clear();
        (counts, frame::seal(chunk, count))
    }
}

/// A packed chunk of results, checked. Clones share the bytes.
///
/// Its body: the outcomes, in a byte that names their form (0: three bits an item, the lowest first; 1: runs,
/// each `items << 3 | outcome` in LEB128); 32 bytes for each item that shows a grid, in order; an error for
/// each that is INVALID (the fault's 8 bytes) or FAILED (reason and message, each after its length of 1 and 2
/// bytes).
#[derive(Clone, Debug)]
pub struct ResultChunk {
    count: u32,
    counts: Counts,
    grids: Bytes,
    index: Arc<Index>,
}

/// What decoding finds out.
#[derive(Debug)]
struct Index {
    outcomes: Outcomes,
    /// By item, in order.
    errors: Vec<(u32, ItemError)>,
}

impl ResultChunk {
    /// Checks and reads a packed chunk; never panics on any bytes.
    ///
    /// # Errors
    /// As [`CodecError`] says.
    pub fn decode(bytes: Bytes) -> Result<ResultChunk, CodecError> {
        let (count, body) = frame::open(&bytes, Kind::Results)?;
        let too_few = CodecError::Truncated(bytes.len());
        let mut rest: &[u8] = &body;
        let (outcomes, counts) = Outcomes::decode(&mut rest, count)?;
        let shown = counts.get(Outcome::Unique) + counts.get(Outcome::Found);
        let length = usize::try_from(shown * SOLVED_BYTES as u64).map_err(|_| too_few.clone())?;
        // Not looked at: what the builder packed was checked, and the checksum says that it is this.
        let grids = rest.split_off(..length).ok_or(too_few)?;
        let mut errors = Vec::new();
        for (i, outcome) in outcomes.with_error(count) {
            let error = ItemError::decode(outcome, &mut rest);
            errors.push((i, error.ok_or(CodecError::Malformed("an item without its error"))?));
        }
        if !rest.is_empty() {
            return Err(CodecError::Malformed("bytes after the last error"));
        }
        let grids = body.slice_ref(grids);
        Ok(ResultChunk { count, counts, grids, index: Arc::new(Index { outcomes, errors }) })
    }

    /// Items.
    pub fn len(&self) -> u32 {
        self.count
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// What became of item `i`.
    ///
    /// # Panics
    /// When `i` is out of range.
    pub fn outcome(&self, i: u32) -> Outcome {
        assert!(i < self.count, "item {i} of {}", self.count);
        self.index.outcomes.get(i)
    }

    /// What became of these items, in runs. Neighbours may have the same outcome.
    ///
    /// # Panics
    /// When the range is not within the chunk.
    pub fn runs(&self, items: Range<u32>) -> impl Iterator<Item = (Outcome, u32)> {
        assert!(items.end <= self.count, "items {items:?} of {}", self.count);
        self.index.outcomes.runs(items)
    }

    /// Appends the grids of items that all show one, each as 81 digits and a newline.
    ///
    /// # Panics
    /// When one of them shows none, or is out of range.
    pub fn push_lines(&self, items: Range<u32>, out: &mut Vec<u8>) {
        let grids: &[[u8; SOLVED_BYTES]] = self.grids.as_chunks().0;
        for (outcome, length) in self.runs(items.clone()) {
            assert!(outcome.shows_grid(), "a line of {length} items that are {outcome:?}");
        }
        if !items.is_empty() {
            let first = self.index.outcomes.grids_before(items.start) as usize;
            grids[first..first + items.len()].iter().for_each(|grid| out.extend_from_slice(&solved_line(grid)));
        }
    }

    /// Its grid, where the outcome shows one. Takes the same time anywhere in a chunk whose outcomes are at 3
    /// bits or all equal, else the logarithm of the number of runs.
    ///
    /// # Panics
    /// When `i` is out of range.
    pub fn grid(&self, i: u32) -> Option<Grid> {
        if !self.outcome(i).shows_grid() {
            return None;
        }
        let grids: &[[u8; SOLVED_BYTES]] = self.grids.as_chunks().0;
        expand_solved(&grids[self.index.outcomes.grids_before(i) as usize])
    }

    /// Why it is INVALID or FAILED.
    pub fn error(&self, i: u32) -> Option<&ItemError> {
        let errors = &self.index.errors;
        errors.binary_search_by_key(&i, |&(item, _)| item).ok().map(|at| &errors[at].1)
    }

    /// All errors with the item each belongs to, in order.
    pub fn errors(&self) -> &[(u32, ItemError)] {
        &self.index.errors
    }

    /// Counts by outcome.
    pub fn counts(&self) -> Counts {
        self.counts
    }
}

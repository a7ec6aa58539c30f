//! Chunks of results: outcomes at 3 bits or in runs, grids at 32 bytes for the outcomes that show one, details of those,
//! errors.

use super::detail::{Detail, DetailKind};
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
    /// What the work tells besides: for each item with a grid, or for none.
    pub detail: Option<Detail>,
    /// Why, exactly where the outcome is INVALID or FAILED.
    pub error: Option<ItemError>,
}

impl ItemResult {
    /// Of an item that was solved or tried.
    pub fn answered(outcome: Outcome, grid: Option<Grid>) -> ItemResult {
        ItemResult { outcome, grid, detail: None, error: None }
    }

    /// Of an item that is INVALID or FAILED.
    pub fn erroneous(error: ItemError) -> ItemResult {
        ItemResult { outcome: error.outcome(), grid: None, detail: None, error: Some(error) }
    }
}

fn packed(grid: &Grid) -> [u8; SOLVED_BYTES] {
    let mut bytes = [0; SOLVED_BYTES];
    pack_solved(grid, &mut bytes);
    bytes
}

/// Builds a chunk of results item by item.
#[derive(Debug, Default)]
pub struct ResultBuilder {
    kind: Option<DetailKind>,
    outcomes: Vec<Outcome>,
    grids: Vec<u8>,
    details: Vec<u8>,
    errors: Vec<u8>,
}

impl ResultBuilder {
    /// For items that all tell this besides their grids.
    pub fn new(kind: Option<DetailKind>) -> ResultBuilder {
        ResultBuilder { kind, ..ResultBuilder::default() }
    }

    /// Adds an item's result.
    ///
    /// # Panics
    /// When grid, detail or error are not there exactly where the outcome has one, the grid is not completed, or the
    /// detail is of another kind than this chunk's.
    pub fn push(&mut self, item: &ItemResult) {
        match &item.error {
            Some(error) => {
                assert!(item.grid.is_none(), "an item with an error and a grid");
                assert_eq!(error.outcome(), item.outcome, "an error that the outcome does not have");
                self.push_error(error);
            }
            None => self.push_grid(item.outcome, item.grid.as_ref().map(packed).as_ref()),
        }
        assert_eq!(item.detail.map(|detail| detail.kind()), self.kind.filter(|_| item.grid.is_some()), "details");
        if let (Some(detail), Some(grid)) = (&item.detail, &item.grid) {
            detail.encode(grid, &mut self.details);
        }
    }

    /// Adds the result of an item that was solved or tried: any outcome but INVALID and FAILED; the grid packed. In a
    /// chunk without details.
    ///
    /// # Panics
    /// When the grid is not there exactly where the outcome shows one, or is not completed, or there are details.
    pub fn push_solved(&mut self, outcome: Outcome, grid: Option<&[u8; SOLVED_BYTES]>) {
        assert_eq!(self.kind, None, "an item without its detail");
        self.push_grid(outcome, grid);
    }

    fn push_grid(&mut self, outcome: Outcome, grid: Option<&[u8; SOLVED_BYTES]>) {
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
        let bound = 32 + self.outcomes.len() * 3 / 8 + self.grids.len() + self.details.len() + self.errors.len();
        let mut chunk = Vec::with_capacity(bound);
        match self.kind {
            None => frame::begin(Kind::Results, &mut chunk),
            Some(kind) => {
                frame::begin(Kind::DetailedResults, &mut chunk);
                chunk.push(kind as u8);
            }
        }
        outcomes::encode(&self.outcomes, &mut chunk);
        chunk.append(&mut self.grids);
        chunk.append(&mut self.details);
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
/// bytes). With details, a byte before it all says which ([`DetailKind`]), and those of each item that shows a grid
/// stand behind the grids.
#[derive(Clone, Debug)]
pub struct ResultChunk {
    count: u32,
    counts: Counts,
    grids: Bytes,
    kind: Option<DetailKind>,
    details: Bytes,
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
        let (found, count, body) = frame::open(&bytes, &[Kind::Results, Kind::DetailedResults])?;
        let too_few = CodecError::Truncated(bytes.len());
        let mut rest: &[u8] = &body;
        let kind = match found {
            Kind::DetailedResults => Some(DetailKind::from_code(*rest.split_off_first().ok_or(too_few.clone())?)?),
            _ => None,
        };
        let (outcomes, counts) = Outcomes::decode(&mut rest, count)?;
        let shown = counts.get(Outcome::Unique) + counts.get(Outcome::Found);
        let mut of_shown = |bytes: usize| {
            let length = usize::try_from(shown * bytes as u64).ok()?;
            rest.split_off(..length).map(|slice| body.slice_ref(slice))
        };
        // Not looked at: what the builder packed was checked, and the checksum says that it is this.
        let grids = of_shown(SOLVED_BYTES).ok_or(too_few.clone())?;
        let details = of_shown(kind.map_or(0, DetailKind::bytes)).ok_or(too_few)?;
        let mut errors = Vec::new();
        for (i, outcome) in outcomes.with_error(count) {
            let error = ItemError::decode(outcome, &mut rest);
            errors.push((i, error.ok_or(CodecError::Malformed("an item without its error"))?));
        }
        if !rest.is_empty() {
            return Err(CodecError::Malformed("bytes after the last error"));
        }
        Ok(ResultChunk { count, counts, grids, kind, details, index: Arc::new(Index { outcomes, errors }) })
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

    /// What it tells besides its grid, where it shows one and the chunk has details.
    ///
    /// # Panics
    /// When `i` is out of range.
    pub fn detail(&self, i: u32) -> Option<Detail> {
        let (kind, grid) = (self.kind?, self.grid(i)?);
        let start = self.index.outcomes.grids_before(i) as usize * kind.bytes();
        Some(kind.decode(&grid, &self.details[start..start + kind.bytes()]))
    }

    /// What its items tell besides their grids.
    pub fn kind(&self) -> Option<DetailKind> {
        self.kind
    }

    /// Item `i` with all that is known of it.
    ///
    /// # Panics
    /// When `i` is out of range.
    pub fn item(&self, i: u32) -> ItemResult {
        ItemResult {
            outcome: self.outcome(i),
            grid: self.grid(i),
            detail: self.detail(i),
            error: self.error(i).cloned(),
        }
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

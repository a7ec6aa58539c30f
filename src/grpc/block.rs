//! Result chunks as result blocks: messages of at most about 1 MiB, in either format.

use super::proto::v1;
use super::{encode, steps};
use crate::engine::ResultSlice;
use crate::job::codec::{Detail, DetailKind, ItemError};
use crate::job::{ResultChunk, ResultFormat};
use crate::sudoku::logic::RATING_NAME;
use crate::sudoku::{Grid, Outcome};
use std::iter::repeat_n;
use std::ops::Range;

/// Items of one message: bounds the time that making it takes, and keeps what is made in the second-level cache.
const MAX_ITEMS: u32 = 4_096;
/// Bytes of one message, about.
const MAX_BYTES: usize = 1 << 20;
/// Bytes of an item besides its texts, at the most: tags, lengths, index, outcome.
const ITEM_BYTES: usize = 24;
/// Bytes of an item in a packed block, at the most: outcome, digits, newline.
const PACKED_BYTES: usize = 83;
/// Bytes of a puzzle's line.
const LINE_BYTES: usize = 82;
/// Bytes of a rating, at the most: tags, length, three doubles, level.
const RATING_BYTES: usize = 31;

/// Cuts slices into blocks.
#[derive(Default)]
pub struct Blocks {
    slice: Option<ResultSlice>,
    /// The next item of the slice's chunk.
    at: u32,
}

impl Blocks {
    /// Takes a slice; the one before must be used up.
    pub fn feed(&mut self, slice: ResultSlice) {
        self.at = slice.skip;
        self.slice = Some(slice);
    }

    /// The next block; `None` once the slice is used up.
    pub fn next(&mut self, format: ResultFormat) -> Option<v1::ResultBlock> {
        let slice = self.slice.as_ref()?;
        if self.at >= slice.chunk.len() {
            self.slice = None;
            return None;
        }
        let base = slice.items.first_index - slice.skip;
        let end = slice.chunk.len().min(self.at + MAX_ITEMS);
        let (block, next) = match format {
            ResultFormat::Block => packed(slice, base, self.at, end),
            ResultFormat::Items => items(slice, base, self.at, end),
        };
        self.at = next;
        Some(block)
    }
}

/// Outcomes and lines of digits. Returns the item after the last one that fitted.
fn packed(slice: &ResultSlice, base: u32, from: u32, end: u32) -> (v1::ResultBlock, u32) {
    let mut block = Packed::new(&slice.chunk, base, (end - from) as usize);
    let mut at = from;
    for (outcome, length) in slice.chunk.runs(from..end) {
        let run = at..at + length;
        let fits = if slice.chunk.error(at).is_some() { block.errors(outcome, run) } else { block.run(outcome, run) };
        let all = fits == at + length;
        at = fits;
        if !all {
            break;
        }
    }
    let Packed { outcomes, grids, errors, puzzles, ratings, .. } = block;
    let block = v1::ResultBlock {
        first_index: base + from,
        outcomes,
        grids: grids.into(),
        errors,
        puzzles: puzzles.into(),
        ratings,
        rating_name: rating_name(&slice.chunk),
        items: Vec::new(),
    };
    (block, at)
}

fn rating_name(chunk: &ResultChunk) -> String {
    if chunk.kind() == Some(DetailKind::Ratings) { RATING_NAME.into() } else { String::new() }
}

/// A packed block in the making.
struct Packed<'a> {
    chunk: &'a ResultChunk,
    base: u32,
    outcomes: Vec<i32>,
    grids: Vec<u8>,
    errors: Vec<v1::ItemError>,
    /// Bytes of the errors.
    error_bytes: usize,
    puzzles: Vec<u8>,
    ratings: Vec<v1::Rating>,
}

impl Packed<'_> {
    fn new(chunk: &ResultChunk, base: u32, count: usize) -> Packed<'_> {
        let (outcomes, grids) = (Vec::with_capacity(count), Vec::with_capacity(count * (PACKED_BYTES - 1)));
        let (errors, puzzles, ratings) = (Vec::new(), Vec::new(), Vec::new());
        Packed { chunk, base, outcomes, grids, errors, error_bytes: 0, puzzles, ratings }
    }

    fn room(&self) -> usize {
        let details = self.puzzles.len() + self.ratings.len() * RATING_BYTES;
        MAX_BYTES.saturating_sub(self.error_bytes + self.grids.len() + self.outcomes.len() + details)
    }

    /// Adds items of one outcome, without errors; the first that did not fit.
    fn run(&mut self, outcome: Outcome, items: Range<u32>) -> u32 {
        let fits = self.room().div_ceil(PACKED_BYTES + detail_bytes(self.chunk.kind())).min(items.len());
        let end = items.start + fits as u32;
        self.outcomes.extend(repeat_n(i32::from(encode::outcome(outcome)), fits));
        if outcome.shows_grid() {
            self.chunk.push_lines(items.start..end, &mut self.grids);
        } else {
            self.grids.extend(repeat_n(b'\n', fits));
        }
        self.details(items.start..end);
        end
    }

    /// Adds what these items tell besides their grids.
    fn details(&mut self, items: Range<u32>) {
        match self.chunk.kind() {
            None => {}
            Some(DetailKind::Puzzles) => {
                for item in items {
                    if let Some(Detail::Puzzle(puzzle)) = self.chunk.detail(item) {
                        self.puzzles.extend(marks(&puzzle));
                    }
                    self.puzzles.push(b'\n');
                }
            }
            Some(DetailKind::Ratings) => {
                let rating = |item| match self.chunk.detail(item) {
                    Some(Detail::Rating(rating)) => steps::rating(&rating),
                    _ => v1::Rating::default(),
                };
                self.ratings.extend(items.map(rating));
            }
        }
    }

    /// Adds items with errors; the first that did not fit.
    fn errors(&mut self, outcome: Outcome, items: Range<u32>) -> u32 {
        for item in items.clone() {
            if self.room() == 0 {
                return item;
            }
            self.run(outcome, item..item + 1);
            if let Some(error) = self.chunk.error(item) {
                let error = item_error(self.base + item, error);
                self.error_bytes += ITEM_BYTES + error.reason.len() + error.message.len();
                self.errors.push(error);
            }
        }
        items.end
    }
}

/// Bytes of an item's details in a packed block, at the most.
fn detail_bytes(kind: Option<DetailKind>) -> usize {
    match kind {
        None => 0,
        Some(DetailKind::Puzzles) => LINE_BYTES,
        Some(DetailKind::Ratings) => RATING_BYTES,
    }
}

/// One message an item. Returns the item after the last one that fitted.
fn items(slice: &ResultSlice, base: u32, from: u32, end: u32) -> (v1::ResultBlock, u32) {
    let mut items = Vec::with_capacity((end - from) as usize);
    let (mut bytes, mut at) = (0, from);
    while at < end && bytes < MAX_BYTES {
        let index = base + at;
        let grid = slice.chunk.grid(at).map(|grid| grid.to_string()).unwrap_or_default();
        let (puzzle, rating) = match slice.chunk.detail(at) {
            Some(Detail::Puzzle(puzzle)) => (puzzle.to_string(), None),
            Some(Detail::Rating(rating)) => (String::new(), Some(steps::rating(&rating))),
            None => (String::new(), None),
        };
        let error = slice.chunk.error(at).map(|error| item_error(index, error));
        bytes += ITEM_BYTES + grid.len() + detail_bytes(slice.chunk.kind());
        bytes += error.as_ref().map_or(0, |error| ITEM_BYTES + error.reason.len() + error.message.len());
        let outcome = encode::outcome(slice.chunk.outcome(at)).into();
        items.push(v1::ResultItem { index, outcome, grid, error, puzzle, rating });
        at += 1;
    }
    let rating_name = rating_name(&slice.chunk);
    (v1::ResultBlock { first_index: base + from, items, rating_name, ..v1::ResultBlock::default() }, at)
}

/// 81 characters, empty cells as dots.
fn marks(puzzle: &Grid) -> [u8; 81] {
    puzzle.digits().map(|digit| if digit == 0 { b'.' } else { b'0' + digit })
}

fn item_error(index: u32, error: &ItemError) -> v1::ItemError {
    match error {
        ItemError::Text(fault) => v1::ItemError {
            index,
            reason: fault.reason().into(),
            column: fault.column.into(),
            message: fault.to_string(),
        },
        ItemError::Fault { reason, message } => {
            v1::ItemError { index, reason: reason.clone(), column: 0, message: message.clone() }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::ChunkRef;
    use crate::job::codec::{ItemResult, ResultBuilder};
    use crate::sudoku::logic::{Rating, Score};
    use crate::sudoku::text::{Fault, FaultKind};

    const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    const SOLVED: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    fn unique() -> ItemResult {
        let grid = crate::sudoku::text::parse(SOLVED).expect("grid");
        ItemResult::answered(Outcome::Unique, Some(grid))
    }

    fn invalid() -> ItemResult {
        let fault = Fault { kind: FaultKind::TooFew, column: 81, cell: 80, detail: 80 };
        ItemResult::erroneous(ItemError::Text(fault))
    }

    /// A stored chunk that begins at `first`, without its first `skip` items.
    fn slice(first: u32, skip: u32, items: &[ItemResult]) -> ResultSlice {
        let kind = items.iter().find_map(|item| item.detail.as_ref().map(Detail::kind));
        let mut builder = ResultBuilder::new(kind);
        items.iter().for_each(|item| builder.push(item));
        let chunk = ResultChunk::decode(builder.finish().1).expect("a chunk just built");
        let count = chunk.len() - skip;
        ResultSlice { items: ChunkRef { first_index: first + skip, count }, chunk, skip }
    }

    fn all(slice: ResultSlice, format: ResultFormat) -> Vec<v1::ResultBlock> {
        let mut blocks = Blocks::default();
        blocks.feed(slice);
        std::iter::from_fn(|| blocks.next(format)).collect()
    }

    #[test]
    fn a_packed_block() {
        let multiple = ItemResult::answered(Outcome::Multiple, None);
        let blocks = all(slice(100, 1, &[unique(), multiple, unique(), invalid()]), ResultFormat::Block);
        let [block] = blocks.as_slice() else { panic!("{} blocks", blocks.len()) };
        assert_eq!((block.first_index, block.outcomes.as_slice()), (101, [2, 1, 6].as_slice()));
        assert_eq!(block.grids, format!("\n{SOLVED}\n\n"));
        let message = "puzzle has 80 cells, expected 81".into();
        let error = v1::ItemError { index: 103, reason: "TOO_FEW_CELLS".into(), column: 81, message };
        assert_eq!((block.errors.as_slice(), block.items.len()), ([error].as_slice(), 0));
    }

    #[test]
    fn items_one_by_one() {
        let fault = ItemError::Fault { reason: "WORKER_PANIC".into(), message: "it broke".into() };
        let failed = ItemResult::erroneous(fault);
        let blocks = all(slice(7, 0, &[unique(), failed]), ResultFormat::Items);
        let [block] = blocks.as_slice() else { panic!("{} blocks", blocks.len()) };
        assert_eq!((block.first_index, block.outcomes.len(), block.grids.len()), (7, 0, 0));
        let error = v1::ItemError { index: 8, reason: "WORKER_PANIC".into(), column: 0, message: "it broke".into() };
        let expected = [
            v1::ResultItem { index: 7, outcome: 1, grid: SOLVED.into(), ..v1::ResultItem::default() },
            v1::ResultItem { index: 8, outcome: 7, error: Some(error), ..v1::ResultItem::default() },
        ];
        assert_eq!(block.items, expected);
    }

    fn rated() -> ItemResult {
        let rating = Rating { er: Score(71), ep: Score(12), ed: Score(10) };
        ItemResult { detail: Some(Detail::Rating(rating)), ..unique() }
    }

    fn made() -> ItemResult {
        let puzzle = crate::sudoku::text::parse(PUZZLE).expect("puzzle");
        ItemResult { detail: Some(Detail::Puzzle(puzzle)), ..unique() }
    }

    #[test]
    fn details_stand_beside_their_grids() {
        let rating = v1::Rating { er: 7.1, ep: 1.2, ed: 1.0, level: v1::Level::VeryHard.into() };
        let block = all(slice(0, 0, &[invalid(), rated()]), ResultFormat::Block).remove(0);
        assert_eq!((block.ratings, block.rating_name.as_str()), (vec![v1::Rating::default(), rating], "se-1.2.1"));
        assert_eq!((block.grids, block.puzzles.len()), (format!("\n{SOLVED}\n").into(), 0));
        let block = all(slice(0, 1, &[invalid(), rated()]), ResultFormat::Items).remove(0);
        assert_eq!((block.items[0].rating, block.rating_name.as_str()), (Some(rating), "se-1.2.1"));

        let block = all(slice(0, 0, &[made(), invalid(), made()]), ResultFormat::Block).remove(0);
        assert_eq!(block.puzzles, format!("{PUZZLE}\n\n{PUZZLE}\n"));
        assert_eq!((block.grids, block.ratings.len()), (format!("{SOLVED}\n\n{SOLVED}\n").into(), 0));
        let block = all(slice(0, 1, &[invalid(), made()]), ResultFormat::Items).remove(0);
        assert_eq!((block.items[0].puzzle.as_str(), block.rating_name.as_str()), (PUZZLE, ""));
    }

    #[test]
    fn messages_stay_small_and_lose_nothing() {
        for (item, format) in [
            (unique(), ResultFormat::Block),
            (unique(), ResultFormat::Items),
            (invalid(), ResultFormat::Block),
            (invalid(), ResultFormat::Items),
            (rated(), ResultFormat::Block),
            (rated(), ResultFormat::Items),
            (made(), ResultFormat::Block),
            (made(), ResultFormat::Items),
        ] {
            let blocks = all(slice(5, 0, &vec![item; 20_000]), format);
            assert!(blocks.len() > 1);
            let mut next = 5;
            for block in blocks {
                assert_eq!(block.first_index, next);
                next += (block.outcomes.len() + block.items.len()) as u32;
                let bytes = prost::Message::encoded_len(&block);
                assert!(bytes < MAX_BYTES + 1_000, "{bytes} bytes");
            }
            assert_eq!(next, 20_005);
        }
    }
}

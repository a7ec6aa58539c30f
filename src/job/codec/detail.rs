//! What some work tells of each item that shows a grid, besides the grid: the puzzle that was made, or a rating.

use super::error::CodecError;
use crate::sudoku::logic::{Rating, Score};
use crate::sudoku::{Cell, Grid};

/// What one item tells besides its grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// The puzzle; the item's grid is its solution.
    Puzzle(Grid),
    /// How hard the puzzle is; the item's grid is its solution.
    Rating(Rating),
}

/// What all the items of a chunk tell. The discriminants are stored: never reuse one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum DetailKind {
    /// [`Detail::Puzzle`], as 81 bits in 11 bytes: bit i says whether cell i is given.
    Puzzles = 1,
    /// [`Detail::Rating`], as three bytes: ER, EP and ED in tenths.
    Ratings = 2,
}

const MASK_BYTES: usize = 11;
const RATING_BYTES: usize = 3;

impl DetailKind {
    /// The kind with this code.
    pub(super) fn from_code(code: u8) -> Result<DetailKind, CodecError> {
        match code {
            1 => Ok(DetailKind::Puzzles),
            2 => Ok(DetailKind::Ratings),
            _ => Err(CodecError::Malformed("an unknown kind of details")),
        }
    }

    /// Bytes of an item's.
    pub(super) fn bytes(self) -> usize {
        match self {
            DetailKind::Puzzles => MASK_BYTES,
            DetailKind::Ratings => RATING_BYTES,
        }
    }

    /// The detail of an item with this grid.
    pub(super) fn decode(self, grid: &Grid, bytes: &[u8]) -> Detail {
        match self {
            DetailKind::Puzzles => {
                let mut puzzle = Grid::EMPTY;
                let given = Cell::all().filter(|cell| bytes[cell.index() / 8] >> (cell.index() % 8) & 1 == 1);
                given.for_each(|cell| puzzle.set(cell, grid.get(cell)));
                Detail::Puzzle(puzzle)
            }
            DetailKind::Ratings => {
                let [er, ep, ed] = [bytes[0], bytes[1], bytes[2]].map(Score);
                Detail::Rating(Rating { er, ep, ed })
            }
        }
    }
}

impl Detail {
    /// Its kind.
    pub fn kind(&self) -> DetailKind {
        match self {
            Detail::Puzzle(_) => DetailKind::Puzzles,
            Detail::Rating(_) => DetailKind::Ratings,
        }
    }

    /// Appends its bytes, for an item with this grid.
    ///
    /// # Panics
    /// When the grid is not a solution of the puzzle.
    pub(super) fn encode(&self, grid: &Grid, out: &mut Vec<u8>) {
        match self {
            Detail::Puzzle(puzzle) => {
                assert!(grid.extends(puzzle), "{grid} is no solution of {puzzle}");
                let mut mask = [0; MASK_BYTES];
                let given = Cell::all().filter(|&cell| puzzle.get(cell) != 0);
                given.for_each(|cell| mask[cell.index() / 8] |= 1 << (cell.index() % 8));
                out.extend_from_slice(&mask);
            }
            Detail::Rating(Rating { er, ep, ed }) => out.extend_from_slice(&[er.0, ep.0, ed.0]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::result::{ItemResult, ResultBuilder, ResultChunk};
    use super::super::tests::{completed, failed, hex, resealed};
    use super::*;
    use crate::sudoku::Outcome;
    use bytes::Bytes;

    fn with(detail: Detail, outcome: Outcome, grid: Grid) -> ItemResult {
        ItemResult { detail: Some(detail), ..ItemResult::answered(outcome, Some(grid)) }
    }

    /// Of each kind a chunk, with items that show a grid and others that do not.
    fn chunks() -> [(DetailKind, Vec<ItemResult>); 2] {
        let rating = |er, ep, ed| Detail::Rating(Rating { er: Score(er), ep: Score(ep), ed: Score(ed) });
        let mut puzzle = completed(1);
        Cell::all().filter(|cell| cell.index() % 9 != 0 && cell.index() != 80).for_each(|cell| puzzle.set(cell, 0));
        let fault = ItemResult::erroneous(failed("GENERATION_FAILED", "no"));
        [
            (DetailKind::Puzzles, vec![fault.clone(), with(Detail::Puzzle(puzzle), Outcome::Unique, completed(1))]),
            (
                DetailKind::Ratings,
                vec![
                    with(rating(71, 12, 10), Outcome::Unique, completed(0)),
                    ItemResult::answered(Outcome::Multiple, None),
                    fault,
                    with(rating(0, 0, 0), Outcome::Unique, completed(2)),
                ],
            ),
        ]
    }

    fn encoded(kind: DetailKind, items: &[ItemResult]) -> Bytes {
        let mut builder = ResultBuilder::new(Some(kind));
        items.iter().for_each(|item| builder.push(item));
        builder.finish().1
    }

    /// If this fails, stored jobs can no longer be read: add a kind instead.
    #[test]
    fn the_stored_form_is_frozen() {
        for ((kind, items), frozen) in chunks().into_iter().zip([PUZZLES, RATINGS]) {
            assert_eq!(hex(&encoded(kind, &items)), frozen);
        }
    }

    const PUZZLES: &str = "\
        53444b43010300000200000001000f2345678956789123891234563456789167891234912345674567891278912345010204\
        08102040800001011147454e45524154494f4e5f4641494c454402006e6f33ee002c";
    const RATINGS: &str = "\
        53444b4301030000040000000200d10312345678456789127891234523456789567891238912345634567891678912343456\
        789167891234912345674567891278912345123456785678912389123456470c0a0000001147454e45524154494f4e5f4641\
        494c454402006e6fdc79e893";

    #[test]
    fn details_are_read_back() {
        for (kind, items) in chunks() {
            for copies in [1, 100] {
                let items: Vec<_> = items.iter().cycle().take(items.len() * copies).cloned().collect();
                let chunk = ResultChunk::decode(encoded(kind, &items)).expect("a chunk");
                assert_eq!(chunk.kind(), Some(kind));
                assert_eq!((0..chunk.len()).map(|i| chunk.item(i)).collect::<Vec<_>>(), items);
            }
        }
    }

    #[test]
    fn damage_is_refused() {
        for (kind, items) in chunks() {
            let chunk = encoded(kind, &items);
            for end in 0..chunk.len() {
                assert!(ResultChunk::decode(resealed(chunk[..end].to_vec())).is_err(), "{end}");
            }
            for code in [0, 3, 255] {
                let mut bytes = chunk.to_vec();
                bytes[12] = code;
                let error = ResultChunk::decode(resealed(bytes)).expect_err("no such kind");
                assert_eq!(error, CodecError::Malformed("an unknown kind of details"));
            }
        }
    }

    #[test]
    #[should_panic(expected = "is no solution of")]
    fn a_puzzle_of_another_grid_is_not_stored() {
        encoded(DetailKind::Puzzles, &[with(Detail::Puzzle(completed(2)), Outcome::Unique, completed(1))]);
    }

    #[test]
    #[should_panic(expected = "details")]
    fn an_item_without_its_detail_is_not_stored() {
        encoded(DetailKind::Ratings, &[ItemResult::answered(Outcome::Unique, Some(completed(1)))]);
    }
}

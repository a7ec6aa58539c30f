//! The stored form is frozen, damage is detected, and no bytes make a decoder panic.

use super::error::CodecError;
use super::input::{InputBuilder, InputChunk};
use super::item_error::ItemError;
use super::result::{ItemResult, ResultBuilder, ResultChunk};
use crate::job::record::Counts;
use crate::sudoku::text::{Fault, FaultKind};
use crate::sudoku::{Grid, Outcome};
use bytes::Bytes;
use proptest::prelude::*;

/// The classic pattern, its digits raised by `shift`.
pub(super) fn completed(shift: usize) -> Grid {
    Grid::from_digits(std::array::from_fn(|i| ((i / 9 * 3 + i / 27 + i + shift) % 9 + 1) as u8)).expect("digits")
}

fn fault(kind: FaultKind, column: u16, cell: u8, detail: u32) -> Fault {
    Fault { kind, column, cell, detail }
}

pub(super) fn failed(reason: &str, message: &str) -> ItemError {
    ItemError::Fault { reason: reason.into(), message: message.into() }
}

fn input(items: &[Result<Grid, Fault>]) -> Bytes {
    let mut builder = InputBuilder::default();
    items.iter().for_each(|&item| builder.push(item));
    assert_eq!((builder.len() as usize, builder.is_empty()), (items.len(), items.is_empty()));
    let bytes = builder.bytes();
    let chunk = builder.finish();
    assert_eq!(chunk.len(), bytes);
    assert!(builder.is_empty());
    chunk
}

fn results(items: &[ItemResult]) -> (Counts, Bytes) {
    let mut builder = ResultBuilder::default();
    items.iter().for_each(|item| builder.push(item));
    builder.finish()
}

fn input_items() -> Vec<Result<Grid, Fault>> {
    let mut puzzle = completed(0);
    puzzle.set(crate::sudoku::Cell::at(8, 8), 0);
    vec![Ok(puzzle), Err(fault(FaultKind::Character, 23, 22, 0x663)), Ok(Grid::EMPTY)]
}

fn result_items() -> Vec<ItemResult> {
    vec![
        ItemResult::answered(Outcome::Unique, Some(completed(0))),
        ItemResult::answered(Outcome::Multiple, None),
        ItemResult::answered(Outcome::Found, Some(completed(1))),
        ItemResult::answered(Outcome::Unsolvable, None),
        ItemResult::answered(Outcome::Undecided, None),
        ItemResult::erroneous(ItemError::Text(fault(FaultKind::TooFew, 81, 80, 80))),
        ItemResult::erroneous(failed("WORKER_PANIC", "oh")),
    ]
}

pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The chunk with a checksum that is right again.
pub(super) fn resealed(mut bytes: Vec<u8>) -> Bytes {
    if let Some(body) = bytes.len().checked_sub(4) {
        let crc = crc32c::crc32c(&bytes[..body]).to_le_bytes();
        bytes[body..].copy_from_slice(&crc);
    }
    Bytes::from(bytes)
}

/// Version 1 as it was first stored. If this fails, stored jobs can no longer be read: add a version instead.
#[test]
fn the_stored_form_is_frozen() {
    assert_eq!(hex(&input(&input_items())), INPUT_V1);
    assert_eq!(hex(&results(&result_items()).1), RESULTS_V1);
    let run = vec![ItemResult::answered(Outcome::Unsolvable, None); 1_000];
    assert_eq!(hex(&results(&run).1), RUN_V1);
}

const INPUT_V1: &str = "\
    53444b4301010000030000001234567894567891237891234562345678915678912348912345673456789126789123459123\
    456700011617006306000000000000000000000000000000000000000000000000000000000000000000000f000000000000\
    0000000000000000000000000000000000000000000000000000000000000000000000fb7c40f9";
const RESULTS_V1: &str = "\
    53444b43010200000700000000d1581f12345678456789127891234523456789567891238912345634567891678912342345\
    67895678912389123456345678916789123491234567456789127891234502505100500000000c574f524b45525f50414e49\
    4302006f68624cd448";
const RUN_V1: &str = "\
    53444b4301020000e803000001c43e2f0c9646";

#[test]
fn input_is_read_back() {
    let items = input_items();
    let chunk = InputChunk::decode(input(&items)).expect("a chunk");
    let back: Vec<_> = (0..chunk.len()).map(|i| chunk.get(i)).collect();
    assert_eq!(back, items);
    let faults = chunk.faults(0..3);
    assert_eq!(faults.into_iter().map(|(i, fault)| (i, Err(fault))).collect::<Vec<_>>(), [(1, items[1])]);
    assert_eq!(chunk.faults(2..3), []);
    assert!(InputChunk::decode(input(&[])).expect("an empty chunk").is_empty());
}

fn check_results(items: &[ItemResult]) {
    let (counts, bytes) = results(items);
    let chunk = ResultChunk::decode(bytes).expect("a chunk");
    assert_eq!((chunk.len() as usize, chunk.is_empty()), (items.len(), items.is_empty()));
    assert_eq!(chunk.counts(), counts);
    for (i, item) in (0..).zip(items) {
        assert_eq!(&chunk.item(i), item, "item {i}");
    }
    let (mut at, mut lines, mut expected) = (0, Vec::new(), String::new());
    for (outcome, length) in chunk.runs(0..chunk.len()) {
        let run = &items[at as usize..(at + length) as usize];
        assert!(run.iter().all(|item| item.outcome == outcome));
        if outcome.shows_grid() {
            chunk.push_lines(at..at + length, &mut lines);
            run.iter().flat_map(|item| item.grid).for_each(|grid| expected += &format!("{grid}\n"));
        }
        at += length;
    }
    assert_eq!((at, String::from_utf8(lines)), (chunk.len(), Ok(expected)));
    for outcome in Outcome::ALL {
        assert_eq!(counts.get(outcome), items.iter().filter(|item| item.outcome == outcome).count() as u64);
    }
}

#[test]
fn results_are_read_back() {
    check_results(&[]);
    check_results(&result_items());
    check_results(&vec![ItemResult::answered(Outcome::Found, Some(completed(3))); 100]);
    let cycle: Vec<_> = result_items().into_iter().cycle().take(333).collect();
    check_results(&cycle);
    let runs: Vec<_> = result_items().into_iter().flat_map(|item| vec![item; 50]).collect();
    check_results(&runs);
    assert!(results(&runs).1.len() < results(&cycle).1.len() + 20 * 32);
}

#[test]
fn long_words_are_cut_at_a_character() {
    let (_, bytes) = results(&[ItemResult::erroneous(failed(&"A".repeat(300), &"é".repeat(40_000)))]);
    let chunk = ResultChunk::decode(bytes).expect("a chunk");
    assert_eq!(chunk.error(0), Some(&failed(&"A".repeat(255), &"é".repeat(32_767))));
    assert_eq!(chunk.errors().len(), 1);
}

#[test]
fn every_flipped_bit_is_detected() {
    for chunk in [input(&input_items()), results(&result_items()).1] {
        for bit in 0..chunk.len() * 8 {
            let mut bytes = chunk.to_vec();
            bytes[bit / 8] ^= 1 << (bit % 8);
            let bytes = Bytes::from(bytes);
            assert!(InputChunk::decode(bytes.clone()).is_err() && ResultChunk::decode(bytes).is_err(), "bit {bit}");
        }
    }
}

#[test]
fn every_missing_byte_is_detected() {
    for chunk in [input(&input_items()), results(&result_items()).1] {
        for end in 0..chunk.len() {
            let sealed = resealed(chunk[..end].to_vec());
            for bytes in [chunk.slice(..end), sealed] {
                assert!(InputChunk::decode(bytes.clone()).is_err() && ResultChunk::decode(bytes).is_err(), "{end}");
            }
        }
    }
}

/// What is wrong with chunks whose checksum is right.
#[test]
fn malformed_chunks_are_refused_by_name() {
    let (input, results) = (input(&input_items()), results(&result_items()).1);
    let change = |chunk: &Bytes, at: usize, byte: u8| {
        let mut bytes = chunk.to_vec();
        bytes[at] = byte;
        resealed(bytes)
    };
    let refused = |bytes: Bytes| InputChunk::decode(bytes).map(|chunk| chunk.len()).expect_err("no input chunk");
    let cases = [
        (Bytes::new(), "0 bytes are too few for the chunk they announce"),
        (change(&input, 0, b'X'), "no chunk: the magic is wrong"),
        (change(&input, 4, 2), "chunk format 2 is newer than this program reads"),
        (change(&input, 4, 0), "malformed chunk: version 0"),
        (change(&input, 6, 1), "malformed chunk: reserved bytes that are not 0"),
        (change(&input, 8, 4), "139 bytes are too few for the chunk they announce"),
        (change(&input, 11, 255), "139 bytes are too few for the chunk they announce"),
        (change(&input, 8, 2), "malformed chunk: bytes after the last item"),
        (change(&input, 12, 0xa0), "malformed chunk: an item that is neither givens nor a fault"),
        (change(&input, 12 + 41, 9), "malformed chunk: an item that is neither givens nor a fault"),
        (change(&input, 12 + 42, 82), "malformed chunk: an item that is neither givens nor a fault"),
        (results.clone(), "malformed chunk: another kind of chunk"),
    ];
    for (bytes, words) in cases {
        assert_eq!(refused(bytes).to_string(), words);
    }
    let refused = |bytes: Bytes| ResultChunk::decode(bytes).map(|chunk| chunk.len()).expect_err("no result chunk");
    let cases = [
        (change(&results, 12, 2), "malformed chunk: an unknown form of outcomes"),
        (change(&results, 13, 0), "malformed chunk: an outcome 0"),
        (change(&results, 15, 0xff), "malformed chunk: bits after the last outcome"),
        (change(&results, 11, 255), "malformed chunk: outcomes cut short"),
        (change(&results, 80, 0), "malformed chunk: an item without its error"),
        (input, "malformed chunk: another kind of chunk"),
    ];
    for (bytes, words) in cases {
        assert_eq!(refused(bytes).to_string(), words);
    }
}

#[test]
fn a_run_may_announce_anything_and_costs_nothing() {
    let chunk = |count: u32, runs: &[u8]| {
        let header = [b"SDKC\x01\x02\0\0".as_slice(), &count.to_le_bytes(), &[1], runs, &[0; 4]].concat();
        ResultChunk::decode(resealed(header))
    };
    // 2^32 - 1 items, all MULTIPLE: 35 bits, 7 a byte.
    let most = chunk(u32::MAX, &[0xfa, 0xff, 0xff, 0xff, 0x7f]).expect("a run");
    assert_eq!((most.outcome(u32::MAX - 1), most.counts().total()), (Outcome::Multiple, u64::from(u32::MAX)));
    // The same, all UNIQUE or INVALID, lacks its grids or errors.
    assert_eq!(chunk(u32::MAX, &[0xf9, 0xff, 0xff, 0xff, 0x7f]).map(|_| ()), Err(CodecError::Truncated(22)));
    assert!(chunk(u32::MAX, &[0xfe, 0xff, 0xff, 0xff, 0x7f]).is_err());
    for runs in [&[0x02][..], &[0x0a], &[0x1a], &[0x12, 0x12], &[0x80; 6], &[0xff; 5]] {
        assert!(chunk(2, runs).is_err(), "{runs:?}");
    }
    assert_eq!(chunk(2, &[0x0a, 0x0a]).map(|chunk| chunk.len()), Ok(2));
}

#[test]
#[should_panic(expected = "is no completed grid")]
fn a_grid_that_is_not_completed_is_not_stored() {
    let mut grid = completed(0);
    grid.set(crate::sudoku::Cell::at(4, 4), 0);
    ResultBuilder::default().push(&ItemResult::answered(Outcome::Unique, Some(grid)));
}

fn any_fault() -> impl Strategy<Value = Fault> {
    (1u8..=8, any::<u16>(), 0u8..=81, any::<u32>()).prop_map(|(kind, column, cell, detail)| {
        fault(FaultKind::from_code(kind).expect("a kind"), column, cell, detail)
    })
}

fn any_item() -> impl Strategy<Value = ItemResult> {
    let answer = (0usize..5, 0usize..9).prop_map(|(i, shift)| {
        let outcome = Outcome::ALL[i];
        ItemResult::answered(outcome, outcome.shows_grid().then(|| completed(shift)))
    });
    prop_oneof![
        8 => answer,
        1 => any_fault().prop_map(|fault| ItemResult::erroneous(ItemError::Text(fault))),
        1 => ("[A-Z_]{0,20}", ".{0,40}").prop_map(|(reason, message)| ItemResult::erroneous(failed(&reason, &message))),
    ]
}

proptest! {
    #[test]
    fn any_input_round_trips(
        items in proptest::collection::vec(prop_oneof![
            4 => proptest::collection::vec(0u8..=9, 81)
                .prop_map(|cells| Ok(Grid::from_digits(cells.try_into().expect("81 cells")).expect("digits"))),
            1 => any_fault().prop_map(Err),
        ], 0..40)
    ) {
        let chunk = InputChunk::decode(input(&items)).expect("a chunk");
        prop_assert_eq!((0..chunk.len()).map(|i| chunk.get(i)).collect::<Vec<_>>(), items);
    }

    #[test]
    fn any_results_round_trip(runs in proptest::collection::vec((any_item(), 1usize..40), 0..30)) {
        check_results(&runs.iter().flat_map(|(item, n)| vec![item.clone(); *n]).collect::<Vec<_>>());
        check_results(&runs.into_iter().map(|(item, _)| item).collect::<Vec<_>>());
    }

    #[test]
    fn no_bytes_make_it_panic(
        changes in proptest::collection::vec((any::<u16>(), any::<u8>()), 0..6),
        end in any::<u16>(),
        which in any::<bool>(),
    ) {
        let chunk = if which { input(&input_items()) } else { results(&result_items()).1 };
        let mut bytes = chunk.to_vec();
        changes.iter().for_each(|&(at, byte)| { let at = usize::from(at) % bytes.len(); bytes[at] = byte; });
        bytes.truncate(bytes.len() - usize::from(end) % 20);
        let bytes = resealed(bytes);
        if let Ok(chunk) = InputChunk::decode(bytes.clone()) {
            let faults = (0..chunk.len()).filter_map(|i| Some((i, chunk.get(i).err()?)));
            prop_assert_eq!(faults.collect::<Vec<_>>(), chunk.faults(0..chunk.len()));
        }
        if let Ok(chunk) = ResultChunk::decode(bytes) {
            for i in 0..chunk.len().min(1_000) {
                let outcome = chunk.outcome(i);
                let mut line = Vec::new();
                if outcome.shows_grid() {
                    chunk.push_lines(i..i + 1, &mut line);
                }
                prop_assert!(line.is_ascii());
                prop_assert_eq!(line.len(), if outcome.shows_grid() { 82 } else { 0 });
                prop_assert!(chunk.grid(i).is_none() || outcome.shows_grid());
                prop_assert_eq!(chunk.error(i).map(ItemError::outcome).unwrap_or(outcome), outcome);
            }
        }
    }
}

//! Any bytes: the decoder of result chunks never panics; what decodes is the same after another round.

#![no_main]

use bytes::Bytes;
use libfuzzer_sys::fuzz_target;
use sudokud::job::codec::{ItemResult, ResultBuilder, ResultChunk};

/// A run of a few bytes may stand for billions of items: enough of them are looked at.
const MOST: u32 = 10_000;

fn items(chunk: &ResultChunk) -> Vec<ItemResult> {
    (0..chunk.len().min(MOST)).map(|i| chunk.item(i)).collect()
}

fn round_trip(chunk: &ResultChunk) {
    let before = items(chunk);
    assert!(before.iter().all(|item| item.outcome.shows_grid() || item.grid.is_none()));
    let mut lines = Vec::new();
    let shown = (0..before.len() as u32).filter(|&i| chunk.outcome(i).shows_grid());
    shown.for_each(|i| chunk.push_lines(i..i + 1, &mut lines));
    assert!(lines.is_ascii());
    // Behind a right checksum stands what a builder made, so grids are not looked at again; the fuzzer's may be anything.
    if before.iter().any(|item| item.outcome.shows_grid() && !item.grid.is_some_and(|grid| grid.is_solved())) {
        return;
    }
    let mut builder = ResultBuilder::new(chunk.kind());
    before.iter().for_each(|item| builder.push(item));
    let (counts, bytes) = builder.finish();
    let again = ResultChunk::decode(bytes).expect("what was encoded decodes");
    assert_eq!((items(&again), again.counts()), (before, counts));
}

fuzz_target!(|data: &[u8]| {
    if let Ok(chunk) = ResultChunk::decode(Bytes::copy_from_slice(data)) {
        round_trip(&chunk);
    }
    // The fuzzer seldom finds a checksum, so it is also put right.
    let mut sealed = data.to_vec();
    sealed.extend_from_slice(&crc32c::crc32c(data).to_le_bytes());
    if let Ok(chunk) = ResultChunk::decode(sealed.into()) {
        round_trip(&chunk);
    }
});

//! Any bytes: the decoder of input chunks never panics; what decodes is the same after another round.

#![no_main]

use bytes::Bytes;
use libfuzzer_sys::fuzz_target;
use sudokud::job::codec::{InputBuilder, InputChunk};
use sudokud::sudoku::text::{parse_line, puzzle_lines};

fn round_trip(chunk: &InputChunk) {
    let items: Vec<_> = (0..chunk.len()).map(|i| chunk.get(i)).collect();
    let mut builder = InputBuilder::default();
    items.iter().for_each(|&item| builder.push(item));
    let again = InputChunk::decode(builder.finish()).expect("what was encoded decodes");
    assert_eq!((0..again.len()).map(|i| again.get(i)).collect::<Vec<_>>(), items);
}

fuzz_target!(|data: &[u8]| {
    if let Ok(chunk) = InputChunk::decode(Bytes::copy_from_slice(data)) {
        round_trip(&chunk);
    }
    // The fuzzer seldom finds a checksum, so it is also put right.
    let mut sealed = data.to_vec();
    sealed.extend_from_slice(&crc32c::crc32c(data).to_le_bytes());
    if let Ok(chunk) = InputChunk::decode(sealed.into()) {
        round_trip(&chunk);
    }
    let mut builder = InputBuilder::default();
    puzzle_lines(data).for_each(|line| builder.push(parse_line(line)));
    let chunk = InputChunk::decode(builder.finish()).expect("what was encoded decodes");
    assert!(puzzle_lines(data).zip(0..).all(|(line, i)| parse_line(line) == chunk.get(i)));
});

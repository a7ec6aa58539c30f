//! What every chunk has around its body: header and checksum.

use super::error::CodecError;
use bytes::Bytes;

/// What a chunk holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Kind {
    Input = 1,
    Results = 2,
    DetailedResults = 3,
}

/// Bytes before the body.
pub(super) const HEADER_BYTES: usize = 12;
/// Bytes after it.
pub(super) const CRC_BYTES: usize = 4;

const MAGIC: [u8; 4] = *b"SDKC";
const VERSION: u8 = 1;

/// Begins a chunk: the header, its count to be filled in by [`seal`].
pub(super) fn begin(kind: Kind, out: &mut Vec<u8>) {
    out.extend_from_slice(&MAGIC);
    out.extend_from_slice(&[VERSION, kind as u8, 0, 0, 0, 0, 0, 0]);
}

/// Ends a chunk of `count` items that [`begin`] began.
pub(super) fn seal(mut chunk: Vec<u8>, count: u32) -> Bytes {
    chunk[8..HEADER_BYTES].copy_from_slice(&count.to_le_bytes());
    let crc = crc32c::crc32c(&chunk);
    chunk.extend_from_slice(&crc.to_le_bytes());
    Bytes::from(chunk)
}

/// Checks header and checksum; which of these kinds it is, the count of items and the body.
pub(super) fn open(chunk: &Bytes, kinds: &[Kind]) -> Result<(Kind, u32, Bytes), CodecError> {
    let too_few = CodecError::Truncated(chunk.len());
    let (header, rest) = chunk.split_first_chunk::<HEADER_BYTES>().ok_or(too_few.clone())?;
    let (body, crc) = rest.split_last_chunk::<CRC_BYTES>().ok_or(too_few)?;
    let [m0, m1, m2, m3, version, found, zero @ .., c0, c1, c2, c3] = *header;
    if [m0, m1, m2, m3] != MAGIC {
        return Err(CodecError::Magic);
    }
    if version > VERSION {
        return Err(CodecError::Version(version));
    }
    if crc32c::crc32c(&chunk[..HEADER_BYTES + body.len()]) != u32::from_le_bytes(*crc) {
        return Err(CodecError::Checksum);
    }
    if version == 0 {
        return Err(CodecError::Malformed("version 0"));
    }
    let kind = kinds.iter().find(|&&kind| kind as u8 == found);
    let kind = *kind.ok_or(CodecError::Malformed("another kind of chunk"))?;
    if zero != [0, 0] {
        return Err(CodecError::Malformed("reserved bytes that are not 0"));
    }
    Ok((kind, u32::from_le_bytes([c0, c1, c2, c3]), chunk.slice(HEADER_BYTES..HEADER_BYTES + body.len())))
}

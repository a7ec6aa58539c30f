//! Chunks of input: givens at 41 bytes an item, and for an item that is no puzzle its fault.

use super::error::CodecError;
use super::fault::{self, FAULT_BYTES};
use super::frame::{self, CRC_BYTES, HEADER_BYTES, Kind};
use crate::sudoku::Grid;
use crate::sudoku::packed::{GIVENS_BYTES, is_givens, pack_givens, unpack_givens};
use crate::sudoku::text::Fault;
use bytes::Bytes;
use std::ops::Range;

/// What the last byte of an item holds where the item is a fault; of givens its low half is 0.
const FAULT_MARK: u8 = 0x0f;

/// Builds a chunk of input item by item.
#[derive(Debug, Default)]
pub struct InputBuilder {
    chunk: Vec<u8>,
    count: u32,
    /// Bytes of the last chunk: the next one will have about as many.
    last: usize,
}

impl InputBuilder {
    /// Adds an item.
    ///
    /// # Panics
    /// After 2^32 - 1 items.
    #[inline]
    pub fn push(&mut self, item: Result<Grid, Fault>) {
        let mut bytes = [0; GIVENS_BYTES];
        match item {
            Ok(grid) => pack_givens(&grid, &mut bytes),
            Err(fault) => bytes = pack_fault(&fault),
        }
        self.begin();
        self.chunk.extend_from_slice(&bytes);
        self.count = self.count.checked_add(1).expect("a chunk holds fewer than 2^32 items");
    }

    #[inline]
    fn begin(&mut self) {
        if self.chunk.is_empty() {
            self.chunk.reserve_exact(self.last);
            frame::begin(Kind::Input, &mut self.chunk);
        }
    }

    /// Items so far.
    pub fn len(&self) -> u32 {
        self.count
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Bytes that the chunk of the items so far has.
    pub fn bytes(&self) -> usize {
        HEADER_BYTES + GIVENS_BYTES * self.count as usize + CRC_BYTES
    }

    /// The packed chunk of items up to here; the builder is empty afterwards.
    pub fn finish(&mut self) -> Bytes {
        self.begin();
        let (mut chunk, count) = (std::mem::take(&mut self.chunk), std::mem::take(&mut self.count));
        // Whoever keeps the chunk counts the bytes that it has, not those that it might grow to.
        chunk.shrink_to(chunk.len() + CRC_BYTES);
        self.last = chunk.len() + CRC_BYTES;
        frame::seal(chunk, count)
    }
}

/// A packed chunk of input, checked. Clones share the bytes.
///
/// Its body: 41 bytes an item, givens as [`pack_givens`](crate::sudoku::packed::pack_givens) says; for an item that is
/// no puzzle kind, cell, column (2 bytes) and detail (4) of its fault, 32 times 0, and 15.
#[derive(Clone, Debug)]
pub struct InputChunk {
    body: Bytes,
    count: u32,
}

impl InputChunk {
    /// Checks and reads a packed chunk; never panics on any bytes.
    ///
    /// # Errors
    /// As [`CodecError`] says.
    pub fn decode(bytes: Bytes) -> Result<InputChunk, CodecError> {
        let (_, count, body) = frame::open(&bytes, &[Kind::Input])?;
        let (items, rest) = body.as_chunks::<GIVENS_BYTES>();
        if items.len() < count as usize {
            return Err(CodecError::Truncated(bytes.len()));
        }
        if items.len() > count as usize || !rest.is_empty() {
            return Err(CodecError::Malformed("bytes after the last item"));
        }
        if !items.iter().all(|item| is_givens(item) || unpack_fault(item).is_some()) {
            return Err(CodecError::Malformed("an item that is neither givens nor a fault"));
        }
        Ok(InputChunk { body, count })
    }

    /// Items.
    pub fn len(&self) -> u32 {
        self.count
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Item `i`; `Err` where the text was no puzzle.
    ///
    /// # Panics
    /// When `i` is out of range.
    #[inline]
    pub fn get(&self, i: u32) -> Result<Grid, Fault> {
        unpack(&self.items()[i as usize])
    }

    /// The items in this range that are no puzzles, with their index, in order.
    ///
    /// # Panics
    /// When the range is not within the chunk.
    pub fn faults(&self, items: Range<u32>) -> Vec<(u32, Fault)> {
        let within = self.items()[items.start as usize..items.end as usize].iter();
        let faulty = items.zip(within).filter(|(_, item)| item[GIVENS_BYTES - 1] & FAULT_MARK == FAULT_MARK);
        faulty.filter_map(|(i, item)| Some((i, unpack_fault(item)?))).collect()
    }

    fn items(&self) -> &[[u8; GIVENS_BYTES]] {
        self.body.as_chunks().0
    }
}

fn pack_fault(fault: &Fault) -> [u8; GIVENS_BYTES] {
    let mut bytes = [0; GIVENS_BYTES];
    bytes[..FAULT_BYTES].copy_from_slice(&fault::encode(fault));
    bytes[GIVENS_BYTES - 1] = FAULT_MARK;
    bytes
}

#[inline]
fn unpack(item: &[u8; GIVENS_BYTES]) -> Result<Grid, Fault> {
    match unpack_givens(item) {
        Some(grid) => Ok(grid),
        None => Err(unpack_fault(item).expect("decode found givens or a fault")),
    }
}

fn unpack_fault(item: &[u8; GIVENS_BYTES]) -> Option<Fault> {
    let (bytes, rest) = item.split_first_chunk::<FAULT_BYTES>()?;
    let (mark, zeros) = rest.split_last()?;
    if *mark == FAULT_MARK && zeros.iter().all(|&byte| byte == 0) { fault::decode(*bytes) } else { None }
}

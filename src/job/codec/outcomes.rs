//! The outcomes of a chunk: at 3 bits an item, or in runs, whichever is smaller; and how many grids stand
//! before an item.
//!
//! A first byte names the form. 0: three bits an item, the lowest first. 1: runs in order, each
//! `items << 3 | outcome` in LEB128.

use super::error::CodecError;
use crate::job::record::Counts;
use crate::sudoku::Outcome;
use std::ops::Range;

const DENSE: u8 = 0;
const RUNS: u8 = 1;

/// Items whose three bits fill whole bytes: 12.
const BLOCK: usize = 32;
const BLOCK_BYTES: usize = BLOCK * 3 / 8;
/// 32 items of the dense form.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    bits: u128,
    /// Bit i: whether item i shows a grid.
    shown: u32,
    /// Grids before its first item.
    grids: u32,
}

/// Outcomes of a chunk's items.
#[derive(Clone, Debug)]
pub(super) enum Outcomes {
    /// Three bits an item.
    Dense(Vec<Block>),
    /// In order.
    Runs(Vec<Run>),
}

/// Items with one outcome in a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    outcome: Outcome,
    first: u32,
    /// Grids before its first item.
    grids: u32,
}

/// Appends the outcomes in the smaller form.
pub(super) fn encode(outcomes: &[Outcome], out: &mut Vec<u8>) {
    let start = out.len();
    let dense = (outcomes.len() * 3).div_ceil(8);
    out.push(RUNS);
    for run in outcomes.chunk_by(|a, b| a == b) {
        leb128((run.len() as u64) << 3 | run[0] as u64, out);
        if out.len() - start > dense + 1 {
            break;
        }
    }
    if out.len() - start <= dense + 1 {
        return;
    }
    out.truncate(start);
    out.push(DENSE);
    for block in outcomes.chunks(BLOCK) {
        let bits = block.iter().rev().fold(0, |bits: u128, &outcome| bits << 3 | outcome as u128);
        out.extend_from_slice(&bits.to_le_bytes()[..(block.len() * 3).div_ceil(8)]);
    }
}

fn leb128(mut value: u64, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// At most 5 bytes: items and outcome have 35 bits.
fn read_leb128(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..35).step_by(7) {
        let byte = bytes.split_off_first()?;
        value |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

impl Outcomes {
    /// Reads the outcomes of `count` items, moves `body` behind them and counts them. Takes memory in
    /// proportion to the bytes read, whatever `count` says.
    pub(super) fn decode(body: &mut &[u8], count: u32) -> Result<(Outcomes, Counts), CodecError> {
        let too_few = CodecError::Malformed("outcomes cut short");
        match *body.split_off_first().ok_or(too_few.clone())? {
            DENSE => {
                let length = (u64::from(count) * 3).div_ceil(8) as usize;
                decode_dense(body.split_off(..length).ok_or(too_few)?, count)
            }
            RUNS => decode_runs(body, count),
            _ => Err(CodecError::Malformed("an unknown form of outcomes")),
        }
    }

    /// The outcome of item `i`, which must be in range.
    pub(super) fn get(&self, i: u32) -> Outcome {
        match self {
            Outcomes::Dense(blocks) => outcome_at(blocks[i as usize / BLOCK].bits, i as usize % BLOCK)
                .expect("decode found an outcome for each item"),
            Outcomes::Runs(runs) => run_of(runs, i).outcome,
        }
    }

    /// How many items before `i` show a grid.
    pub(super) fn grids_before(&self, i: u32) -> u32 {
        match self {
            Outcomes::Dense(blocks) => {
                let block = &blocks[i as usize / BLOCK];
                block.grids + (block.shown & ((1 << (i as usize % BLOCK)) - 1)).count_ones()
            }
            Outcomes::Runs(runs) => {
                let run = run_of(runs, i);
                run.grids + if run.outcome.shows_grid() { i - run.first } else { 0 }
            }
        }
    }

    /// The outcomes of these items, which must be in range, in runs. Neighbours may have the same outcome.
    pub(super) fn runs(&self, items: Range<u32>) -> impl Iterator<Item = (Outcome, u32)> {
        let mut left = items;
        std::iter::from_fn(move || {
            let at = left.next()?;
            let (outcome, end) = match self {
                Outcomes::Dense(_) => (self.get(at), at + 1),
                Outcomes::Runs(runs) => {
                    let next = runs.partition_point(|run| run.first <= at);
                    (runs[next - 1].outcome, runs.get(next).map_or(left.end, |run| run.first.min(left.end)))
                }
            };
            left.start = end;
            Some((outcome, end - at))
        })
    }

    /// The items, up to `count` in all, that carry an error, with their outcome, in order.
    pub(super) fn with_error(&self, count: u32) -> impl Iterator<Item = (u32, Outcome)> {
        let erroneous = |outcome: &Outcome| matches!(outcome, Outcome::Invalid | Outcome::Failed);
        let (blocks, runs) = match self {
            Outcomes::Dense(blocks) => (blocks.as_slice(), [].as_slice()),
            Outcomes::Runs(runs) => ([].as_slice(), runs.as_slice()),
        };
        let dense = (0..blocks.len() * BLOCK).filter_map(move |i| {
            let outcome = outcome_at(blocks[i / BLOCK].bits, i % BLOCK).filter(erroneous)?;
            Some((i as u32, outcome))
        });
        let ends = runs.iter().skip(1).map(|run| run.first).chain([count]);
        let in_runs = runs.iter().zip(ends).filter(move |(run, _)| erroneous(&run.outcome));
        dense.chain(in_runs.flat_map(|(run, end)| (run.first..end).map(|i| (i, run.outcome))))
    }
}

fn run_of(runs: &[Run], i: u32) -> &Run {
    &runs[runs.partition_point(|run| run.first <= i) - 1]
}

fn outcome_at(bits: u128, i: usize) -> Option<Outcome> {
    Outcome::from_code((bits >> (3 * i)) as u8 & 7)
}

fn decode_dense(bytes: &[u8], count: u32) -> Result<(Outcomes, Counts), CodecError> {
    let (mut blocks, mut counts, mut grids) = (Vec::with_capacity(bytes.len() / BLOCK_BYTES + 1), Counts::default(), 0);
    let mut left = count as usize;
    for block in bytes.chunks(BLOCK_BYTES) {
        let mut padded = [0; 16];
        padded[..block.len()].copy_from_slice(block);
        let (bits, items) = (u128::from_le_bytes(padded), left.min(BLOCK));
        if bits >> (3 * items) != 0 {
            return Err(CodecError::Malformed("bits after the last outcome"));
        }
        let mut shown = 0u32;
        for i in 0..items {
            let outcome = outcome_at(bits, i).ok_or(CodecError::Malformed("an outcome 0"))?;
            counts.add(outcome, 1);
            shown |= u32::from(outcome.shows_grid()) << i;
        }
        blocks.push(Block { bits, shown, grids });
        grids += shown.count_ones();
        left -= items;
    }
    Ok((Outcomes::Dense(blocks), counts))
}

fn decode_runs(body: &mut &[u8], count: u32) -> Result<(Outcomes, Counts), CodecError> {
    let (mut runs, mut counts) = (Vec::new(), Counts::default());
    let (mut first, mut grids) = (0, 0);
    while first < count {
        let run = read_leb128(body).ok_or(CodecError::Malformed("a run without an end"))?;
        let outcome = Outcome::from_code(run as u8 & 7).ok_or(CodecError::Malformed("an outcome 0"))?;
        let items = u32::try_from(run >> 3).ok().filter(|items| (1..=count - first).contains(items));
        let items = items.ok_or(CodecError::Malformed("a run of a wrong length"))?;
        runs.push(Run { outcome, first, grids });
        counts.add(outcome, items.into());
        first += items;
        grids += if outcome.shows_grid() { items } else { 0 };
    }
    Ok((Outcomes::Runs(runs), counts))
}

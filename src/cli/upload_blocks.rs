//! An input as blocks of an upload: one puzzle a line whatever the file's form, kept until the server has stored
//! them, so that a broken upload goes on where it stopped.

use super::exit::Failure;
use super::input::Block;
use super::lines::LineMap;
use crate::grpc::proto::v1::PuzzleBlock;
use crate::job::chunk::MAX_JOB_ITEMS;
use crate::sudoku::Grid;
use crate::sudoku::text::{FaultKind, TextError, TextItem, is_item, parse_line};
use bytes::Bytes;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::mpsc;

/// Bytes sent and not yet stored before sending waits: a server tells of progress a few times a second.
const UNSTORED_BYTES: usize = 64 << 20;

/// Blocks read ahead.
const AHEAD: usize = 2;

/// One block of an upload.
#[derive(Clone, Debug)]
struct Sendable {
    first_index: u32,
    end: u32,
    text: Bytes,
}

/// The blocks of an upload.
#[derive(Debug)]
pub struct UploadBlocks {
    source: mpsc::Receiver<Result<Sendable, Failure>>,
    /// Read and not yet stored, in order.
    unstored: VecDeque<Sendable>,
    unstored_bytes: usize,
    /// How many of them this stream has sent.
    sent: usize,
    /// Items stored, as the server says.
    stored: u32,
    /// Items read.
    read: u32,
    ended: bool,
}

/// What to send next.
#[derive(Debug, PartialEq)]
pub enum Next {
    /// A block.
    Block(PuzzleBlock),
    /// Nothing: the input has ended after this many items.
    End(u32),
}

impl UploadBlocks {
    /// Reads `input` in a thread of the current runtime, ahead of the sending by a little. The lines of the items
    /// are noted in `lines`, if given.
    pub fn read(
        input: impl Iterator<Item = Result<Block, Failure>> + Send + 'static,
        lines: Option<Arc<Mutex<LineMap>>>,
    ) -> UploadBlocks {
        let (tell, source) = mpsc::channel(AHEAD);
        // It ends with its input, or when nobody receives: the owner is the receiver.
        tokio::task::spawn_blocking(move || {
            for block in input {
                let block = block.and_then(|block| sendable(block.first_index, &block.items, lines.as_deref()));
                let failed = block.is_err();
                if tell.blocking_send(block).is_err() || failed {
                    return;
                }
            }
        });
        UploadBlocks { source, unstored: VecDeque::new(), unstored_bytes: 0, sent: 0, stored: 0, read: 0, ended: false }
    }

    /// A stream was opened that goes on at `next_index`: what is not stored is sent again.
    ///
    /// # Errors
    /// When the server has lost items that it had stored.
    pub fn restart(&mut self, next_index: u32) -> Result<(), Failure> {
        let first = self.unstored.front().map_or(self.read, |block| block.first_index);
        self.sent = 0;
        if next_index < first {
            let lost =
                format!("the server has lost items {next_index}..{first} of this upload: submit it as a new one");
            return Err(Failure::io(lost));
        }
        self.stored(next_index);
        Ok(())
    }

    /// The server has stored all items before this.
    pub fn stored(&mut self, count: u32) {
        self.stored = self.stored.max(count);
        while let Some(block) = self.unstored.pop_front_if(|block| block.end <= count) {
            self.unstored_bytes -= block.text.len();
            self.sent = self.sent.saturating_sub(1);
        }
    }

    /// Whether [`UploadBlocks::next`] may be called now; else wait for `stored`.
    pub fn may_send(&self) -> bool {
        self.sent < self.unstored.len() || self.unstored_bytes < UNSTORED_BYTES
    }

    /// What to send next. Safe to drop and call again.
    ///
    /// # Errors
    /// When the input can't be read.
    pub async fn next(&mut self) -> Result<Next, Failure> {
        loop {
            if let Some(block) = self.unstored.get(self.sent) {
                self.sent += 1;
                let (first_index, text) = (Some(block.first_index), block.text.clone());
                return Ok(Next::Block(PuzzleBlock { first_index, text, puzzles: Vec::new() }));
            }
            if self.ended {
                return Ok(Next::End(self.read));
            }
            match self.source.recv().await {
                None => self.ended = true,
                Some(block) => {
                    let block = block?;
                    self.read = block.end;
                    if block.end > self.stored {
                        self.unstored_bytes += block.text.len();
                        self.unstored.push_back(block);
                    }
                }
            }
        }
    }
}

/// Items as a block, one a line.
fn sendable(first: u64, items: &[TextItem], lines: Option<&Mutex<LineMap>>) -> Result<Sendable, Failure> {
    let too_many = || Failure::usage(format!("a job holds at most {MAX_JOB_ITEMS} items: split the input"));
    let end = first + items.len() as u64;
    let end = u32::try_from(end).ok().filter(|&end| end <= MAX_JOB_ITEMS).ok_or_else(too_many)?;
    let mut text = Vec::with_capacity(items.len() * 82);
    for item in items {
        match &item.grid {
            Ok(grid) => text.extend_from_slice(&plain(grid)),
            Err(error) => text.extend_from_slice(line_with(error).as_bytes()),
        }
        text.push(b'\n');
    }
    if let Some(lines) = lines {
        let mut lines = lines.lock().unwrap_or_else(PoisonError::into_inner);
        items.iter().for_each(|item| lines.push(item.line));
    }
    Ok(Sendable { first_index: first as u32, end, text: text.into() })
}

fn plain(grid: &Grid) -> [u8; 81] {
    grid.digits().map(|digit| if digit == 0 { b'.' } else { b'0' + digit })
}

/// A line with the same fault, so that the item is as invalid on the server as it is here, and for the same reason
/// where a line can have it.
fn line_with(error: &TextError) -> String {
    let fault = &error.fault;
    let mut line = ".".repeat(usize::from(fault.cell));
    match fault.kind {
        FaultKind::TooMany => line = ".".repeat(fault.detail as usize),
        FaultKind::Character | FaultKind::Trailing => line.extend(char::from_u32(fault.detail)),
        _ => {}
    }
    if !is_item(line.as_bytes()) || parse_line(line.as_bytes()).is_ok() {
        line.push('?');
    }
    if !is_item(line.as_bytes()) {
        line.insert(0, '?');
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sudoku::text::{GridReader, puzzle_lines};

    fn items(text: &str) -> Vec<TextItem> {
        let (mut reader, mut items) = (GridReader::default(), Vec::new());
        reader.feed(text.as_bytes(), &mut items);
        reader.finish(&mut items);
        items
    }

    #[test]
    fn faults_survive_the_way_through_a_line() {
        let row = "123456789".repeat(8);
        let cases = [
            format!("{row}12345678"),
            format!("{row}1234567890"),
            format!("{row}12345?789"),
            format!("{row}123456789x"),
            format!("{row}123456789!"),
            format!("?{row}12345678"),
            "5".into(),
        ];
        for text in cases {
            let Err(here) = items(&text)[0].grid else { panic!("{text} is a grid") };
            let there = parse_line(line_with(&here).as_bytes()).expect_err("as invalid");
            assert_eq!(
                (there.kind, there.detail, there.column),
                (here.fault.kind, here.fault.detail, here.fault.column),
                "{text}"
            );
        }
    }

    #[test]
    fn every_fault_stays_one_item() {
        let strange = " 5\n\thello\n\u{b}\n\u{c}\n\u{85}\n\u{a0}\n\u{2028}\n\u{2003}\n\r5\n \u{feff}#\n";
        let block = "12345678\n".repeat(9) + "\n" + &"1234567891\n".repeat(9) + "\n#x\n\u{1F600}\nab\n" + strange;
        let found = items(&block);
        let sent = sendable(7, &found, None).expect("few");
        assert_eq!((sent.first_index, sent.end), (7, 7 + found.len() as u32));
        let again: Vec<_> = puzzle_lines(&sent.text).map(parse_line).collect();
        assert_eq!(again.len(), found.len());
        assert!(again.iter().all(Result::is_err));
    }

    fn block(first_index: u32, end: u32) -> Result<Sendable, Failure> {
        Ok(Sendable { first_index, end, text: "x".into() })
    }

    #[tokio::test]
    async fn what_is_not_stored_is_sent_again() {
        let (tell, source) = mpsc::channel(4);
        let mut blocks = UploadBlocks {
            source,
            unstored: VecDeque::new(),
            unstored_bytes: 0,
            sent: 0,
            stored: 0,
            read: 0,
            ended: false,
        };
        for range in [(0, 10), (10, 20), (20, 30)] {
            tell.send(block(range.0, range.1)).await.expect("room");
        }
        drop(tell);
        async fn first(blocks: &mut UploadBlocks) -> Option<u32> {
            match blocks.next().await.expect("readable") {
                Next::Block(block) => block.first_index,
                Next::End(_) => None,
            }
        }
        assert_eq!((first(&mut blocks).await, first(&mut blocks).await), (Some(0), Some(10)));
        blocks.stored(10);
        assert_eq!(blocks.restart(15), Ok(()));
        assert_eq!((first(&mut blocks).await, first(&mut blocks).await), (Some(10), Some(20)));
        assert_eq!(blocks.next().await, Ok(Next::End(30)));
        blocks.stored(30);
        assert_eq!((blocks.unstored_bytes, blocks.unstored.len()), (0, 0));
        assert!(blocks.restart(20).is_err_and(|lost| lost.message.contains("20..30")));
    }
}

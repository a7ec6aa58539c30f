//! What a command reads: a file or stdin, as blocks of numbered items whatever their text form.

use super::exit::Failure;
use crate::sudoku::text::{GridReader, TextItem};
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;

/// Items in a block, more or less: a block ends with the piece that fills it.
const BLOCK_ITEMS: usize = 8_192;

/// Bytes read at a time.
const PIECE_BYTES: usize = 128 << 10;

/// Consecutive items of an input.
#[derive(Debug)]
pub struct Block {
    /// Index of the first of them.
    pub first_index: u64,
    /// The items, at least one.
    pub items: Vec<TextItem>,
    /// Bytes of the input read up to here.
    pub bytes_read: u64,
}

/// An open input: an iterator over its blocks, which ends after the first failure.
pub struct Input {
    source: Box<dyn Read + Send>,
    reader: GridReader,
    piece: Vec<u8>,
    next_index: u64,
    bytes_read: u64,
    ended: bool,
    /// Its name, for messages.
    pub name: String,
    /// Its length in bytes, if it is a file.
    pub length: Option<u64>,
}

impl Input {
    /// Opens a file; `-` is stdin.
    ///
    /// # Errors
    /// When there is none, or it can't be read.
    pub fn open(path: &Path) -> Result<Input, Failure> {
        if path.as_os_str() == "-" {
            return Ok(Input::over(Box::new(std::io::stdin()), "stdin".into(), None));
        }
        let name = path.display().to_string();
        let wrong = |e| Failure::read(&name, &e);
        let file = File::open(path).map_err(wrong)?;
        let meta = file.metadata().map_err(wrong)?;
        if meta.is_dir() {
            return Err(Failure::io(format!("cannot read {name}: it is a directory")));
        }
        let length = meta.is_file().then_some(meta.len());
        Ok(Input::over(Box::new(file), name, length))
    }

    fn over(source: Box<dyn Read + Send>, name: String, length: Option<u64>) -> Input {
        let piece = vec![0; PIECE_BYTES];
        let reader = GridReader::default();
        Input { source, reader, piece, next_index: 0, bytes_read: 0, ended: false, name, length }
    }

    /// Reads until a block is full or the input ends; empty at its end.
    fn read_items(&mut self) -> Result<Vec<TextItem>, Failure> {
        let mut items = Vec::with_capacity(BLOCK_ITEMS);
        while !self.ended && items.len() < BLOCK_ITEMS {
            match self.source.read(&mut self.piece) {
                Ok(0) => {
                    self.ended = true;
                    self.reader.finish(&mut items);
                }
                Ok(n) => {
                    self.bytes_read += n as u64;
                    self.reader.feed(&self.piece[..n], &mut items);
                }
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) => {
                    self.ended = true;
                    return Err(Failure::read(&self.name, &e));
                }
            }
        }
        Ok(items)
    }
}

impl Iterator for Input {
    type Item = Result<Block, Failure>;

    fn next(&mut self) -> Option<Result<Block, Failure>> {
        let items = match self.read_items() {
            Ok(items) if items.is_empty() => return None,
            Ok(items) => items,
            Err(failure) => return Some(Err(failure)),
        };
        let first_index = self.next_index;
        self.next_index += items.len() as u64;
        Some(Ok(Block { first_index, items, bytes_read: self.bytes_read }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(text: String) -> Vec<Block> {
        let source = std::io::Cursor::new(text.into_bytes());
        Input::over(Box::new(source), "test".into(), None).map(|block| block.expect("readable")).collect()
    }

    #[test]
    fn blocks_follow_each_other() {
        assert!(blocks(String::new()).is_empty() && blocks("# nothing\n\n".into()).is_empty());
        let line = format!("{}\n", ".".repeat(81));
        let all = blocks(line.repeat(20_000));
        assert!(all.len() > 1 && all.iter().all(|block| block.items.len() < 2 * BLOCK_ITEMS));
        let mut next = 0;
        for block in &all {
            assert_eq!((block.first_index, block.items[0].line), (next, next + 1));
            next += block.items.len() as u64;
        }
        assert_eq!((next, all.last().map(|block| block.bytes_read)), (20_000, Some(20_000 * 82)));
    }

    #[test]
    fn a_failing_source_ends_the_blocks() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
                Err(std::io::Error::other("gone"))
            }
        }
        let mut input = Input::over(Box::new(Broken), "disk".into(), None);
        assert_eq!(input.next().expect("failure").expect_err("broken").message, "cannot read disk: gone");
        assert!(input.next().is_none());
    }
}

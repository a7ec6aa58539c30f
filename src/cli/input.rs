//! What a command reads: a file or stdin, as blocks of numbered items whatever their text form.

use super::exit::Failure;
use crate::sudoku::text::{GridReader, PlainLines, TextItem};
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;

/// Items in a block, more or less: a block ends with the piece that fills it.
const BLOCK_ITEMS: usize = 8_192;

/// Bytes of a part of plain lines.
const PART_BYTES: usize = BLOCK_ITEMS * 83;

/// Bytes read in any form before plain lines are looked for again.
const ODD_BYTES: usize = 16 << 10;

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

    /// The blocks, plain lines unread.
    pub fn parts(self) -> Parts {
        Parts { input: self, bytes: Vec::new() }
    }

    /// Appends what the next read gives; none at the end.
    fn read_more(&mut self, bytes: &mut Vec<u8>) -> Result<(), Failure> {
        let start = bytes.len();
        bytes.resize(PART_BYTES.max(start + 1), 0);
        let read = self.source.read(&mut bytes[start..]);
        bytes.truncate(start + *read.as_ref().unwrap_or(&0));
        match read {
            Ok(0) => self.ended = true,
            Ok(n) => self.bytes_read += n as u64,
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(e) => {
                self.ended = true;
                return Err(Failure::read(&self.name, &e));
            }
        }
        Ok(())
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

/// A block, or plain lines as they came.
#[derive(Debug)]
pub enum Part {
    /// Items of any form.
    Items(Block),
    /// Whole plain lines, one after the other.
    Plain(Plain),
}

/// Consecutive plain lines of an input.
#[derive(Debug)]
pub struct Plain {
    /// Index of the first item.
    pub first_index: u64,
    /// Line of the input where it stands, from 1.
    pub first_line: u64,
    /// How they stand in the text.
    pub lines: PlainLines,
    /// They and nothing else.
    pub text: Vec<u8>,
    /// Bytes of the input read up to here, or a little further.
    pub bytes_read: u64,
}

/// An open input in parts: an iterator that ends after the first failure.
pub struct Parts {
    input: Input,
    /// What was read and is not yet in a part.
    bytes: Vec<u8>,
}

impl Parts {
    /// The plain lines that come next, if any.
    fn plain(&mut self) -> Option<Plain> {
        let input = &mut self.input;
        if !input.reader.is_between_items() {
            return None;
        }
        let lines = PlainLines::at_start(&self.bytes);
        if lines.count == 0 {
            return None;
        }
        let rest = self.bytes.split_off(lines.count * lines.stride);
        let text = std::mem::replace(&mut self.bytes, rest);
        let (first_index, first_line) = (input.next_index, input.reader.skip_plain(lines.count));
        input.next_index += lines.count as u64;
        Some(Plain { first_index, first_line, lines, text, bytes_read: input.bytes_read })
    }

    /// The items of the lines that come next, which are not plain: a few, for what follows them may be.
    fn items(&mut self) -> Vec<TextItem> {
        let mut items = Vec::new();
        let end = self.bytes.iter().skip(ODD_BYTES).position(|&byte| byte == b'\n');
        let end = end.map_or(self.bytes.len(), |end| ODD_BYTES + end + 1);
        self.input.reader.feed(&self.bytes[..end], &mut items);
        self.bytes.drain(..end);
        if self.bytes.is_empty() && self.input.ended {
            self.input.reader.finish(&mut items);
        }
        items
    }
}

impl Iterator for Parts {
    type Item = Result<Part, Failure>;

    fn next(&mut self) -> Option<Result<Part, Failure>> {
        loop {
            while self.bytes.len() < PART_BYTES && !self.input.ended {
                if let Err(failure) = self.input.read_more(&mut self.bytes) {
                    self.bytes.clear();
                    return Some(Err(failure));
                }
            }
            if let Some(plain) = self.plain() {
                return Some(Ok(Part::Plain(plain)));
            }
            let done = self.bytes.is_empty();
            let items = self.items();
            if !items.is_empty() {
                let first_index = self.input.next_index;
                self.input.next_index += items.len() as u64;
                return Some(Ok(Part::Items(Block { first_index, items, bytes_read: self.input.bytes_read })));
            }
            if done && self.input.ended {
                return None;
            }
        }
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

    /// All items of a text, each with its index and line, whatever the parts.
    fn items_of_parts(text: &str) -> Vec<(u64, u64, String)> {
        let source = std::io::Cursor::new(text.as_bytes().to_vec());
        let parts = Input::over(Box::new(source), "test".into(), None).parts();
        let mut items = Vec::new();
        for part in parts {
            match part.expect("readable") {
                Part::Items(block) => {
                    let item = |(i, item): (u64, &TextItem)| (i, item.line, format!("{:?}", item.grid));
                    items.extend((block.first_index..).zip(&block.items).map(item));
                }
                Part::Plain(plain) => {
                    let lines = std::str::from_utf8(&plain.text).expect("text").lines();
                    let item = |(n, line)| {
                        (
                            plain.first_index + n,
                            plain.first_line + n,
                            format!("{:?}", Ok::<_, ()>(crate::sudoku::text::parse(line).expect("good"))),
                        )
                    };
                    items.extend((0..).zip(lines).map(item));
                }
            }
        }
        items
    }

    #[test]
    fn parts_hold_what_blocks_hold() {
        let plain = format!("{}5\n", ".".repeat(80));
        let grid = format!("{}\n", "123456789\n".repeat(9));
        let bad = "12x\n";
        let last = plain.trim_end();
        let texts = [
            String::new(),
            plain.clone(),
            last.to_owned(),
            plain.repeat(20_000),
            format!("{}# comment\n\n{}{last}", plain.repeat(9_000), plain.repeat(3)),
            format!("\u{feff}{}", plain.repeat(5)),
            format!("{}{bad}{}{bad}{bad}", plain.repeat(100), plain.repeat(9_000)),
            format!("{grid}{}{grid}", plain.repeat(3)),
            format!("{}\r\n{}", plain.trim_end(), plain.repeat(4)),
            grid.repeat(2_000),
            plain.replace('\n', "\r\n").repeat(9_000),
            format!("{}{}", plain.repeat(7), plain.replace('\n', "\r\n").repeat(7)),
        ];
        for text in texts {
            let source = std::io::Cursor::new(text.as_bytes().to_vec());
            let blocks = Input::over(Box::new(source), "test".into(), None);
            let mut whole = Vec::new();
            for block in blocks.map(|block| block.expect("readable")) {
                let item = |(i, item): (u64, &TextItem)| (i, item.line, format!("{:?}", item.grid));
                whole.extend((block.first_index..).zip(&block.items).map(item));
            }
            assert_eq!(items_of_parts(&text), whole, "{:.200}", text);
        }
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

//! Segment files by number: their names, and the header that tells whose they are.
//!
//! The header is `SUDOKSEG`, then little-endian: the format (u32), the segment's number (u32), the store's id (u64),
//! the CRC32C of all that (u32), and four zero bytes. Must never know what follows the header.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// Bytes before the first payload.
pub(super) const HEADER_BYTES: u64 = 32;

const MAGIC: &[u8; 8] = b"SUDOKSEG";
const FORMAT: u32 = 1;
const SUFFIX: &str = ".seg";

/// What a header says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Header {
    /// The segment that its name says.
    Ours,
    /// A sound header of another store, number or format.
    Foreign,
    /// None that can be read. Payloads prove themselves, so the file is not lost for it.
    Damaged,
}

/// The directory of a store's segments.
#[derive(Debug)]
pub(super) struct Folder {
    dir: PathBuf,
    store: u64,
}

impl Folder {
    /// A directory that is there, of the store with this id.
    pub(super) fn new(dir: PathBuf, store: u64) -> Folder {
        Folder { dir, store }
    }

    /// The file of a segment.
    pub(super) fn path(&self, number: u32) -> PathBuf {
        self.dir.join(format!("{number:08}{SUFFIX}"))
    }

    /// Makes a new segment; its name is durable then, its content once it is synced.
    pub(super) fn create(&self, number: u32) -> io::Result<File> {
        let file = File::options().read(true).write(true).create_new(true).open(self.path(number))?;
        file.write_all_at(&self.header(number), 0)?;
        sync_folder(&self.dir)?;
        Ok(file)
    }

    /// Opens a segment and reads its header.
    pub(super) fn open(&self, number: u32, write: bool) -> io::Result<(File, Header)> {
        let file = File::options().read(true).write(write).open(self.path(number))?;
        let mut found = [0; HEADER_BYTES as usize];
        let read = file.read_exact_at(&mut found, 0);
        let header = read.map_or(Header::Damaged, |()| self.check(number, &found));
        Ok((file, header))
    }

    /// Removes a segment; one that is not there, or is another store's, is left alone.
    pub(super) fn remove(&self, number: u32) -> io::Result<()> {
        match self.open(number, false) {
            Ok((_, Header::Foreign)) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            _ => std::fs::remove_file(self.path(number)),
        }
    }

    /// The numbers of all files that have a segment's name, ascending.
    pub(super) fn numbers(&self) -> io::Result<Vec<u32>> {
        let mut numbers = Vec::new();
        for entry in std::fs::read_dir(&self.dir)? {
            numbers.extend(entry?.file_name().to_str().and_then(number));
        }
        numbers.sort_unstable();
        Ok(numbers)
    }

    /// The size of all segments.
    pub(super) fn bytes(&self) -> io::Result<u64> {
        let sizes = self.numbers()?.into_iter().map(|number| std::fs::metadata(self.path(number)));
        // One that was removed meanwhile takes none.
        Ok(sizes.map(|metadata| metadata.map_or(0, |metadata| metadata.len())).sum())
    }

    fn header(&self, number: u32) -> [u8; HEADER_BYTES as usize] {
        let mut header = [0; HEADER_BYTES as usize];
        header[..8].copy_from_slice(MAGIC);
        header[8..12].copy_from_slice(&FORMAT.to_le_bytes());
        header[12..16].copy_from_slice(&number.to_le_bytes());
        header[16..24].copy_from_slice(&self.store.to_le_bytes());
        let crc = crc32c::crc32c(&header[..24]);
        header[24..28].copy_from_slice(&crc.to_le_bytes());
        header
    }

    fn check(&self, number: u32, found: &[u8; HEADER_BYTES as usize]) -> Header {
        let is_sound = found.starts_with(MAGIC) && found[24..28] == crc32c::crc32c(&found[..24]).to_le_bytes();
        match (is_sound, *found == self.header(number)) {
            (_, true) => Header::Ours,
            (true, false) => Header::Foreign,
            (false, false) => Header::Damaged,
        }
    }
}

/// Makes a directory's entries durable.
pub(super) fn sync_folder(dir: &Path) -> io::Result<()> {
    File::open(dir)?.sync_all()
}

fn number(name: &str) -> Option<u32> {
    let digits = name.strip_suffix(SUFFIX)?;
    let is_number = digits.len() >= 8 && digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|_| is_number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let cases = [
            ("00000007.seg", Some(7)),
            ("4294967295.seg", Some(u32::MAX)),
            ("4294967296.seg", None),
            ("7.seg", None),
            ("+0000007.seg", None),
            ("00000007.tmp", None),
            ("00000007", None),
        ];
        for (name, want) in cases {
            assert_eq!(number(name), want, "{name}");
        }
        let folder = Folder::new("d".into(), 1);
        assert_eq!(folder.path(7), Path::new("d/00000007.seg"));
        assert_eq!(folder.path(u32::MAX), Path::new("d/4294967295.seg"));
    }

    #[test]
    fn a_header_tells_whose_the_file_is() {
        let dir = tempfile::tempdir().expect("dir");
        let folder = Folder::new(dir.path().into(), 0x0102_0304_0506_0708);
        let file = folder.create(9).expect("create");
        let bytes = std::fs::read(folder.path(9)).expect("read");
        assert_eq!(bytes[..24], *b"SUDOKSEG\x01\0\0\0\x09\0\0\0\x08\x07\x06\x05\x04\x03\x02\x01");
        let header = || folder.open(9, false).map(|(_, header)| header).expect("open");
        assert_eq!(header(), Header::Ours);
        assert!(folder.create(9).is_err(), "never made twice");

        let other = Folder::new(dir.path().into(), 5);
        assert_eq!(other.open(9, false).expect("open").1, Header::Foreign);
        other.remove(9).expect("is left alone");
        std::fs::copy(folder.path(9), folder.path(8)).expect("copy");
        assert_eq!(folder.open(8, false).expect("open").1, Header::Foreign, "by its number");
        for (at, byte) in (0..28).zip(bytes) {
            file.write_all_at(&[byte ^ 1], at).expect("write");
            assert_eq!(header(), Header::Damaged, "byte {at}");
            file.write_all_at(&[byte], at).expect("write");
        }
        file.set_len(31).expect("cut");
        assert_eq!(header(), Header::Damaged);
        assert_eq!(folder.numbers().expect("numbers"), [8, 9]);
        assert_eq!(folder.bytes().expect("bytes"), 63);
        folder.remove(9).expect("remove");
        folder.remove(9).expect("is gone");
        assert_eq!(folder.numbers().expect("numbers"), [8]);
    }
}

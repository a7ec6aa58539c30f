//! [`Files`]: payloads by their place, over a bounded number of open files.
//!
//! Whether the bytes are the right ones is the caller's to check. Must never know what is appended or removed when.

use super::file::{Folder, Header};
use super::place::Place;
use bytes::Bytes;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Files that are kept open for reading.
const OPEN_FILES: usize = 64;
/// What Linux and its kin call an error of the device.
const EIO: i32 = 5;

/// See the module.
#[derive(Debug)]
pub struct Files {
    /// Where they are.
    pub(super) folder: Folder,
    /// The last one used is the last.
    open: Mutex<Vec<(u32, Arc<File>)>>,
}

impl Files {
    /// The files of a folder.
    pub(super) fn new(folder: Folder) -> Files {
        Files { folder, open: Mutex::default() }
    }

    /// The bytes of a place; `None` where there are none: no such file, one that is too short, another store's, or
    /// a device that can't read them.
    ///
    /// # Errors
    /// What may pass, as too many open files.
    pub fn read(&self, place: Place) -> io::Result<Option<Bytes>> {
        let read = || {
            let file = self.file(place.segment)?;
            let mut bytes = vec![0; place.bytes as usize];
            file.read_exact_at(&mut bytes, place.offset)?;
            Ok(Bytes::from(bytes))
        };
        match read() {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if is_lost(&error) => {
                tracing::debug!(?place, %error, "a payload could not be read");
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// The size of all segments.
    pub fn bytes(&self) -> io::Result<u64> {
        self.folder.bytes()
    }

    /// Removes a segment. Who is reading it goes on.
    pub(super) fn remove(&self, segment: u32) -> io::Result<()> {
        self.folder.remove(segment)?;
        self.open().retain(|(open, _)| *open != segment);
        Ok(())
    }

    /// Opens under the lock, so that no file stays open for longer than it has a name.
    fn file(&self, segment: u32) -> io::Result<Arc<File>> {
        let mut open = self.open();
        if let Some(at) = open.iter().position(|(open, _)| *open == segment) {
            open[at..].rotate_left(1);
        } else {
            let (file, header) = self.folder.open(segment, false)?;
            if header == Header::Foreign {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "the segment is another store's"));
            }
            if open.len() >= OPEN_FILES {
                open.remove(0);
            }
            open.push((segment, Arc::new(file)));
        }
        open.last().map(|(_, file)| file.clone()).ok_or_else(|| io::Error::other("no file is open"))
    }

    fn open(&self) -> MutexGuard<'_, Vec<(u32, Arc<File>)>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn is_lost(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidData, NotFound, UnexpectedEof};
    matches!(error.kind(), InvalidData | NotFound | UnexpectedEof) || error.raw_os_error() == Some(EIO)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(dir: &tempfile::TempDir) -> Files {
        Files::new(Folder::new(dir.path().into(), 7))
    }

    #[test]
    fn a_few_files_stay_open_and_all_are_read() {
        let dir = tempfile::tempdir().expect("dir");
        let files = files(&dir);
        for segment in 1..=100 {
            let file = files.folder.create(segment).expect("create");
            file.write_all_at(&segment.to_le_bytes(), 32).expect("write");
        }
        for segment in (1..=100).chain((1..=100).rev()).chain([3, 3, 50, 3]) {
            let place = Place { segment, offset: 32, bytes: 4 };
            assert_eq!(files.read(place).expect("read").as_deref(), Some(&segment.to_le_bytes()[..]));
            let open = files.open();
            assert!(open.len() <= OPEN_FILES && open.last().is_some_and(|(last, _)| *last == segment));
        }
    }

    #[test]
    fn what_is_not_there_is_none() {
        let dir = tempfile::tempdir().expect("dir");
        let files = files(&dir);
        files.folder.create(1).expect("create").write_all_at(b"abc", 32).expect("write");
        Folder::new(dir.path().into(), 8).create(2).expect("create").write_all_at(b"abc", 32).expect("write");
        let read = |segment, offset| files.read(Place { segment, offset, bytes: 3 }).expect("no other error");
        assert_eq!(read(1, 32).as_deref(), Some(&b"abc"[..]));
        assert_eq!((read(1, 33), read(1, 1 << 40)), (None, None), "behind the end");
        assert_eq!((read(2, 32), read(3, 32)), (None, None), "another store's, and no file");
        files.remove(1).expect("remove");
        assert_eq!(read(1, 32), None);
    }
}

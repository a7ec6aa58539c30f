//! [`Tail`]: the one segment that grows.
//!
//! Payloads go to the file as they come and are synced once a group. What a failed group wrote is cut off; after
//! a failed sync or commit the file is left for good, as nobody knows what the disk has of it. Must never know
//! what lives where.

use super::file::HEADER_BYTES;
use super::place::Place;
use super::read::Files;
use crate::store::metrics;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::sync::Arc;
use std::time::Instant;

/// See the module.
#[derive(Debug)]
pub(super) struct Tail {
    files: Arc<Files>,
    open: Option<Open>,
    /// The number of the next segment: none is used twice.
    next: u32,
    /// A segment of so many bytes takes no further group.
    limit: u64,
    rolled: bool,
    /// Bytes that the disk still takes, in tests.
    #[cfg(test)]
    pub(super) room: Option<u64>,
}

/// A file that is appended to.
#[derive(Debug)]
struct Open {
    number: u32,
    file: File,
    /// Where the last settled group ends.
    settled: u64,
    /// Where the next payload goes.
    end: u64,
    /// Written to since it was settled.
    dirty: bool,
    /// Synced since it was settled: whether rows name it now is not known before the commit is.
    synced: bool,
}

impl Tail {
    /// No file yet; the first append makes number `next`.
    pub(super) fn new(files: Arc<Files>, next: u32, limit: u64) -> Tail {
        Tail {
            files,
            open: None,
            next,
            limit,
            rolled: false,
            #[cfg(test)]
            room: None,
        }
    }

    /// Goes on behind `end` in a file that is there.
    pub(super) fn resume(&mut self, number: u32, file: File, end: u64) {
        self.open = Some(Open { number, file, settled: end, end, dirty: false, synced: false });
    }

    /// The file that grows now.
    pub(super) fn number(&self) -> Option<u32> {
        self.open.as_ref().map(|open| open.number)
    }

    /// Writes a payload at the end. One group is in one file.
    pub(super) fn append(&mut self, payload: &[u8]) -> io::Result<Place> {
        let bytes = u32::try_from(payload.len()).map_err(io::Error::other)?;
        self.roll()?;
        #[cfg(test)]
        let payload = self.fitting(payload);
        let open = self.open.as_mut().ok_or_else(|| io::Error::other("no segment is open"))?;
        open.dirty = true;
        open.file.write_all_at(payload, open.end)?;
        #[cfg(test)]
        if payload.len() < bytes as usize {
            return Err(io::ErrorKind::StorageFull.into());
        }
        let place = Place { segment: open.number, offset: open.end, bytes };
        open.end += u64::from(bytes);
        Ok(place)
    }

    /// Makes the group's payloads durable.
    pub(super) fn sync(&mut self) -> io::Result<()> {
        match self.open.as_mut().filter(|open| open.dirty) {
            Some(open) => {
                open.synced = true;
                let began = Instant::now();
                open.file.sync_data()?;
                metrics::segment_synced(began);
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// The group was committed.
    pub(super) fn settle(&mut self) {
        if let Some(open) = &mut self.open {
            (open.settled, open.dirty, open.synced) = (open.end, false, false);
        }
    }

    /// The group failed: cuts off what it wrote.
    pub(super) fn roll_back(&mut self) {
        let Some(mut open) = self.open.take_if(|open| open.dirty) else { return };
        let cut =
            if open.settled > HEADER_BYTES { open.file.set_len(open.settled) } else { self.files.remove(open.number) };
        if let Err(error) = &cut {
            tracing::warn!(segment = open.number, %error, "a segment could not be cut; the next start does it");
        }
        if cut.is_ok() && !open.synced && open.settled > HEADER_BYTES {
            (open.end, open.dirty) = (open.settled, false);
            self.open = Some(open);
        }
    }

    /// Appends no more to this segment.
    pub(super) fn leave(&mut self, number: u32) {
        self.open.take_if(|open| open.number == number);
    }

    /// Whether a segment became full since the last call.
    pub(super) fn rolled(&mut self) -> bool {
        std::mem::take(&mut self.rolled)
    }

    /// Begins the next segment where there is none, or the last one is full and in no group's hands.
    fn roll(&mut self) -> io::Result<()> {
        if self.open.as_ref().is_some_and(|open| open.dirty || open.end < self.limit) {
            return Ok(());
        }
        self.rolled |= self.open.take().is_some();
        let number = self.next;
        self.next = number.checked_add(1).ok_or_else(|| io::Error::other("no segment numbers are left"))?;
        let file = self.files.folder.create(number).inspect_err(|_| {
            // What is left of it is removed by the next start, if not now.
            let _ = self.files.remove(number);
        })?;
        self.resume(number, file, HEADER_BYTES);
        // The header waits for its sync like a payload.
        if let Some(open) = &mut self.open {
            open.dirty = true;
        }
        Ok(())
    }

    /// The part of a payload for which a disk that is nearly full has room.
    #[cfg(test)]
    fn fitting<'a>(&mut self, payload: &'a [u8]) -> &'a [u8] {
        let Some(room) = &mut self.room else { return payload };
        let fits = payload.len().min(*room as usize);
        *room -= fits as u64;
        &payload[..fits]
    }
}

#[cfg(test)]
mod tests {
    use super::super::file::Folder;
    use super::*;

    fn tail(dir: &tempfile::TempDir, limit: u64) -> Tail {
        Tail::new(Arc::new(Files::new(Folder::new(dir.path().into(), 1))), 1, limit)
    }

    fn sizes(dir: &tempfile::TempDir) -> Vec<(String, u64)> {
        let mut sizes: Vec<_> = std::fs::read_dir(dir.path())
            .expect("list")
            .map(|entry| entry.expect("entry"))
            .map(|entry| (entry.file_name().into_string().expect("name"), entry.metadata().expect("size").len()))
            .collect();
        sizes.sort();
        sizes
    }

    fn named(sizes: &[(&str, u64)]) -> Vec<(String, u64)> {
        sizes.iter().map(|(name, size)| ((*name).to_owned(), *size)).collect()
    }

    #[test]
    fn groups_fill_a_file_and_go_on_in_the_next() {
        let dir = tempfile::tempdir().expect("dir");
        let mut tail = tail(&dir, 40);
        let mut places = Vec::new();
        for group in [&[b"abc", b"def"][..], &[b"ghi", b"jkl", b"mno"], &[b"pqr"]] {
            for payload in group {
                places.push((tail.append(*payload).expect("append"), *payload));
            }
            tail.sync().expect("sync");
            tail.settle();
        }
        assert_eq!(sizes(&dir), named(&[("00000001.seg", 47), ("00000002.seg", 35)]), "one group is in one file");
        assert!(tail.rolled() && !tail.rolled());
        assert_eq!(tail.number(), Some(2));
        for (place, payload) in places {
            assert_eq!(tail.files.read(place).expect("read").as_deref(), Some(&payload[..]));
        }
    }

    #[test]
    fn a_group_that_failed_leaves_nothing() {
        let dir = tempfile::tempdir().expect("dir");
        let mut tail = tail(&dir, 1 << 20);
        tail.append(b"gone").expect("append");
        tail.roll_back();
        assert!(sizes(&dir).is_empty(), "nor a file");
        tail.append(b"stays").expect("append");
        tail.sync().expect("sync");
        tail.settle();
        tail.roll_back();
        assert_eq!(sizes(&dir), named(&[("00000002.seg", 37)]), "there was nothing to undo");

        tail.append(b"gone").expect("append");
        tail.room = Some(3);
        let full = tail.append(b"does not fit").expect_err("full");
        assert_eq!(full.kind(), io::ErrorKind::StorageFull);
        assert_eq!(sizes(&dir), named(&[("00000002.seg", 44)]));
        tail.roll_back();
        tail.room = None;
        assert_eq!(sizes(&dir), named(&[("00000002.seg", 37)]));
        let next = tail.append(b"next").expect("append");
        assert_eq!(next, Place { segment: 2, offset: 37, bytes: 4 });
        assert_eq!(tail.files.read(next).expect("read").as_deref(), Some(&b"next"[..]));
    }

    #[test]
    fn after_a_sync_in_vain_the_file_is_left() {
        let dir = tempfile::tempdir().expect("dir");
        let mut tail = tail(&dir, 1 << 20);
        for payload in [b"one", b"two"] {
            tail.append(payload).expect("append");
            tail.sync().expect("sync");
            match payload {
                b"one" => tail.settle(),
                _ => tail.roll_back(),
            }
        }
        assert_eq!(tail.number(), None);
        assert_eq!(tail.append(b"three").expect("append"), Place { segment: 2, offset: 32, bytes: 5 });
        assert_eq!(sizes(&dir), named(&[("00000001.seg", 35), ("00000002.seg", 37)]));
        tail.leave(1);
        assert_eq!(tail.number(), Some(2));
        tail.leave(2);
        assert_eq!(tail.number(), None);
    }
}

//! From what rows say and what the disk has to [`Segments`]: says what is missing, removes what no row names.
//!
//! Reads headers and sizes, never payloads. Must never know rows.

use super::append::Tail;
use super::file::{Folder, HEADER_BYTES, Header, sync_folder};
use super::ledger::Ledger;
use super::place::Extent;
use super::read::Files;
use super::set::Segments;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// Opens the segments of the store with this id, of which rows say `extents`, ascending; a segment takes about
/// `limit` bytes.
pub fn recover(dir: &Path, store: u64, limit: u64, extents: &[Extent]) -> io::Result<Segments> {
    if !dir.exists() {
        std::fs::create_dir(dir)?;
        dir.parent().map_or(Ok(()), sync_folder)?;
    }
    let files = Arc::new(Files::new(Folder::new(dir.to_path_buf(), store)));
    let numbers = files.folder.numbers()?;
    remove_orphans(&files.folder, &numbers, extents)?;
    let last = numbers.last().copied().max(extents.last().map(|extent| extent.segment)).unwrap_or(0);
    let mut tail = Tail::new(files.clone(), last.saturating_add(1), limit);
    for extent in extents {
        let sound = inspect(&files.folder, extent)?;
        if let Some(file) = sound.filter(|_| Some(extent) == extents.last() && extent.end < limit) {
            tail.resume(extent.segment, file, extent.end);
        }
    }
    Ok(Segments { files, tail, ledger: Ledger::new(extents) })
}

/// Removes the files that no row names: their commits never came, or their removal did not. Another store's stay.
fn remove_orphans(folder: &Folder, numbers: &[u32], extents: &[Extent]) -> io::Result<()> {
    for number in numbers {
        if extents.binary_search_by_key(number, |extent| extent.segment).is_ok() {
            continue;
        }
        let path = folder.path(*number);
        if let (_, Header::Foreign) = folder.open(*number, false)? {
            tracing::warn!(segment = %path.display(), "is another store's and is left alone");
        } else {
            tracing::info!(segment = %path.display(), "holds nothing and is removed");
            folder.remove(*number)?;
        }
    }
    Ok(())
}

/// Looks at a segment that rows name, and cuts off what is behind the last place that they do. Returns it if all of it may
/// be there.
fn inspect(folder: &Folder, extent: &Extent) -> io::Result<Option<File>> {
    let path = folder.path(extent.segment);
    let segment = path.display();
    let (file, header) = match folder.open(extent.segment, true) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            tracing::error!(%segment, bytes = extent.live, "is missing: its payloads are lost");
            return Ok(None);
        }
        open => open?,
    };
    let length = file.metadata()?.len();
    match header {
        Header::Foreign => {
            tracing::error!(%segment, bytes = extent.live, "is another store's: the payloads of ours are lost");
            return Ok(None);
        }
        Header::Damaged => tracing::error!(%segment, "has a damaged header; payloads prove themselves"),
        Header::Ours => {}
    }
    if length < extent.end {
        tracing::error!(%segment, length, expected = extent.end, "is too short: payloads at its end are lost");
        return Ok(None);
    }
    if length > extent.end {
        file.set_len(extent.end.max(HEADER_BYTES))?;
    }
    Ok((header == Header::Ours).then_some(file))
}

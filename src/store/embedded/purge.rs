//! What deleted jobs leave behind goes here, in small steps while nothing else waits.
//!
//! A tombstone names a job whose payloads are still there. Once they are gone, segments that are mostly dead are
//! emptied, and free pages at the end of the database are given back. Must never know why a job was deleted.

use super::checkpoint::Checkpoints;
use super::commit::commit;
use super::fault::Fault;
use super::payload::{self, Kind};
use super::segments::Segments;
use super::state::Change;
use super::{compact, mark};
use rusqlite::{Connection, OptionalExtension};

/// Chunks of one step.
const STEP_CHUNKS: usize = 512;
/// Marks of one step: they are small.
const STEP_MARKS: usize = 4_096;
/// Pages given back in one step.
const STEP_PAGES: i64 = 256;
/// Free pages that stay for the next job, beside an eighth of the file.
const SPARE_PAGES: i64 = 256;

/// What is left to do.
#[derive(Debug, Default)]
pub(super) struct Purge {
    stage: Stage,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Stage {
    /// Tombstones may be left, as after an opening.
    #[default]
    Tombstones,
    /// Segments may be mostly dead.
    Segments,
    /// Pages may be free.
    Pages,
    /// The file is to be cut by a checkpoint.
    Cut,
    /// Nothing to do.
    Done,
}

impl Purge {
    /// Notes what a commit deleted, and whether it began another segment: the last one may be mostly dead by now.
    pub(super) fn note(&mut self, changes: &[Change], rolled: bool) {
        if rolled || changes.iter().any(|change| change.record.is_err()) {
            self.stage = Stage::Tombstones;
        }
    }

    /// Whether there is something to do.
    pub(super) fn is_due(&self) -> bool {
        self.stage != Stage::Done
    }

    /// One step. One that fails is tried again after the next deletion or opening.
    pub(super) fn step(&mut self, db: &Connection, segments: &mut Segments, checkpoints: &mut Checkpoints) {
        let next = match self.stage {
            Stage::Tombstones => {
                commit(db, segments, unbury).map(|more| if more { Stage::Tombstones } else { Stage::Segments })
            }
            Stage::Segments => {
                compact::step(db, segments).map(|more| if more { Stage::Segments } else { Stage::Pages })
            }
            Stage::Pages => give_back(db).map(|more| if more { Stage::Pages } else { Stage::Cut }),
            Stage::Cut | Stage::Done => {
                checkpoints.begin();
                Ok(Stage::Done)
            }
        };
        self.stage = next.unwrap_or_else(|error| {
            tracing::warn!(%error, "what deleted jobs left could not be removed; it is tried again");
            Stage::Done
        });
        checkpoints.look(db);
    }
}

/// Removes some chunks of a deleted job, or its tombstone when none is left. `false`: no tombstone is.
fn unbury(db: &Connection, segments: &mut Segments) -> Result<bool, Fault> {
    let seq =
        db.prepare_cached("SELECT seq FROM tombstone LIMIT 1")?.query_row([], |row| row.get::<_, i64>(0)).optional()?;
    let Some(seq) = seq else { return Ok(false) };
    let is_empty = payload::purge(db, segments, Kind::Input, seq, STEP_CHUNKS)? == 0
        && payload::purge(db, segments, Kind::Result, seq, STEP_CHUNKS)? == 0
        && mark::purge(db, seq, STEP_MARKS)? == 0;
    if is_empty {
        db.execute("DELETE FROM tombstone WHERE seq = ?1", [seq])?;
    }
    Ok(true)
}

/// Gives some pages back to the file system, unless few are free. `false`: enough.
fn give_back(db: &Connection) -> Result<bool, Fault> {
    let number = |name| db.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let spare = number("page_count")? / 8 + SPARE_PAGES;
    let excess = number("freelist_count")? - spare;
    if excess <= 0 {
        return Ok(false);
    }
    // Each row that it yields is a page.
    let mut query = db.prepare(&format!("PRAGMA incremental_vacuum({})", excess.min(STEP_PAGES)))?;
    let mut rows = query.query([])?;
    while rows.next()?.is_some() {}
    Ok(true)
}

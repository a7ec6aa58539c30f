//! What each operation does to a job's record: the checks and changes that all backends share.
//!
//! Pure: every function looks first and changes after, so that a refused operation changes nothing. Must never
//! know where records, chunks and leases are kept.

use super::api::{ChunkRecord, ListFilter, NewJob, PutChunk, StoreError, SweepLimits, UploadGrant, Usage};
use super::clock::later;
use crate::job::{ChunkRef, Counts, JobEvent, JobId, JobRecord, JobState, Principal, Timestamp, Work};

/// Lets a principal with this usage have more.
pub fn admit(usage: Usage, quota: Usage) -> Result<(), StoreError> {
    if usage.has_room(quota) { Ok(()) } else { Err(StoreError::OverQuota { usage, quota }) }
}

/// The record of a new job.
pub fn create(new: NewJob, now: Timestamp) -> JobRecord {
    let (state, total) = match &new.resolved.work {
        Work::Generate(work) => (JobState::Queued, Some(work.count)),
        Work::Solve(_) | Work::Rate(_) => (JobState::Uploading, None),
    };
    JobRecord {
        id: new.id,
        principal: new.principal,
        request_id: new.request_id,
        spec: new.resolved,
        state,
        revision: 1,
        stored: 0,
        total,
        counts: Counts::default(),
        payload_bytes: 0,
        upload_epoch: 0,
        created: now,
        started: None,
        ended: None,
        last_input: now,
        error: None,
    }
}

/// Applies an event to a record; the one way that a state changes. Says whether the event was allowed.
pub fn advance(record: &mut JobRecord, event: JobEvent, now: Timestamp) -> bool {
    let Some(next) = record.state.next(event) else { return false };
    let begins = event == JobEvent::Begun && record.started.is_none();
    if begins {
        record.started = Some(now);
    }
    if next != record.state || begins {
        record.state = next;
        record.revision += 1;
        if next.is_final() {
            record.ended = Some(now);
        }
    }
    true
}

/// Takes over the input.
pub fn open_upload(record: &mut JobRecord, now: Timestamp) -> Result<UploadGrant, StoreError> {
    writable(record)?;
    record.upload_epoch += 1;
    record.last_input = now;
    Ok(UploadGrant { epoch: record.upload_epoch, next_index: record.stored })
}

/// Admits chunks of input: returns those that are to be stored, without those that were stored before.
pub fn put_chunks(
    record: &mut JobRecord,
    epoch: u32,
    chunks: Vec<PutChunk>,
    now: Timestamp,
) -> Result<Vec<PutChunk>, StoreError> {
    fenced(record, epoch)?;
    writable(record)?;
    let job = record.id;
    let mut next = record.stored;
    let mut fresh = Vec::with_capacity(chunks.len());
    for put in chunks {
        let ChunkRef { first_index, count } = put.chunk;
        let Some(end) = first_index.checked_add(count).filter(|_| count > 0) else {
            return Err(StoreError::Broken(format!("job {job}: {count} items from {first_index} on are no chunk")));
        };
        if end <= next {
            continue;
        }
        if first_index != next {
            return Err(StoreError::Gap { job, expected: next, got: first_index });
        }
        if let Some(total) = record.total
            && end > total
        {
            return Err(StoreError::TotalMismatch { job, stored: end, total });
        }
        next = end;
        fresh.push(put);
    }
    record.last_input = now;
    if next != record.stored {
        record.payload_bytes += fresh.iter().map(|put| put.payload.len() as u64).sum::<u64>();
        record.stored = next;
        record.revision += 1;
    }
    Ok(fresh)
}

/// Ends the input.
pub fn seal(record: &mut JobRecord, epoch: u32, total: u32, now: Timestamp) -> Result<(), StoreError> {
    let mismatch = StoreError::TotalMismatch { job: record.id, stored: record.stored, total };
    if let Some(known) = record.total {
        return if known == total { Ok(()) } else { Err(mismatch) };
    }
    fenced(record, epoch)?;
    writable(record)?;
    if total != record.stored {
        return Err(mismatch);
    }
    record.total = Some(total);
    record.last_input = now;
    advance(record, JobEvent::Sealed, now);
    if record.started.is_some() {
        advance(record, JobEvent::Begun, now);
    }
    complete_if_done(record, now);
    Ok(())
}

/// Notes that the upload is alive.
pub fn touch_upload(record: &mut JobRecord, epoch: u32, now: Timestamp) -> Result<(), StoreError> {
    fenced(record, epoch)?;
    writable(record)?;
    record.last_input = now;
    Ok(())
}

/// Adds a chunk's result of so many bytes; the caller has seen to it that the chunk had none.
pub fn add_result(
    record: &mut JobRecord,
    chunk: ChunkRef,
    counts: &Counts,
    bytes: usize,
    now: Timestamp,
) -> Result<(), StoreError> {
    check_counts(record, chunk, counts)?;
    if record.started.is_none() {
        advance(record, JobEvent::Begun, now);
    }
    record.counts.merge(counts);
    record.payload_bytes += bytes as u64;
    record.revision += 1;
    complete_if_done(record, now);
    Ok(())
}

/// Whether these counts can be those of the chunk.
pub fn check_counts(record: &JobRecord, chunk: ChunkRef, counts: &Counts) -> Result<(), StoreError> {
    let (items, counted) = (chunk.count, counts.total());
    if counted == u64::from(items) {
        return Ok(());
    }
    Err(StoreError::Broken(format!("job {}: a result of {counted} items for a chunk of {items}", record.id)))
}

/// Whether an item that a worker names is one of its chunk.
pub fn check_item(job: JobId, chunk: ChunkRef, item: Option<u32>) -> Result<(), StoreError> {
    match item {
        Some(item) if !chunk.contains(item) => {
            let (first, end) = (chunk.first_index, chunk.end());
            Err(StoreError::Broken(format!("job {job}: item {item} is not in the chunk of items {first}..{end}")))
        }
        _ => Ok(()),
    }
}

/// Counts a fault against a chunk, and an item that is given up for good.
pub fn blame(record: &mut ChunkRecord, job: JobId, chunk: ChunkRef, condemn: Option<u32>) -> Result<(), StoreError> {
    check_item(job, chunk, condemn)?;
    record.failures += 1;
    if let Some(item) = condemn
        && let Err(place) = record.condemned.binary_search(&item)
    {
        record.condemned.insert(place, item);
    }
    Ok(())
}

/// Counts a crash against a chunk; `item` is the one that its last `begin` named.
pub fn crashed(record: &mut ChunkRecord, item: Option<u32>) {
    record.crashes += 1;
    record.suspect = item.map(|item| match record.suspect {
        Some((same, times)) if same == item => (item, times + 1),
        _ => (item, 1),
    });
}

/// Cancels a job of which `leases` chunks are out. On an ended one nothing changes.
pub fn cancel(record: &mut JobRecord, leases: u32, now: Timestamp) {
    if advance(record, JobEvent::Cancel, now) && leases == 0 {
        leases_ended(record, now);
    }
}

/// No chunk of the job is out any more.
pub fn leases_ended(record: &mut JobRecord, now: Timestamp) {
    advance(record, JobEvent::LeasesEnded, now);
}

/// Fails the whole job.
pub fn fail(record: &mut JobRecord, why: &str, now: Timestamp) -> Result<(), StoreError> {
    if !advance(record, JobEvent::Fail, now) {
        return Err(wrong_state(record));
    }
    record.error = Some(why.to_owned());
    Ok(())
}

/// Whether the job may be deleted.
pub fn deletable(record: &JobRecord) -> Result<(), StoreError> {
    if record.state.is_final() { Ok(()) } else { Err(wrong_state(record)) }
}

/// Why a sweep fails the job now, if it does: its upload was idle too long.
pub fn idle_too_long(record: &JobRecord, limits: &SweepLimits, now: Timestamp) -> Option<String> {
    let over = record.state == JobState::Uploading && now > later(record.last_input, limits.upload_idle);
    over.then(|| format!("no input came for more than {} s", limits.upload_idle.as_secs()))
}

/// Whether an ended job's time is over.
pub fn expired(record: &JobRecord, now: Timestamp) -> bool {
    record.expires().is_some_and(|end| end <= now)
}

/// Whether a listing shows the job.
pub fn listed(record: &JobRecord, principal: Option<&Principal>, filter: &ListFilter) -> bool {
    principal.is_none_or(|principal| *principal == record.principal)
        && (filter.states.is_empty() || filter.states.contains(&record.state))
        && filter.labels.iter().all(|(key, value)| record.spec.labels.get(key) == Some(value))
}

fn complete_if_done(record: &mut JobRecord, now: Timestamp) {
    if record.total.is_some_and(|total| record.done() == u64::from(total)) {
        advance(record, JobEvent::Completed, now);
    }
}

fn fenced(record: &JobRecord, epoch: u32) -> Result<(), StoreError> {
    // Epoch 0 was never granted.
    if epoch == record.upload_epoch && epoch > 0 { Ok(()) } else { Err(StoreError::Fenced { job: record.id, epoch }) }
}

fn writable(record: &JobRecord) -> Result<(), StoreError> {
    let fed = record.spec.work.is_generated() && record.state.is_workable();
    if fed || record.state == JobState::Uploading { Ok(()) } else { Err(wrong_state(record)) }
}

fn wrong_state(record: &JobRecord) -> StoreError {
    StoreError::WrongState { job: record.id, state: record.state }
}

#[cfg(test)]
mod tests;

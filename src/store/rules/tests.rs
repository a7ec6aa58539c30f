//! Tests of what the conformance suite cannot reach from outside.

use super::*;
use crate::store::conformance::kit::{chunk, chunks, counts_of, generate, solve};
use std::time::Duration;

const NOW: Timestamp = Timestamp(1_000);

#[test]
fn a_refused_operation_changes_nothing() {
    let mut record = create(solve("a"), NOW);
    let epoch = open_upload(&mut record, NOW).expect("is new").epoch;
    put_chunks(&mut record, epoch, chunks(0, &[5]), NOW).expect("fits");
    let before = record.clone();
    let later = Timestamp(2_000);
    let job = record.id;
    let mut gap = chunks(5, &[5]);
    gap.extend(chunks(11, &[1]));
    let refused = [
        put_chunks(&mut record, epoch, gap, later).map(drop),
        put_chunks(&mut record, epoch + 1, chunks(5, &[5]), later).map(drop),
        touch_upload(&mut record, 0, later),
        seal(&mut record, epoch, 6, later),
        add_result(&mut record, chunk(0, 5), &counts_of(chunk(0, 6)), 9, later),
        deletable(&record),
    ];
    for result in refused {
        result.expect_err("is refused");
        assert_eq!(record, before);
    }
    assert_eq!(record.id, job);
}

#[test]
fn a_chunk_of_nothing_or_beyond_all_indices_is_refused() {
    let mut record = create(solve("a"), NOW);
    let epoch = open_upload(&mut record, NOW).expect("is new").epoch;
    record.stored = u32::MAX - 1;
    for (first_index, count) in [(0, 0), (u32::MAX - 1, 0), (u32::MAX - 1, 2)] {
        let put = PutChunk { chunk: chunk(first_index, count), payload: "x".into() };
        let refused = put_chunks(&mut record, epoch, vec![put], NOW);
        assert!(matches!(refused, Err(StoreError::Broken(_))), "{refused:?}");
    }
}

#[test]
fn events_that_are_not_allowed_change_nothing() {
    let mut record = create(solve("a"), NOW);
    let before = record.clone();
    assert!(!advance(&mut record, JobEvent::Completed, NOW));
    assert!(!advance(&mut record, JobEvent::LeasesEnded, NOW));
    assert_eq!(record, before);
}

#[test]
fn only_uploads_are_idle() {
    let limits = SweepLimits { upload_idle: Duration::from_secs(1) };
    let mut record = create(solve("a"), NOW);
    assert_eq!(idle_too_long(&record, &limits, Timestamp(2_000)), None);
    assert_eq!(idle_too_long(&record, &limits, Timestamp(2_001)), Some("no input came for more than 1 s".to_owned()));
    record.state = JobState::Cancelling;
    assert_eq!(idle_too_long(&record, &limits, Timestamp(9_000)), None);
    let generated = create(generate("b", 5), NOW);
    assert_eq!(idle_too_long(&generated, &limits, Timestamp(9_000)), None);
}

#[test]
fn jobs_expire_from_their_end_on() {
    let mut record = create(solve("a"), NOW);
    assert!(!expired(&record, Timestamp(u64::MAX)));
    record.ended = Some(Timestamp(5_000));
    // 60 s to live.
    assert!(!expired(&record, Timestamp(64_999)) && expired(&record, Timestamp(65_000)));
}

#[test]
fn crashes_in_a_row_of_one_item_are_counted() {
    let mut record = ChunkRecord::default();
    let steps = [(Some(3), Some((3, 1))), (Some(3), Some((3, 2))), (Some(4), Some((4, 1))), (None, None)];
    for (times, (item, suspect)) in (1..).zip(steps) {
        crashed(&mut record, item);
        assert_eq!((record.crashes, record.suspect), (times, suspect));
    }
}

#[test]
fn a_worker_names_items_of_its_chunk_only() {
    let job = solve("a").id;
    let mut record = ChunkRecord::default();
    for (item, right) in [(None, true), (Some(5), true), (Some(9), true), (Some(4), false), (Some(10), false)] {
        assert_eq!(check_item(job, chunk(5, 5), item).is_ok(), right, "{item:?}");
        assert_eq!(blame(&mut record, job, chunk(5, 5), item).is_ok(), right, "{item:?}");
    }
    assert_eq!(record, ChunkRecord { failures: 3, condemned: vec![5, 9], ..ChunkRecord::default() });
}

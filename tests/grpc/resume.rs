//! Streams that break off, are taken over, or are read late: nothing is lost, nobody waits for ever.

use crate::puzzles::{PUZZLE, lines, puzzle, solution};
use crate::rig::{Rig, Setup, fact, field, reason};
use crate::stream::{Batch, finish, grid_lines, grids, opening, puzzles, solving, text};
use std::time::Duration;
use sudokud::grpc::proto::v1::submit_batch_response::Message as Answer;
use sudokud::grpc::proto::v1::{BatchSpec, CancelJobRequest, JobState, ResultMode};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Code, Request};

#[tokio::test]
async fn everything_is_uploaded_before_anything_is_read() {
    const ITEMS: usize = 60_000;
    let mut setup = Setup::default();
    (setup.grpc.stream_window_bytes, setup.grpc.connection_window_bytes) = (256 << 10, 512 << 10);
    let mut rig = Rig::with(setup).await;
    let (mut batch, job, _) = Batch::open(&rig, solving("greedy")).await;
    // 5 MB each way, more than either side's windows, while the answers are left alone.
    for first in (0..ITEMS).step_by(5_000) {
        batch.send(text(Some(first as u32), lines(first..first + 5_000))).await;
    }
    batch.send(finish(Some(ITEMS as u32))).await;
    rig.job_when(&job.job_id, |job| job.total_count == Some(ITEMS as u32)).await;
    let first = batch.block().await;
    assert_eq!(first.first_index, 0);
    assert_eq!(grid_lines(&first).next(), Some(solution(0).as_str()));
    rig.jobs.cancel_job(CancelJobRequest { job_id: job.job_id }).await.expect("cancelled");
    let (_, ended) = batch.rest().await;
    assert!(matches!(ended.state(), JobState::Cancelled | JobState::Succeeded));
    rig.stop().await;
}

#[tokio::test]
async fn results_of_one_block_may_be_waited_for_before_the_next_is_sent() {
    let rig = Rig::start().await;
    let (mut batch, ..) = Batch::open(&rig, solving("lockstep")).await;
    for round in 0..5 {
        batch.send(puzzles(None, &[&puzzle(2 * round), &puzzle(2 * round + 1)])).await;
        let mut lines = Vec::new();
        while lines.len() < 2 {
            lines.extend(grid_lines(&batch.block().await).map(String::from));
        }
        assert_eq!(lines, [solution(2 * round), solution(2 * round + 1)]);
    }
    batch.send(finish(Some(10))).await;
    assert_eq!(batch.rest().await.1.done_count, 10);
    rig.stop().await;
}

#[tokio::test]
async fn an_input_that_ends_without_finish_leaves_the_job_open() {
    let rig = Rig::start().await;
    let (mut batch, job, _) = Batch::open(&rig, solving("half")).await;
    batch.send(text(None, lines(0..7))).await;
    batch.close();
    let status = batch.ended().await;
    assert_eq!((status.code(), reason(&status)), (Code::FailedPrecondition, "UPLOAD_NOT_FINISHED".into()));
    assert_eq!((fact(&status, "next_index"), fact(&status, "request_id")), ("7".into(), "half".into()));
    assert_eq!(fact(&status, "job_id"), job.job_id);
    let open = rig.job_when(&job.job_id, |job| job.done_count == 7).await;
    assert_eq!((open.state(), open.stored_count, open.total_count), (JobState::Uploading, 7, None));

    // Resumed: what is stored is skipped, what follows is taken, results begin where they are wanted.
    let (mut resumed, same, next_index) = Batch::open_from(&rig, solving("half"), 5).await;
    assert_eq!((same.job_id, next_index), (job.job_id, 7));
    resumed.send(text(Some(4), lines(4..9))).await;
    resumed.send(finish(Some(9))).await;
    let (blocks, ended) = resumed.rest().await;
    assert_eq!(grids(&blocks), (5, (5..9).map(solution).collect()));
    assert_eq!((ended.state(), ended.done_count), (JobState::Succeeded, 9));
    rig.stop().await;
}

#[tokio::test]
async fn a_client_that_goes_away_cancels_nothing() {
    let rig = Rig::start().await;
    let (batch, job, _) = Batch::open(&rig, solving("gone")).await;
    batch.send(text(None, lines(0..5))).await;
    // Reset at once: the tail is stored all the same, or not at all, but nothing is torn.
    drop(batch);
    let (mut again, _, next_index) = Batch::open(&rig, solving("gone")).await;
    assert!(next_index <= 5);
    again.send(text(Some(0), lines(0..6))).await;
    again.send(finish(Some(6))).await;
    rig.job_in(&job.job_id, JobState::Succeeded).await;
    assert_eq!(grids(&again.rest().await.0), (0, (0..6).map(solution).collect()));
    rig.stop().await;
}

#[tokio::test]
async fn a_second_stream_takes_over_from_the_first() {
    let rig = Rig::start().await;
    let (mut first, job, _) = Batch::open(&rig, solving("shared")).await;
    first.send(text(None, lines(0..3))).await;
    first.stored(3).await;
    let (mut second, same, next_index) = Batch::open(&rig, solving("shared")).await;
    assert_eq!((same.job_id, next_index), (job.job_id.clone(), 3));
    // The first learns of it although it sends nothing.
    let fenced = first.ended().await;
    assert_eq!((fenced.code(), reason(&fenced)), (Code::Aborted, "UPLOAD_TAKEN_OVER".into()));
    assert_eq!(fact(&fenced, "job_id"), job.job_id);

    let (mut third, ..) = Batch::open(&rig, solving("shared")).await;
    // The second learns of it by what it sends.
    second.send(text(Some(3), lines(3..4))).await;
    let fenced = second.ended().await;
    assert_eq!((fenced.code(), reason(&fenced)), (Code::Aborted, "UPLOAD_TAKEN_OVER".into()));

    third.send(text(Some(3), lines(3..5))).await;
    third.send(finish(Some(5))).await;
    assert_eq!(grids(&third.rest().await.0), (0, (0..5).map(solution).collect()));
    rig.stop().await;
}

#[tokio::test]
async fn gaps_and_unnumbered_blocks_are_refused() {
    let rig = Rig::start().await;
    let (mut batch, ..) = Batch::open(&rig, solving("gap")).await;
    batch.send(text(Some(0), lines(0..3))).await;
    batch.send(text(Some(5), PUZZLE)).await;
    let gap = batch.ended().await;
    assert_eq!((gap.code(), reason(&gap)), (Code::OutOfRange, "UPLOAD_GAP".into()));
    assert_eq!(fact(&gap, "next_index"), "3");

    // What came before the gap is stored; on a stream that took over, each block says where it begins.
    let (mut again, _, next_index) = Batch::open(&rig, solving("gap")).await;
    assert_eq!(next_index, 3);
    again.send(text(None, PUZZLE)).await;
    let unnumbered = again.ended().await;
    assert_eq!((unnumbered.code(), field(&unnumbered)), (Code::InvalidArgument, "block.first_index".into()));
    rig.stop().await;
}

#[tokio::test]
async fn what_was_sent_before_a_bad_block_is_stored() {
    let rig = Rig::start().await;
    let (mut batch, job, _) = Batch::open(&rig, solving("bad")).await;
    batch.send(text(None, lines(0..3))).await;
    batch.send(opening(solving("bad"))).await;
    assert_eq!(batch.ended().await.code(), Code::InvalidArgument);
    // At once: the stream ended after it was stored.
    assert_eq!(rig.job(&job.job_id).await.stored_count, 3);
    rig.stop().await;
}

#[tokio::test]
async fn a_sealed_job_takes_repeats_and_nothing_new() {
    let rig = Rig::with(Setup { batch_threads: 0, ..Setup::default() }).await;
    let (mut batch, ..) = Batch::open(&rig, solving("sealed")).await;
    batch.send(text(None, lines(0..4))).await;
    batch.send(finish(None)).await;
    while !matches!(batch.next().await, Answer::Progress(_)) {}

    let (mut repeat, _, next_index) = Batch::open(&rig, solving("sealed")).await;
    assert_eq!(next_index, 4);
    repeat.send(text(Some(0), lines(0..4))).await;
    repeat.send(finish(Some(4))).await;
    repeat.send(finish(Some(4))).await;
    assert_eq!(field(&repeat.ended().await), "message");

    for (message, code, why) in [
        (text(Some(4), lines(4..5)), Code::FailedPrecondition, "JOB_STATE"),
        (text(Some(3), lines(3..5)), Code::FailedPrecondition, "JOB_STATE"),
        (text(None, lines(0..1)), Code::FailedPrecondition, "JOB_STATE"),
        (finish(Some(5)), Code::InvalidArgument, "TOTAL_MISMATCH"),
    ] {
        let (mut wrong, ..) = Batch::open(&rig, solving("sealed")).await;
        wrong.send(message).await;
        let refused = wrong.ended().await;
        assert_eq!((refused.code(), reason(&refused)), (code, why.into()), "{refused}");
    }
    drop(batch);
    rig.stop().await;
}

#[tokio::test]
async fn a_job_cancelled_under_its_upload_ends_the_stream_well() {
    for mode in [ResultMode::Stream, ResultMode::Detached] {
        let mut rig = Rig::start().await;
        let spec = BatchSpec { result_mode: mode.into(), ..solving("cancelled") };
        let (mut batch, job, _) = Batch::open(&rig, spec).await;
        batch.send(text(None, lines(0..3))).await;
        batch.stored(3).await;
        rig.jobs.cancel_job(CancelJobRequest { job_id: job.job_id.clone() }).await.expect("cancelled");
        let (_, ended) = batch.rest().await;
        assert!(matches!(ended.state(), JobState::Cancelling | JobState::Cancelled), "{ended:?}");
        rig.job_in(&job.job_id, JobState::Cancelled).await;
        rig.stop().await;
    }
}

#[tokio::test]
async fn a_deadline_ends_the_stream_and_leaves_the_job_open() {
    let rig = Rig::with(Setup { batch_threads: 0, ..Setup::default() }).await;
    let (sender, receiver) = mpsc::channel(16);
    sender.send(opening(solving("timed"))).await.expect("room");
    let mut request = Request::new(ReceiverStream::new(receiver));
    // tonic's client bounds only the wait for the answer's head by this; the stream's end is the server's.
    request.set_timeout(Duration::from_millis(1_500));
    let mut batch = Batch::over(&rig, sender, request).await.expect("opened");
    let Answer::Opened(opened) = batch.next().await else { panic!("not opened") };
    let job_id = opened.job.expect("set").job_id;
    batch.send(text(None, lines(0..3))).await;
    let late = batch.ended().await;
    assert_eq!((late.code(), reason(&late)), (Code::DeadlineExceeded, "DEADLINE_EXCEEDED".into()));
    let job = rig.job(&job_id).await;
    assert_eq!((job.state(), job.stored_count), (JobState::Uploading, 3));
    rig.stop().await;
}

#[tokio::test]
async fn a_message_too_large_is_refused_by_name() {
    let mut setup = Setup::default();
    setup.grpc.max_message_bytes = 64 << 10;
    let rig = Rig::with(setup).await;
    let (mut batch, ..) = Batch::open(&rig, solving("large")).await;
    batch.send(text(None, lines(0..1_000))).await;
    let refused = batch.ended().await;
    assert_eq!((refused.code(), reason(&refused)), (Code::ResourceExhausted, "MESSAGE_TOO_LARGE".into()));
    rig.stop().await;
}

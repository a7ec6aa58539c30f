//! JobService: jobs listed, watched, read, cancelled and deleted.

use crate::puzzles::{lines, solution};
use crate::rig::{PATIENCE, Rig, Setup, fact, field, reason};
use crate::stream::{Batch, finish, grids, solving, text};
use std::collections::HashSet;
use std::time::Duration;
use sudokud::grpc::proto::v1::{
    BatchSpec, CancelJobRequest, DeleteJobRequest, GetJobRequest, Job, JobState, ListJobsRequest, ResultBlock,
    ResultFormat, StreamResultsRequest, StreamResultsResponse, WatchJobRequest,
};
use tokio::time::timeout;
use tonic::{Code, Status, Streaming};

/// A job of `items` puzzles, sealed; it may still run.
async fn sealed(rig: &Rig, spec: BatchSpec, items: usize) -> Job {
    let (mut batch, job, _) = Batch::open(rig, spec).await;
    batch.send(text(None, lines(0..items))).await;
    batch.stored(items as u32).await;
    batch.send(finish(Some(items as u32))).await;
    rig.job_when(&job.job_id, |job| job.total_count.is_some()).await
}

#[tokio::test]
async fn unknown_jobs_are_not_found_and_ids_are_checked() {
    let mut rig = Rig::start().await;
    let job_id = "0f8fad5b-d9cb-469f-a165-70867728950e".to_string();
    let watching = rig.jobs.watch_job(WatchJobRequest { job_id: job_id.clone() }).await.err();
    let request = StreamResultsRequest { job_id: job_id.clone(), ..StreamResultsRequest::default() };
    let reading = rig.jobs.stream_results(request).await.err();
    let refused = [
        rig.jobs.get_job(GetJobRequest { job_id: job_id.clone() }).await.err(),
        rig.jobs.cancel_job(CancelJobRequest { job_id: job_id.clone() }).await.err(),
        rig.jobs.delete_job(DeleteJobRequest { job_id: job_id.clone() }).await.err(),
        watching,
        reading,
    ];
    for status in refused {
        let status = status.expect("not found");
        assert_eq!((status.code(), reason(&status)), (Code::NotFound, "JOB_NOT_FOUND".into()));
        assert_eq!(fact(&status, "job_id"), job_id);
    }
    let odd = rig.jobs.get_job(GetJobRequest { job_id: "7".into() }).await.expect_err("no id");
    assert_eq!((odd.code(), field(&odd)), (Code::InvalidArgument, "job_id".into()));
    rig.stop().await;
}

async fn page(rig: &mut Rig, request: &ListJobsRequest) -> Result<(Vec<Job>, String), Status> {
    let answer = rig.jobs.list_jobs(request.clone()).await?.into_inner();
    Ok((answer.jobs, answer.next_page_token))
}

#[tokio::test]
async fn pages_hold_every_job_once_newest_first() {
    let mut rig = Rig::start().await;
    for i in 0..7 {
        let labels = [("parity".to_string(), if i % 2 == 0 { "even" } else { "odd" }.to_string())].into();
        let (_batch, ..) = Batch::open(&rig, BatchSpec { labels, ..solving(&format!("job {i}")) }).await;
    }
    let mut request = ListJobsRequest { page_size: 3, ..ListJobsRequest::default() };
    let mut jobs = Vec::new();
    loop {
        let (page, next) = page(&mut rig, &request).await.expect("a page");
        assert!(page.len() <= 3);
        jobs.extend(page);
        if next.is_empty() {
            break;
        }
        request.page_token = next;
    }
    assert_eq!(jobs.len(), 7);
    assert_eq!(jobs.iter().map(|job| &job.job_id).collect::<HashSet<_>>().len(), 7);
    let age = |job: &Job| job.create_time.map(|time| (time.seconds, time.nanos));
    assert!(jobs.windows(2).all(|pair| age(&pair[0]) >= age(&pair[1])));

    let labels = [("parity".to_string(), "odd".to_string())].into();
    let odd = ListJobsRequest { labels, page_size: 2, ..ListJobsRequest::default() };
    let (first, token) = page(&mut rig, &odd).await.expect("a page");
    assert_eq!((first.len(), token.is_empty()), (2, false));
    let states = vec![JobState::Succeeded.into()];
    let none = ListJobsRequest { states, ..odd.clone() };
    assert_eq!(page(&mut rig, &none).await.expect("an empty page"), (Vec::new(), String::new()));

    // A token belongs to its filter, and is nothing to be guessed.
    for wrong in [
        ListJobsRequest { page_token: token.clone(), ..ListJobsRequest::default() },
        ListJobsRequest { page_token: "next".into(), ..odd.clone() },
        ListJobsRequest { page_token: token.replace('0', "1"), ..odd.clone() },
    ] {
        let refused = page(&mut rig, &wrong).await.expect_err("a wrong token");
        assert_eq!((refused.code(), field(&refused)), (Code::InvalidArgument, "page_token".into()));
    }
    let (last, token) = page(&mut rig, &ListJobsRequest { page_token: token, ..odd }).await.expect("a page");
    assert_eq!((last.len(), token.as_str()), (1, ""));
    rig.stop().await;
}

#[tokio::test]
async fn a_watcher_sees_the_job_to_its_end() {
    let mut rig = Rig::start().await;
    let (mut batch, job, _) = Batch::open(&rig, solving("watched")).await;
    let request = WatchJobRequest { job_id: job.job_id.clone() };
    let mut watch = rig.jobs.watch_job(request).await.expect("watched").into_inner();
    let mut next = async || {
        let told = timeout(PATIENCE, watch.message()).await.expect("in time").expect("a message");
        told.map(|told| told.job.expect("set"))
    };
    assert_eq!(next().await.expect("at once").state(), JobState::Uploading);
    batch.send(text(None, lines(0..100))).await;
    batch.send(finish(None)).await;
    let mut seen = Vec::new();
    while let Some(job) = next().await {
        seen.push(job);
    }
    let last = seen.last().expect("the end");
    assert_eq!((last.state(), last.done_count), (JobState::Succeeded, 100));
    assert!(seen.iter().rev().skip(1).all(|job| job.state() != JobState::Succeeded), "the end is told once");
    assert_eq!(batch.rest().await.1.job_id, job.job_id);
    // On an ended job: that, and the end.
    let mut again = rig.jobs.watch_job(WatchJobRequest { job_id: job.job_id }).await.expect("watched").into_inner();
    assert_eq!(again.message().await.expect("told").expect("one").job.expect("set").state(), JobState::Succeeded);
    assert_eq!(again.message().await.expect("ended"), None);
    rig.stop().await;
}

async fn results(rig: &mut Rig, request: StreamResultsRequest) -> Streaming<StreamResultsResponse> {
    rig.jobs.stream_results(request).await.expect("results").into_inner()
}

/// All blocks, without keep-alives.
async fn blocks(mut stream: Streaming<StreamResultsResponse>) -> Vec<ResultBlock> {
    let mut blocks = Vec::new();
    while let Some(answer) = timeout(PATIENCE, stream.message()).await.expect("in time").expect("a message") {
        blocks.extend(answer.results);
    }
    blocks
}

#[tokio::test]
async fn results_are_read_from_anywhere_in_either_format() {
    let mut rig = Rig::start().await;
    let job = sealed(&rig, solving("read"), 300).await;
    let from = |start_index, follow| StreamResultsRequest {
        job_id: job.job_id.clone(),
        start_index,
        follow,
        ..StreamResultsRequest::default()
    };
    let all: Vec<String> = (0..300).map(solution).collect();
    let stream = results(&mut rig, from(0, true)).await;
    assert_eq!(grids(&blocks(stream).await), (0, all.clone()));
    let stream = results(&mut rig, from(290, false)).await;
    assert_eq!(grids(&blocks(stream).await), (290, all[290..].to_vec()));
    let stream = results(&mut rig, from(300, true)).await;
    assert!(blocks(stream).await.is_empty());

    let items = StreamResultsRequest { result_format: ResultFormat::Items.into(), ..from(298, false) };
    let stream = results(&mut rig, items).await;
    let items: Vec<_> = blocks(stream).await.into_iter().flat_map(|block| block.items).collect();
    assert_eq!(
        items.iter().map(|item| (item.index, &item.grid)).collect::<Vec<_>>(),
        [(298, &all[298]), (299, &all[299])]
    );
    let wrong = StreamResultsRequest { result_format: 3, ..from(0, false) };
    let refused = rig.jobs.stream_results(wrong).await.expect_err("an unknown format");
    assert_eq!(field(&refused), "result_format");
    rig.stop().await;
}

#[tokio::test]
async fn a_follower_is_kept_alive_and_others_are_not_kept_waiting() {
    let mut setup = Setup { batch_threads: 0, ..Setup::default() };
    setup.grpc.heartbeat = Duration::from_millis(30);
    let mut rig = Rig::with(setup).await;
    let job = sealed(&rig, solving("idle"), 3).await;
    let request = StreamResultsRequest { job_id: job.job_id.clone(), ..StreamResultsRequest::default() };
    let now = results(&mut rig, request.clone()).await;
    assert!(blocks(now).await.is_empty());
    let mut following = results(&mut rig, StreamResultsRequest { follow: true, ..request }).await;
    for _ in 0..3 {
        let answer = timeout(PATIENCE, following.message()).await.expect("in time").expect("a message");
        assert_eq!(answer.expect("kept alive").results, None);
    }
    // The job's end is the stream's.
    rig.jobs.cancel_job(CancelJobRequest { job_id: job.job_id }).await.expect("cancelled");
    assert!(blocks(following).await.is_empty());
    rig.stop().await;
}

#[tokio::test]
async fn a_cancel_keeps_what_is_done_and_a_delete_nothing() {
    let mut rig = Rig::with(Setup { batch_threads: 0, ..Setup::default() }).await;
    let job_id = sealed(&rig, solving("unwanted"), 40).await.job_id;
    let live = rig.jobs.delete_job(DeleteJobRequest { job_id: job_id.clone() }).await.expect_err("it is live");
    assert_eq!((live.code(), reason(&live)), (Code::FailedPrecondition, "JOB_STATE".into()));
    assert_eq!(fact(&live, "state"), "QUEUED");
    for _ in 0..2 {
        let request = CancelJobRequest { job_id: job_id.clone() };
        let job = rig.jobs.cancel_job(request).await.expect("cancelled").into_inner().job.expect("set");
        assert_eq!((job.state(), job.not_run_count, job.done_count), (JobState::Cancelled, 40, 0));
    }
    rig.jobs.delete_job(DeleteJobRequest { job_id: job_id.clone() }).await.expect("deleted");
    let gone = rig.jobs.get_job(GetJobRequest { job_id }).await.expect_err("deleted");
    assert_eq!(gone.code(), Code::NotFound);
    // Its request id is free again.
    let (_batch, job, _) = Batch::open(&rig, solving("unwanted")).await;
    assert_eq!(job.stored_count, 0);
    rig.stop().await;
}

//! JobService: get, list, watch, results, cancel, delete, and what each refuses.

use crate::process::batch::{Batch, Checked, generate_spec, solve_spec, stream_results};
use crate::process::client::{Client, ended, refused, refused_field};
use crate::process::{directory, run, serve};
use std::collections::BTreeMap;
use std::time::Duration;
use sudokud::grpc::proto::v1::{self, BatchSpec, GridFamily, JobState, ListJobsRequest, Outcome, ResultFormat};
use tonic::{Code, Status};

/// A finished job of `count` mixed items.
async fn finished(client: &mut Client, spec: BatchSpec, count: u32) -> v1::Job {
    let mut batch = Batch::open(client, spec).await.expect("a job");
    assert!(batch.upload.all_items(0..count, 1_000).await && batch.upload.finish(Some(count)).await);
    batch.answers.read_to_end(&mut Checked::mixed(0)).await.expect("the stream ends well")
}

fn endless(request_id: &str) -> BatchSpec {
    generate_spec(request_id, GridFamily::Search, 4_000_000_000, None)
}

/// The status of every call that names a job.
async fn every_call(client: &mut Client, id: &str) -> [(&'static str, Status); 5] {
    let job_id = || id.to_owned();
    let results = v1::StreamResultsRequest { job_id: job_id(), ..v1::StreamResultsRequest::default() };
    let get = client.jobs.get_job(v1::GetJobRequest { job_id: job_id() }).await;
    let watch = client.jobs.watch_job(v1::WatchJobRequest { job_id: job_id() }).await;
    let stream = client.jobs.stream_results(results).await;
    let cancel = client.jobs.cancel_job(v1::CancelJobRequest { job_id: job_id() }).await;
    let delete = client.jobs.delete_job(v1::DeleteJobRequest { job_id: job_id() }).await;
    [
        ("GetJob", get.expect_err("GetJob")),
        ("WatchJob", watch.expect_err("WatchJob")),
        ("StreamResults", stream.expect_err("StreamResults")),
        ("CancelJob", cancel.expect_err("CancelJob")),
        ("DeleteJob", delete.expect_err("DeleteJob")),
    ]
}

#[test]
fn a_job_that_is_not_there() {
    run(async {
        let data = directory();
        let (_server, mut client) = serve(data.path(), &[]).await;
        let nobodys = "01890a5d-ac96-774b-bcce-b302099a8057";
        for (call, status) in every_call(&mut client, nobodys).await {
            let details = refused(&status, Code::NotFound, "JOB_NOT_FOUND");
            assert!(status.message().contains(nobodys), "{call}: {status:?}");
            let resource = details.resource_info().unwrap_or_else(|| panic!("{call}: no ResourceInfo in {status:?}"));
            assert_eq!(resource.resource_name, nobodys, "{call}");
        }
        for wrong in ["", "7", "no-uuid-at-all"] {
            for (call, status) in every_call(&mut client, wrong).await {
                assert!(!status.message().is_empty(), "{call}");
                refused_field(&status, "INVALID_FIELD", "job_id", "UUID");
            }
        }
    });
}

#[test]
fn get_tells_the_spec_in_force() {
    run(async {
        let data = directory();
        let (_server, mut client) = serve(data.path(), &["--time-to-live", "2h"]).await;
        let job = finished(&mut client, solve_spec("mine"), 100).await;
        assert_eq!(client.job(&job.job_id).await, job);
        let spec = job.spec.expect("a spec");
        assert_eq!((spec.request_id.as_str(), spec.priority()), ("mine", v1::Priority::Normal));
        assert_eq!((spec.result_mode(), spec.result_format()), (v1::ResultMode::Stream, ResultFormat::Block));
        assert_eq!(spec.time_to_live.map(|time| time.seconds), Some(7_200));
        let Some(v1::batch_spec::Work::Solve(solve)) = spec.work else { panic!("{spec:?}") };
        assert_eq!(solve.max_solutions, Some(2));
        assert!(solve.node_limit.is_some_and(|limit| limit > 0));
        let (ended, expires) = (job.end_time.expect("ended"), job.expire_time.expect("expires"));
        assert_eq!(expires.seconds - ended.seconds, 7_200);

        let mut generated = Batch::open(&mut client, endless("")).await.expect("a job");
        let drawn = generated.answers.job.spec.take().expect("a spec");
        assert!(!drawn.request_id.is_empty(), "the server makes a request id");
        let Some(v1::batch_spec::Work::Generate(work)) = drawn.work else { panic!("{drawn:?}") };
        assert!(work.seed.is_some(), "the drawn seed is told");
    });
}

#[test]
fn list_pages_and_filters() {
    run(async {
        let data = directory();
        let (_server, mut client) = serve(data.path(), &[]).await;
        let mut ids = Vec::new();
        for i in 0..7 {
            let labels = BTreeMap::from([("odd".to_owned(), (i % 2).to_string()), ("all".to_owned(), String::new())]);
            ids.push(finished(&mut client, BatchSpec { labels, ..solve_spec("") }, 10).await.job_id);
        }
        let open = Batch::open(&mut client, solve_spec("open")).await.expect("a job");
        ids.push(open.job_id());
        ids.reverse();
        let mut list = async |request: ListJobsRequest| {
            let page = client.jobs.list_jobs(request).await?.into_inner();
            Ok::<_, Status>((page.jobs.into_iter().map(|job| job.job_id).collect::<Vec<_>>(), page.next_page_token))
        };
        let (all, token) = list(ListJobsRequest::default()).await.expect("a page");
        assert_eq!((all, token.as_str()), (ids.clone(), ""), "newest first");

        let mut paged = Vec::new();
        let mut page_token = String::new();
        loop {
            let (page, next) =
                list(ListJobsRequest { page_size: 3, page_token, ..Default::default() }).await.expect("a page");
            assert!(page.len() <= 3);
            paged.extend(page);
            page_token = next;
            if page_token.is_empty() {
                break;
            }
        }
        assert_eq!(paged, ids);

        let labels = |pairs: &[(&str, &str)]| pairs.iter().map(|&(k, v)| (k.to_owned(), v.to_owned())).collect();
        let states = |states: &[JobState]| states.iter().map(|&state| state.into()).collect();
        let cases = [
            (states(&[JobState::Uploading]), labels(&[]), 1),
            (states(&[JobState::Succeeded]), labels(&[]), 7),
            (states(&[JobState::Succeeded, JobState::Uploading]), labels(&[]), 8),
            (states(&[JobState::Failed]), labels(&[]), 0),
            (vec![], labels(&[("odd", "1")]), 3),
            (vec![], labels(&[("odd", "0"), ("all", "")]), 4),
            (vec![], labels(&[("odd", "7")]), 0),
            (states(&[JobState::Uploading]), labels(&[("odd", "1")]), 0),
        ];
        for (states, labels, expected) in cases {
            let request = ListJobsRequest { states, labels, ..Default::default() };
            let (page, _) = list(request.clone()).await.expect("a page");
            assert_eq!(page.len(), expected, "{request:?}");
        }

        let (all, _) = list(ListJobsRequest { page_size: 1_000_000, ..Default::default() }).await.expect("a page");
        assert_eq!(all, ids, "a page that is too large is a large page");
        let wrong = [
            (ListJobsRequest { page_token: "nonsense".into(), ..Default::default() }, "page_token"),
            (ListJobsRequest { states: vec![99], ..Default::default() }, "states"),
        ];
        for (request, field) in wrong {
            let status = list(request).await.expect_err(field);
            refused_field(&status, "INVALID_FIELD", field, field);
        }
    });
}

#[test]
fn watch_tells_each_change_until_the_end() {
    run(async {
        let data = directory();
        let (_server, mut client) = serve(data.path(), &[]).await;
        let mut batch = Batch::open(&mut client, solve_spec("")).await.expect("a job");
        let request = v1::WatchJobRequest { job_id: batch.job_id() };
        let mut watch = client.jobs.watch_job(request).await.expect("WatchJob").into_inner();
        let first = watch.message().await.expect("a change").expect("the job at once").job.expect("a job");
        assert_eq!((first.state(), first.stored_count), (JobState::Uploading, 0));
        assert!(batch.upload.all_items(0..50_000, 1_000).await && batch.upload.finish(None).await);
        let mut seen = vec![first];
        while let Some(change) = watch.message().await.expect("a change") {
            let (job, last) = (change.job.expect("a job"), seen.last().expect("the first"));
            assert!(
                job.stored_count >= last.stored_count && job.done_count >= last.done_count,
                "{last:?} then {job:?}"
            );
            seen.push(job);
        }
        let last = seen.last().expect("the last");
        assert_eq!((last.state(), last.done_count), (JobState::Succeeded, 50_000));
        assert!(seen[..seen.len() - 1].iter().all(|job| !ended(job)), "the end comes once");
    });
}

#[test]
fn results_from_any_item_in_either_shape() {
    const COUNT: u32 = 20_000;
    run(async {
        let data = directory();
        let (_server, mut client) = serve(data.path(), &[]).await;
        let job_id = finished(&mut client, solve_spec(""), COUNT).await.job_id;
        for start in [0, 1, 8_191, 8_192, 8_193, COUNT - 1] {
            let mut checked = Checked::mixed(start);
            checked.stream(&mut client, &job_id, start % 2 == 0).await.expect("results");
            assert_eq!(checked.next, COUNT, "from {start}");
        }
        for start in [COUNT, COUNT + 7] {
            let mut none = Checked::mixed(start);
            none.stream(&mut client, &job_id, false).await.expect("nothing follows");
            assert_eq!(none.next, start);
        }
        let result_format = ResultFormat::Items.into();
        let request =
            v1::StreamResultsRequest { job_id: job_id.clone(), start_index: 19_990, follow: false, result_format };
        let mut stream = client.jobs.stream_results(request).await.expect("StreamResults").into_inner();
        let mut items = Vec::new();
        while let Some(message) = stream.message().await.expect("results") {
            items.extend(message.results.expect("results").items);
        }
        assert_eq!(items.iter().map(|item| item.index).collect::<Vec<_>>(), (19_990..COUNT).collect::<Vec<_>>());
        for item in items {
            let known = crate::process::puzzles::mixed(item.index);
            assert_eq!((item.outcome(), item.grid), (known.outcome, known.solution));
            assert_eq!(item.error.is_some(), known.outcome == Outcome::Invalid);
        }
    });
}

#[test]
fn without_follow_results_end_where_the_work_stands() {
    run(async {
        let data = directory();
        let (_server, mut client) = serve(data.path(), &[]).await;
        let mut batch = Batch::open(&mut client, solve_spec("")).await.expect("a job");
        let mut checked = Checked::mixed(0);
        assert!(batch.upload.items(0..100).await);
        batch.answers.until_checked(100, &mut checked).await.expect("results");
        let mut now = Checked::mixed(0);
        now.stream(&mut client, &batch.job_id(), false).await.expect("it ends");
        assert_eq!(now.next, 100);
        let mut follow = stream_results(&mut client, &batch.job_id(), 100, true).await.expect("StreamResults");
        let waits = tokio::time::timeout(Duration::from_millis(300), follow.message()).await;
        assert!(waits.is_err(), "it waits for what is not there: {waits:?}");
        assert!(batch.upload.items(100..200).await && batch.upload.finish(None).await);
        while let Some(message) = follow.message().await.expect("results") {
            now.block(&message.results.expect("results"));
        }
        assert_eq!(now.next, 200);
    });
}

#[test]
fn delete_removes_an_ended_job_alone() {
    run(async {
        let data = directory();
        let (_server, mut client) = serve(data.path(), &[]).await;
        let delete = |id: &str| v1::DeleteJobRequest { job_id: id.to_owned() };
        let live = Batch::open(&mut client, solve_spec("live")).await.expect("a job").job_id();
        let status = client.jobs.delete_job(delete(&live)).await.expect_err("a live job");
        refused(&status, Code::FailedPrecondition, "JOB_STATE");
        let done = finished(&mut client, solve_spec("done"), 100).await.job_id;
        client.jobs.delete_job(delete(&done)).await.expect("an ended job");
        for (call, status) in every_call(&mut client, &done).await {
            assert_eq!(status.code(), Code::NotFound, "{call}");
        }
        let again = Batch::open(&mut client, solve_spec("done")).await.expect("its request id is free");
        assert_ne!(again.job_id(), done);
        assert_eq!(again.next_index, 0);
    });
}

#[test]
fn an_ended_job_goes_after_its_time() {
    run(async {
        let data = directory();
        let (_server, mut client) = serve(data.path(), &["--sweep-every", "100ms"]).await;
        let time_to_live = Some(prost_types::Duration { seconds: 1, nanos: 0 });
        let job = finished(&mut client, BatchSpec { time_to_live, ..solve_spec("") }, 10).await;
        loop {
            match client.jobs.get_job(v1::GetJobRequest { job_id: job.job_id.clone() }).await {
                Ok(_) => tokio::time::sleep(Duration::from_millis(50)).await,
                Err(status) => break drop(refused(&status, Code::NotFound, "JOB_NOT_FOUND")),
            };
        }
    });
}

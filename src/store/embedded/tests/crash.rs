//! What is left when a process ends without a close.

use super::*;
use std::collections::HashSet;
use std::io::Write as _;
use std::process::{Command, Stdio};

#[tokio::test]
async fn a_dropped_store_opens_where_it_was() {
    let dir = tempfile::tempdir().expect("dir");
    let first = open(dir.path());
    let job = job_with(&first, "a", 4, 1_000).await;
    let claims = first.claim(3, usize::MAX, TTL).await.expect("claim");
    let done = first.complete(claims[0].token, unique(10), payload(0, 900)).await;
    assert_eq!(done, Ok(Completion::Stored));
    assert_eq!(first.begin(claims[1].token, None).await, Ok(Lease::Held));
    let before = first.job(job).await.expect("job");
    drop(first);

    let second = open(dir.path());
    let after = second.job(job).await.expect("job");
    assert_eq!(JobRecord { last_input: before.last_input, ..after }, before);
    assert_eq!(second.heartbeat(claims[1].token).await, Ok(Lease::Lost), "a token of the last boot");
    assert_eq!(second.complete(claims[2].token, unique(10), payload(0, 900)).await, Ok(Completion::Lost));
    let again = second.claim(9, usize::MAX, TTL).await.expect("claim");
    let seen: Vec<_> = again.iter().map(|claim| (claim.chunk.first_index, claim.record.crashes)).collect();
    assert_eq!(seen, [(10, 1), (20, 0), (30, 0)], "only the one that was begun counts");
    for claim in again {
        assert_eq!(claim.payload, Ok(payload(claim.chunk.first_index, 1_000)));
        let done = second.complete(claim.token, unique(10), payload(1, 50)).await;
        assert_eq!(done, Ok(Completion::Stored));
    }
    assert_eq!(second.job(job).await.expect("job").state, JobState::Succeeded);
    let stats = second.stats().await.expect("stats");
    assert_eq!(stats.jobs.iter().map(|(_, jobs)| jobs).sum::<u64>(), 1);
}

#[tokio::test]
async fn crashes_in_a_row_point_at_an_item() {
    let dir = tempfile::tempdir().expect("dir");
    job_with(&open(dir.path()), "a", 1, 1_000).await;
    // The item begun before each crash, and what is known after it.
    let story = [(Some(3), 1, Some((3, 1))), (Some(3), 2, Some((3, 2))), (Some(4), 3, Some((4, 1))), (None, 4, None)];
    for (item, crashes, suspect) in story {
        let store = open(dir.path());
        let claim = claim_one(&store).await;
        assert_eq!(store.begin(claim.token, item).await, Ok(Lease::Held));
        drop(store);
        let store = open(dir.path());
        let record = claim_one(&store).await.record;
        assert_eq!((record.crashes, record.suspect), (crashes, suspect), "{item:?}");
    }
    let store = open(dir.path());
    let claim = claim_one(&store).await;
    assert_eq!(store.begin(claim.token, Some(7)).await, Ok(Lease::Held));
    store.release(claim.token).await.expect("release");
    let claim = claim_one(&store).await;
    store.fail(claim.token, "a panic", Some(7)).await.expect("fail");
    drop(store);
    let record = claim_one(&open(dir.path())).await.record;
    let known = ChunkRecord { failures: 1, crashes: 4, suspect: None, condemned: vec![7] };
    assert_eq!(record, known, "handed back before the crash: it does not count");
}

#[tokio::test]
async fn a_job_that_waited_for_leases_to_end_is_cancelled() {
    let dir = tempfile::tempdir().expect("dir");
    let store = open(dir.path());
    let job = job_with(&store, "a", 2, 100).await;
    claim_one(&store).await;
    assert_eq!(store.cancel(job).await.expect("cancel").state, JobState::Cancelling);
    drop(store);
    let store = open(dir.path());
    let record = store.job(job).await.expect("job");
    assert_eq!((record.state, record.ended.is_some()), (JobState::Cancelled, true));
    assert_eq!(store.stats().await.expect("stats").queued_chunks, [0; 3]);
}

/// Set in a child process: the directory that it works in until it is killed.
const CHILD_DIR: &str = "SUDOKUD_TEST_CRASH_DIR";
const ACKNOWLEDGED: &str = "acknowledged.txt";

#[test]
fn what_was_acknowledged_survives_a_kill() {
    if let Some(dir) = std::env::var_os(CHILD_DIR) {
        return work_until_killed(Path::new(&dir));
    }
    let dir = tempfile::tempdir().expect("dir");
    let program = std::env::current_exe().expect("this program");
    let mut lines = 0;
    for round in 1..=3 {
        let mut child = Command::new(&program)
            .args(["--exact", "store::embedded::tests::crash::what_was_acknowledged_survives_a_kill"])
            .env(CHILD_DIR, dir.path())
            .stdout(Stdio::null())
            .spawn()
            .expect("child");
        let goal = lines + 60 * round;
        while lines < goal {
            assert!(child.try_wait().expect("child").is_none(), "the child ended by itself");
            std::thread::sleep(Duration::from_millis(2));
            lines = acknowledged(dir.path()).len();
        }
        child.kill().expect("kill");
        child.wait().expect("killed");
        let lines = acknowledged(dir.path());
        tokio::runtime::Runtime::new().expect("runtime").block_on(check(dir.path(), &lines));
    }
}

fn acknowledged(dir: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(dir.join(ACKNOWLEDGED)).unwrap_or_default();
    // A last line without its end was cut by the kill.
    text.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n')).map(str::to_owned).collect()
}

/// Two uploads, two workers, and jobs that come and go, so that segments are emptied and removed; whatever the
/// store acknowledges of the uploads is noted as `put JOB END` or `done JOB FIRST`.
fn work_until_killed(dir: &Path) {
    let note = std::fs::File::options().create(true).append(true).open(dir.join(ACKNOWLEDGED)).expect("notes");
    let note = |line: String| (&note).write_all(line.as_bytes()).expect("note");
    let store = open(dir);
    let upload = async || {
        let Ok(Created::New(record)) = store.create(solve(&fresh_id().to_string())).await else { panic!("not new") };
        let epoch = store.open_upload(record.id).await.expect("open").epoch;
        for from in (0..).step_by(20) {
            let next = store.put_chunks(record.id, epoch, puts(from, 2, 10, 40_000)).await.expect("put");
            note(format!("put {} {next}\n", record.id));
        }
    };
    let work = async || {
        loop {
            for claim in store.claim(2, usize::MAX, TTL).await.expect("claim") {
                if store.begin(claim.token, None).await == Ok(Lease::Cancelled) {
                    store.release(claim.token).await.expect("release");
                    continue;
                }
                let first = claim.chunk.first_index;
                match store.complete(claim.token, unique(10), payload(first, 30_000)).await {
                    Ok(Completion::Stored) => note(format!("done {} {first}\n", claim.job.id)),
                    other => assert_eq!(other, Ok(Completion::Cancelled)),
                }
            }
        }
    };
    let churn = async || {
        loop {
            let Ok(Created::New(record)) = store.create(solve(&fresh_id().to_string())).await else {
                panic!("not new")
            };
            let epoch = store.open_upload(record.id).await.expect("open").epoch;
            store.put_chunks(record.id, epoch, puts(0, 5, 10, 60_000)).await.expect("put");
            store.cancel(record.id).await.expect("cancel");
            while store.delete(record.id).await.is_err() {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        }
    };
    tokio::runtime::Runtime::new().expect("runtime").block_on(async {
        tokio::join!(upload(), upload(), async { work().await }, async { work().await }, async { churn().await });
    });
}

async fn check(dir: &Path, acknowledged: &[String]) {
    let store = open(dir);
    assert_eq!(store.verify().await, Ok(()));
    let mut done = HashSet::new();
    for line in acknowledged {
        let words: Vec<&str> = line.split(' ').collect();
        let [what, job, index] = words[..] else { panic!("{line:?}") };
        let (job, index) = (job.parse().expect("job id"), index.parse::<u32>().expect("index"));
        if what == "put" {
            assert!(store.job(job).await.expect(line).stored >= index, "{line}");
        } else {
            let result = store.next_result(job, index, Duration::ZERO).await;
            if matches!(result, Err(StoreError::NotFound(_))) {
                continue; // one of those that went
            }
            assert!(matches!(&result, Ok(NextResult::Chunk(_, bytes)) if *bytes == payload(index, 30_000)), "{line}");
            done.insert((job, index));
        }
    }
    let mut jobs = store.list(None, &ListFilter::default(), None, usize::MAX).await.expect("list");
    let counted: u64 = jobs.iter().map(JobRecord::done).sum();
    assert!(counted >= done.len() as u64 * 10, "results and their counts are one");
    jobs.retain(|job| !job.state.is_final());
    let waiting = store.stats().await.expect("stats").queued_items.iter().sum::<u64>();
    assert_eq!(waiting, jobs.iter().map(JobRecord::backlog).sum::<u64>(), "what has no result waits");
}

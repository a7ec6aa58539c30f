//! How fast the embedded store is: `cargo bench --bench store -- [DIR] [CHUNKS]`.
//!
//! Moves chunks of 512 KiB through a job as a batch does (put, claim, begin, complete, read in order), then
//! times tiny commits. The data goes to DIR (the default is the system's temporary directory), which should be
//! on the disk in question.

use bytes::Bytes;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use sudokud::job::*;
use sudokud::store::{Clock, Created, JobStore, NewJob, NextResult, PutChunk, Usage, embedded};
use sudokud::sudoku::Outcome;

const CHUNK_BYTES: usize = 512 << 10;
const ITEMS: u32 = 8_192;
/// Chunks that an upload stores in one call: 4 MB.
const PUT_CHUNKS: usize = 8;
const TTL: Duration = Duration::from_secs(60);

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    let parent = args.first().map_or_else(std::env::temp_dir, PathBuf::from);
    let chunks = args.get(1).map_or(1_000, |count| count.parse().expect("CHUNKS is a number"));
    let dir = tempfile::tempdir_in(parent).expect("a directory");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let store = embedded::Embedded::open(dir.path(), embedded::Options::default(), Clock::system()).expect("opens");
    let store: Arc<dyn JobStore> = Arc::new(store);
    runtime.block_on(async {
        bulk(&store, chunks).await;
        tiny(&store).await;
        store.close().await.expect("closes");
    });
}

fn new_job(name: &str) -> NewJob {
    let spec = BatchSpec {
        work: Work::Solve(SolveWork { max_solutions: 2, node_limit: Some(1_000) }),
        result_mode: ResultMode::Stream,
        result_format: ResultFormat::Block,
        priority: Priority::Normal,
        time_to_live_s: Some(3_600),
        labels: Default::default(),
    };
    NewJob {
        id: JobId::from_bytes(*uuid::Uuid::new_v4().as_bytes()),
        principal: Principal::anonymous(),
        request_id: RequestId::new(name).expect("short"),
        sent: spec.clone(),
        resolved: spec,
        quota: Usage::UNLIMITED,
    }
}

async fn open_job(store: &Arc<dyn JobStore>, name: &str) -> (JobId, u32) {
    let Ok(Created::New(record)) = store.create(new_job(name)).await else { panic!("a new job") };
    (record.id, store.open_upload(record.id).await.expect("opens").epoch)
}

/// One upload, eight workers and one reader at once.
async fn bulk(store: &Arc<dyn JobStore>, chunks: u32) {
    let (job, epoch) = open_job(store, "bulk").await;
    let bytes: Bytes = (0..CHUNK_BYTES).map(|i| (i * 31 / 7) as u8).collect::<Vec<u8>>().into();
    let (start, cpu_before) = (Instant::now(), cpu());
    let upload = async {
        let all: Vec<u32> = (0..chunks).collect();
        for batch in all.chunks(PUT_CHUNKS) {
            let chunk = |n: &u32| ChunkRef { first_index: n * ITEMS, count: ITEMS };
            let puts = batch
                .iter()
                .map(chunk)
                .map(|chunk| PutChunk { chunk, payload: Bytes::copy_from_slice(&bytes) })
                .collect();
            store.put_chunks(job, epoch, puts).await.expect("stored");
        }
        store.seal(job, epoch, chunks * ITEMS).await.expect("sealed");
        start.elapsed()
    };
    let workers: Vec<_> = (0..8).map(|_| tokio::spawn(work(store.clone(), job, bytes.clone()))).collect();
    let read = async {
        let mut next = 0;
        while let NextResult::Chunk(chunk, bytes) = store.next_result(job, next, TTL).await.expect("reads") {
            assert_eq!((chunk.first_index, bytes.len()), (next, CHUNK_BYTES));
            next = chunk.end();
        }
        assert_eq!(next, chunks * ITEMS);
        start.elapsed()
    };
    let (uploaded, all) = tokio::join!(upload, read);
    workers.iter().for_each(|worker| worker.abort());
    let mb = f64::from(chunks) * CHUNK_BYTES as f64 / 1e6;
    println!("bulk: {chunks} chunks of 512 KiB each way in {all:.2?}");
    println!("  uploaded in {uploaded:.2?}, {:.0} MB/s written, as much read", 2.0 * mb / all.as_secs_f64());
    println!("  {:.2} s of CPU; resident at the peak: {}", cpu() - cpu_before, peak());
    let start = Instant::now();
    let mut next = 0;
    while let NextResult::Chunk(chunk, _) = store.next_result(job, next, TTL).await.expect("reads") {
        next = chunk.end();
    }
    println!("  read again: {:.0} MB/s", mb / start.elapsed().as_secs_f64());
    println!("  on disk: {} MB", store.stats().await.expect("counts").bytes / 1_000_000);
}

async fn work(store: Arc<dyn JobStore>, job: JobId, result: Bytes) {
    let mut counts = Counts::default();
    counts.add(Outcome::Unique, u64::from(ITEMS));
    loop {
        for claim in store.claim(1, usize::MAX, TTL).await.expect("claims") {
            assert_eq!((claim.job.id, claim.payload.expect("sound").len()), (job, CHUNK_BYTES));
            store.begin(claim.token, None).await.expect("begins");
            store.complete(claim.token, counts, Bytes::copy_from_slice(&result)).await.expect("completes");
        }
    }
}

/// Durable commits, one after the other.
async fn tiny(store: &Arc<dyn JobStore>) {
    let (job, epoch) = open_job(store, "tiny").await;
    let mut times = Vec::new();
    let cpu_before = cpu();
    for n in 0..2_000 {
        let start = Instant::now();
        let chunk = ChunkRef { first_index: n, count: 1 };
        store
            .put_chunks(job, epoch, vec![PutChunk { chunk, payload: Bytes::from_static(&[7; 60]) }])
            .await
            .expect("stored");
        times.push(start.elapsed());
    }
    times.sort();
    let each = (cpu() - cpu_before) / 2_000.0 * 1e6;
    println!("tiny commits: p50 {:.0?}, p99 {:.0?}, {each:.0} us of CPU each", times[1_000], times[1_980]);
}

/// CPU time of this process so far, as Linux tells it in hundredths of a second.
fn cpu() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    after_name.split_whitespace().skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}

/// The most memory that this process had, as Linux tells it.
fn peak() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.map_or_else(|| "unknown".into(), |line| line.trim().to_owned())
}

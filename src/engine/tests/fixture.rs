//! Engines, puzzles and solvers for the tests.

use crate::engine::{ChunkSearch, ChunkSolver, Compute, Engine, EngineError, Followed, OpenedBatch, Options, Upload};
use crate::job::codec::ItemResult;
use crate::job::{BatchSpec, JobId, JobRecord, Principal, Priority, RequestId, ResultFormat, ResultMode};
use crate::job::{SolveWork, Work};
use crate::pool::{self, Pool};
use crate::store::memory::MemoryStore;
use crate::sudoku::logic::Rated;
use crate::sudoku::{Answer, BatchLimits, Grid, Kernel, Outcome, Pace, Port, text};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Far longer than any wait of a test.
pub const LONG: Duration = Duration::from_secs(60);

/// A puzzle with exactly one solution, and that.
pub const UNIQUE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
pub const SOLUTION: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
/// A puzzle with many solutions.
pub const MULTIPLE: &str = ".................................................................................";
/// A puzzle with none: two equal givens in its first row.
pub const UNSOLVABLE: &str = "55...............................................................................";
/// No puzzle: an eighth character that is not allowed.
pub const INVALID: &str = "53..7..?.6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

/// `UNIQUE` or its solution with each digit raised `shift` times, 9 to 1.
pub fn shifted(grid: &str, shift: usize) -> String {
    let raise = |c: char| match c.to_digit(10) {
        Some(d) => char::from(b'1' + ((d as usize - 1 + shift) % 9) as u8),
        None => c,
    };
    grid.chars().map(raise).collect()
}

pub fn grid(text: &str) -> Grid {
    text::parse(text).expect("a grid")
}

pub fn solve_spec() -> BatchSpec {
    spec(Work::Solve(SolveWork { max_solutions: 2, node_limit: None }))
}

pub fn spec(work: Work) -> BatchSpec {
    BatchSpec {
        work,
        result_mode: ResultMode::Stream,
        result_format: ResultFormat::Block,
        priority: Priority::Normal,
        time_to_live_s: None,
        labels: BTreeMap::new(),
    }
}

/// Small chunks, and no limit in the way.
pub fn options(chunk_items: u32) -> Options {
    Options { chunk_items, ..Options::default() }
}

pub fn compute(batch_threads: usize, options: &Options) -> Compute {
    let pool = Pool::start(pool::Options {
        batch_threads,
        batch_priority: pool::BatchPriority::Normal,
        interactive_threads: 1,
        interactive_queue: 8,
    });
    Compute::new(pool.expect("threads start"), Kernel::default(), options)
}

/// An engine and the store under it.
pub struct Fixture {
    pub engine: Engine,
    pub store: Arc<MemoryStore>,
    pub me: Principal,
}

impl Fixture {
    pub fn new(batch_threads: usize, options: Options) -> Fixture {
        Fixture::with_solver(batch_threads, options, Arc::new(Kernel::default()))
    }

    pub fn with_solver(batch_threads: usize, options: Options, solver: Arc<dyn ChunkSolver>) -> Fixture {
        Fixture::over(Arc::new(MemoryStore::default()), batch_threads, options, solver)
    }

    pub fn over(
        store: Arc<MemoryStore>,
        batch_threads: usize,
        options: Options,
        solver: Arc<dyn ChunkSolver>,
    ) -> Fixture {
        let compute = compute(batch_threads, &options);
        let engine = Engine::start_with(Arc::clone(&store) as _, compute, options, solver);
        Fixture { engine, store, me: Principal::anonymous() }
    }

    pub async fn open(&self, request_id: &str, spec: BatchSpec) -> Result<OpenedBatch, EngineError> {
        let id = RequestId::new(request_id).expect("an id");
        self.engine.open(&self.me, Some(id), spec).await
    }

    /// Opens a solve job that takes input.
    pub async fn upload(&self, request_id: &str) -> (JobId, Upload) {
        let opened = self.open(request_id, solve_spec()).await.expect("opened");
        (opened.job.id, opened.upload.expect("an upload"))
    }

    /// Submits these lines as one sealed job.
    pub async fn submit(&self, request_id: &str, lines: &[String]) -> JobId {
        let (job, mut upload) = self.upload(request_id).await;
        upload.text(None, lines.join("\n").as_bytes()).await.expect("taken");
        upload.finish(None).await.expect("sealed");
        job
    }

    /// The job once it is as wanted.
    pub async fn until(&self, job: JobId, wanted: impl Fn(&JobRecord) -> bool) -> JobRecord {
        let mut record = self.engine.job(&self.me, job).await.expect("a job");
        while !wanted(&record) {
            let seen = record.revision;
            record = self.engine.changed(&self.me, job, seen, LONG).await.expect("a job");
            assert!(record.revision > seen, "no change in {LONG:?}: {record:?}");
        }
        record
    }

    /// The job once it has ended.
    pub async fn ended(&self, job: JobId) -> JobRecord {
        self.until(job, |record| record.state.is_final()).await
    }

    /// The job's items from `from` on with their indices, following it to its end.
    pub async fn follow(&self, job: JobId, from: u32) -> Vec<(u32, ItemResult)> {
        let mut results = self.engine.results(&self.me, job, from, true).await.expect("results");
        let mut items = Vec::new();
        loop {
            match results.next(LONG).await.expect("no error") {
                Followed::Pending => {}
                Followed::End(_) => return items,
                Followed::Slice(slice) => items.extend(
                    (0..slice.items.count).map(|i| (slice.items.first_index + i, slice.chunk.item(slice.skip + i))),
                ),
            }
        }
    }

    /// As `follow`: the outcomes alone, checked to be those of all items in order.
    pub async fn outcomes(&self, job: JobId) -> Vec<Outcome> {
        let items = self.follow(job, 0).await;
        assert!(items.iter().enumerate().all(|(i, (index, _))| i == *index as usize), "in order, each once");
        items.into_iter().map(|(_, item)| item.outcome).collect()
    }
}

/// What a test does with the puzzles given to a solver, each time it runs; false: it is as if it was interrupted.
type Hook = dyn Fn(&[Grid], &mut dyn FnMut() -> Pace) -> bool + Send + Sync;
/// The first puzzle of each search, and how many it brought.
type Calls = Mutex<Vec<(Grid, usize)>>;

/// The true solver behind a hook.
pub struct Hooked {
    hook: Arc<Hook>,
    pub calls: Arc<Calls>,
}

impl Hooked {
    pub fn new(hook: impl Fn(&[Grid], &mut dyn FnMut() -> Pace) -> bool + Send + Sync + 'static) -> Arc<Hooked> {
        Arc::new(Hooked { hook: Arc::new(hook), calls: Arc::default() })
    }
}

impl ChunkSolver for Hooked {
    fn begin(&self, count: usize, limits: BatchLimits) -> Box<dyn ChunkSearch> {
        let (hook, calls) = (Arc::clone(&self.hook), Arc::clone(&self.calls));
        Box::new(HookedSearch {
            hook,
            calls,
            count,
            puzzles: Vec::new(),
            search: Kernel::default().begin(count, limits),
        })
    }

    fn rate(&self, puzzle: &Grid, node_limit: u64, pace: &mut dyn FnMut() -> Pace) -> (Answer, Rated) {
        self.calls.lock().expect("not poisoned").push((*puzzle, 1));
        // A rating is not taken up again: where the hook was interrupted, it is asked once more.
        while !(self.hook)(&[*puzzle], pace) && pace() == Pace::Continue {}
        Kernel::default().rate(puzzle, node_limit, pace)
    }
}

struct HookedSearch {
    hook: Arc<Hook>,
    calls: Arc<Calls>,
    count: usize,
    /// Read when it first runs.
    puzzles: Vec<Grid>,
    search: Box<dyn ChunkSearch>,
}

impl ChunkSearch for HookedSearch {
    fn run(&mut self, port: &mut dyn Port, pace: &mut dyn FnMut() -> Pace) -> bool {
        if self.puzzles.is_empty() {
            for i in 0..self.count {
                let mut digits = [0; 81];
                port.puzzle(i, &mut digits);
                self.puzzles.push(Grid::from_digits(digits).expect("digits"));
            }
            self.calls.lock().expect("not poisoned").push((self.puzzles[0], self.count));
        }
        (self.hook)(&self.puzzles, pace) && self.search.run(&mut Read { puzzles: &self.puzzles, port }, pace)
    }

    fn outcomes(&self) -> Vec<Option<Outcome>> {
        self.search.outcomes()
    }

    fn nodes(&self) -> u64 {
        self.search.nodes()
    }
}

/// A port whose puzzles were read before.
struct Read<'a> {
    puzzles: &'a [Grid],
    port: &'a mut dyn Port,
}

impl Port for Read<'_> {
    fn puzzle(&mut self, puzzle: usize, digits: &mut [u8; 81]) {
        *digits = *self.puzzles[puzzle].digits();
    }

    fn solution(&mut self, puzzle: usize, digits: &[u8; 81]) {
        self.port.solution(puzzle, digits);
    }
}

/// Works until told to stop.
pub fn spin(pace: &mut dyn FnMut() -> Pace) {
    while pace() == Pace::Continue {
        std::thread::yield_now();
    }
}

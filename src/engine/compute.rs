//! Work on the pool without any job: unary calls, and the command line's offline commands.

use super::error::EngineError;
use super::explain::{Explain, Explanation};
use super::limit::Limit;
use super::making;
use super::metrics;
use super::options::Options;
use crate::pool::{Pool, Stepwise, TaskError, guard};
use crate::sudoku::generate::puzzle::{Made, PuzzleSpec};
use crate::sudoku::generate::{CompleteSpec, Completer};
use crate::sudoku::solve::Search;
use crate::sudoku::{Answer, Grid, Kernel, Limits};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Items that one call may ask for.
const MAX_GENERATED: u32 = 1_000;

/// Solves and generates on the pool. Clones share it.
#[derive(Clone)]
pub struct Compute(Arc<Inner>);

struct Inner {
    pool: Pool,
    kernel: Kernel,
    inline_budget: Duration,
    time_limit: Duration,
    draining: AtomicBool,
}

impl Compute {
    /// Over a pool.
    pub fn new(pool: Pool, kernel: Kernel, options: &Options) -> Compute {
        Compute(Arc::new(Inner {
            pool,
            kernel,
            inline_budget: options.inline_budget,
            time_limit: options.solve_time_limit,
            draining: AtomicBool::new(false),
        }))
    }

    /// The pool, for callers with work of their own shape.
    pub fn pool(&self) -> &Pool {
        &self.0.pool
    }

    /// The kernel in use.
    pub fn kernel(&self) -> Kernel {
        self.0.kernel
    }

    /// Solves one puzzle: here while it fits the inline budget, else on the interactive lane. Dropping the
    /// future stops the search; the time limit ends it with what was found, as a node limit does. `Limits` must be
    /// valid; also returns the time spent solving.
    ///
    /// # Errors
    /// `Exhausted` when the lane is full, `Draining`, `Internal` after a panic.
    pub async fn solve(&self, puzzle: Grid, limits: Limits) -> Result<(Answer, Duration), EngineError> {
        self.admit()?;
        let (kernel, budget, until) = (self.0.kernel, self.0.inline_budget, self.until());
        let inline = guard(move || {
            let mut solving = Box::new(Solving::new(kernel, &puzzle, limits, until));
            solving.step(budget).ok_or(solving)
        });
        let (answer, spent) = match inline.map_err(EngineError::Internal)? {
            Ok(answered) => answered,
            Err(paused) => self.0.pool.interactive(*paused).await?,
        };
        metrics::solved(&answer, spent);
        Ok((answer, spent))
    }

    /// Rates one puzzle and lists its steps, on the interactive lane. Dropping the future stops it; the time limit ends it
    /// with the steps found so far.
    ///
    /// # Errors
    /// `NotUnique`; `Exhausted` when the lane is full, or where a limit came before it was known whether it is; else as
    /// [`Compute::solve`].
    pub async fn explain(&self, asked: Explain) -> Result<Explanation, EngineError> {
        self.admit()?;
        let asked = Explain { until: self.until().into_iter().chain(asked.until).min(), ..asked };
        let explanation = self.0.pool.interactive(asked.fiber(self.0.pool.fibers(), self.0.kernel)).await?;
        let explanation = asked.judge(explanation, self.0.time_limit)?;
        metrics::explained();
        Ok(explanation)
    }

    /// Items 0..count (at most 1,000) of the sequence, on the interactive lane.
    ///
    /// # Errors
    /// `Invalid` when the count or the spec is out of range or more grids are asked for than exist; `Exhausted` at the
    /// time limit; else as [`Compute::solve`].
    pub async fn generate(&self, spec: CompleteSpec, count: u32, seed: u64) -> Result<Vec<Grid>, EngineError> {
        self.admit()?;
        let invalid = |field: &str, problem| Err(EngineError::Invalid { field: field.into(), problem });
        let count = checked(count)?;
        if spec.first_cell > 9 {
            return invalid("grid.first_cell", format!("{} is not 1 to 9, nor 0 for any", spec.first_cell));
        }
        if let Some(all) = spec.capacity().filter(|&all| all < u64::from(count)) {
            return invalid("count", format!("{count} grids are asked for, but only {all} exist"));
        }
        let making = Generating { spec, seed, count, completer: None, grids: Vec::new() };
        let grids = self.in_time(count, self.0.pool.interactive(making)).await?;
        metrics::made(grids.len());
        Ok(grids)
    }

    /// Items 0..count (at most 1,000) of the sequence of puzzles, on the interactive lane.
    ///
    /// # Errors
    /// `Invalid` when the count is out of range or wishes contradict each other; `Unmet` when no attempt met them for an
    /// item; else as [`Compute::generate`].
    pub async fn generate_puzzles(&self, spec: PuzzleSpec, count: u32, seed: u64) -> Result<Vec<Made>, EngineError> {
        self.admit()?;
        let making = making::fiber(self.0.pool.fibers(), self.0.kernel, spec, checked(count)?, seed)?;
        let puzzles = self.in_time(count, self.0.pool.interactive(making)).await??;
        metrics::made(puzzles.len());
        Ok(puzzles)
    }

    /// When a call that begins now must end.
    fn until(&self) -> Option<Instant> {
        Instant::now().checked_add(self.0.time_limit)
    }

    /// What is made, unless the time limit comes first.
    async fn in_time<T>(
        &self,
        count: u32,
        making: impl Future<Output = Result<T, TaskError>>,
    ) -> Result<T, EngineError> {
        let limit = self.0.time_limit;
        match tokio::time::timeout(limit, making).await {
            Ok(made) => Ok(made?),
            Err(_) => {
                let problem = format!(
                    "{count} items were not made in the {limit:?} that a call may take: ask for fewer, or submit a batch"
                );
                Err(EngineError::Exhausted { limit: Limit::SolveTime, problem, retry_after: None })
            }
        }
    }

    /// From here on calls are refused.
    pub(super) fn drain(&self) {
        self.0.draining.store(true, Ordering::Relaxed);
    }

    fn admit(&self) -> Result<(), EngineError> {
        if self.0.draining.load(Ordering::Relaxed) { Err(EngineError::Draining) } else { Ok(()) }
    }
}

fn checked(count: u32) -> Result<u32, EngineError> {
    if (1..=MAX_GENERATED).contains(&count) {
        return Ok(count);
    }
    let problem = format!("{count} items in one call, expected 1 to {MAX_GENERATED}");
    Err(EngineError::Invalid { field: "count".into(), problem })
}

/// A search in quanta of time, made of smaller ones of passes.
struct Solving {
    /// Gone once it was answered.
    search: Option<Search>,
    /// Passes to run between two looks at the clock.
    passes: u32,
    /// When what was found so far has to do.
    until: Option<Instant>,
    spent: Duration,
}

impl Solving {
    /// Between these, a look at the clock costs little and an overrun is short.
    const PASSES_TIME: std::ops::Range<Duration> = Duration::from_micros(20)..Duration::from_micros(50);

    fn new(kernel: Kernel, puzzle: &Grid, limits: Limits, until: Option<Instant>) -> Solving {
        let start = Instant::now();
        let search = Some(Search::new(kernel, puzzle, limits));
        Solving { search, passes: 16, until, spent: start.elapsed() }
    }
}

impl Stepwise for Solving {
    type Output = (Answer, Duration);

    fn step(&mut self, quantum: Duration) -> Option<(Answer, Duration)> {
        let start = Instant::now();
        let mut elapsed = Duration::ZERO;
        while elapsed < quantum {
            let before = elapsed;
            let done = self.search.as_mut()?.run(self.passes);
            elapsed = start.elapsed();
            if done || self.until.is_some_and(|until| start + elapsed >= until) {
                self.spent += elapsed;
                return Some((self.search.take()?.answer(), self.spent));
            }
            let took = elapsed - before;
            if took < Self::PASSES_TIME.start {
                self.passes = self.passes.saturating_mul(2);
            } else if took > Self::PASSES_TIME.end {
                self.passes = (self.passes / 2).max(1);
            }
        }
        self.spent += elapsed;
        None
    }
}

/// Completed grids, a few a turn.
struct Generating {
    spec: CompleteSpec,
    seed: u64,
    count: u32,
    /// Set up in the first turn.
    completer: Option<Completer>,
    grids: Vec<Grid>,
}

impl Stepwise for Generating {
    type Output = Vec<Grid>;

    fn step(&mut self, quantum: Duration) -> Option<Vec<Grid>> {
        let start = Instant::now();
        let completer = self.completer.get_or_insert_with(|| Completer::new(self.spec, self.seed));
        // At least one a turn: each turn advances, however slow the machine.
        while self.grids.len() < self.count as usize {
            self.grids.push(completer.item(self.grids.len() as u64));
            if start.elapsed() >= quantum {
                break;
            }
        }
        (self.grids.len() == self.count as usize).then(|| std::mem::take(&mut self.grids))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pool;
    use crate::sudoku::logic::Level;
    use crate::sudoku::{Outcome, text};

    const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    fn compute(inline_budget: Duration) -> Compute {
        compute_with(&Options { inline_budget, ..Options::default() })
    }

    fn compute_with(engine: &Options) -> Compute {
        let options = pool::Options {
            batch_threads: 0,
            batch_priority: pool::BatchPriority::Normal,
            interactive_threads: 1,
            interactive_queue: 4,
        };
        let pool = Pool::start(options).expect("threads start");
        Compute::new(pool, Kernel::default(), engine)
    }

    #[tokio::test]
    async fn answers_are_the_same_here_and_on_the_lane() {
        let counting = Limits { max_solutions: 3, count_limit: 20_000, node_limit: u64::MAX };
        let puzzle = text::parse(PUZZLE).expect("a puzzle");
        for (grid, limits, outcome, count) in [
            (puzzle, Limits::PROVE, Outcome::Unique, 1),
            (puzzle, Limits::ANY, Outcome::Found, 1),
            (Grid::EMPTY, counting, Outcome::Multiple, 20_000),
            (Grid::EMPTY, Limits { node_limit: 3, ..counting }, Outcome::Undecided, 0),
        ] {
            let inline = compute(Duration::from_secs(60)).solve(grid, limits).await.expect("answered").0;
            assert_eq!((inline.outcome, inline.count), (outcome, count));
            let on_lane = compute(Duration::ZERO).solve(grid, limits).await.expect("answered").0;
            assert_eq!(on_lane, inline);
        }
    }

    #[tokio::test]
    async fn a_dropped_call_leaves_the_lane() {
        let compute = compute(Duration::ZERO);
        let endless = Limits { max_solutions: 1, count_limit: 1_000_000_000, node_limit: u64::MAX };
        let call = compute.solve(Grid::EMPTY, endless);
        assert!(tokio::time::timeout(Duration::from_millis(5), call).await.is_err());
        let (answer, spent) = compute.solve(Grid::EMPTY, Limits::ANY).await.expect("answered");
        assert!(answer.outcome == Outcome::Found && spent > Duration::ZERO);
        compute.pool().close().await;
        assert_eq!(compute.solve(Grid::EMPTY, Limits::ANY).await, Err(EngineError::Draining));
    }

    #[tokio::test]
    async fn the_time_limit_ends_each_kind_of_call_in_its_way() {
        let solve_time_limit = Duration::from_millis(50);
        let compute = compute_with(&Options { solve_time_limit, ..Options::default() });
        let endless = Limits { max_solutions: 2, count_limit: 1_000_000_000, node_limit: u64::MAX };
        let (answer, _) = compute.solve(Grid::EMPTY, endless).await.expect("what was found");
        assert_eq!((answer.outcome, answer.exact, answer.solutions.len()), (Outcome::Multiple, false, 2));

        let wishes = PuzzleSpec { level: Some(Level::Extreme), ..PuzzleSpec::default() };
        let refused = compute.generate_puzzles(wishes, 1_000, 1).await.expect_err("nobody makes these in time");
        let EngineError::Exhausted { limit, problem, retry_after } = refused else { panic!("{refused}") };
        assert_eq!((limit, retry_after), (Limit::SolveTime, None));
        assert!(problem.starts_with("1000 items were not made in the 50ms"), "{problem}");
    }
}

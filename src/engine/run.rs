//! [`ChunkRun`]: one chunk in work on batch threads, from packed input to packed results, in slices of time.
//! Knows no store and no lease.

use super::slice::Slice;
use super::solver::ChunkSolver;
use super::stint::{Maker, Rater, Stint};
use super::verdict::{completed, crashed, damaged, panicked};
use super::window::Window;
use crate::job::codec::{DetailKind, InputChunk, ItemResult, ResultBuilder};
use crate::job::{ChunkRef, Counts, GenerateSpec, GenerateWork, SolveWork, Work};
use crate::pool::{Cancel, Fiber, Fibers, guard};
use crate::sudoku::generate::Completer;
use crate::sudoku::{BatchLimits, Grid, Kernel};
use bytes::Bytes;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

/// Items solved at a time: so many that the lanes seldom run dry.
const WINDOW: u32 = 8192;

/// What a chunk takes to be run.
pub(super) struct Task {
    pub(super) work: Work,
    pub(super) chunk: ChunkRef,
    /// Packed input, empty for generated work; or, where there is none, what becomes of each item.
    pub(super) payload: Result<Bytes, Box<ItemResult>>,
    /// Indices in the job of items that are not to be run.
    pub(super) condemned: Vec<u32>,
    /// Stop after each item.
    pub(super) item_by_item: bool,
    pub(super) solver: Arc<dyn ChunkSolver>,
    /// For what is generated.
    pub(super) kernel: Kernel,
    pub(super) fibers: Fibers,
}

/// Where a turn ended.
pub(super) enum Turn {
    /// Every item has a result.
    Done(Finished),
    /// There is more to do.
    More(Box<ChunkRun>),
}

/// A finished chunk.
#[derive(Debug)]
pub(super) struct Finished {
    pub(super) counts: Counts,
    pub(super) result: Bytes,
    pub(super) nodes: u64,
    /// Time on batch threads.
    pub(super) spent: Duration,
}

/// A chunk in work.
pub(super) struct ChunkRun {
    task: Task,
    source: Source,
    /// Items coded so far.
    done: u32,
    window: Option<Window>,
    stint: Option<Fiber<Stint>>,
    results: ResultBuilder,
    nodes: u64,
    spent: Duration,
}

/// Where the items come from.
enum Source {
    Puzzles(InputChunk, BatchLimits),
    Grids(Completer),
    /// Made in a fiber, so many at a time.
    Stints(Box<dyn Fn(Range<u32>) -> Fiber<Stint> + Send>),
    /// The input is lost: each item ends like this.
    Lost(ItemResult),
}

impl ChunkRun {
    /// Opens the input. CPU work: call it on a batch thread.
    pub(super) fn open(mut task: Task) -> Box<ChunkRun> {
        let payload = std::mem::replace(&mut task.payload, Ok(Bytes::new()));
        let source = payload.and_then(|payload| source(&task, payload)).unwrap_or_else(|item| Source::Lost(*item));
        let results = ResultBuilder::new(details(&task.work));
        Box::new(ChunkRun {
            task,
            source,
            done: 0,
            window: None,
            stint: None,
            results,
            nodes: 0,
            spent: Duration::ZERO,
        })
    }

    /// Works until done, until `length` is over, or, item by item, until the next item is done. CPU work: call
    /// it on a batch thread.
    pub(super) fn turn(mut self: Box<Self>, cancel: &Cancel, length: Duration) -> Turn {
        let slice = Slice::begin(cancel, length);
        while self.done < self.task.chunk.count && !slice.is_over() {
            let before = self.done;
            self.advance(&slice);
            if self.task.item_by_item && self.done > before {
                break;
            }
        }
        let done = self.done == self.task.chunk.count;
        let packed = done.then(|| self.results.finish());
        self.spent += slice.spent();
        match packed {
            Some((counts, result)) => Turn::Done(Finished { counts, result, nodes: self.nodes, spent: self.spent }),
            None => Turn::More(self),
        }
    }

    /// Index in the job of the item that is worked on next.
    pub(super) fn next_item(&self) -> u32 {
        self.task.chunk.first_index + self.done
    }

    fn advance(&mut self, slice: &Slice<'_>) {
        let size = if self.task.item_by_item { 1 } else { WINDOW };
        let count = size.min(self.task.chunk.count - self.done);
        let first_index = self.task.chunk.first_index;
        let condemned = |i: u32| self.task.condemned.contains(&(first_index + i));
        match &self.source {
            Source::Puzzles(input, limits) => {
                let open = || Window::open(input, self.done, count, condemned);
                let mut window = self.window.take().unwrap_or_else(open);
                if window.solve(&*self.task.solver, *limits, slice) {
                    self.nodes += window.nodes;
                    self.done += window.len();
                    window.code(&mut self.results);
                } else {
                    self.window = Some(window);
                }
            }
            Source::Grids(completer) => {
                let made = if condemned(self.done) {
                    vec![crashed()]
                } else {
                    let free = (0..count).take_while(|i| !condemned(self.done + i)).count();
                    complete(completer, u64::from(self.next_item()), free, slice)
                };
                made.iter().for_each(|item| self.results.push(item));
                self.done += made.len() as u32;
            }
            Source::Stints(begin) => {
                let stint = self.stint.get_or_insert_with(|| begin(self.done..self.done + count));
                let Some(finished) = stint.resume(slice.end(), slice.cancel()) else { return };
                self.stint = None;
                // Not one item's fault: the whole chunk is tried again.
                let Stint { items, nodes } = finished.unwrap_or_else(|message| panic!("{message}"));
                items.iter().for_each(|item| self.results.push(item));
                self.nodes += nodes;
                self.done += items.len() as u32;
            }
            Source::Lost(item) => {
                (0..count).for_each(|_| self.results.push(item));
                self.done += count;
            }
        }
    }
}

/// Opens the work on a chunk; where its input is damaged, what becomes of each item.
fn source(task: &Task, payload: Bytes) -> Result<Source, Box<ItemResult>> {
    let (first_index, kernel, fibers) = (task.chunk.first_index, task.kernel, task.fibers.clone());
    let condemned = task.condemned.iter().filter_map(|item| item.checked_sub(first_index)).collect();
    Ok(match &task.work {
        Work::Generate(work) => {
            let seed = work.seed.unwrap_or_default();
            match work.spec {
                GenerateSpec::Grids(spec) => Source::Grids(Completer::new(spec, seed)),
                GenerateSpec::Puzzles { puzzles: spec } => {
                    let maker = Maker { fibers, kernel, spec, seed, first_index, condemned };
                    Source::Stints(Box::new(move |items| maker.fiber(items)))
                }
            }
        }
        Work::Solve(SolveWork { max_solutions, node_limit }) => {
            let limits = BatchLimits { max_solutions: *max_solutions, node_limit: node_limit.unwrap_or(u64::MAX) };
            Source::Puzzles(input(task, payload)?, limits)
        }
        Work::Rate(work) => {
            let node_limit = work.node_limit.unwrap_or(u64::MAX);
            let rater =
                Rater { fibers, input: input(task, payload)?, node_limit, condemned, solver: Arc::clone(&task.solver) };
            Source::Stints(Box::new(move |items| rater.fiber(items)))
        }
    })
}

fn input(task: &Task, payload: Bytes) -> Result<InputChunk, Box<ItemResult>> {
    let count = task.chunk.count;
    match InputChunk::decode(payload) {
        Ok(input) if input.len() == count => Ok(input),
        Ok(input) => Err(Box::new(damaged(&format!("{} items are stored, not {count}", input.len())))),
        Err(error) => Err(Box::new(damaged(&error.to_string()))),
    }
}

/// What this work tells of each item besides its grid.
fn details(work: &Work) -> Option<DetailKind> {
    match work {
        Work::Rate(_) => Some(DetailKind::Ratings),
        Work::Generate(GenerateWork { spec: GenerateSpec::Puzzles { .. }, .. }) => Some(DetailKind::Puzzles),
        Work::Solve(_) | Work::Generate(_) => None,
    }
}

/// Up to `count` generated items from `first` on, at least one; fewer where the slice is over.
fn complete(completer: &Completer, first: u64, count: usize, slice: &Slice<'_>) -> Vec<ItemResult> {
    let mut grids = vec![Grid::EMPTY; count];
    if let Ok(count @ 1..) = guard(|| completer.fill(first, &mut grids, &mut || slice.pace())) {
        return grids[..count].iter().map(completed).collect();
    }
    // It panicked, or the slice was over before one item was made.
    let item = guard(|| completer.item(first));
    vec![item.map_or_else(|message| panicked(&message), |grid| completed(&grid))]
}

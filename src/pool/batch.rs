//! The batch lane: a short queue of closures, first come first served, that makes its callers wait for room.

use super::cancel::{Cancel, CancelOnDrop};
use super::error::TaskError;
use super::guard::guard;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use tokio::sync::{Semaphore, oneshot};

/// Closures that may wait for each thread: enough that no thread idles between two of them.
const QUEUE_PER_THREAD: usize = 2;

type Work = Box<dyn FnOnce() + Send>;

pub(super) struct BatchLane {
    /// A permit for each place in the queue; closed with the lane.
    room: Arc<Semaphore>,
    state: Mutex<State>,
    arrived: Condvar,
    /// Threads at work.
    busy: AtomicUsize,
}

#[derive(Default)]
struct State {
    queue: VecDeque<Work>,
    closing: bool,
}

impl BatchLane {
    pub(super) fn new(threads: usize) -> BatchLane {
        let lane = BatchLane {
            room: Arc::new(Semaphore::new(threads * QUEUE_PER_THREAD)),
            state: Mutex::default(),
            arrived: Condvar::new(),
            busy: AtomicUsize::new(0),
        };
        if threads == 0 {
            lane.close();
        }
        lane
    }

    /// See [`super::Pool::batch`].
    pub(super) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Cancel) -> T + Send + 'static,
    ) -> Result<T, TaskError> {
        let place = Arc::clone(&self.room).acquire_owned().await.map_err(|_| TaskError::Closing)?;
        let (reply, output) = oneshot::channel();
        let cancel = Cancel::default();
        let _leaving = CancelOnDrop(cancel.clone());
        self.push(Box::new(move || {
            drop(place);
            if reply.is_closed() {
                return;
            }
            let output = guard(|| work(&cancel)).map_err(TaskError::Panicked);
            // A caller that left meanwhile wants no output.
            drop(reply.send(output));
        }))?;
        output.await.unwrap_or(Err(TaskError::Closing))
    }

    fn push(&self, work: Work) -> Result<(), TaskError> {
        let mut state = self.lock();
        if state.closing {
            return Err(TaskError::Closing);
        }
        state.queue.push_back(work);
        drop(state);
        self.arrived.notify_one();
        Ok(())
    }

    /// What each thread does until the lane closes.
    pub(super) fn serve(&self) {
        while let Some(work) = self.pop() {
            self.busy.fetch_add(1, Ordering::Relaxed);
            // Skipped work is dropped in here too, and whatever it owns may panic when dropped.
            if let Err(message) = guard(work) {
                tracing::error!(message, "batch work panicked outside of its guard");
            }
            self.busy.fetch_sub(1, Ordering::Relaxed);
        }
    }

    fn pop(&self) -> Option<Work> {
        let mut state = self.lock();
        loop {
            if state.closing {
                return None;
            }
            if let Some(work) = state.queue.pop_front() {
                return Some(work);
            }
            state = self.arrived.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Work in the queue.
    pub(super) fn waiting(&self) -> usize {
        self.lock().queue.len()
    }

    /// Threads at work.
    pub(super) fn busy(&self) -> usize {
        self.busy.load(Ordering::Relaxed)
    }

    /// Refuses new work and drops what waits; threads end after the work they are at.
    pub(super) fn close(&self) {
        self.room.close();
        let waiting = {
            let mut state = self.lock();
            state.closing = true;
            std::mem::take(&mut state.queue)
        };
        self.arrived.notify_all();
        drop(waiting);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use crate::pool::{BatchPriority, Options, Pool, TaskError};
    use crate::sudoku::Pace;
    use std::future::Future;
    use std::pin::pin;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Arc, mpsc};
    use std::task::{Context, Waker};

    fn pool(batch_threads: usize) -> Pool {
        Pool::start(Options {
            batch_threads,
            batch_priority: BatchPriority::Idle,
            interactive_threads: 1,
            interactive_queue: 1,
        })
        .expect("threads start")
    }

    /// Occupies the pool's only thread until the sender is dropped.
    async fn occupy(pool: &Pool) -> (mpsc::Sender<()>, tokio::task::JoinHandle<Result<Pace, TaskError>>) {
        let (gate, wait) = mpsc::channel::<()>();
        let (begun, begins) = tokio::sync::oneshot::channel();
        let pool = pool.clone();
        let running = tokio::spawn(async move {
            pool.batch(move |cancel| {
                begun.send(()).expect("the test waits");
                assert!(wait.recv().is_err());
                cancel.pace()
            })
            .await
        });
        begins.await.expect("it begins");
        (gate, running)
    }

    #[tokio::test]
    async fn gives_outputs_and_survives_panics() {
        let pool = pool(1);
        assert_eq!(pool.batch(|_| panic!("bad chunk")).await, Err::<(), _>(TaskError::Panicked("bad chunk".into())));
        assert_eq!(pool.batch(|_| 5).await, Ok(5));
        pool.close().await;
        assert_eq!(pool.batch(|_| 5).await, Err(TaskError::Closing));
    }

    #[tokio::test]
    async fn without_threads_nothing_is_taken() {
        assert_eq!(pool(0).batch(|_| 5).await, Err(TaskError::Closing));
    }

    #[tokio::test]
    async fn waits_for_room_and_skips_work_whose_caller_left() {
        let pool = pool(1);
        let (gate, running) = occupy(&pool).await;
        let runs = Arc::new(AtomicUsize::new(0));
        let task = || {
            let (pool, runs) = (pool.clone(), Arc::clone(&runs));
            async move { pool.batch(move |_| runs.fetch_add(1, Ordering::SeqCst)).await }
        };
        let (mut first, mut third) = (Box::pin(task()), pin!(task()));
        let mut second = pin!(task());
        let mut context = Context::from_waker(Waker::noop());
        for queued in [first.as_mut(), second.as_mut(), third.as_mut()] {
            assert!(queued.poll(&mut context).is_pending());
        }
        assert_eq!((pool.batch_waiting(), pool.batch_busy()), (2, 1), "the third waits outside");
        drop(first);
        drop(gate);
        assert_eq!((second.await, third.await), (Ok(0), Ok(1)));
        assert_eq!(runs.load(Ordering::SeqCst), 2);
        assert_eq!(running.await.expect("no panic"), Ok(Pace::Continue));
    }

    #[tokio::test]
    async fn a_dropped_future_cancels_running_work() {
        let pool = pool(1);
        let (begun, begins) = tokio::sync::oneshot::channel();
        let (seen, sees) = mpsc::channel();
        let running = tokio::spawn({
            let pool = pool.clone();
            async move {
                pool.batch(move |cancel| {
                    begun.send(()).expect("the test waits");
                    while cancel.pace() == Pace::Continue {
                        std::thread::yield_now();
                    }
                    seen.send(()).expect("the test waits");
                })
                .await
            }
        });
        begins.await.expect("it begins");
        running.abort();
        assert!(running.await.expect_err("aborted").is_cancelled());
        sees.recv().expect("the work saw its Cancel and ended");
        pool.close().await;
    }

    #[tokio::test]
    async fn closing_drops_what_waits_and_ends_what_runs() {
        let pool = pool(1);
        let (gate, running) = occupy(&pool).await;
        let waiting = tokio::spawn({
            let pool = pool.clone();
            async move { pool.batch(|_| ()).await }
        });
        while pool.batch_waiting() == 0 {
            tokio::task::yield_now().await;
        }
        let closing = tokio::spawn({
            let pool = pool.clone();
            async move { pool.close().await }
        });
        assert_eq!(waiting.await.expect("no panic"), Err(TaskError::Closing));
        drop(gate);
        closing.await.expect("closed");
        assert_eq!(running.await.expect("no panic"), Ok(Pace::Continue));
    }
}

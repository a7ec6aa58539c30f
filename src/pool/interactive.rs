//! The interactive lane: tasks that take turns of at most a millisecond, so that a long one delays nobody.

use super::error::TaskError;
use super::guard::guard;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::oneshot;

/// The longest turn.
const QUANTUM: Duration = Duration::from_millis(1);

/// Work done in quanta of at most 1 ms, in turn with others.
pub trait Stepwise: Send + 'static {
    /// What it gives.
    type Output: Send + 'static;

    /// Works for about `quantum`; the output once it is done.
    fn step(&mut self, quantum: Duration) -> Option<Self::Output>;
}

pub(super) struct InteractiveLane {
    capacity: usize,
    state: Mutex<State>,
    arrived: Condvar,
    /// Threads at work.
    busy: AtomicUsize,
}

#[derive(Default)]
struct State {
    queue: VecDeque<Box<dyn Turn>>,
    closing: bool,
}

/// A task of any output type.
trait Turn: Send {
    /// Takes one turn; whether it was the last.
    fn turn(&mut self) -> bool;
}

struct Task<S: Stepwise> {
    work: S,
    /// Gone once the output was sent.
    reply: Option<oneshot::Sender<Result<S::Output, TaskError>>>,
}

impl<S: Stepwise> Turn for Task<S> {
    fn turn(&mut self) -> bool {
        if self.reply.as_ref().is_none_or(oneshot::Sender::is_closed) {
            return true;
        }
        let output = match guard(|| self.work.step(QUANTUM)) {
            Ok(None) => return false,
            Ok(Some(output)) => Ok(output),
            Err(message) => Err(TaskError::Panicked(message)),
        };
        // A caller that left meanwhile wants no output.
        drop(self.reply.take().map(|reply| reply.send(output)));
        true
    }
}

impl InteractiveLane {
    pub(super) fn new(capacity: usize) -> InteractiveLane {
        InteractiveLane { capacity, state: Mutex::default(), arrived: Condvar::new(), busy: AtomicUsize::new(0) }
    }

    /// See [`super::Pool::interactive`].
    pub(super) async fn run<S: Stepwise>(&self, work: S) -> Result<S::Output, TaskError> {
        let (reply, output) = oneshot::channel();
        self.admit(Box::new(Task { work, reply: Some(reply) }))?;
        output.await.unwrap_or(Err(TaskError::Closing))
    }

    fn admit(&self, task: Box<dyn Turn>) -> Result<(), TaskError> {
        let mut state = self.lock();
        if state.closing {
            return Err(TaskError::Closing);
        }
        if state.queue.len() >= self.capacity {
            return Err(TaskError::Busy(state.queue.len()));
        }
        state.queue.push_back(task);
        drop(state);
        self.arrived.notify_one();
        Ok(())
    }

    /// What each thread does until the lane is closed and empty.
    pub(super) fn serve(&self) {
        while let Some(mut task) = self.pop() {
            self.busy.fetch_add(1, Ordering::Relaxed);
            let turn = guard(|| task.turn());
            self.busy.fetch_sub(1, Ordering::Relaxed);
            match turn {
                // Not bounded by the capacity: it was admitted before.
                Ok(false) => self.lock().queue.push_back(task),
                Ok(true) => dispose(task),
                Err(message) => {
                    tracing::error!(message, "an interactive task panicked outside of its guard");
                    dispose(task);
                }
            }
        }
    }

    fn pop(&self) -> Option<Box<dyn Turn>> {
        let mut state = self.lock();
        loop {
            if let Some(task) = state.queue.pop_front() {
                return Some(task);
            }
            if state.closing {
                return None;
            }
            state = self.arrived.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Tasks in the queue.
    pub(super) fn waiting(&self) -> usize {
        self.lock().queue.len()
    }

    /// Threads at work.
    pub(super) fn busy(&self) -> usize {
        self.busy.load(Ordering::Relaxed)
    }

    /// Refuses new tasks; threads end once those here are done.
    pub(super) fn close(&self) {
        self.lock().closing = true;
        self.arrived.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Drops a task, which may panic, without ending the thread.
fn dispose(task: Box<dyn Turn>) {
    if let Err(message) = guard(move || drop(task)) {
        tracing::error!(message, "an interactive task panicked when dropped");
    }
}

#[cfg(test)]
mod tests {
    use crate::pool::{BatchPriority, Options, Pool, Stepwise, TaskError};
    use std::sync::{Arc, Mutex, mpsc};
    use std::time::Duration;

    /// Notes its name at each of its turns; the first one then waits for the gate.
    struct Noting {
        name: char,
        turns: usize,
        gate: Option<mpsc::Receiver<()>>,
        notes: Notes,
    }

    type Notes = Arc<Mutex<String>>;

    impl Stepwise for Noting {
        type Output = char;

        fn step(&mut self, _: Duration) -> Option<char> {
            self.notes.lock().expect("not poisoned").push(self.name);
            if let Some(gate) = self.gate.take() {
                assert!(gate.recv().is_err());
            }
            self.turns -= 1;
            (self.turns == 0).then_some(self.name)
        }
    }

    struct Panicking;

    impl Stepwise for Panicking {
        type Output = ();

        fn step(&mut self, _: Duration) -> Option<()> {
            panic!("bad step")
        }
    }

    fn pool(interactive_queue: usize) -> Pool {
        Pool::start(Options {
            batch_threads: 0,
            batch_priority: BatchPriority::Idle,
            interactive_threads: 1,
            interactive_queue,
        })
        .expect("threads start")
    }

    async fn until(condition: impl Fn() -> bool) {
        while !condition() {
            tokio::task::yield_now().await;
        }
    }

    #[tokio::test]
    async fn tasks_take_turns() {
        let pool = pool(8);
        let notes = Notes::default();
        let (gate, wait) = mpsc::channel::<()>();
        let task = |name, turns, gate| {
            let (pool, notes) = (pool.clone(), Arc::clone(&notes));
            tokio::spawn(async move { pool.interactive(Noting { name, turns, gate, notes }).await })
        };
        let a = task('a', 4, Some(wait));
        until(|| *notes.lock().expect("not poisoned") == "a").await;
        let (b, c) = (task('b', 1, None), task('c', 3, None));
        until(|| pool.interactive_waiting() == 2).await;
        drop(gate);
        for (task, name) in [(a, 'a'), (b, 'b'), (c, 'c')] {
            assert_eq!(task.await.expect("no panic"), Ok(name));
        }
        assert_eq!(*notes.lock().expect("not poisoned"), "abcacaca");
        pool.close().await;
    }

    #[tokio::test]
    async fn survives_panics_refuses_when_full_and_ends_what_was_left() {
        let pool = pool(1);
        assert_eq!(pool.interactive(Panicking).await, Err(TaskError::Panicked("bad step".into())));
        let notes = Notes::default();
        let (gate, wait) = mpsc::channel::<()>();
        let task = |name, turns, gate| {
            let (pool, notes) = (pool.clone(), Arc::clone(&notes));
            async move { pool.interactive(Noting { name, turns, gate, notes }).await }
        };
        let endless = tokio::spawn(task('x', usize::MAX, Some(wait)));
        until(|| *notes.lock().expect("not poisoned") == "x").await;
        let queued = tokio::spawn(task('y', 1, None));
        until(|| pool.interactive_waiting() == 1).await;
        assert_eq!(task('z', 1, None).await, Err(TaskError::Busy(1)));
        endless.abort();
        assert!(endless.await.expect_err("aborted").is_cancelled());
        drop(gate);
        assert_eq!(queued.await.expect("no panic"), Ok('y'));
        pool.close().await;
        assert_eq!(task('z', 1, None).await, Err(TaskError::Closing));
    }
}

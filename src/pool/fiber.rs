//! [`Fiber`]: work that keeps its place on the stack and can yet be put aside between two turns; [`Fibers`] begins it.
//! Knows nothing of the work.

use super::cancel::Cancel;
use super::guard::guard;
use super::interactive::Stepwise;
use crate::sudoku::Pace;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

type Work<T> = Box<dyn FnOnce(&mut dyn FnMut() -> Pace) -> T + Send>;

/// Begins fibers, and knows the threads of those that were dropped until they have ended. Clones share them.
#[derive(Clone, Default)]
pub struct Fibers(Arc<Mutex<Vec<JoinHandle<()>>>>);

impl Fibers {
    /// Work that has not begun. What it gives after its pace said `Stop` is dropped.
    pub fn fiber<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut dyn FnMut() -> Pace) -> T + Send + 'static,
    ) -> Fiber<T> {
        Fiber { work: Some(Box::new(work)), running: None, all: self.clone() }
    }

    /// Waits for the threads of fibers that were dropped.
    pub(super) fn join(&self) {
        self.take(|_| true).into_iter().for_each(join);
    }

    /// A fiber was dropped: its thread ends soon. Whoever drops it does not wait: it may be of a higher priority.
    fn leave(&self, thread: JoinHandle<()>) {
        self.take(JoinHandle::is_finished).into_iter().for_each(join);
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(thread);
    }

    fn take(&self, which: impl Fn(&JoinHandle<()>) -> bool) -> Vec<JoinHandle<()>> {
        let mut left = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        left.extract_if(.., |thread| which(thread)).collect()
    }
}

fn join(thread: JoinHandle<()>) {
    if thread.join().is_err() {
        tracing::error!("a fiber's thread panicked outside of its guard");
    }
}

/// A pure function that asks a [`Pace`], as a task that takes turns.
///
/// It has a thread of its own, with the priority of the thread that gives the first turn, and moves during turns
/// alone: at the end of a turn its pace does not answer until the next one. The pace says `Stop` once the fiber is
/// dropped.
pub struct Fiber<T> {
    /// Until the first turn.
    work: Option<Work<T>>,
    running: Option<Running<T>>,
    all: Fibers,
}

struct Running<T> {
    turns: Sender<Turn>,
    replies: Receiver<Reply<T>>,
    thread: JoinHandle<()>,
}

struct Turn {
    until: Instant,
    cancel: Cancel,
}

enum Reply<T> {
    Paused,
    /// The output, or the message of a panic.
    Done(Result<T, String>),
}

impl<T: Send + 'static> Fiber<T> {
    /// Gives it a turn, which ends at `until` or when `cancel` is raised; what it gives, or the message of its panic,
    /// once it is done. Then it may be dropped, and gets no further turn.
    pub fn resume(&mut self, until: Instant, cancel: &Cancel) -> Option<Result<T, String>> {
        if let Some(work) = self.work.take() {
            match start(work) {
                Ok(running) => self.running = Some(running),
                Err(error) => return Some(Err(format!("its thread could not be started: {error}"))),
            }
        }
        let gone = || Some(Err("its thread has ended".to_owned()));
        let Some(running) = &self.running else { return gone() };
        if running.turns.send(Turn { until, cancel: cancel.clone() }).is_err() {
            return gone();
        }
        match running.replies.recv() {
            Ok(Reply::Paused) => None,
            Ok(Reply::Done(output)) => Some(output),
            Err(_) => gone(),
        }
    }
}

fn start<T: Send + 'static>(work: Work<T>) -> std::io::Result<Running<T>> {
    let (turns, turns_here) = channel::<Turn>();
    let (replies, replies_there) = channel();
    let run = move || {
        let Ok(turn) = turns_here.recv() else { return };
        let mut clock = Clock { turn: Some(turn), turns: turns_here, replies: &replies };
        let output = guard(|| work(&mut || clock.pace()));
        // A fiber that was dropped meanwhile wants no output.
        drop(replies.send(Reply::Done(output)));
    };
    let thread = thread::Builder::new().name("fiber".into()).spawn(run)?;
    Ok(Running { turns, replies: replies_there, thread })
}

/// The pace of the work.
struct Clock<'a, T> {
    /// `None` once the fiber was dropped.
    turn: Option<Turn>,
    turns: Receiver<Turn>,
    replies: &'a Sender<Reply<T>>,
}

impl<T> Clock<'_, T> {
    fn pace(&mut self) -> Pace {
        while let Some(turn) = &self.turn {
            if Instant::now() < turn.until && !turn.cancel.is_cancelled() {
                return Pace::Continue;
            }
            let paused = self.replies.send(Reply::Paused);
            self.turn = paused.ok().and_then(|()| self.turns.recv().ok());
        }
        Pace::Stop
    }
}

impl<T> Drop for Fiber<T> {
    fn drop(&mut self) {
        if let Some(Running { turns, replies, thread }) = self.running.take() {
            drop((turns, replies));
            self.all.leave(thread);
        }
    }
}

impl<T: Send + 'static> Stepwise for Fiber<T> {
    type Output = T;

    /// # Panics
    /// As the work does.
    fn step(&mut self, quantum: Duration) -> Option<T> {
        let output = self.resume(Instant::now() + quantum, &Cancel::default())?;
        // The message was printed where it panicked.
        Some(output.unwrap_or_else(|message| std::panic::resume_unwind(Box::new(message))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn soon() -> Instant {
        Instant::now() + Duration::from_millis(1)
    }

    /// Counts the questions to its pace up to `limit`, and, in `stops`, whether it was told to stop.
    fn counting(fibers: &Fibers, limit: u32, stops: &Arc<AtomicUsize>) -> Fiber<u32> {
        let stops = Arc::clone(stops);
        fibers.fiber(move |pace| {
            for asked in 0..limit {
                if pace() == Pace::Stop {
                    stops.fetch_add(1, Ordering::SeqCst);
                    return asked;
                }
            }
            limit
        })
    }

    #[test]
    fn a_turn_ends_and_the_next_goes_on() {
        let stops = Arc::default();
        let mut fiber = counting(&Fibers::default(), 3_000_000, &stops);
        let cancel = Cancel::default();
        let mut turns = 1;
        let output = loop {
            match fiber.resume(soon(), &cancel) {
                Some(output) => break output,
                None => turns += 1,
            }
        };
        assert_eq!((output, stops.load(Ordering::SeqCst)), (Ok(3_000_000), 0));
        assert!(turns > 3, "{turns} turns");
        assert!(matches!(fiber.resume(soon(), &cancel), Some(Err(_))), "it is done");
    }

    #[test]
    fn a_raised_cancel_ends_the_turn_and_a_drop_the_work() {
        let (fibers, stops) = (Fibers::default(), Arc::default());
        let mut fiber = counting(&fibers, u32::MAX, &stops);
        let cancel = Cancel::default();
        let canceller = {
            let cancel = cancel.clone();
            thread::spawn(move || {
                thread::sleep(Duration::from_millis(5));
                cancel.cancel();
            })
        };
        assert_eq!(fiber.resume(Instant::now() + Duration::from_secs(3_600), &cancel), None);
        canceller.join().expect("no panic");
        assert_eq!(stops.load(Ordering::SeqCst), 0);
        drop(fiber);
        fibers.join();
        assert_eq!(stops.load(Ordering::SeqCst), 1);
        assert!(fibers.take(|_| true).is_empty());
    }

    #[test]
    fn work_that_never_began_is_dropped() {
        let stops = Arc::default();
        drop(counting(&Fibers::default(), 7, &stops));
        assert_eq!((Arc::strong_count(&stops), stops.load(Ordering::SeqCst)), (1, 0));
    }

    #[test]
    fn a_panic_is_its_output() {
        let fibers = Fibers::default();
        let mut fiber = fibers.fiber::<()>(|_| panic!("a bad bug"));
        assert_eq!(fiber.resume(soon(), &Cancel::default()), Some(Err("a bad bug".into())));
        let stepped = guard(|| fibers.fiber::<()>(|_| panic!("another")).step(Duration::from_millis(1)));
        assert_eq!(stepped, Err("another".into()));
    }
}

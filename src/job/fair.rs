//! Whose chunk goes next: weighted between priorities, round-robin between principals, then between their jobs.
//!
//! A pure data structure over names and numbers; must never know chunks, leases' tokens or clocks.

use super::{JobId, Principal, Priority};
use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

/// Turns of each priority (low, normal, high) while all three have work.
pub const WEIGHTS: [i64; 3] = [1, 4, 16];

/// Chooses the job whose chunk is handed out next.
///
/// A job takes part while chunks of it wait and fewer than the window of them are out: however many chunks a
/// caller claims ahead, those of one job never fill the hands of all workers for long. Every choice costs
/// O(log n).
#[derive(Debug)]
pub struct Fair {
    window: u32,
    classes: [Class; 3],
    jobs: HashMap<JobId, Place>,
}

/// The jobs of one priority.
#[derive(Debug, Default)]
struct Class {
    /// Credit of the smooth weighted round-robin.
    credit: i64,
    principals: Rotation<Principal>,
    jobs: HashMap<Principal, Rotation<JobId>>,
}

/// What is known of a job.
#[derive(Debug)]
struct Place {
    principal: Principal,
    priority: Priority,
    waits: bool,
    out: u32,
}

impl Fair {
    /// Nobody waits. Of each job at most `window` chunks (at least 1) are out at a time.
    pub fn new(window: u32) -> Fair {
        Fair { window: window.max(1), classes: Default::default(), jobs: HashMap::new() }
    }

    /// Chunks of the job wait (again). Its turn comes after all who wait already.
    pub fn offer(&mut self, job: JobId, principal: &Principal, priority: Priority) {
        let place = self.jobs.entry(job).or_insert_with(|| Place {
            principal: principal.clone(),
            priority,
            waits: false,
            out: 0,
        });
        place.waits = true;
        self.settle(job);
    }

    /// No chunk of the job waits any more.
    pub fn withdraw(&mut self, job: JobId) {
        if let Some(place) = self.jobs.get_mut(&job) {
            place.waits = false;
            self.settle(job);
        }
    }

    /// A chunk of the job that was out is not any more.
    pub fn returned(&mut self, job: JobId) {
        if let Some(place) = self.jobs.get_mut(&job) {
            place.out = place.out.saturating_sub(1);
            self.settle(job);
        }
    }

    /// Whose turn it is; changes nothing.
    pub fn peek(&self) -> Option<JobId> {
        let class = &self.classes[self.turn()?];
        let principal = class.principals.front()?;
        class.jobs.get(principal)?.front().copied()
    }

    /// Gives the turn to the job that [`Fair::peek`] names: one more chunk of it is out.
    pub fn take(&mut self) -> Option<JobId> {
        let turn = self.turn()?;
        let mut total = 0;
        for (class, weight) in self.classes.iter_mut().zip(WEIGHTS).filter(|(class, _)| !class.is_idle()) {
            class.credit += weight;
            total += weight;
        }
        let class = &mut self.classes[turn];
        class.credit -= total;
        let principal = class.principals.rotate()?;
        let job = *class.jobs.get_mut(principal)?.rotate()?;
        if let Some(place) = self.jobs.get_mut(&job) {
            place.out += 1;
        }
        self.settle(job);
        Some(job)
    }

    /// The priority whose turn it is: smooth weighted round-robin, as nginx does it. Each turn adds its weight
    /// to the credit of every priority with work, and the richest pays for all. Who has no work neither gains
    /// nor loses.
    fn turn(&self) -> Option<usize> {
        (0..WEIGHTS.len())
            .filter(|class| !self.classes[*class].is_idle())
            .max_by_key(|class| self.classes[*class].credit + WEIGHTS[*class])
    }

    /// Puts the job into the rotation or takes it out, as its place says.
    fn settle(&mut self, job: JobId) {
        let Some(place) = self.jobs.get(&job) else { return };
        let class = &mut self.classes[place.priority as usize];
        if place.waits && place.out < self.window {
            class.principals.enter(&place.principal);
            class.jobs.entry(place.principal.clone()).or_default().enter(&job);
        } else {
            class.leave(&place.principal, job);
            if !place.waits && place.out == 0 {
                self.jobs.remove(&job);
            }
        }
    }
}

impl Class {
    fn is_idle(&self) -> bool {
        self.principals.is_empty()
    }

    fn leave(&mut self, principal: &Principal, job: JobId) {
        let Some(jobs) = self.jobs.get_mut(principal) else { return };
        jobs.leave(&job);
        if jobs.is_empty() {
            self.jobs.remove(principal);
            self.principals.leave(principal);
        }
    }
}

/// Names that take turns.
#[derive(Debug)]
struct Rotation<K> {
    order: BTreeMap<u64, K>,
    place: HashMap<K, u64>,
    next: u64,
}

impl<K> Default for Rotation<K> {
    fn default() -> Rotation<K> {
        Rotation { order: BTreeMap::new(), place: HashMap::new(), next: 0 }
    }
}

impl<K: Clone + Eq + Hash> Rotation<K> {
    fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    fn front(&self) -> Option<&K> {
        self.order.values().next()
    }

    /// Joins at the end; nothing changes for one who is there.
    fn enter(&mut self, name: &K) {
        if !self.place.contains_key(name) {
            self.order.insert(self.next, name.clone());
            self.place.insert(name.clone(), self.next);
            self.next += 1;
        }
    }

    fn leave(&mut self, name: &K) {
        if let Some(place) = self.place.remove(name) {
            self.order.remove(&place);
        }
    }

    /// The front one, who goes to the end.
    fn rotate(&mut self) -> Option<&K> {
        let (_, name) = self.order.pop_first()?;
        self.place.insert(name.clone(), self.next);
        let name = self.order.entry(self.next).or_insert(name);
        self.next += 1;
        Some(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const PRIORITIES: [Priority; 3] = [Priority::Low, Priority::Normal, Priority::High];

    fn id(n: u8) -> JobId {
        JobId::from_bytes([n; 16])
    }

    fn who(n: u8) -> Principal {
        Principal::new(format!("p{n}")).expect("a name")
    }

    /// Jobs `(id, principal, priority)`, all offered.
    fn offered(window: u32, jobs: &[(u8, u8, Priority)]) -> Fair {
        let mut fair = Fair::new(window);
        for (job, principal, priority) in jobs {
            fair.offer(id(*job), &who(*principal), *priority);
        }
        fair
    }

    /// The next `count` turns, each chunk back at once; `.` for none.
    fn turns(fair: &mut Fair, count: usize) -> String {
        let mut turn = || {
            assert_eq!(fair.peek(), fair.peek());
            let next = fair.peek();
            assert_eq!(fair.take(), next);
            next.inspect(|job| fair.returned(*job)).map_or('.', |job| char::from(job.as_bytes()[0]))
        };
        (0..count).map(|_| turn()).collect()
    }

    #[test]
    fn nobody_waits() {
        assert_eq!(turns(&mut Fair::new(1), 2), "..");
        let mut fair = offered(1, &[(b'a', 0, Priority::Low)]);
        fair.withdraw(id(b'a'));
        assert_eq!(turns(&mut fair, 2), "..");
    }

    #[test]
    fn jobs_of_a_principal_take_turns() {
        let mut fair = offered(1, &[b'a', b'b', b'c'].map(|job| (job, 0, Priority::Normal)));
        assert_eq!(turns(&mut fair, 7), "abcabca");
        // One that is offered again keeps its place; one that left comes last.
        fair.offer(id(b'c'), &who(0), Priority::Normal);
        assert_eq!(turns(&mut fair, 3), "bca");
        fair.withdraw(id(b'b'));
        fair.offer(id(b'b'), &who(0), Priority::Normal);
        assert_eq!(turns(&mut fair, 6), "cabcab");
    }

    #[test]
    fn principals_take_turns_before_their_jobs_do() {
        let normal = |job, principal| (job, principal, Priority::Normal);
        let mut fair = offered(1, &[normal(b'a', 0), normal(b'b', 0), normal(b'c', 0), normal(b'x', 1)]);
        assert_eq!(turns(&mut fair, 8), "axbxcxax");
    }

    #[test]
    fn priorities_weigh_1_4_16() {
        let jobs = [(b'l', 0, Priority::Low), (b'n', 0, Priority::Normal), (b'h', 0, Priority::High)];
        let mut fair = offered(1, &jobs);
        let round = "hhnhhhhnhhlhhhnhhhnhh";
        assert_eq!(turns(&mut fair, 42), round.repeat(2));
        // Two alone share as their weights say.
        fair.withdraw(id(b'h'));
        assert_eq!(turns(&mut fair, 10), "nnlnnnnlnn");
    }

    #[test]
    fn turns_are_not_saved_up() {
        let mut fair = offered(1, &[(b'l', 0, Priority::Low)]);
        turns(&mut fair, 1_000);
        fair.offer(id(b'h'), &who(1), Priority::High);
        let round = "hhhhhhhhlhhhhhhhh";
        assert_eq!(turns(&mut fair, 17), round);
        fair.withdraw(id(b'h'));
        turns(&mut fair, 1_000);
        fair.offer(id(b'h'), &who(1), Priority::High);
        assert_eq!(turns(&mut fair, 17), round);
    }

    #[test]
    fn the_window_bounds_what_is_out() {
        let mut fair = offered(2, &[(b'a', 0, Priority::Normal), (b'b', 0, Priority::Normal)]);
        let taken: Vec<_> = std::iter::from_fn(|| fair.take()).collect();
        assert_eq!(taken, [b'a', b'b', b'a', b'b'].map(id));
        // Offering changes nothing; a chunk that comes back makes room for one.
        fair.offer(id(b'a'), &who(0), Priority::Normal);
        assert_eq!(fair.take(), None);
        fair.returned(id(b'b'));
        assert_eq!((fair.take(), fair.take()), (Some(id(b'b')), None));
        // What is out stays counted while nothing waits.
        fair.withdraw(id(b'a'));
        fair.returned(id(b'a'));
        assert_eq!(fair.take(), None);
        fair.offer(id(b'a'), &who(0), Priority::Normal);
        assert_eq!((fair.take(), fair.take()), (Some(id(b'a')), None));
    }

    #[test]
    fn nothing_is_kept_of_jobs_that_are_gone() {
        let mut fair = offered(2, &[(b'a', 0, Priority::Normal), (b'b', 1, Priority::High)]);
        let taken: Vec<_> = std::iter::from_fn(|| fair.take()).collect();
        assert_eq!(taken.len(), 4);
        [b'a', b'b'].map(id).iter().for_each(|job| fair.withdraw(*job));
        assert_eq!(fair.jobs.len(), 2);
        taken.iter().for_each(|job| fair.returned(*job));
        assert!(fair.jobs.is_empty());
        assert!(fair.classes.iter().all(|class| class.is_idle() && class.jobs.is_empty()));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// However jobs come and go, one that waits with room in its window has its turn within the number of
        /// jobs of its principal, times the principals, times the turns of a round of all priorities.
        #[test]
        fn nobody_starves(
            jobs in prop::collection::vec((0u8..4, 0usize..3), 2..12),
            churn in prop::collection::vec((0usize..12, 0u8..3), 500..1_000),
        ) {
            let watched = jobs[0];
            let mut fair = Fair::new(2);
            let offer = |fair: &mut Fair, n: usize| {
                let (principal, class) = jobs[n];
                fair.offer(id(n as u8), &who(principal), PRIORITIES[class]);
            };
            (0..jobs.len()).for_each(|n| offer(&mut fair, n));
            let all: i64 = WEIGHTS.iter().sum();
            let bound = jobs.len() * 4 * usize::try_from(all / WEIGHTS[watched.1] + 1).expect("small");
            let mut waited = 0;
            for (n, what) in churn {
                // Job 0 always waits; the others come and go.
                let n = 1 + n % (jobs.len() - 1);
                match what {
                    0 => fair.withdraw(id(n as u8)),
                    _ => offer(&mut fair, n),
                }
                let job = fair.take().expect("job 0 waits");
                fair.returned(job);
                waited = if job == id(0) { 0 } else { waited + 1 };
                prop_assert!(waited <= bound, "{watched:?} waited {waited} turns");
            }
        }
    }
}

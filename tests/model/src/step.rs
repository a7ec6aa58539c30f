//! What each action does to the world. The real rules decide on the record; a guard can be left out.

use crate::guard::Guard;
use crate::job::{ChunkRef, Counts, JobEvent, JobState};
use crate::record::{NOW, Record};
use crate::store::api::{PutChunk, StoreError};
use crate::store::rules;
use crate::sudoku::Outcome;
use crate::world::{Action, Held, ITEMS, Place, Promised, Stream, World};
use bytes::Bytes;

/// A world and the guards that it lacks.
pub struct Step<'a> {
    world: &'a mut World,
    without: &'a [Guard],
}

impl Step<'_> {
    /// The world after an action; `None` where it cannot happen.
    pub fn take(world: &World, action: Action, without: &[Guard]) -> Option<World> {
        let mut after = world.clone();
        Step { world: &mut after, without }.act(action)?;
        let ended = after.now.job.map(|job| job.state).filter(|state| state.is_final());
        after.promised.ended = after.promised.ended.or(ended);
        Some(after)
    }

    fn lacks(&self, guard: Guard) -> bool {
        self.without.contains(&guard)
    }

    fn act(&mut self, action: Action) -> Option<()> {
        match action {
            Action::Open(i) => self.open(i),
            Action::Put(i) => self.put(i),
            Action::Hear(i) => self.hear(i),
            Action::Finish(i) => self.finish(i, ITEMS),
            Action::HalfClose(i) => self.half_close(i),
            Action::Claim(i) => self.claim(i),
            Action::Begin(i) => self.begin(i),
            Action::Complete(i) => self.complete(i),
            Action::Release(i) => self.release(i),
            Action::Expire(i) => self.expire(i),
            Action::Cancel => self.cancel(),
            Action::Delete => self.delete(),
            Action::Again => self.again(),
            Action::FailIdle => self.fail_idle(),
            Action::Flush => self.flush(),
            Action::Crash => self.crash(),
        }
    }

    /// The end of a transaction.
    fn commit(&mut self) {
        if !self.lacks(Guard::Durable) {
            self.world.disk = self.world.now.clone();
        }
    }

    fn job(&mut self) -> Option<&mut Record> {
        self.world.now.job.as_mut()
    }

    fn open(&mut self, i: usize) -> Option<()> {
        spend(&mut self.world.budget.opens)?;
        let grant = self.job()?.apply(|job| rules::open_upload(job, NOW)).ok()?;
        let (job, epoch, next) = (self.world.now.id, grant.epoch, grant.next_index);
        self.world.streams[i] = Some(Stream { job, epoch, next, answer: None });
        self.commit();
        Some(())
    }

    /// Lets a stream write, with its epoch; a refusal ends the stream.
    fn write<T>(
        &mut self,
        i: usize,
        rule: impl FnOnce(&mut crate::job::JobRecord, u32) -> Result<T, StoreError>,
    ) -> Option<T> {
        let stream = self.world.streams[i]?;
        let (same, blind) = (stream.job == self.world.now.id, self.lacks(Guard::Epoch));
        let written = match self.world.now.job.as_mut().filter(|_| same) {
            None => None,
            Some(job) => {
                let epoch = if blind { job.epoch } else { stream.epoch };
                let before = *job;
                let written = job.apply(|job| rule(job, epoch)).ok();
                // To seal again what is sealed changes nothing, and anyone may.
                self.world.promised.fenced |= stream.epoch < job.epoch && *job != before;
                written
            }
        };
        if written.is_none() {
            self.world.streams[i] = None;
        }
        self.commit();
        written
    }

    fn put(&mut self, i: usize) -> Option<()> {
        let next = self.world.streams[i].filter(|stream| stream.answer.is_none() && stream.next < ITEMS)?.next;
        let put = PutChunk { chunk: chunk(next as usize), payload: Bytes::new() };
        let stored = self.write(i, |job, epoch| {
            let fresh = rules::put_chunks(job, epoch, vec![put], NOW)?;
            Ok((fresh.len(), job.stored))
        });
        if let Some((fresh, stored)) = stored {
            if fresh > 0 {
                self.world.queue[next as usize] = Place::Waiting;
            }
            self.world.streams[i].as_mut()?.answer = Some(stored);
        }
        Some(())
    }

    fn hear(&mut self, i: usize) -> Option<()> {
        let stream = self.world.streams[i].as_mut()?;
        let stored = stream.answer.take()?;
        stream.next = stored;
        if stream.job == self.world.now.id && self.world.now.job.is_some() {
            self.world.promised.stored = self.world.promised.stored.max(stored);
        }
        Some(())
    }

    fn finish(&mut self, i: usize, total: u32) -> Option<()> {
        self.world.streams[i].filter(|stream| stream.answer.is_none())?;
        let any = self.lacks(Guard::Total);
        self.write(i, |job, epoch| {
            let total = if any { job.stored } else { total };
            rules::seal(job, epoch, total, NOW)
        });
        self.world.streams[i] = None;
        Some(())
    }

    fn half_close(&mut self, i: usize) -> Option<()> {
        self.world.streams[i]?;
        if self.lacks(Guard::Finish) {
            let stored = self.world.now.job.map_or(0, |job| job.stored);
            self.world.streams[i].as_mut()?.answer = None;
            self.finish(i, stored);
        }
        self.world.streams[i] = None;
        Some(())
    }

    fn claim(&mut self, i: usize) -> Option<()> {
        if self.world.workers[i].is_some() {
            return None;
        }
        let chunk = self.world.queue.iter().position(|place| *place == Place::Waiting)?;
        self.world.queue[chunk] = Place::Out { worker: i, cancelled: false };
        self.world.workers[i] = Some(Held { job: self.world.now.id, chunk, valid: true, begun: false });
        Some(())
    }

    /// What the store says of a worker's lease: whether it stands, and is not cancelled.
    fn lease(&self, i: usize, held: Held) -> (bool, bool) {
        let place = self.world.queue[held.chunk];
        let cancelled = place == Place::Out { worker: i, cancelled: true };
        (held.valid, cancelled || held.job != self.world.now.id || self.world.now.job.is_none())
    }

    fn begin(&mut self, i: usize) -> Option<()> {
        let held = self.world.workers[i].filter(|held| !held.begun)?;
        match self.lease(i, held) {
            (true, false) => {
                self.job()?.apply(|job| rules::advance(job, JobEvent::Begun, NOW));
                self.world.workers[i].as_mut()?.begun = true;
                self.commit();
            }
            (true, true) => self.end_lease(i),
            (false, _) => self.world.workers[i] = None,
        }
        Some(())
    }

    fn complete(&mut self, i: usize) -> Option<()> {
        let held = self.world.workers[i].filter(|held| held.begun)?;
        let (stands, cancelled) = self.lease(i, held);
        let other = held.job != self.world.now.id;
        let taken = if other {
            self.lacks(Guard::JobId)
        } else {
            (stands || self.lacks(Guard::Lease)) && (!cancelled || self.lacks(Guard::CancelledLease))
        };
        if taken {
            self.store_result(held.chunk, stands && !other);
        }
        if stands {
            self.end_lease(i)
        } else {
            self.world.workers[i] = None
        }
        Some(())
    }

    /// Stores a result, unless the chunk has one.
    fn store_result(&mut self, at: usize, rightly: bool) {
        let first = self.world.now.results[at] == 0 || self.lacks(Guard::FirstResult);
        let mut counts = Counts::default();
        counts.add(Outcome::Unique, 1);
        let Some(job) = self.world.now.job.as_mut().filter(|job| first && (at as u32) < job.stored) else { return };
        if job.apply(|job| rules::add_result(job, chunk(at), &counts, 1, NOW)).is_ok() {
            self.world.now.results[at] += 1;
            self.world.promised.results[at] = true;
            self.world.promised.stale |= !rightly;
        }
    }

    /// Ends a lease that stands; its chunk does not wait again.
    fn end_lease(&mut self, i: usize) {
        if let Some(held) = self.world.workers[i].take()
            && held.job == self.world.now.id
        {
            self.world.queue[held.chunk] = Place::Nowhere;
            self.last_lease();
        }
        self.commit();
    }

    fn last_lease(&mut self) {
        let last = self.world.out() == 0 && !self.lacks(Guard::LastLease);
        if let Some(job) = self.job().filter(|job| last && job.state == JobState::Cancelling) {
            job.apply(|job| rules::leases_ended(job, NOW));
        }
    }

    fn release(&mut self, i: usize) -> Option<()> {
        let held = self.world.workers[i]?;
        spend(&mut self.world.budget.releases)?;
        match self.lease(i, held) {
            (true, false) => {
                self.world.queue[held.chunk] = Place::Waiting;
                self.world.workers[i] = None;
            }
            (true, true) => self.end_lease(i),
            (false, _) => self.world.workers[i] = None,
        }
        Some(())
    }

    fn expire(&mut self, i: usize) -> Option<()> {
        let held = self.world.workers[i].filter(|held| held.valid)?;
        spend(&mut self.world.budget.expiries)?;
        self.world.workers[i].as_mut()?.valid = false;
        if held.job == self.world.now.id {
            let again = self.world.queue[held.chunk] == Place::Out { worker: i, cancelled: false };
            let waits = again && !self.lacks(Guard::Expiry);
            self.world.queue[held.chunk] = if waits { Place::Waiting } else { Place::Nowhere };
            self.last_lease();
            self.commit();
        }
        Some(())
    }

    /// Nothing of the job waits any more, and what is out is cancelled.
    fn cancel_queue(&mut self) {
        for place in &mut self.world.queue {
            *place = match *place {
                Place::Out { worker, .. } => Place::Out { worker, cancelled: true },
                _ => Place::Nowhere,
            };
        }
    }

    fn cancel(&mut self) -> Option<()> {
        spend(&mut self.world.budget.cancels)?;
        let reopens = self.lacks(Guard::Final);
        self.cancel_queue();
        let leases = self.world.out();
        let job = self.job()?;
        job.apply(|job| {
            if reopens {
                job.state = JobState::Cancelling;
            }
            rules::cancel(job, leases, NOW);
        });
        let (state, done) = (job.state, job.done);
        if matches!(state, JobState::Cancelling | JobState::Cancelled) {
            self.world.promised.cancelled_at = Some(done);
        }
        self.commit();
        Some(())
    }

    fn fail_idle(&mut self) -> Option<()> {
        self.job().filter(|job| job.state == JobState::Uploading)?;
        spend(&mut self.world.budget.fails)?;
        self.job()?.apply(|job| rules::fail(job, "idle", NOW)).ok()?;
        self.cancel_queue();
        self.commit();
        Some(())
    }

    fn delete(&mut self) -> Option<()> {
        spend(&mut self.world.budget.deletes)?;
        self.job()?.apply(|job| rules::deletable(job)).ok()?;
        self.world.now.job = None;
        self.world.now.results = [0; ITEMS as usize];
        self.world.queue = [Place::Nowhere; ITEMS as usize];
        self.world.promised = Promised::default();
        self.commit();
        Some(())
    }

    fn again(&mut self) -> Option<()> {
        if self.world.now.job.is_some() {
            return None;
        }
        self.world.now.job = Some(Record::new());
        self.world.now.id += 1;
        self.commit();
        Some(())
    }

    fn flush(&mut self) -> Option<()> {
        if self.world.disk == self.world.now {
            return None;
        }
        self.world.disk = self.world.now.clone();
        Some(())
    }

    /// Everything in memory is gone; the next process makes of the disk what it can. A worker of the old one may still come
    /// back, as it may where it is another machine.
    fn crash(&mut self) -> Option<()> {
        spend(&mut self.world.budget.crashes)?;
        self.world.now = self.world.disk.clone();
        self.world.queue = [Place::Nowhere; ITEMS as usize];
        self.world.streams = [None; 2];
        self.world.workers.iter_mut().flatten().for_each(|held| held.valid = false);
        let forgets = self.lacks(Guard::Recovery);
        let results = self.world.now.results;
        if let Some(job) = self.job() {
            job.apply(|job| {
                if job.state == JobState::Cancelling {
                    rules::leases_ended(job, NOW);
                } else if job.total.is_some_and(|total| u64::from(total) == job.done()) {
                    rules::advance(job, JobEvent::Completed, NOW);
                }
            });
            let (live, stored) = (!job.state.is_final() && !forgets, job.stored as usize);
            for at in (0..stored).filter(|&at| live && results[at] == 0) {
                self.world.queue[at] = Place::Waiting;
            }
        }
        self.commit();
        Some(())
    }
}

fn spend(budget: &mut u8) -> Option<()> {
    *budget = budget.checked_sub(1)?;
    Some(())
}

fn chunk(at: usize) -> ChunkRef {
    ChunkRef { first_index: at as u32, count: 1 }
}

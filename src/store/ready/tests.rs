//! Tests of the queue against known answers, and against a naive model.

use super::*;
use crate::store::conformance::kit::{chunk, solve_for};
use crate::store::rules;
use proptest::prelude::*;

const TTL: Duration = Duration::from_millis(100);
const START: Timestamp = Timestamp(1_000);

fn job(request: &str, priority: Priority) -> JobRecord {
    rules::create(solve_for("ann", request, priority), START)
}

fn ready(chunk: ChunkRef, since: u64) -> ReadyChunk {
    ReadyChunk { chunk, bytes: 10, record: ChunkRecord::default(), since: Timestamp(since) }
}

/// A queue with these chunks of one job.
fn queue(job: &JobRecord, firsts: &[u32]) -> ReadyQueue {
    let mut queue = ReadyQueue::new(7, 100);
    for first in firsts {
        queue.push(job, ready(chunk(*first, 5), START.0));
    }
    queue
}

fn claim_one(queue: &mut ReadyQueue, now: Timestamp) -> (Token, ChunkRef) {
    let claimed = queue.claim(1, usize::MAX, TTL, now);
    let (token, leased) = claimed.first().expect("something waits");
    (*token, leased.chunk)
}

fn at(ms: u64) -> Timestamp {
    Timestamp(START.0 + ms)
}

#[test]
fn a_chunk_is_once_in_the_queue() {
    let job = job("a", Priority::Normal);
    let mut queue = queue(&job, &[0, 0]);
    assert_eq!((queue.waiting()[1].chunks, queue.waiting()[1].items), (1, 5));
    assert!(queue.has(job.id, chunk(0, 5)) && !queue.has(job.id, chunk(5, 5)));
    let (token, _) = claim_one(&mut queue, START);
    queue.push(&job, ready(chunk(0, 5), START.0));
    assert_eq!((queue.waiting()[1].chunks, queue.leased()), (0, 1));
    assert!(queue.has(job.id, chunk(0, 5)));
    queue.end(token).expect("is out");
    assert!(!queue.has(job.id, chunk(0, 5)));
    assert_eq!(queue.end(token), None);
}

#[test]
fn claims_are_bounded_by_number_and_bytes() {
    let job = job("a", Priority::Normal);
    for (max, bytes, want) in [(0, 100, 0), (1, 0, 1), (9, 19, 1), (9, 20, 2), (2, 100, 2), (9, 100, 4)] {
        let mut queue = queue(&job, &[0, 5, 10, 15]);
        assert_eq!(queue.claim(max, bytes, TTL, START).len(), want, "{max} chunks, {bytes} bytes");
    }
}

#[test]
fn a_lease_lasts_its_time_and_is_renewed_for_as_long() {
    let mut queue = queue(&job("a", Priority::Normal), &[0]);
    let (token, _) = claim_one(&mut queue, START);
    assert!(queue.held(token, at(99)).is_ok());
    assert_eq!(queue.held(token, at(100)), Err(Lease::Lost));
    assert_eq!(queue.renew(token, at(99)), Lease::Held);
    assert!(queue.expire(at(198)).is_empty());
    assert_eq!(queue.renew(token, at(199)), Lease::Lost);
    assert_eq!(queue.expire(at(199)).len(), 1);
    assert_eq!(queue.held(token, at(199)), Err(Lease::Lost));
    let (next, again) = claim_one(&mut queue, at(199));
    assert_eq!(again, chunk(0, 5));
    assert_ne!(next, token);
    assert_eq!(queue.end(token), None);
    assert!(queue.held(next, at(199)).is_ok());
}

#[test]
fn another_boots_token_is_lost() {
    let mut queue = queue(&job("a", Priority::Normal), &[0]);
    let (token, _) = claim_one(&mut queue, START);
    let other = Token { boot: token.boot + 1, ..token };
    assert_eq!(queue.held(other, START), Err(Lease::Lost));
    assert_eq!(queue.renew(other, START), Lease::Lost);
    assert_eq!(queue.end(other), None);
    assert_eq!(queue.give_back(other, ChunkRecord::default(), START), None);
    assert_eq!(queue.leased(), 1);
}

#[test]
fn what_comes_back_goes_before_what_follows_it() {
    let mut queue = queue(&job("a", Priority::Normal), &[0, 5, 10, 15]);
    let tokens = [(); 3].map(|()| claim_one(&mut queue, START).0);
    let blamed = ChunkRecord { failures: 1, ..ChunkRecord::default() };
    let ended = queue.give_back(tokens[1], blamed.clone(), at(7)).expect("is out");
    assert_eq!((ended.leased.chunk, ended.left), (chunk(5, 5), 2));
    assert_eq!(queue.give_back(tokens[0], ChunkRecord::default(), at(8)).expect("is out").left, 1);
    assert_eq!(queue.waiting()[1].oldest(), Some(START));
    let claimed = queue.claim(9, usize::MAX, TTL, at(8));
    let firsts: Vec<_> = claimed.iter().map(|(_, leased)| leased.chunk.first_index).collect();
    assert_eq!(firsts, [0, 5, 15]);
    assert_eq!((&claimed[0].1.record, &claimed[1].1.record), (&ChunkRecord::default(), &blamed));
}

#[test]
fn cancelled_chunks_do_not_come_back() {
    let (mine, other) = (job("a", Priority::Normal), job("b", Priority::High));
    let mut queue = queue(&mine, &[0, 5, 10, 15]);
    let tokens = [(); 3].map(|()| claim_one(&mut queue, START).0);
    queue.push(&other, ready(chunk(0, 5), START.0));
    assert_eq!(queue.cancel_job(mine.id), 3);
    assert_eq!(queue.waiting().each_ref().map(|waiting| waiting.chunks), [0, 0, 1]);
    assert_eq!(queue.held(tokens[0], START), Err(Lease::Cancelled));
    assert_eq!(queue.renew(tokens[0], START), Lease::Cancelled);
    assert_eq!(queue.give_back(tokens[0], ChunkRecord::default(), START).expect("is out").left, 2);
    assert_eq!(queue.end(tokens[1]).expect("is out").left, 1);
    let expired = queue.expire(at(100));
    assert_eq!(expired.iter().map(|ended| (ended.leased.job, ended.left)).collect::<Vec<_>>(), [(mine.id, 0)]);
    assert_eq!(queue.claim(9, usize::MAX, TTL, at(100)).len(), 1);
    assert_eq!(queue.cancel_job(mine.id), 0);
    // Nothing is kept of it.
    assert!(!queue.lines.contains_key(&mine.id));
    assert!(queue.trash.is_empty());
}

#[test]
fn figures_follow_every_step() {
    let (low, high) = (job("a", Priority::Low), job("b", Priority::High));
    let mut queue = ReadyQueue::new(7, 100);
    queue.push(&low, ready(chunk(0, 5), 30));
    queue.push(&low, ready(chunk(5, 7), 20));
    queue.push(&high, ready(chunk(0, 1), 40));
    let figures = |queue: &ReadyQueue| {
        queue.waiting().each_ref().map(|waiting| (waiting.chunks, waiting.items, waiting.oldest().map(|time| time.0)))
    };
    assert_eq!(figures(&queue), [(2, 12, Some(20)), (0, 0, None), (1, 1, Some(40))]);
    let claimed = queue.claim(3, usize::MAX, TTL, START);
    assert_eq!((figures(&queue), queue.leased()), ([(0, 0, None); 3], 3));
    for (token, _) in claimed {
        queue.give_back(token, ChunkRecord::default(), at(1));
    }
    assert_eq!(figures(&queue), [(2, 12, Some(1_001)), (0, 0, None), (1, 1, Some(1_001))]);
    queue.cancel_job(low.id);
    assert_eq!(figures(&queue)[0], (0, 0, None));
}

/// What a naive model knows of a chunk.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fate {
    Waits,
    Out(Token, u64),
    Done,
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Whatever is done in whatever order, each chunk waits, or is out with one holder, or is done, as a
    /// naive model says; nothing is lost or doubled.
    #[test]
    fn no_chunk_is_lost_or_doubled(steps in prop::collection::vec((0u8..6, 0usize..8, 1u64..60), 1..120)) {
        let jobs = [job("a", Priority::Low), job("b", Priority::Normal)];
        let mut queue = ReadyQueue::new(7, 3);
        let mut fates = vec![Fate::Waits; 8];
        let place = |n: usize| (&jobs[n % 2], chunk(n as u32, 1));
        for n in 0..8 {
            queue.push(place(n).0, ready(place(n).1, START.0));
        }
        let mut now = START;
        for (step, n, time) in steps {
            let out = match fates[n] {
                Fate::Out(token, until) => Some((token, until > now.0)),
                _ => None,
            };
            match (step, out) {
                (0 | 1, _) => {
                    for (token, leased) in queue.claim(2, usize::MAX, TTL, now) {
                        let n = leased.chunk.first_index as usize;
                        prop_assert_eq!(fates[n], Fate::Waits);
                        fates[n] = Fate::Out(token, now.0 + 100);
                    }
                }
                (2, Some((token, live))) => {
                    prop_assert_eq!(queue.held(token, now).is_ok(), live);
                    let ended = live.then(|| queue.end(token)).flatten();
                    if ended.is_some() {
                        fates[n] = Fate::Done;
                    }
                }
                (3, Some((token, live))) => {
                    prop_assert_eq!(queue.give_back(token, ChunkRecord::default(), now).is_some(), live);
                    fates[n] = if live { Fate::Waits } else { fates[n] };
                }
                (4, Some((token, live))) => {
                    prop_assert_eq!(queue.renew(token, now) == Lease::Held, live);
                    fates[n] = if live { Fate::Out(token, now.0 + 100) } else { fates[n] };
                }
                _ => {
                    now.0 += time;
                    queue.expire(now);
                    for fate in &mut fates {
                        if matches!(fate, Fate::Out(_, until) if *until <= now.0) {
                            *fate = Fate::Waits;
                        }
                    }
                }
            }
            let count = |want: fn(&Fate) -> bool| fates.iter().filter(|fate| want(fate)).count() as u64;
            prop_assert_eq!(queue.leased(), count(|fate| matches!(fate, Fate::Out(..))));
            let waiting: u64 = queue.waiting().iter().map(|waiting| waiting.chunks).sum();
            prop_assert_eq!(waiting, count(|fate| *fate == Fate::Waits));
            for (n, fate) in fates.iter().enumerate() {
                prop_assert_eq!(queue.has(place(n).0.id, place(n).1), *fate != Fate::Done);
            }
        }
    }
}

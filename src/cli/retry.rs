//! When a call that broke is tried again: which refusals pass, how long to wait, and when to give up. Knows no call.

use super::exit::{Exit, Failure};
use super::progress::whole;
use super::refusal::{passes, refused};
use super::say::note;
use std::future::Future;
use std::time::{Duration, Instant};
use tonic::Status;

/// How long outages are waited out where nobody waits for a job's end.
const SHORT: Duration = Duration::from_secs(60);
/// The same with `--wait`: a server that is replaced may be away for minutes.
const LONG: Duration = Duration::from_secs(300);
/// An attempt that lasted longer met a server that worked: what breaks then is another outage.
const STEADY: Duration = Duration::from_secs(60);
/// The first wait, and the longest.
const FIRST: Duration = Duration::from_millis(100);
const LONGEST: Duration = Duration::from_secs(5);

/// How long to hold on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// An outage that lasts longer ends the command.
    pub outage: Duration,
    /// Whether a server that was never reached is waited for: else a wrong address is told at once.
    pub from_the_start: bool,
}

impl Default for Patience {
    fn default() -> Patience {
        Patience { outage: SHORT, from_the_start: false }
    }
}

impl Patience {
    /// That of a command, by what its caller said of it, and by whether it waits for a job's end.
    pub fn of(said: Option<Duration>, waits: bool) -> Patience {
        match said {
            Some(outage) => Patience { outage, from_the_start: true },
            None if waits => Patience { outage: LONG, from_the_start: true },
            None => Patience::default(),
        }
    }
}

/// Waits between attempts, and the end of patience.
#[derive(Debug)]
pub struct Retry {
    outage: Duration,
    /// When the outage began, if there is one.
    since: Option<Instant>,
    /// Failures in it.
    failures: u32,
    /// When the attempt that is under way began.
    attempt: Instant,
}

impl Retry {
    /// Outages that last longer than this end it.
    pub fn new(outage: Duration) -> Retry {
        Retry { outage, since: None, failures: 0, attempt: Instant::now() }
    }

    /// Something went forward: the outage, if there was one, is over.
    pub fn progressed(&mut self) {
        (self.since, self.failures) = (None, 0);
    }

    /// Waits before the next attempt.
    ///
    /// # Errors
    /// The refusal, when another attempt would change nothing or patience is at its end.
    pub async fn wait(&mut self, status: &Status) -> Result<(), Failure> {
        match passes(status) {
            Some(asked) => self.pause(refused(status), asked).await,
            None => Err(refused(status)),
        }
    }

    /// Waits after a failure that may pass, at least as long as the server asks.
    ///
    /// # Errors
    /// The failure, when patience is at its end.
    pub async fn pause(&mut self, failure: Failure, asked: Duration) -> Result<(), Failure> {
        if self.attempt.elapsed() > STEADY {
            self.progressed();
        }
        let lasted = self.since.get_or_insert_with(Instant::now).elapsed();
        if lasted >= self.outage {
            let message = match self.failures {
                0 => failure.message,
                _ => format!("gave up after {} without progress: {}", whole(lasted), failure.message),
            };
            return Err(Failure { exit: Exit::Io, message });
        }
        self.failures += 1;
        // A connection that is merely closed stands again at once, without a word.
        if self.failures == 2 {
            note(format!("sudokud: {}; trying again for up to {}", failure.message, whole(self.outage)));
        }
        let wait = asked + backoff(self.failures).mul_f64(fastrand::f64());
        tokio::time::sleep(wait.min(self.outage.saturating_sub(lasted))).await;
        self.attempt = Instant::now();
        Ok(())
    }

    /// Does `attempt` until it succeeds, or fails for good. For calls that may be repeated.
    ///
    /// # Errors
    /// As [`Retry::wait`].
    pub async fn until<T, F: Future<Output = Result<T, Status>>>(
        mut self,
        attempt: impl Fn() -> F,
    ) -> Result<T, Failure> {
        loop {
            match attempt().await {
                Ok(value) => return Ok(value),
                Err(status) => self.wait(&status).await?,
            }
        }
    }
}

/// Up to how long to wait: 100 ms, doubled with each failure up to 5 s. The wait itself is drawn from all of it, so that
/// the many clients of a server that was away do not come back in step.
fn backoff(failures: u32) -> Duration {
    (FIRST * (1 << failures.saturating_sub(1).min(6))).min(LONGEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_to_a_bound() {
        let waits = [1, 2, 3, 7, 100].map(|n| backoff(n).as_millis());
        assert_eq!(waits, [100, 200, 400, 5_000, 5_000]);
    }

    #[test]
    fn patience_is_longer_where_a_job_is_waited_for() {
        let said = Some(Duration::from_secs(7));
        let of = |said, waits| {
            let Patience { outage, from_the_start } = Patience::of(said, waits);
            (outage.as_secs(), from_the_start)
        };
        assert_eq!(
            [of(None, false), of(None, true), of(said, false), of(said, true)],
            [(60, false), (300, true), (7, true), (7, true)]
        );
    }

    #[tokio::test]
    async fn an_outage_ends_patience_and_progress_renews_it() {
        let gone = Status::unavailable("gone");
        let mut retry = Retry::new(Duration::ZERO);
        let failure = retry.wait(&gone).await.expect_err("no patience at all");
        assert_eq!((failure.exit, failure.message.as_str()), (Exit::Io, "gone (Unavailable)"));
        let mut retry = Retry::new(Duration::from_secs(60));
        for _ in 0..2 {
            retry.wait(&gone).await.expect("patience");
        }
        retry.since = Instant::now().checked_sub(Duration::from_secs(61));
        let failure = retry.wait(&gone).await.expect_err("at its end");
        assert_eq!(failure.message, "gave up after 1m 1s without progress: gone (Unavailable)");
        retry.progressed();
        retry.wait(&gone).await.expect("patience again");
        retry.since = Instant::now().checked_sub(Duration::from_secs(61));
        retry.attempt = Instant::now().checked_sub(STEADY + FIRST).expect("an instant");
        retry.wait(&gone).await.expect("another outage");
        let failure = retry.wait(&Status::not_found("no job")).await.expect_err("final");
        assert_eq!(failure.exit, Exit::Usage);
    }
}

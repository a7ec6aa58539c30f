//! How long a connection may take to say anything at all. Must never know what it says.
//!
//! HTTP/2's own keepalive begins once the client has spoken; before that nothing else ends a connection.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::Context;
use std::time::Duration;
use tokio::time::{Sleep, sleep};

/// From the end of the handshake, or the connection's beginning where there is none, to the end of the preface.
const LONGEST: Duration = Duration::from_secs(5);
/// Bytes of HTTP/2's client preface (RFC 9113, 3.4); the shortest request of HTTP/1 that asks us anything is as long.
const BYTES: usize = 24;

/// The beginning of a connection's input.
pub struct Preface {
    /// Bytes still to come.
    missing: usize,
    /// Until they have.
    until: Option<Pin<Box<Sleep>>>,
}

impl Preface {
    /// From now on.
    pub fn new() -> Preface {
        Preface { missing: BYTES, until: Some(Box::pin(sleep(LONGEST))) }
    }

    /// Of a connection that may last only so long, whatever it says.
    pub fn of_all(life: Duration) -> Preface {
        Preface { missing: usize::MAX, until: Some(Box::pin(sleep(life))) }
    }

    /// So many more bytes came.
    pub fn came(&mut self, bytes: usize) {
        self.missing = self.missing.saturating_sub(bytes);
        if self.missing == 0 {
            self.until = None;
        }
    }

    /// Fails once it takes too long; else wakes the task when it will.
    ///
    /// # Errors
    /// `TimedOut`.
    pub fn in_time(&mut self, cx: &mut Context<'_>) -> io::Result<()> {
        let over = self.until.as_mut().is_some_and(|until| until.as_mut().poll(cx).is_ready());
        if over { Err(io::ErrorKind::TimedOut.into()) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::poll_fn;
    use std::task::Poll;
    use tokio::time::{Instant, timeout};

    async fn too_late(preface: &mut Preface) -> io::Error {
        poll_fn(|cx| preface.in_time(cx).map_or_else(Poll::Ready, |()| Poll::Pending)).await
    }

    #[tokio::test]
    async fn who_says_too_little_is_too_late_and_who_says_enough_never() {
        let begin = Instant::now();
        let mut preface = Preface::new();
        preface.came(BYTES - 1);
        assert_eq!(too_late(&mut preface).await.kind(), io::ErrorKind::TimedOut);
        assert!(begin.elapsed() >= LONGEST);
        let mut preface = Preface::new();
        preface.came(BYTES - 1);
        preface.came(1);
        assert!(timeout(2 * LONGEST, too_late(&mut preface)).await.is_err());
    }
}

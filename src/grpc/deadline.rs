//! When a call must end: its own deadline, or the server's drain.

use super::status::Refusal;
use crate::engine::EngineError;
use std::future::Future;
use std::time::Duration;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tonic::metadata::MetadataMap;

/// What ends a call from outside.
#[derive(Clone, Debug)]
pub struct Bounds {
    deadline: Option<Instant>,
    /// A little before that.
    enough: Option<Instant>,
    drain: CancellationToken,
    cut: CancellationToken,
}

impl Bounds {
    /// Of a call with this metadata, from now on, on a server that drains when `drain` is cancelled and waits for
    /// nothing any more when `cut` is.
    pub fn new(metadata: &MetadataMap, drain: CancellationToken, cut: CancellationToken) -> Bounds {
        let timeout = metadata.get("grpc-timeout").and_then(|value| parse(value.as_bytes()));
        // An absurdly long timeout overflows the clock: that is no deadline.
        let after = |timeout| Instant::now().checked_add(timeout);
        let deadline = timeout.and_then(|timeout| after(early(timeout)));
        let enough = timeout.and_then(|timeout| after(early(early(timeout))));
        Bounds { deadline, enough, drain, cut }
    }

    /// When work must stop whose part is worth having, so that the part is sent before the call ends.
    pub fn enough(&self) -> Option<std::time::Instant> {
        self.enough.map(Instant::into_std)
    }

    /// Resolves, with the reason, when the call must end; never before.
    pub async fn exceeded(&self) -> Refusal {
        let deadline = async {
            match self.deadline {
                Some(at) => tokio::time::sleep_until(at).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = self.drain.cancelled() => EngineError::Draining.into(),
            () = deadline => Refusal::Deadline,
        }
    }

    /// Runs `work`, dropping it when the call must end.
    pub async fn run<T, E: Into<Refusal>>(&self, work: impl Future<Output = Result<T, E>>) -> Result<T, Refusal> {
        tokio::select! {
            done = work => done.map_err(Into::into),
            why = self.exceeded() => Err(why),
        }
    }

    /// Runs `work`, dropping it at the deadline; a drain refuses to begin it, and lets it end until its time is over.
    pub async fn run_unary<T, E: Into<Refusal>>(&self, work: impl Future<Output = Result<T, E>>) -> Result<T, Refusal> {
        if self.drain.is_cancelled() {
            return Err(EngineError::Draining.into());
        }
        let unhurried = Bounds { drain: self.cut.clone(), ..self.clone() };
        unhurried.run(work).await
    }
}

/// tonic ends a call at its timeout with CANCELLED; ending it a little earlier says DEADLINE_EXCEEDED instead.
fn early(timeout: Duration) -> Duration {
    timeout - (timeout / 10).min(Duration::from_millis(10))
}

/// A `grpc-timeout` header: up to 8 digits and a unit. `None` where it is malformed, as if there were none.
fn parse(header: &[u8]) -> Option<Duration> {
    let (unit, digits) = header.split_last()?;
    if digits.is_empty() || digits.len() > 8 {
        return None;
    }
    let value: u64 =
        std::str::from_utf8(digits).ok().filter(|d| d.bytes().all(|b| b.is_ascii_digit()))?.parse().ok()?;
    Some(match unit {
        b'H' => Duration::from_secs(value * 3_600),
        b'M' => Duration::from_secs(value * 60),
        b'S' => Duration::from_secs(value),
        b'm' => Duration::from_millis(value),
        b'u' => Duration::from_micros(value),
        b'n' => Duration::from_nanos(value),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timeouts() {
        let cases: [(&str, Option<Duration>); 10] = [
            ("2H", Some(Duration::from_secs(7_200))),
            ("3M", Some(Duration::from_secs(180))),
            ("5S", Some(Duration::from_secs(5))),
            ("250m", Some(Duration::from_millis(250))),
            ("99999999u", Some(Duration::from_micros(99_999_999))),
            ("7n", Some(Duration::from_nanos(7))),
            ("123456789S", None),
            ("S", None),
            ("+5S", None),
            ("5x", None),
        ];
        for (header, expected) in cases {
            assert_eq!(parse(header.as_bytes()), expected, "{header}");
        }
        assert_eq!(early(Duration::from_secs(2)), Duration::from_millis(1_990));
        assert_eq!(early(Duration::from_millis(10)), Duration::from_millis(9));
    }

    #[tokio::test]
    async fn whichever_comes_first() {
        let (drain, cut) = (CancellationToken::new(), CancellationToken::new());
        let within = |timeout: &str| {
            let mut metadata = MetadataMap::new();
            metadata.insert("grpc-timeout", timeout.parse().expect("header"));
            Bounds::new(&metadata, drain.clone(), cut.clone())
        };
        let answer = within("1H").run(async { Ok::<_, EngineError>(7) }).await;
        assert_eq!(answer.expect("no bound was met"), 7);
        let timed = within("1S");
        let (enough, deadline) = (timed.enough().expect("timed"), timed.deadline.expect("timed").into_std());
        assert!(enough + Duration::from_millis(5) < deadline, "there is time to send a part");
        assert_eq!(Bounds::new(&MetadataMap::new(), drain.clone(), cut.clone()).enough(), None);
        let late = within("20m").run(std::future::pending::<Result<(), EngineError>>()).await;
        assert!(matches!(late, Err(Refusal::Deadline)));

        let open = Bounds::new(&MetadataMap::new(), drain.clone(), cut.clone());
        let begun = tokio::spawn({
            let open = open.clone();
            async move { open.run_unary(std::future::pending::<Result<(), EngineError>>()).await }
        });
        tokio::task::yield_now().await;
        drain.cancel();
        let drained = open.run(std::future::pending::<Result<(), EngineError>>()).await;
        assert!(matches!(drained, Err(Refusal::Engine(EngineError::Draining))));
        let refused = open.run_unary(async { Ok::<_, EngineError>(()) }).await;
        assert!(matches!(refused, Err(Refusal::Engine(EngineError::Draining))));
        assert!(!begun.is_finished());
        cut.cancel();
        assert!(matches!(begun.await.expect("no panic"), Err(Refusal::Engine(EngineError::Draining))));
    }
}

//! The end of a connection, so that the peer reads what was written last. Must never know what that was.
//!
//! A socket that is closed while input is unread makes the system reset the connection, and a reset throws away what the
//! peer has received but not read yet: a client in the middle of an upload would find a broken pipe and not its status.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};

/// How long a peer may take to close its side.
const LONGEST: Duration = Duration::from_secs(2);
/// Input thrown away at a time, bytes.
const WASTE: usize = 16 << 10;

/// What happens between the end of our output and the closing of the socket.
#[derive(Default)]
pub struct Linger {
    until: Option<Pin<Box<Sleep>>>,
}

impl Linger {
    /// Reads and throws away until the peer closes, or has had its time. The output must have been shut down.
    pub fn poll(&mut self, cx: &mut Context<'_>, tcp: &mut TcpStream) -> Poll<()> {
        let until = self.until.get_or_insert_with(|| Box::pin(sleep(LONGEST)));
        if until.as_mut().poll(cx).is_ready() {
            return Poll::Ready(());
        }
        let mut waste = [0; WASTE];
        loop {
            let mut input = ReadBuf::new(&mut waste);
            // A reading that fails is an end as well.
            if ready!(Pin::new(&mut *tcp).poll_read(cx, &mut input)).is_err() || input.filled().is_empty() {
                return Poll::Ready(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::poll_fn;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;
    use tokio::time::{Instant, timeout};

    async fn pair() -> (TcpStream, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("bound");
        let (accepted, connected) = tokio::join!(listener.accept(), TcpStream::connect(address));
        (accepted.expect("a connection").0, connected.expect("a connection"))
    }

    async fn end(mut ours: TcpStream) {
        ours.write_all(b"the last word").await.expect("written");
        ours.shutdown().await.expect("shut down");
        let mut linger = Linger::default();
        poll_fn(|cx| linger.poll(cx, &mut ours)).await;
    }

    #[tokio::test]
    async fn a_peer_that_still_sends_reads_the_last_word() {
        let (ours, theirs) = pair().await;
        let (mut reads, mut writes) = theirs.into_split();
        writes.write_all(&[7; 32 << 10]).await.expect("the system has room");
        let ending = tokio::spawn(end(ours));
        // It is all here before the first byte is read; a reset would have thrown it away.
        writes.write_all(&[7; 1 << 20]).await.expect("still taken");
        drop(writes);
        let mut told = String::new();
        reads.read_to_string(&mut told).await.expect("no reset");
        assert_eq!(told, "the last word");
        timeout(LONGEST / 2, ending).await.expect("it ends with its peer").expect("no panic");
    }

    #[tokio::test]
    async fn a_peer_that_never_closes_is_left() {
        let (ours, theirs) = pair().await;
        let begin = Instant::now();
        end(ours).await;
        assert!(begin.elapsed() >= LONGEST);
        drop(theirs);
    }
}

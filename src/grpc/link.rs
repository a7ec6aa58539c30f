//! Connections to the API's port, as they come: plain or through TLS, each with what is known of its peer.

use super::linger::Linger;
use super::metrics;
use super::tls::{self, Tls};
use futures::StreamExt;
use std::future::{self, Future};
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;
use tokio_util::task::AbortOnDropHandle;
use tonic::transport::server::{Connected, TcpIncoming};

/// Pause after a connection could not be accepted (out of file descriptors, say).
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);
/// How long a handshake may take.
const HANDSHAKE: Duration = Duration::from_secs(5);
/// Handshakes at a time; further connections wait in the system's queue.
const HANDSHAKES: usize = 512;

/// What a connection says of its peer.
#[derive(Clone, Debug, Default)]
pub struct Peer {
    /// Whether the peer has proven to hold a certificate of an authority of ours.
    pub certified: bool,
    /// The name that this certificate stands for.
    pub name: Option<Arc<str>>,
}

/// A connection that is ready for HTTP/2.
pub struct Link {
    stream: Stream,
    linger: Linger,
}

enum Stream {
    /// Nothing is encrypted.
    Plain(TcpStream),
    /// After a handshake.
    Tls(Box<TlsStream<TcpStream>>),
}

/// Connections as they are ready; with TLS, in the order in which their handshakes end. Each handshake takes the
/// certificate that is in force when it begins; connections outlive their certificate's replacement.
pub fn incoming(listener: TcpListener, tls: Option<Arc<Tls>>) -> impl futures::Stream<Item = io::Result<Link>> {
    let accepted = accepted(listener);
    match tls {
        None => accepted.map(|tcp| tcp.map(|tcp| Link::over(Stream::Plain(tcp)))).left_stream(),
        Some(tls) => accepted
            .map(move |tcp| greet(tcp, Arc::clone(&tls)))
            .buffer_unordered(HANDSHAKES)
            .filter_map(future::ready)
            .right_stream(),
    }
}

/// Connections as they come. tonic asks for the next one at once after a failure; this one waits a little.
pub fn accepted(listener: TcpListener) -> impl futures::Stream<Item = io::Result<TcpStream>> {
    TcpIncoming::from(listener).with_nodelay(Some(true)).then(|accepted| async move {
        if let Err(error) = &accepted {
            tracing::warn!(%error, "a connection could not be accepted");
            tokio::time::sleep(ACCEPT_PAUSE).await;
        }
        accepted
    })
}

/// The handshake, in a task of its own, which ends with the future; `None` where it fails.
fn greet(tcp: io::Result<TcpStream>, tls: Arc<Tls>) -> impl Future<Output = Option<io::Result<Link>>> {
    let greeted = tcp.map(|tcp| {
        let handshake = TlsAcceptor::from(tls.current()).accept(tcp);
        AbortOnDropHandle::new(tokio::spawn(timeout(HANDSHAKE, handshake)))
    });
    async move {
        let why = match greeted {
            Err(error) => return Some(Err(error)),
            Ok(task) => match task.await {
                Ok(Ok(Ok(stream))) => return Some(Ok(Link::over(Stream::Tls(Box::new(stream))))),
                Ok(Ok(Err(error))) => error.to_string(),
                Ok(Err(_)) => "it took too long".to_owned(),
                Err(panicked) => panicked.to_string(),
            },
        };
        metrics::handshake_failed();
        tracing::debug!(why, "a TLS handshake failed");
        None
    }
}

impl Link {
    fn over(stream: Stream) -> Link {
        Link { stream, linger: Linger::default() }
    }
}

impl Stream {
    fn tcp(&mut self) -> &mut TcpStream {
        match self {
            Stream::Plain(tcp) => tcp,
            Stream::Tls(stream) => stream.get_mut().0,
        }
    }
}

impl Connected for Link {
    type ConnectInfo = Peer;

    fn connect_info(&self) -> Peer {
        let Stream::Tls(stream) = &self.stream else { return Peer::default() };
        let certificate = stream.get_ref().1.peer_certificates().and_then(<[_]>::first);
        Peer { certified: certificate.is_some(), name: certificate.and_then(tls::name) }
    }
}

impl AsyncRead for Link {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        match &mut self.get_mut().stream {
            Stream::Plain(stream) => Pin::new(stream).poll_read(cx, buf),
            Stream::Tls(stream) => Pin::new(stream).poll_read(cx, buf),
        }
    }
}

impl AsyncWrite for Link {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        match &mut self.get_mut().stream {
            Stream::Plain(stream) => Pin::new(stream).poll_write(cx, buf),
            Stream::Tls(stream) => Pin::new(stream).poll_write(cx, buf),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.get_mut().stream {
            Stream::Plain(stream) => Pin::new(stream).poll_flush(cx),
            Stream::Tls(stream) => Pin::new(stream).poll_flush(cx),
        }
    }

    /// Ends the output, and with it the connection once the peer has read it.
    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let Link { stream, linger } = self.get_mut();
        match stream {
            Stream::Plain(stream) => ready!(Pin::new(stream).poll_shutdown(cx)?),
            Stream::Tls(stream) => ready!(Pin::new(stream).poll_shutdown(cx)?),
        }
        linger.poll(cx, stream.tcp()).map(Ok)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        match &mut self.get_mut().stream {
            Stream::Plain(stream) => Pin::new(stream).poll_write_vectored(cx, bufs),
            Stream::Tls(stream) => Pin::new(stream).poll_write_vectored(cx, bufs),
        }
    }

    fn is_write_vectored(&self) -> bool {
        match &self.stream {
            Stream::Plain(stream) => stream.is_write_vectored(),
            Stream::Tls(stream) => stream.is_write_vectored(),
        }
    }
}

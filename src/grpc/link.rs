//! Connections to the API's port, as they come: plain or through TLS, each with what is known of its peer.

use super::linger::Linger;
use super::metrics;
use super::places::{Place, Places};
use super::preface::Preface;
use super::tls::{self, Tls};
use futures::stream::{BoxStream, Stream, StreamExt};
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
/// How long a connection of plain HTTP/1 may last.
const PLAIN_LIFE: Duration = Duration::from_secs(60);
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

/// A connection that is ready for HTTP.
pub struct Link {
    io: Io,
    preface: Preface,
    linger: Linger,
    /// Given back when it ends.
    _place: Place,
}

enum Io {
    /// Nothing is encrypted.
    Plain(TcpStream),
    /// After a handshake.
    Tls(Box<TlsStream<TcpStream>>),
}

/// A connection that has a place.
type Placed = (TcpStream, Place);

/// Connections as they are ready; with TLS, in the order in which their handshakes end. Each handshake takes the
/// certificate that is in force when it begins; connections outlive their certificate's replacement.
pub fn incoming(listener: TcpListener, places: Places, tls: Option<Arc<Tls>>) -> impl Stream<Item = io::Result<Link>> {
    match tls {
        None => plain(listener, places).left_stream(),
        Some(tls) => accepted(listener, places)
            .map(move |placed| greet(placed, Arc::clone(&tls)))
            .buffer_unordered(HANDSHAKES)
            .filter_map(future::ready)
            .right_stream(),
    }
}

/// Connections without TLS, as they come.
pub fn plain(listener: TcpListener, places: Places) -> impl Stream<Item = io::Result<Link>> {
    accepted(listener, places).map(|placed| placed.map(|(tcp, place)| Link::over(Io::Plain(tcp), place)))
}

/// Connections for which there is a place; others are closed. tonic asks for the next one at once after a failure;
/// this one waits a little.
fn accepted(listener: TcpListener, mut places: Places) -> impl Stream<Item = io::Result<Placed>> {
    let accepted = TcpIncoming::from(listener).with_nodelay(Some(true)).then(|accepted| async move {
        if let Err(error) = &accepted {
            tracing::warn!(%error, "a connection could not be accepted");
            tokio::time::sleep(ACCEPT_PAUSE).await;
        }
        accepted
    });
    accepted.filter_map(move |accepted| {
        future::ready(accepted.map(|tcp| places.take().map(|place| (tcp, place))).transpose())
    })
}

/// The handshake, in a task of its own, which ends with the future; `None` where it fails.
fn greet(placed: io::Result<Placed>, tls: Arc<Tls>) -> impl Future<Output = Option<io::Result<Link>>> {
    let greeted = placed.map(|(tcp, place)| {
        let handshake = TlsAcceptor::from(tls.current()).accept(tcp);
        (AbortOnDropHandle::new(tokio::spawn(timeout(HANDSHAKE, handshake))), place)
    });
    async move {
        let (task, place) = match greeted {
            Ok(greeted) => greeted,
            Err(error) => return Some(Err(error)),
        };
        let why = match task.await {
            Ok(Ok(Ok(stream))) => return Some(Ok(Link::over(Io::Tls(Box::new(stream)), place))),
            Ok(Ok(Err(error))) => error.to_string(),
            Ok(Err(_)) => "it took too long".to_owned(),
            Err(panicked) => panicked.to_string(),
        };
        metrics::handshake_failed();
        tracing::debug!(why, "a TLS handshake failed");
        None
    }
}

impl Link {
    fn over(io: Io, place: Place) -> Link {
        Link { io, preface: Preface::new(), linger: Linger::default(), _place: place }
    }
}

impl Link {
    /// Ends before long: HTTP/1 has no pings to tell who is gone, and places are few. Scrapers connect again.
    fn for_a_while(self) -> Link {
        Link { preface: Preface::of_all(PLAIN_LIFE), ..self }
    }
}

impl Io {
    fn tcp(&mut self) -> &mut TcpStream {
        match self {
            Io::Plain(tcp) => tcp,
            Io::Tls(stream) => stream.get_mut().0,
        }
    }
}

/// A port of plain HTTP/1, for axum. Nobody there asks for addresses.
pub struct Plain(BoxStream<'static, io::Result<Link>>);

impl Plain {
    /// Over a listener.
    pub fn new(listener: TcpListener, places: Places) -> Plain {
        Plain(plain(listener, places).map(|link| link.map(Link::for_a_while)).boxed())
    }
}

impl axum::serve::Listener for Plain {
    type Io = Link;
    type Addr = ();

    async fn accept(&mut self) -> (Link, ()) {
        loop {
            if let Some(Ok(link)) = self.0.next().await {
                return (link, ());
            }
        }
    }

    fn local_addr(&self) -> io::Result<()> {
        Ok(())
    }
}

impl Connected for Link {
    type ConnectInfo = Peer;

    fn connect_info(&self) -> Peer {
        let Io::Tls(stream) = &self.io else { return Peer::default() };
        let certificate = stream.get_ref().1.peer_certificates().and_then(<[_]>::first);
        Peer { certified: certificate.is_some(), name: certificate.and_then(tls::name) }
    }
}

impl AsyncRead for Link {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let Link { io, preface, .. } = self.get_mut();
        preface.in_time(cx)?;
        let before = buf.filled().len();
        let read = match io {
            Io::Plain(stream) => Pin::new(stream).poll_read(cx, buf),
            Io::Tls(stream) => Pin::new(stream).poll_read(cx, buf),
        };
        preface.came(buf.filled().len() - before);
        read
    }
}

impl AsyncWrite for Link {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        match &mut self.get_mut().io {
            Io::Plain(stream) => Pin::new(stream).poll_write(cx, buf),
            Io::Tls(stream) => Pin::new(stream).poll_write(cx, buf),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.get_mut().io {
            Io::Plain(stream) => Pin::new(stream).poll_flush(cx),
            Io::Tls(stream) => Pin::new(stream).poll_flush(cx),
        }
    }

    /// Ends the output, and with it the connection once the peer has read it.
    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let Link { io, linger, .. } = self.get_mut();
        match io {
            Io::Plain(stream) => ready!(Pin::new(stream).poll_shutdown(cx)?),
            Io::Tls(stream) => ready!(Pin::new(stream).poll_shutdown(cx)?),
        }
        linger.poll(cx, io.tcp()).map(Ok)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        match &mut self.get_mut().io {
            Io::Plain(stream) => Pin::new(stream).poll_write_vectored(cx, bufs),
            Io::Tls(stream) => Pin::new(stream).poll_write_vectored(cx, bufs),
        }
    }

    fn is_write_vectored(&self) -> bool {
        match &self.io {
            Io::Plain(stream) => stream.is_write_vectored(),
            Io::Tls(stream) => stream.is_write_vectored(),
        }
    }
}

//! What an operator can set about the network side.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

/// Other machines would reach this address, which must be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0} can be reached from other machines, and nothing is encrypted or authenticated: use a loopback address \
     such as 127.0.0.1, or allow it with --insecure where the network is trusted"
)]
pub struct Exposed(pub SocketAddr);

/// The server's settings.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where the API listens.
    pub listen: SocketAddr,
    /// Where health checks are answered besides the API's own port (plain gRPC).
    pub health_listen: Option<SocketAddr>,
    /// Where metrics and probes are served (HTTP/1).
    pub admin_listen: Option<SocketAddr>,
    /// Allows addresses that other machines reach, although nothing is encrypted or authenticated.
    pub insecure: bool,
    /// Whether clients may ask for the API's descriptors; unset: only where no other machine can.
    pub reflection: Option<bool>,
    /// The largest message accepted, in bytes.
    pub max_message_bytes: usize,
    /// Calls at a time on one connection.
    pub max_concurrent_streams: u32,
    /// Bytes of one call's input that may be on their way.
    pub stream_window_bytes: u32,
    /// Bytes of one connection's input that may be on their way.
    pub connection_window_bytes: u32,
    /// The largest HTTP/2 frame accepted, in bytes: 16,384 to 16,777,215.
    pub max_frame_bytes: u32,
    /// Bytes of headers accepted with a call.
    pub max_header_bytes: u32,
    /// How often a silent connection is asked whether it lives.
    pub keepalive_interval: Duration,
    /// How long it may take to answer.
    pub keepalive_timeout: Duration,
    /// Age at which a connection is asked to end, without harm to its calls, so that clients spread anew.
    pub max_connection_age: Option<Duration>,
    /// A streamed answer is never silent for longer.
    pub heartbeat: Duration,
    /// Progress is told at most this often.
    pub progress_interval: Duration,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 50_051)),
            health_listen: None,
            admin_listen: None,
            insecure: false,
            reflection: None,
            max_message_bytes: 8 << 20,
            max_concurrent_streams: 200,
            stream_window_bytes: 2 << 20,
            connection_window_bytes: 4 << 20,
            max_frame_bytes: 256 << 10,
            max_header_bytes: 16 << 10,
            keepalive_interval: Duration::from_secs(20),
            keepalive_timeout: Duration::from_secs(20),
            max_connection_age: None,
            heartbeat: Duration::from_secs(15),
            progress_interval: Duration::from_millis(250),
        }
    }
}

impl Options {
    /// The first address that other machines reach.
    pub fn exposed(&self) -> Option<SocketAddr> {
        [Some(self.listen), self.health_listen, self.admin_listen]
            .into_iter()
            .flatten()
            .find(|address| !address.ip().is_loopback())
    }

    /// Whether it may listen where it is told.
    ///
    /// # Errors
    /// When other machines would reach it and that was not allowed.
    pub fn check(&self) -> Result<(), Exposed> {
        match self.exposed() {
            Some(address) if !self.insecure => Err(Exposed(address)),
            _ => Ok(()),
        }
    }

    /// Whether descriptors are served: as asked, else only where no other machine reaches the API.
    pub fn reflects(&self) -> bool {
        self.reflection.unwrap_or(self.listen.ip().is_loopback())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exposure_and_reflection() {
        let address = |text: &str| text.parse::<SocketAddr>().expect("address");
        let local = Options::default();
        assert!(local.exposed().is_none() && local.reflects());
        let open = Options { listen: address("0.0.0.0:50051"), ..Options::default() };
        assert_eq!(open.exposed(), Some(open.listen));
        assert!(!open.reflects());
        assert!(Options { reflection: Some(true), ..open }.reflects());
        let probed = Options { admin_listen: Some(address("[::]:9090")), ..Options::default() };
        assert_eq!(probed.exposed(), probed.admin_listen);
        assert!(!Options { reflection: Some(false), ..Options::default() }.reflects());
    }
}

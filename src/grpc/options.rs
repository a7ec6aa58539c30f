//! What an operator can set about the network side.

use super::exposed::Exposed;
use super::named::named;
use std::fmt;
use std::net::{Ipv4Addr, SocketAddr};
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

/// Whether clients must have a certificate where its authorities are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClientAuth {
    /// Without one there is no connection.
    Required,
    /// Without one there is a connection, and calls need a token.
    Optional,
}

named!(ClientAuth { "required" => Required, "optional" => Optional });

/// What answers callers without credentials where the others need them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenServices {
    /// Health checks on the API's port.
    pub health: bool,
    /// The API's descriptors.
    pub reflection: bool,
}

impl FromStr for OpenServices {
    type Err = String;

    fn from_str(text: &str) -> Result<OpenServices, String> {
        match text {
            "none" => Ok(OpenServices { health: false, reflection: false }),
            "health" => Ok(OpenServices { health: true, reflection: false }),
            "reflection" => Ok(OpenServices { health: false, reflection: true }),
            "all" => Ok(OpenServices { health: true, reflection: true }),
            _ => Err(format!("{text:?} is none of none, health, reflection, all")),
        }
    }
}

impl fmt::Display for OpenServices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match (self.health, self.reflection) {
            (false, false) => "none",
            (true, false) => "health",
            (false, true) => "reflection",
            (true, true) => "all",
        })
    }
}

/// The files that TLS is made of, all PEM.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TlsFiles {
    /// The server's certificate, then those that sign it.
    pub cert: PathBuf,
    /// Its private key.
    pub key: PathBuf,
    /// Authorities of clients' certificates.
    pub client_ca: Option<PathBuf>,
    /// Whether clients must have one.
    pub client_auth: ClientAuth,
}

/// The server's settings.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where the API listens.
    pub listen: SocketAddr,
    /// Where health checks are answered besides the API's own port (plain gRPC, open to all).
    pub health_listen: Option<SocketAddr>,
    /// Where metrics and probes are served (plain HTTP/1, open to all: numbers, no names and no content).
    pub admin_listen: Option<SocketAddr>,
    /// Allows the API an address that other machines reach without TLS or authentication.
    pub insecure: bool,
    /// TLS on the API's port.
    pub tls: Option<TlsFiles>,
    /// File that says which token and which certificate is whose, and what they may do.
    pub tokens: Option<PathBuf>,
    /// What answers callers without credentials.
    pub without_credentials: OpenServices,
    /// Whether clients may ask for the API's descriptors; unset: only where no other machine can.
    pub reflection: Option<bool>,
    /// The largest message accepted, in bytes.
    pub max_message_bytes: usize,
    /// Connections to the API's port at a time.
    pub max_connections: u32,
    /// Calls that may be open at a time.
    pub max_open_calls: u32,
    /// Streaming calls among them: what a stream buffers is bounded, so this bounds what all do.
    pub max_open_streams: u32,
    /// Calls of one principal that may be open at a time.
    pub max_principal_calls: Option<u32>,
    /// Calls that a principal may make a second, and at once after a second without any.
    pub calls_per_second: Option<NonZeroU32>,
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
            tls: None,
            tokens: None,
            without_credentials: OpenServices { health: true, reflection: false },
            reflection: None,
            max_message_bytes: 8 << 20,
            max_connections: 4_096,
            max_open_calls: 50_000,
            max_open_streams: 2_000,
            max_principal_calls: None,
            calls_per_second: None,
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
    /// Whether callers must show who they are.
    pub fn authenticates(&self) -> bool {
        self.tokens.is_some() || self.tls.as_ref().is_some_and(|tls| tls.client_ca.is_some())
    }

    /// What the API lacks for an address that other machines reach, where it has one.
    pub fn exposed(&self) -> Option<Exposed> {
        let (encrypted, authenticated) = (self.tls.is_some(), self.authenticates());
        let exposed = !(self.listen.ip().is_loopback() || encrypted && authenticated);
        exposed.then_some(Exposed { address: self.listen, encrypted, authenticated })
    }

    /// Whether it may listen where it is told.
    ///
    /// # Errors
    /// When other machines would reach the API without TLS or authentication, and that was not allowed.
    pub fn check(&self) -> Result<(), Exposed> {
        self.exposed().filter(|_| !self.insecure).map_or(Ok(()), Err)
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
        assert_eq!(open.exposed(), Some(Exposed { address: open.listen, encrypted: false, authenticated: false }));
        assert!(!open.reflects());
        assert!(Options { insecure: true, ..open.clone() }.check().is_ok());
        let client_auth = ClientAuth::Required;
        let tls = TlsFiles { cert: "c".into(), key: "k".into(), client_ca: None, client_auth };
        let encrypted = Options { tls: Some(tls.clone()), ..open.clone() };
        let refused = encrypted.check().expect_err("nobody is authenticated").to_string();
        assert!(refused.contains("no authentication") && !refused.contains("no TLS"), "{refused}");
        let tls = Some(TlsFiles { client_ca: Some("a".into()), ..tls });
        assert!(Options { tls, ..open.clone() }.check().is_ok());
        assert!(Options { reflection: Some(true), ..open }.reflects());
        // Health and numbers may be told to all.
        let probed = Options { admin_listen: Some(address("[::]:9090")), ..Options::default() };
        assert!(probed.check().is_ok());
        assert!(!Options { reflection: Some(false), ..Options::default() }.reflects());
    }
}

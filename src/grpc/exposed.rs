//! Why the API may not listen where others reach it.

use std::fmt;
use std::net::SocketAddr;

/// Other machines would reach this address, and something that protects from them is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Exposed {
    /// The API's address.
    pub address: SocketAddr,
    /// Whether there is TLS.
    pub encrypted: bool,
    /// Whether callers must show who they are.
    pub authenticated: bool,
}

impl Exposed {
    /// What is missing, in words.
    pub fn lacks(&self) -> &'static str {
        match (self.encrypted, self.authenticated) {
            (false, false) => "no TLS (--tls-cert, --tls-key) and no authentication (--tokens or --tls-client-ca)",
            (false, true) => "no TLS (--tls-cert, --tls-key)",
            (true, _) => "no authentication (--tokens or --tls-client-ca)",
        }
    }
}

impl fmt::Display for Exposed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} can be reached from other machines, and there is {}: give what is missing, use a loopback address \
             such as 127.0.0.1, or allow it with --insecure where the network is trusted",
            self.address,
            self.lacks()
        )
    }
}

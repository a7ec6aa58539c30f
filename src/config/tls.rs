//! The options of TLS: which belong together. Opens none of their files.

use super::error::ConfigError;
use super::raw::RawConfig;
use crate::grpc::options::{ClientAuth, TlsFiles};

/// The files of TLS, if any is named.
///
/// # Errors
/// When one that they need is not, or tls-client-auth does not fit them.
pub fn files(raw: &RawConfig) -> Result<Option<TlsFiles>, ConfigError> {
    let invalid = |problem| ConfigError::Invalid { key: "tls-client-auth", problem };
    let client_auth = match raw.tls_client_auth.as_deref() {
        Some(_) if raw.tls_client_ca.is_none() => return Err(invalid("needs tls-client-ca".into())),
        Some(word) => word.parse().map_err(invalid)?,
        None if raw.tokens.is_some() => ClientAuth::Optional,
        None => ClientAuth::Required,
    };
    if client_auth == ClientAuth::Optional && raw.tokens.is_none() {
        return Err(invalid("optional needs tokens: without them, no call would be let in".into()));
    }
    let needed = |key, by: &str| ConfigError::Invalid { key, problem: format!("is needed with {by}") };
    match (&raw.tls_cert, &raw.tls_key, &raw.tls_client_ca) {
        (Some(cert), Some(key), client_ca) => {
            Ok(Some(TlsFiles { cert: cert.clone(), key: key.clone(), client_ca: client_ca.clone(), client_auth }))
        }
        (Some(_), None, _) => Err(needed("tls-key", "tls-cert")),
        (None, Some(_), _) => Err(needed("tls-cert", "tls-key")),
        (None, None, Some(_)) => Err(needed("tls-cert", "tls-client-ca")),
        (None, None, None) => Ok(None),
    }
}

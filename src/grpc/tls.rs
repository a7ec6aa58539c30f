//! TLS for the API's port: what the operator's files mean to rustls, and the name in a client's certificate.

use super::metrics;
use super::options::{ClientAuth, TlsFiles};
use super::reload::{LoadError, Reloaded};
use std::sync::Arc;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::danger::ClientCertVerifier;
use tokio_rustls::rustls::server::{NoClientAuth, NoServerSessionStorage, WebPkiClientVerifier};
use tokio_rustls::rustls::{RootCertStore, ServerConfig};
use webpki::EndEntityCert;
use x509_parser::prelude::{FromDer, X509Certificate};

/// The protocol that connections must speak.
const HTTP2: &[u8] = b"h2";

/// The server's side of TLS, as of the files' last good contents.
pub type Tls = Reloaded<ServerConfig>;

/// Reads the files for the first time.
///
/// # Errors
/// When one cannot be read, or they make no sense together.
pub async fn load(files: &TlsFiles) -> Result<Tls, LoadError> {
    let paths = [&files.cert, &files.key].into_iter().chain(&files.client_ca).cloned().collect();
    let client_auth = files.client_auth;
    let make = move |contents: &[Vec<u8>]| {
        let config = server_config(contents, client_auth)?;
        // What is made is in force at once.
        not_after(&contents[0]).into_iter().for_each(metrics::certificate);
        Ok(config)
    };
    Reloaded::load("TLS certificate", paths, Box::new(make)).await
}

/// When the first certificate of a PEM text expires, in seconds since 1970; `None` where it cannot be read.
fn not_after(pem: &[u8]) -> Option<i64> {
    let first = CertificateDer::pem_slice_iter(pem).next()?.ok()?;
    let (_, certificate) = X509Certificate::from_der(&first).ok()?;
    Some(certificate.validity().not_after.timestamp())
}

/// Of the PEM texts of the certificate with its chain, its key and, perhaps, the authorities of clients.
fn server_config(contents: &[Vec<u8>], client_auth: ClientAuth) -> Result<ServerConfig, String> {
    let [cert, key, client_ca @ ..] = contents else { return Err("a certificate and its key are needed".into()) };
    let chain = certificates(cert, "--tls-cert")?;
    let key = PrivateKeyDer::from_pem_slice(key).map_err(|e| format!("--tls-key: no private key in PEM ({e})"))?;
    let provider = Arc::new(ring::default_provider());
    let verifier: Arc<dyn ClientCertVerifier> = match client_ca {
        [] => Arc::new(NoClientAuth),
        [ca, ..] => {
            let builder = WebPkiClientVerifier::builder_with_provider(authorities(ca)?, Arc::clone(&provider));
            let builder = match client_auth {
                ClientAuth::Required => builder,
                ClientAuth::Optional => builder.allow_unauthenticated(),
            };
            builder.build().map_err(|e| format!("--tls-client-ca: {e}"))?
        }
    };
    let builder = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let builder = builder.map_err(|e| e.to_string())?.with_client_cert_verifier(verifier);
    let mut config = builder.with_single_cert(chain, key).map_err(|e| format!("certificate and key: {e}"))?;
    config.alpn_protocols = vec![HTTP2.to_vec()];
    // Connections live long, so resuming sessions saves little; without it, each proves anew who it is.
    config.session_storage = Arc::new(NoServerSessionStorage {});
    config.send_tls13_tickets = 0;
    Ok(config)
}

fn certificates(pem: &[u8], option: &str) -> Result<Vec<CertificateDer<'static>>, String> {
    let read: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(pem).collect();
    let read = read.map_err(|e| format!("{option}: no certificates in PEM ({e})"))?;
    if read.is_empty() { Err(format!("{option}: holds no certificate")) } else { Ok(read) }
}

fn authorities(pem: &[u8]) -> Result<Arc<RootCertStore>, String> {
    let mut roots = RootCertStore::empty();
    for certificate in certificates(pem, "--tls-client-ca")? {
        roots.add(certificate).map_err(|e| format!("--tls-client-ca: {e}"))?;
    }
    Ok(Arc::new(roots))
}

/// The name that a certificate stands for: its first URI, else its first DNS name, among the subject's
/// alternative names. The common name is not looked at: it has no form of its own (RFC 9525, 2).
pub fn name(certificate: &CertificateDer<'_>) -> Option<Arc<str>> {
    let certificate = EndEntityCert::try_from(certificate).ok()?;
    let uri = certificate.valid_uri_names().next();
    uri.or_else(|| certificate.valid_dns_names().next()).map(Arc::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rcgen::{CertificateParams, KeyPair, SanType};

    struct Pair {
        cert: Vec<u8>,
        key: Vec<u8>,
    }

    fn signed(names: &[&str], uris: &[&str]) -> (Pair, CertificateDer<'static>) {
        let mut params =
            CertificateParams::new(names.iter().map(ToString::to_string).collect::<Vec<_>>()).expect("names");
        for uri in uris {
            params.subject_alt_names.push(SanType::URI((*uri).try_into().expect("ASCII")));
        }
        let key = KeyPair::generate().expect("a key");
        let cert = params.self_signed(&key).expect("signed");
        (Pair { cert: cert.pem().into(), key: key.serialize_pem().into() }, cert.der().clone())
    }

    #[test]
    fn files_that_make_no_sense_are_refused_by_option() {
        let ((a, _), (b, _)) = (signed(&["a.test"], &[]), signed(&["b.test"], &[]));
        let config = |contents: &[&[u8]]| {
            let contents: Vec<Vec<u8>> = contents.iter().map(|text| text.to_vec()).collect();
            server_config(&contents, ClientAuth::Required)
        };
        let good = config(&[&a.cert, &a.key, &b.cert]).expect("they fit");
        // rcgen's certificates last until 4096-01-01.
        assert_eq!((not_after(&a.cert), not_after(&a.key)), (Some(67_090_118_400), None));
        assert_eq!(good.alpn_protocols, [b"h2"]);
        assert!(config(&[&a.cert, &a.key]).is_ok());
        for (contents, words) in [
            (&[&a.cert[..], &b.key] as &[&[u8]], "certificate and key: "),
            (&[&a.key, &a.key], "--tls-cert: holds no certificate"),
            (&[b"", &a.key], "--tls-cert: holds no certificate"),
            (&[&a.cert, &a.cert], "--tls-key: no private key in PEM"),
            (&[&a.cert, &a.key, b"rubbish"], "--tls-client-ca: holds no certificate"),
            (&[&a.cert[..a.cert.len() / 2], &a.key], "--tls-cert: "),
        ] {
            let problem = config(contents).err().unwrap_or_else(|| panic!("taken, not {words}"));
            assert!(problem.starts_with(words), "{problem}");
        }
    }

    #[test]
    fn a_certificate_stands_for_its_uri_else_its_dns_name() {
        for (names, uris, expected) in [
            (
                &["a.test", "b.test"] as &[&str],
                &["spiffe://x/ada", "spiffe://x/bob"] as &[&str],
                Some("spiffe://x/ada"),
            ),
            (&["a.test", "b.test"], &[], Some("a.test")),
            (&["127.0.0.1"], &[], None),
            (&[], &[], None),
        ] {
            assert_eq!(name(&signed(names, uris).1).as_deref(), expected);
        }
        assert_eq!(name(&CertificateDer::from(b"no certificate".to_vec())), None);
    }
}

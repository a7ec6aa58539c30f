//! An authority of one's own, and a folder with the files of a server and its clients. Knows no call.

use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair, SanType, date_time_ymd};
use std::path::PathBuf;
use tempfile::TempDir;
use tonic::transport::{Certificate, Channel, ClientTlsConfig, Endpoint, Error, Identity};

/// Signs certificates.
pub struct Authority {
    issuer: Issuer<'static, KeyPair>,
    pem: String,
}

/// A certificate and its key, PEM.
pub struct Pair {
    pub cert: String,
    pub key: String,
}

impl Authority {
    pub fn new() -> Authority {
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().expect("a key");
        let pem = params.self_signed(&key).expect("signed").pem();
        Authority { issuer: Issuer::new(params, key), pem }
    }

    /// For the server on loopback.
    pub fn server(&self) -> Pair {
        self.sign(CertificateParams::new(vec!["127.0.0.1".to_owned()]).expect("names"))
    }

    /// For a client of this URI.
    pub fn client(&self, uri: &str) -> Pair {
        self.sign(client(uri))
    }

    /// For a client, but no longer.
    pub fn expired(&self, uri: &str) -> Pair {
        let mut params = client(uri);
        (params.not_before, params.not_after) = (date_time_ymd(2001, 1, 1), date_time_ymd(2002, 1, 1));
        self.sign(params)
    }

    fn sign(&self, params: CertificateParams) -> Pair {
        let key = KeyPair::generate().expect("a key");
        let cert = params.signed_by(&key, &self.issuer).expect("signed").pem();
        Pair { cert, key: key.serialize_pem() }
    }

    /// Connects to a server whose certificate this authority signed, with a certificate if one is given.
    pub async fn connect(&self, address: &str, pair: Option<&Pair>) -> Result<Channel, Error> {
        let tls = ClientTlsConfig::new().ca_certificate(Certificate::from_pem(&self.pem));
        let tls = match pair {
            Some(pair) => tls.identity(Identity::from_pem(&pair.cert, &pair.key)),
            None => tls,
        };
        Endpoint::from_shared(format!("https://{address}")).expect("an address").tls_config(tls)?.connect().await
    }
}

fn client(uri: &str) -> CertificateParams {
    let mut params = CertificateParams::default();
    params.subject_alt_names.push(SanType::URI(uri.try_into().expect("ASCII")));
    params
}

/// Where a server's files are.
pub struct Files(TempDir);

impl Files {
    /// With a certificate of the authority, and the authority.
    pub fn of(authority: &Authority) -> Files {
        let files = Files(tempfile::tempdir().expect("a directory"));
        files.write("ca.pem", &authority.pem);
        files.certify(&authority.server());
        files
    }

    pub fn certify(&self, pair: &Pair) {
        self.write("cert.pem", &pair.cert);
        self.write("key.pem", &pair.key);
    }

    pub fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).expect("written");
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The flags of a server: each option with the file that it names.
    pub fn flags(&self, options: &[(&str, &str)]) -> Vec<String> {
        let flag = |(option, name): &(&str, &str)| format!("--{option}={}", self.path(name).display());
        options.iter().map(flag).collect()
    }
}

/// TLS alone.
pub const TLS: [(&str, &str); 2] = [("tls-cert", "cert.pem"), ("tls-key", "key.pem")];

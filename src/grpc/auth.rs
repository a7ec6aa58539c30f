//! A layer before every call: who calls, by token or certificate, or no call. Must never log what callers sent.

use super::grants::Grants;
use super::link::Peer;
use super::options::{OpenServices, Options};
use super::reload::{LoadError, Reloaded};
use super::role::{Identity, Roles};
use super::status::Refusal;
use crate::job::Principal;
use futures::future::{Either, Ready, ready};
use std::sync::Arc;
use std::task::{Context, Poll};
use tonic::Status;
use tonic::body::Body;
use tonic::codegen::{Service, http};
use tower_layer::Layer;
use tracing::Span;

/// Who is let in.
#[derive(Clone)]
pub struct Access {
    /// Tokens and certificates, where a file says whose they are.
    grants: Option<Arc<Reloaded<Grants>>>,
    /// Whether callers must show who they are.
    needed: bool,
    /// What answers those who do not.
    open: OpenServices,
}

impl Access {
    /// Reads the file of grants for the first time.
    ///
    /// # Errors
    /// When it cannot be read or makes no sense.
    pub async fn load(options: &Options) -> Result<Access, LoadError> {
        let grants = match &options.tokens {
            None => None,
            Some(path) => {
                let read =
                    |contents: &[Vec<u8>]| Grants::parse(std::str::from_utf8(&contents[0]).map_err(|e| e.to_string())?);
                Some(Arc::new(Reloaded::load("--tokens", vec![path.clone()], Box::new(read)).await?))
            }
        };
        Ok(Access { grants, needed: options.authenticates(), open: options.without_credentials })
    }

    /// The file of grants, to be followed.
    pub fn grants(&self) -> Option<Arc<Reloaded<Grants>>> {
        self.grants.clone()
    }

    /// Who calls: by the token if one is sent, else by the certificate.
    fn identify(&self, headers: &http::HeaderMap, peer: &Peer) -> Result<Arc<Identity>, Refusal> {
        if !self.needed {
            return Ok(Arc::new(Identity { principal: Principal::anonymous(), roles: Roles::ANYONE }));
        }
        let mut sent = headers.get_all(http::header::AUTHORIZATION).into_iter();
        match (&self.grants, sent.next()) {
            (Some(grants), Some(value)) => {
                let token = bearer(value.as_bytes()).filter(|_| sent.next().is_none());
                let wrong = Refusal::Credentials { why: "the token is unknown, or not sent as `Bearer TOKEN`" };
                token.and_then(|token| grants.current().of_token(token)).ok_or(wrong)
            }
            (grants, _) if peer.certified => certified(grants.as_deref(), peer),
            _ => Err(Refusal::NoCredentials),
        }
    }

    fn is_open(&self, path: &str) -> bool {
        self.open.health && path.starts_with("/grpc.health.")
            || self.open.reflection && path.starts_with("/grpc.reflection.")
    }
}

/// Whose a certificate is: as the file says, else its own name's.
fn certified(grants: Option<&Reloaded<Grants>>, peer: &Peer) -> Result<Arc<Identity>, Refusal> {
    let wrong = |why| Refusal::Credentials { why };
    let name = peer.name.as_deref().ok_or(wrong("the certificate has neither a URI nor a DNS name"))?;
    if name.is_empty() || name.contains(char::is_control) {
        return Err(wrong("the certificate's name is empty or has control characters"));
    }
    if let Some(grants) = grants {
        return grants.current().of_certificate(name).ok_or(wrong("nothing is granted to the certificate's name"));
    }
    let principal = Principal::new(name).map_err(|_| wrong("the certificate's name is longer than 128 bytes"))?;
    Ok(Arc::new(Identity { principal, roles: Roles::CERTIFIED }))
}

/// The token of `Bearer TOKEN`; the scheme's case does not matter (RFC 9110, 11.1).
fn bearer(value: &[u8]) -> Option<&[u8]> {
    let (scheme, token) = value.split_at_checked(7)?;
    scheme.eq_ignore_ascii_case(b"bearer ").then_some(token.trim_ascii())
}

impl<S> Layer<S> for Access {
    type Service = Guarded<S>;

    fn layer(&self, inner: S) -> Guarded<S> {
        Guarded { inner, access: self.clone() }
    }
}

/// A service whose requests carry their [`Identity`] as an extension, or do not come.
#[derive(Clone)]
pub struct Guarded<S> {
    inner: S,
    access: Access,
}

impl<S> Service<http::Request<Body>> for Guarded<S>
where
    S: Service<http::Request<Body>, Response = http::Response<Body>>,
{
    type Response = http::Response<Body>;
    type Error = S::Error;
    type Future = Either<S::Future, Ready<Result<http::Response<Body>, S::Error>>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, mut request: http::Request<Body>) -> Self::Future {
        if !self.access.is_open(request.uri().path()) {
            let unknown = Peer::default();
            let peer = request.extensions().get::<Peer>().unwrap_or(&unknown);
            match self.access.identify(request.headers(), peer) {
                Ok(identity) => {
                    if self.access.needed {
                        Span::current().record("principal", identity.principal.as_str());
                    }
                    request.extensions_mut().insert(identity);
                }
                Err(refusal) => return Either::Right(ready(Ok(Status::from(refusal).into_http()))),
            }
        }
        Either::Left(self.inner.call(request))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// SHA-256 of "abc": FIPS 180-2, appendix B.1.
    const GRANTS: &str = "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad ada read\n\
                          certificate:bob.test bob submit\n";

    async fn access(grants: Option<&str>, needed: bool) -> Access {
        let folder = tempfile::tempdir().expect("a directory");
        let tokens = grants.map(|text| {
            let path = folder.path().join("tokens");
            std::fs::write(&path, text).expect("written");
            path
        });
        let access = Access::load(&Options { tokens, ..Options::default() }).await.expect("good grants");
        Access { needed, ..access }
    }

    fn who(access: &Access, sent: &[&str], certificate: Option<&str>) -> Result<String, String> {
        let mut headers = http::HeaderMap::new();
        for value in sent {
            headers.append(http::header::AUTHORIZATION, value.parse().expect("a value"));
        }
        let peer =
            Peer { certified: certificate.is_some(), name: certificate.filter(|c| !c.is_empty()).map(Arc::from) };
        let told = |refusal: Refusal| match refusal {
            Refusal::NoCredentials => "none".to_owned(),
            Refusal::Credentials { why } => why.to_owned(),
            other => panic!("{other}"),
        };
        access.identify(&headers, &peer).map(|who| format!("{} {}", who.principal.as_str(), who.roles)).map_err(told)
    }

    #[tokio::test]
    async fn tokens_come_before_certificates_and_a_wrong_one_is_never_passed_over() {
        let access = access(Some(GRANTS), true).await;
        assert_eq!(who(&access, &["Bearer abc"], None).as_deref(), Ok("ada read"));
        assert_eq!(who(&access, &["bearer  abc"], Some("bob.test")).as_deref(), Ok("ada read"));
        assert_eq!(who(&access, &[], Some("bob.test")).as_deref(), Ok("bob submit"));
        assert_eq!(who(&access, &[], None), Err("none".into()));
        for sent in [&["Bearer abd"] as &[&str], &["abc"], &["Basic abc"], &[""], &["Bearer abc", "Bearer abc"]] {
            assert!(who(&access, sent, Some("bob.test")).is_err_and(|why| why.contains("unknown")), "{sent:?}");
        }
        assert!(who(&access, &[], Some("eve.test")).is_err_and(|why| why.contains("nothing is granted")));
        assert!(who(&access, &[], Some("")).is_err_and(|why| why.contains("neither a URI")));
    }

    #[tokio::test]
    async fn without_a_file_certificates_name_themselves_and_without_any_all_are_anonymous() {
        let certificates = access(None, true).await;
        assert_eq!(who(&certificates, &["Bearer abc"], Some("eve.test")).as_deref(), Ok("eve.test submit,read"));
        assert!(who(&certificates, &[], Some("a\nb")).is_err_and(|why| why.contains("control")));
        assert!(who(&certificates, &[], Some(&"x".repeat(129))).is_err_and(|why| why.contains("128")));
        assert_eq!(who(&certificates, &["Bearer abc"], None), Err("none".into()));
        let open = access(None, false).await;
        assert_eq!(who(&open, &[], None).as_deref(), Ok("anonymous submit,read,high-priority"));
    }
}

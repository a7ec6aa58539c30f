//! How to reach a server: its address, TLS both ways, and the token that each call carries. Knows no call.

use super::args::ServerArgs;
use super::exit::Failure;
use super::refusal::{may_come, root};
use std::net::IpAddr;
use std::path::Path;
use std::time::Duration;
use tonic::metadata::{Ascii, MetadataValue};
use tonic::service::Interceptor;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::{Certificate, Channel, ClientTlsConfig, Endpoint, Identity};
use tonic::{Request, Status};

/// How long a connection may take to stand.
const CONNECT: Duration = Duration::from_secs(10);
/// A connection that is silent for longer is asked whether it lives.
const KEEPALIVE: Duration = Duration::from_secs(20);
/// Input of one call that may be on its way: several blocks of results.
const STREAM_WINDOW: u32 = 4 << 20;
/// Input in one frame: fewer frames are fewer calls of the system on both sides.
const FRAME: u32 = 256 << 10;

/// A connection whose calls carry the token.
pub type Connection = InterceptedService<Channel, Bearer>;

/// Puts the token, if there is one, into each call.
#[derive(Clone, Debug)]
pub struct Bearer(Option<MetadataValue<Ascii>>);

impl Interceptor for Bearer {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        if let Some(token) = &self.0 {
            request.metadata_mut().insert("authorization", token.clone());
        }
        Ok(request)
    }
}

/// Where a server is, and what it is shown.
#[derive(Debug)]
pub struct Door {
    endpoint: Endpoint,
    bearer: Bearer,
    server: String,
}

/// Why there is no connection.
#[derive(Debug)]
pub struct Closed {
    /// In words.
    pub failure: Failure,
    /// Whether another attempt may succeed.
    pub may_open: bool,
}

impl Door {
    /// The server of the flags.
    ///
    /// # Errors
    /// When the address is malformed, or a file is no use.
    pub fn new(args: &ServerArgs) -> Result<Door, Failure> {
        let server = args.server.clone();
        let endpoint = endpoint(args)?;
        let bearer = Bearer(args.token_file.as_deref().map(token).transpose()?);
        let host = endpoint.uri().host().unwrap_or_default();
        let open = endpoint.uri().scheme_str() == Some("http") && !is_loopback(host);
        if bearer.0.is_some() && open {
            let clear = format!("--token-file: {server} is not encrypted, so the token is not sent there");
            return Err(Failure::usage(clear));
        }
        Ok(Door { endpoint, bearer, server })
    }

    /// Connects.
    ///
    /// # Errors
    /// When nobody answers there, or somebody who is not trusted.
    pub async fn open(&self) -> Result<Connection, Closed> {
        let closed = |error: tonic::transport::Error| {
            let (server, why) = (&self.server, root(&error).unwrap_or_else(|| error.to_string()));
            let failure = Failure::io(format!("cannot reach {server}: {why}; is `sudokud serve` running there?"));
            Closed { failure, may_open: may_come(&error) }
        };
        let channel = self.endpoint.connect().await.map_err(closed)?;
        Ok(InterceptedService::new(channel, self.bearer.clone()))
    }
}

fn endpoint(args: &ServerArgs) -> Result<Endpoint, Failure> {
    let server = &args.server;
    let url = if server.contains("://") { server.clone() } else { format!("http://{server}") };
    let encrypted = url.starts_with("https://");
    if !encrypted && !url.starts_with("http://") {
        return Err(Failure::usage(format!("--server: {server:?} is no http:// or https:// address")));
    }
    let wrong = |e| Failure::usage(format!("--server: {server:?} is no address ({e}): write https://HOST:PORT"));
    let mut endpoint = Endpoint::from_shared(url).map_err(wrong)?;
    if encrypted {
        let useless = |e: tonic::transport::Error| {
            Failure::usage(format!("TLS files: {}", root(&e).unwrap_or_else(|| e.to_string())))
        };
        endpoint = endpoint.tls_config(tls(args)?).map_err(useless)?;
    } else if args.tls_ca.is_some() || args.tls_client_cert.is_some() {
        return Err(Failure::usage(format!("--server: {server:?} has no TLS: write https://HOST:PORT")));
    }
    Ok(endpoint
        .connect_timeout(CONNECT)
        .tcp_nodelay(true)
        .http2_keep_alive_interval(KEEPALIVE)
        .keep_alive_timeout(KEEPALIVE)
        .initial_stream_window_size(STREAM_WINDOW)
        .initial_connection_window_size(2 * STREAM_WINDOW)
        .max_frame_size(FRAME))
}

/// Trusts the authorities of the file, else those of the system.
fn tls(args: &ServerArgs) -> Result<ClientTlsConfig, Failure> {
    let config = ClientTlsConfig::new().timeout(CONNECT);
    let config = match &args.tls_ca {
        Some(path) => config.ca_certificate(Certificate::from_pem(certificates("--tls-ca", path)?)),
        None => config.with_native_roots(),
    };
    let (Some(cert), Some(key)) = (&args.tls_client_cert, &args.tls_client_key) else { return Ok(config) };
    let cert = certificates("--tls-client-cert", cert)?;
    Ok(config.identity(Identity::from_pem(cert, contents("--tls-client-key", key)?)))
}

/// A file of certificates: one without any would trust nobody, without a word why.
fn certificates(option: &str, path: &Path) -> Result<String, Failure> {
    let text = contents(option, path)?;
    if text.contains("-----BEGIN CERTIFICATE-----") {
        return Ok(text);
    }
    Err(Failure::usage(format!("{option}: {} holds no certificate in PEM", path.display())))
}

/// The file's token, as it is sent; it is marked so that no log and no compression table keeps it.
fn token(path: &Path) -> Result<MetadataValue<Ascii>, Failure> {
    let text = contents("--token-file", path)?;
    let wrong = |what: String| Failure::usage(format!("--token-file: {} holds {what}", path.display()));
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let &[token] = lines.as_slice() else {
        let what = if lines.is_empty() { "no token".to_owned() } else { format!("{} lines, not one", lines.len()) };
        return Err(wrong(format!("{what}: it must hold a token alone")));
    };
    let mut value: MetadataValue<Ascii> = format!("Bearer {token}").parse().map_err(|_| wrong("no token".into()))?;
    value.set_sensitive(true);
    Ok(value)
}

fn contents(option: &str, path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path).map_err(|e| Failure::usage(format!("{option}: {}: {e}", path.display())))
}

fn is_loopback(host: &str) -> bool {
    let address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::super::exit::Exit;
    use super::*;

    #[tokio::test]
    async fn wrong_addresses_are_usage_and_silent_ones_io() {
        for server in ["ftp://x", "http://a b"] {
            let failure = Door::new(&ServerArgs::at(server)).expect_err(server);
            assert!(failure.exit == Exit::Usage && failure.message.contains(server), "{failure:?}");
        }
        for (server, may_open) in
            [("127.0.0.1:1", true), ("https://127.0.0.1:1", true), ("no-such-host.invalid:1", false)]
        {
            let door = Door::new(&ServerArgs::at(server)).expect("an address");
            let closed = door.open().await.expect_err(server);
            assert_eq!((closed.failure.exit, closed.may_open), (Exit::Io, may_open), "{closed:?}");
            assert!(closed.failure.message.contains(server), "{closed:?}");
        }
    }

    #[test]
    fn a_token_goes_nowhere_in_the_clear() {
        let folder = tempfile::tempdir().expect("a directory");
        let path = folder.path().join("token");
        std::fs::write(&path, "sudokud_secret\n").expect("written");
        let args = ServerArgs { token_file: Some(path.clone()), ..ServerArgs::at("http://sudoku.test:1") };
        let failure = Door::new(&args).expect_err("not encrypted");
        assert_eq!(failure.exit, Exit::Usage);
        assert!(failure.message.contains("not encrypted") && !failure.message.contains("secret"), "{failure:?}");
        let sent = token(&path).expect("a token");
        assert_eq!((sent.to_str().expect("ASCII"), sent.is_sensitive()), ("Bearer sudokud_secret", true));
        for (bad, words) in
            [("", "no token"), ("\n \n", "no token"), ("a\nsha256:b ada read\n", "2 lines"), ("\u{7}", "no token")]
        {
            std::fs::write(&path, bad).expect("written");
            assert!(token(&path).is_err_and(|failure| failure.message.contains(words)), "{bad:?}");
        }
        assert!(["127.0.0.1", "localhost", "[::1]"].into_iter().all(is_loopback) && !is_loopback("10.0.0.1"));
    }

    #[test]
    fn files_are_named_when_they_are_no_use() {
        let folder = tempfile::tempdir().expect("a directory");
        let empty = folder.path().join("ca.pem");
        std::fs::write(&empty, "").expect("written");
        let tls_ca = Some("no-such-file".into());
        for (args, words) in [
            (ServerArgs { tls_ca: tls_ca.clone(), ..ServerArgs::at("https://x") }, "--tls-ca: no-such-file"),
            (ServerArgs { tls_ca, ..ServerArgs::at("http://x") }, "has no TLS"),
            (ServerArgs { tls_ca: Some(empty), ..ServerArgs::at("https://x") }, "holds no certificate"),
        ] {
            let failure = Door::new(&args).expect_err(words);
            assert!(failure.exit == Exit::Usage && failure.message.contains(words), "{failure:?}");
        }
    }
}

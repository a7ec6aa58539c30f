//! How to reach a server: its address, TLS both ways, and the token that each call carries. Knows no call.

use super::args::ServerArgs;
use super::exit::Failure;
use std::error::Error;
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

/// Connects.
///
/// # Errors
/// When the address is malformed, a file is no use, or nobody answers there.
pub async fn connect(args: &ServerArgs) -> Result<Connection, Failure> {
    let server = &args.server;
    let endpoint = endpoint(args)?;
    let bearer = Bearer(args.token_file.as_deref().map(token).transpose()?);
    let open = endpoint.uri().scheme_str() == Some("http") && !is_loopback(endpoint.uri().host().unwrap_or_default());
    if bearer.0.is_some() && open {
        return Err(Failure::usage(format!("--token-file: {server} is not encrypted, so the token is not sent there")));
    }
    let unreachable = |e: tonic::transport::Error| {
        let why = root(&e).unwrap_or_else(|| e.to_string());
        Failure::io(format!("cannot reach {server}: {why}; is `sudokud serve` running there?"))
    };
    let channel = endpoint.connect().await.map_err(unreachable)?;
    Ok(InterceptedService::new(channel, bearer))
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
    let config = match &args.tls_ca {
        Some(path) => ClientTlsConfig::new().ca_certificate(Certificate::from_pem(contents("--tls-ca", path)?)),
        None => ClientTlsConfig::new().with_native_roots(),
    };
    let (Some(cert), Some(key)) = (&args.tls_client_cert, &args.tls_client_key) else { return Ok(config) };
    let cert = contents("--tls-client-cert", cert)?;
    Ok(config.identity(Identity::from_pem(cert, contents("--tls-client-key", key)?)))
}

/// The file's token, as it is sent; it is marked so that no log and no compression table keeps it.
fn token(path: &Path) -> Result<MetadataValue<Ascii>, Failure> {
    let text = contents("--token-file", path)?;
    let wrong = |_| Failure::usage(format!("--token-file: {} holds no token", path.display()));
    let mut value: MetadataValue<Ascii> = format!("Bearer {}", text.trim()).parse().map_err(wrong)?;
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

/// The innermost cause.
pub fn root(error: &(dyn Error + 'static)) -> Option<String> {
    let mut cause = error.source()?;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    Some(cause.to_string())
}

#[cfg(test)]
mod tests {
    use super::super::exit::Exit;
    use super::*;

    #[tokio::test]
    async fn wrong_addresses_are_usage_and_silent_ones_io() {
        for (server, exit) in [
            ("ftp://x", Exit::Usage),
            ("http://a b", Exit::Usage),
            ("127.0.0.1:1", Exit::Io),
            ("https://127.0.0.1:1", Exit::Io),
        ] {
            let failure = connect(&ServerArgs::at(server)).await.expect_err(server);
            assert_eq!(failure.exit, exit, "{failure:?}");
            assert!(failure.message.contains(server), "{failure:?}");
        }
    }

    #[tokio::test]
    async fn a_token_goes_nowhere_in_the_clear() {
        let folder = tempfile::tempdir().expect("a directory");
        let path = folder.path().join("token");
        std::fs::write(&path, "sudokud_secret\n").expect("written");
        let args = ServerArgs { token_file: Some(path.clone()), ..ServerArgs::at("http://sudoku.test:1") };
        let failure = connect(&args).await.expect_err("not encrypted");
        assert_eq!(failure.exit, Exit::Usage);
        assert!(failure.message.contains("not encrypted") && !failure.message.contains("secret"), "{failure:?}");
        let sent = token(&path).expect("a token");
        assert_eq!((sent.to_str().expect("ASCII"), sent.is_sensitive()), ("Bearer sudokud_secret", true));
        assert!(["127.0.0.1", "localhost", "[::1]"].into_iter().all(is_loopback) && !is_loopback("10.0.0.1"));
    }

    #[tokio::test]
    async fn files_are_named_when_they_are_no_use() {
        let tls_ca = Some("no-such-file".into());
        for (args, words) in [
            (ServerArgs { tls_ca: tls_ca.clone(), ..ServerArgs::at("https://x") }, "--tls-ca: no-such-file"),
            (ServerArgs { tls_ca, ..ServerArgs::at("http://x") }, "has no TLS"),
        ] {
            let failure = connect(&args).await.expect_err(words);
            assert!(failure.exit == Exit::Usage && failure.message.contains(words), "{failure:?}");
        }
    }
}

//! The options of the network side: decided and checked.

use super::check::{HOUR, ParseOr, SECOND, invalid, number, sized, within};
use super::error::ConfigError;
use super::raw::RawConfig;
use super::tls;
use crate::grpc::Options;
use std::net::SocketAddr;
use std::time::Duration;

/// The server's settings.
///
/// # Errors
/// The first option whose value makes no sense.
pub fn options(raw: &RawConfig) -> Result<Options, ConfigError> {
    let usual = Options::default();
    let kept = |key, given, unset: Duration| within(key, given, unset, SECOND..=HOUR);
    let window = |key, given, unset: u32| Ok(sized(key, given, unset as usize, 16..=30)? as u32);
    let options = Options {
        listen: raw.listen.unwrap_or(usual.listen),
        health_listen: raw.health_listen.or(usual.health_listen),
        admin_listen: raw.admin_listen.or(usual.admin_listen),
        insecure: raw.insecure.unwrap_or(usual.insecure),
        tls: tls::files(raw)?,
        tokens: raw.tokens.clone(),
        without_credentials: raw
            .without_credentials
            .as_deref()
            .unwrap_or_default()
            .parse_or("without-credentials", usual.without_credentials)?,
        reflection: raw.reflection.or(usual.reflection),
        max_message_bytes: sized("max-message-bytes", raw.max_message_bytes, usual.max_message_bytes, 20..=28)?,
        max_concurrent_streams: number(
            "max-concurrent-streams",
            raw.max_concurrent_streams,
            usual.max_concurrent_streams,
            1..=100_000,
        )?,
        stream_window_bytes: window("stream-window-bytes", raw.stream_window_bytes, usual.stream_window_bytes)?,
        connection_window_bytes: window(
            "connection-window-bytes",
            raw.connection_window_bytes,
            usual.connection_window_bytes,
        )?,
        keepalive_interval: kept("keepalive-interval", raw.keepalive_interval, usual.keepalive_interval)?,
        keepalive_timeout: kept("keepalive-timeout", raw.keepalive_timeout, usual.keepalive_timeout)?,
        max_connection_age: match raw.max_connection_age {
            None => usual.max_connection_age,
            given => Some(within("max-connection-age", given, SECOND, SECOND..=Duration::MAX)?),
        },
        ..usual
    };
    apart(&options)?;
    options.check().map_err(|e| invalid("listen", e.to_string()))?;
    Ok(options)
}

/// Refuses listeners that would meet.
fn apart(options: &Options) -> Result<(), ConfigError> {
    let all = [
        ("listen", Some(options.listen)),
        ("health-listen", options.health_listen),
        ("admin-listen", options.admin_listen),
    ];
    for (i, &(key, address)) in all.iter().enumerate() {
        let clash = |&&(_, other): &&(&str, Option<SocketAddr>)| address.zip(other).is_some_and(|(a, b)| meet(a, b));
        if let Some((other, _)) = all[..i].iter().find(clash) {
            let at = address.map(|a| a.to_string()).unwrap_or_default();
            return Err(invalid(key, format!("{at} clashes with {other}: give each its own port")));
        }
    }
    Ok(())
}

/// Whether two listeners would meet: the same port on addresses that overlap.
fn meet(a: SocketAddr, b: SocketAddr) -> bool {
    a.port() != 0 && a.port() == b.port() && (a.ip() == b.ip() || a.ip().is_unspecified() || b.ip().is_unspecified())
}

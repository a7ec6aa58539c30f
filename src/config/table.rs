//! The way back: a [`Config`] as the TOML that makes it, and the table of options for the README.

use super::layers::keys;
use super::raw::RawConfig;
use super::resolved::{Config, StoreChoice};
use super::value::{Size, Span};
use crate::sudoku::Kernel;
use std::fmt::Write;
use std::num::NonZeroU32;

impl From<&Config> for RawConfig {
    /// The raw configuration that resolves to this one.
    fn from(config: &Config) -> RawConfig {
        let (grpc, engine, pool) = (&config.grpc, &config.engine, &config.pool);
        let (data, store) = match &config.store {
            StoreChoice::Embedded(path) => (Some(path.clone()), None),
            StoreChoice::Memory => (None, Some("memory:".to_owned())),
        };
        RawConfig {
            listen: Some(grpc.listen),
            health_listen: grpc.health_listen,
            admin_listen: grpc.admin_listen,
            insecure: Some(grpc.insecure),
            tls_cert: grpc.tls.as_ref().map(|tls| tls.cert.clone()),
            tls_key: grpc.tls.as_ref().map(|tls| tls.key.clone()),
            tls_client_ca: grpc.tls.as_ref().and_then(|tls| tls.client_ca.clone()),
            tls_client_auth: grpc
                .tls
                .as_ref()
                .filter(|tls| tls.client_ca.is_some())
                .map(|tls| tls.client_auth.to_string()),
            tokens: grpc.tokens.clone(),
            without_credentials: Some(grpc.without_credentials.to_string()),
            reflection: grpc.reflection,
            max_message_bytes: Some(Size(grpc.max_message_bytes as u64)),
            max_connections: Some(grpc.max_connections),
            max_open_calls: Some(grpc.max_open_calls),
            max_open_streams: Some(grpc.max_open_streams),
            max_principal_calls: grpc.max_principal_calls,
            calls_per_second: grpc.calls_per_second.map(NonZeroU32::get),
            max_concurrent_streams: Some(grpc.max_concurrent_streams),
            stream_window_bytes: Some(Size(u64::from(grpc.stream_window_bytes))),
            connection_window_bytes: Some(Size(u64::from(grpc.connection_window_bytes))),
            keepalive_interval: Some(Span(grpc.keepalive_interval)),
            keepalive_timeout: Some(Span(grpc.keepalive_timeout)),
            max_connection_age: grpc.max_connection_age.map(Span),
            data,
            store,
            threads: Some(pool.batch_threads),
            batch_priority: Some(pool.batch_priority.to_string()),
            interactive_threads: Some(pool.interactive_threads),
            interactive_queue: Some(pool.interactive_queue),
            kernel: Some(kernel(config.kernel)),
            solve_node_limit: Some(engine.solve_node_limit),
            max_solve_node_limit: Some(engine.max_solve_node_limit),
            solve_time_limit: Some(Span(engine.solve_time_limit)),
            batch_node_limit: Some(engine.batch_node_limit),
            inline_budget: Some(Span(engine.inline_budget)),
            time_to_live: Some(Span(engine.time_to_live)),
            max_time_to_live: Some(Span(engine.max_time_to_live)),
            upload_idle: Some(Span(engine.upload_idle)),
            upload_buffer_bytes: Some(Size(engine.upload_buffer_bytes as u64)),
            upload_buffers_bytes: Some(Size(engine.upload_buffers_bytes as u64)),
            max_jobs: Some(engine.max_jobs),
            max_stored_bytes: engine.max_stored_bytes.map(Size),
            disk_floor_bytes: Some(Size(engine.disk_floor_bytes)),
            max_job_items: Some(engine.max_job_items),
            chunk_items: Some(engine.chunk_items),
            chunk_linger: Some(Span(engine.chunk_linger)),
            lease_ttl: Some(Span(engine.lease_ttl)),
            sweep_every: Some(Span(engine.sweep_every)),
            drain_delay: Some(Span(config.drain_delay)),
            drain_timeout: Some(Span(config.drain_timeout)),
            log: Some(config.telemetry.filter.clone()),
            log_format: Some(config.telemetry.format.to_string()),
            otlp_endpoint: config.telemetry.otlp_endpoint.clone(),
            trace_sample: Some(config.telemetry.trace_sample),
        }
    }
}

/// The kernel's name; the fastest one is `auto`, so that what was printed fits other machines.
fn kernel(kernel: Kernel) -> String {
    if kernel == Kernel::default() { "auto".into() } else { kernel.to_string() }
}

/// The configuration as TOML that `--config` reads back to the same; what is unset is there as a comment.
///
/// # Errors
/// When a path in it is not Unicode, which TOML can't hold.
pub fn print(config: &Config) -> Result<String, String> {
    let raw = RawConfig::from(config);
    let wrong = |e| format!("the configuration is no TOML: {e}");
    let set = toml::Table::try_from(&raw).map_err(wrong)?;
    let mut text = toml::to_string(&raw).map_err(wrong)?;
    for key in keys().into_iter().filter(|key| !set.contains_key(&key.name)) {
        // Writing to a String can't fail.
        let _ = writeln!(text, "# {} is unset", key.name);
    }
    Ok(text)
}

/// The README's table: each option, its default, what it does.
pub fn markdown(defaults: &Config) -> String {
    let values = toml::Table::try_from(RawConfig::from(defaults)).unwrap_or_default();
    let mut table = String::from("| option | default | what it does |\n|---|---|---|\n");
    for key in keys() {
        let default = match (key.name.as_str(), values.get(&key.name)) {
            ("threads", _) => "the number of cores".to_owned(),
            ("data", _) => "`$XDG_DATA_HOME/sudokud`, else `~/.local/share/sudokud`".to_owned(),
            (_, None) => "unset".to_owned(),
            (_, Some(toml::Value::String(text))) => format!("`{text}`"),
            (_, Some(value)) => format!("`{value}`"),
        };
        // Writing to a String can't fail.
        let _ = writeln!(table, "| `{}` | {default} | {} |", key.name, key.help.replace('|', "\\|"));
    }
    table
}

#[cfg(test)]
mod tests {
    use super::super::layers::layer;
    use super::super::resolved::Machine;
    use super::*;

    fn resolve(toml: &str) -> Config {
        let machine = Machine { cores: 6, data_home: Some("/home/ada/.local/share".into()) };
        toml::from_str::<RawConfig>(toml).expect("well-formed").resolve(&machine).expect("valid")
    }

    #[test]
    fn what_is_printed_reads_back_to_the_same() {
        for text in [
            "",
            "store = \"memory:\"\nthreads = 2\nlog = \"debug\"\nkernel = \"reference\"",
            "tls-cert = \"c.pem\"\ntls-key = \"k.pem\"\ntls-client-ca = \"a.pem\"\nlisten = \"0.0.0.0:7\"",
            "tokens = \"t\"\ntls-cert = \"c.pem\"\ntls-key = \"k.pem\"\ntls-client-ca = \"a.pem\"\nwithout-credentials = \"all\"",
            "data = \"/srv/x\"\nreflection = false\nhealth-listen = \"[::1]:9\"\ninline-budget = \"0s\"\n\
             otlp-endpoint = \"http://c:4317\"\ntrace-sample = 0.25\n\
             max-message-bytes = \"1048577B\"\nchunk-linger = \"1500us\"\nlog-format = \"json\"",
        ] {
            let printed = print(&resolve(text)).expect("TOML");
            assert!(keys().iter().all(|key| printed.contains(&key.name)), "{printed}");
            assert_eq!(print(&resolve(&printed)).expect("TOML"), printed);
            let (given, back): (RawConfig, RawConfig) =
                (toml::from_str(text).expect("raw"), toml::from_str(&printed).expect("raw"));
            assert_eq!(layer(&given, back.clone()), Ok(back));
        }
    }

    #[test]
    fn the_readme_has_the_table() {
        let table = markdown(&resolve(""));
        assert!(include_str!("../../README.md").contains(&table), "README.md, Configuration should hold:\n{table}");
    }
}

//! [`RawConfig`]: what was typed, by flag, environment or file; nothing is checked here beyond its form.

use super::value::{Size, Span};
use clap::builder::BoolishValueParser;
use serde::{Deserialize, Serialize};
use std::net::SocketAddr;
use std::path::PathBuf;

/// Every option of `serve`, each perhaps unset. The flag `--some-key`, the variable `SUDOKUD_SOME_KEY` and the
/// file's `some-key` are one thing; the doc comments are the help text and the README's table.
#[derive(Clone, Debug, Default, PartialEq, clap::Args, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct RawConfig {
    /// Address of the gRPC API.
    #[arg(long, env = "SUDOKUD_LISTEN", value_name = "ADDR")]
    pub listen: Option<SocketAddr>,
    /// Address of health checks alone, plain and open to all, for probes; unset: they are on the API's.
    #[arg(long, env = "SUDOKUD_HEALTH_LISTEN", value_name = "ADDR")]
    pub health_listen: Option<SocketAddr>,
    /// Address of metrics over plain HTTP, open to all who reach it; unset: none.
    #[arg(long, env = "SUDOKUD_ADMIN_LISTEN", value_name = "ADDR")]
    pub admin_listen: Option<SocketAddr>,
    /// Listen beyond loopback without TLS or authentication.
    #[arg(long, env = "SUDOKUD_INSECURE", value_name = "BOOL", num_args = 0..=1, require_equals = true,
        default_missing_value = "true", value_parser = BoolishValueParser::new())]
    pub insecure: Option<bool>,
    /// Certificate of the API's port, with those that sign it, PEM; read again when it changes; unset: no TLS.
    #[arg(long, env = "SUDOKUD_TLS_CERT", value_name = "FILE")]
    pub tls_cert: Option<PathBuf>,
    /// Its private key, PEM.
    #[arg(long, env = "SUDOKUD_TLS_KEY", value_name = "FILE")]
    pub tls_key: Option<PathBuf>,
    /// Authorities whose certificates clients show, PEM; unset: clients need none.
    #[arg(long, env = "SUDOKUD_TLS_CLIENT_CA", value_name = "FILE")]
    pub tls_client_ca: Option<PathBuf>,
    /// Whether clients must have one: required or optional; unset: optional where tokens are taken too.
    #[arg(long, env = "SUDOKUD_TLS_CLIENT_AUTH", value_name = "WORD")]
    pub tls_client_auth: Option<String>,
    /// Which token and which certificate is whose, with which roles; read again when it changes; unset: no tokens.
    #[arg(long, env = "SUDOKUD_TOKENS", value_name = "FILE")]
    pub tokens: Option<PathBuf>,
    /// What answers callers without credentials where others need them: none, health, reflection or all.
    #[arg(long, env = "SUDOKUD_WITHOUT_CREDENTIALS", value_name = "WORD")]
    pub without_credentials: Option<String>,
    /// Describe the API to tools such as grpcurl; unset: only while listening on loopback.
    #[arg(long, env = "SUDOKUD_REFLECTION", value_name = "BOOL", num_args = 0..=1, require_equals = true,
        default_missing_value = "true", value_parser = BoolishValueParser::new())]
    pub reflection: Option<bool>,
    /// Largest message a client may send, 1MiB to 256MiB.
    #[arg(long, env = "SUDOKUD_MAX_MESSAGE_BYTES", value_name = "SIZE")]
    pub max_message_bytes: Option<Size>,
    /// Calls at a time on one connection, 1 to 100000.
    #[arg(long, env = "SUDOKUD_MAX_CONCURRENT_STREAMS", value_name = "N")]
    pub max_concurrent_streams: Option<u32>,
    /// Bytes of one call's input that may be on their way, 64KiB to 1GiB.
    #[arg(long, env = "SUDOKUD_STREAM_WINDOW_BYTES", value_name = "SIZE")]
    pub stream_window_bytes: Option<Size>,
    /// Bytes of one connection's input that may be on their way, 64KiB to 1GiB.
    #[arg(long, env = "SUDOKUD_CONNECTION_WINDOW_BYTES", value_name = "SIZE")]
    pub connection_window_bytes: Option<Size>,
    /// How often a silent connection is asked whether it lives, 1s to 1h.
    #[arg(long, env = "SUDOKUD_KEEPALIVE_INTERVAL", value_name = "TIME")]
    pub keepalive_interval: Option<Span>,
    /// How long it may take to answer, 1s to 1h.
    #[arg(long, env = "SUDOKUD_KEEPALIVE_TIMEOUT", value_name = "TIME")]
    pub keepalive_timeout: Option<Span>,
    /// Age at which a connection is asked to end, without harm to its calls, 1s or more; unset: never.
    #[arg(long, env = "SUDOKUD_MAX_CONNECTION_AGE", value_name = "TIME")]
    pub max_connection_age: Option<Span>,
    /// Directory of the embedded store, made if missing.
    #[arg(long, env = "SUDOKUD_DATA", value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// Where jobs live, instead of data: `file:DIR` (the embedded store) or `memory:` (gone at exit).
    #[arg(long, env = "SUDOKUD_STORE", value_name = "URL")]
    pub store: Option<String>,
    /// Threads that solve batches, 1 to 1024.
    #[arg(long, env = "SUDOKUD_THREADS", value_name = "N")]
    pub threads: Option<usize>,
    /// How they stand beside other threads: idle (only where no other wants the core) or normal.
    #[arg(long, env = "SUDOKUD_BATCH_PRIORITY", value_name = "PRIORITY")]
    pub batch_priority: Option<String>,
    /// Threads for unary calls that take long, 1 to 1024.
    #[arg(long, env = "SUDOKUD_INTERACTIVE_THREADS", value_name = "N")]
    pub interactive_threads: Option<usize>,
    /// Unary calls that may wait for those threads before more are refused, 1 or more.
    #[arg(long, env = "SUDOKUD_INTERACTIVE_QUEUE", value_name = "N")]
    pub interactive_queue: Option<usize>,
    /// Solver kernel: auto (the fastest that this machine runs), avx512, avx2, portable or reference.
    #[arg(long, env = "SUDOKUD_KERNEL", value_name = "NAME")]
    pub kernel: Option<String>,
    /// Search nodes of a unary solve that names no limit, and of the proof before an explanation.
    #[arg(long, env = "SUDOKUD_SOLVE_NODE_LIMIT", value_name = "N")]
    pub solve_node_limit: Option<u64>,
    /// The most search nodes that a unary solve may ask for, 1 or more.
    #[arg(long, env = "SUDOKUD_MAX_SOLVE_NODE_LIMIT", value_name = "N")]
    pub max_solve_node_limit: Option<u64>,
    /// Time that a unary call may take, 10ms to 1h; then a solve or an explanation answers with what it found so far.
    #[arg(long, env = "SUDOKUD_SOLVE_TIME_LIMIT", value_name = "TIME")]
    pub solve_time_limit: Option<Span>,
    /// Search nodes of a batch item whose job names no limit.
    #[arg(long, env = "SUDOKUD_BATCH_NODE_LIMIT", value_name = "N")]
    pub batch_node_limit: Option<u64>,
    /// Time that a unary call is solved where it arrives before it moves to the interactive threads, up to 500us.
    #[arg(long, env = "SUDOKUD_INLINE_BUDGET", value_name = "TIME")]
    pub inline_budget: Option<Span>,
    /// How long an ended job stays, unless it asks otherwise; whole seconds.
    #[arg(long, env = "SUDOKUD_TIME_TO_LIVE", value_name = "TIME")]
    pub time_to_live: Option<Span>,
    /// The longest that a job may ask to stay; whole seconds.
    #[arg(long, env = "SUDOKUD_MAX_TIME_TO_LIVE", value_name = "TIME")]
    pub max_time_to_live: Option<Span>,
    /// An upload without input for longer fails its job; 1s or more.
    #[arg(long, env = "SUDOKUD_UPLOAD_IDLE", value_name = "TIME")]
    pub upload_idle: Option<Span>,
    /// Bytes of one upload that may wait for the store, 64KiB to 1GiB.
    #[arg(long, env = "SUDOKUD_UPLOAD_BUFFER_BYTES", value_name = "SIZE")]
    pub upload_buffer_bytes: Option<Size>,
    /// Bytes of all uploads together that may wait for the store, 64KiB to 16GiB.
    #[arg(long, env = "SUDOKUD_UPLOAD_BUFFERS_BYTES", value_name = "SIZE")]
    pub upload_buffers_bytes: Option<Size>,
    /// Items that a job may hold, 1 to 4000000000.
    #[arg(long, env = "SUDOKUD_MAX_JOB_ITEMS", value_name = "N")]
    pub max_job_items: Option<u32>,
    /// Items in a chunk, the unit of storing and solving, 1 to 65536.
    #[arg(long, env = "SUDOKUD_CHUNK_ITEMS", value_name = "N")]
    pub chunk_items: Option<u32>,
    /// A partial chunk is cut after this long without input, up to 10s.
    #[arg(long, env = "SUDOKUD_CHUNK_LINGER", value_name = "TIME")]
    pub chunk_linger: Option<Span>,
    /// How long a worker keeps a chunk without a sign of life, 1s or more.
    #[arg(long, env = "SUDOKUD_LEASE_TTL", value_name = "TIME")]
    pub lease_ttl: Option<Span>,
    /// How often idle uploads, expired jobs and lost leases are looked for, 100ms to 1h.
    #[arg(long, env = "SUDOKUD_SWEEP_EVERY", value_name = "TIME")]
    pub sweep_every: Option<Span>,
    /// How long calls are served on after SIGTERM while health says NOT_SERVING, before the drain; up to 1h.
    #[arg(long, env = "SUDOKUD_DRAIN_DELAY", value_name = "TIME")]
    pub drain_delay: Option<Span>,
    /// How long calls and chunks in work may take to end then, up to 1h.
    #[arg(long, env = "SUDOKUD_DRAIN_TIMEOUT", value_name = "TIME")]
    pub drain_timeout: Option<Span>,
    /// What is logged: a level, or directives such as info,sudokud::engine=debug.
    #[arg(long, env = "SUDOKUD_LOG", value_name = "FILTER")]
    pub log: Option<String>,
    /// How it is logged: auto (text on a terminal, else json), text or json.
    #[arg(long, env = "SUDOKUD_LOG_FORMAT", value_name = "FORMAT")]
    pub log_format: Option<String>,
    /// Collector of traces, OTLP over gRPC, as `http://HOST:4317`; unset: no traces.
    #[arg(long, env = "SUDOKUD_OTLP_ENDPOINT", value_name = "URL")]
    pub otlp_endpoint: Option<String>,
    /// Share of the traces begun here that are told, 0 to 1; a caller's own trace goes by its own flag.
    #[arg(long, env = "SUDOKUD_TRACE_SAMPLE", value_name = "SHARE")]
    pub trace_sample: Option<f64>,
}

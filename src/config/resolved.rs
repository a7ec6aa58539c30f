//! [`Config`]: every option decided and checked, sorted by the part that it is for.

use super::error::ConfigError;
use super::raw::RawConfig;
use super::tls;
use super::value::{Size, Span};
use crate::job::chunk::MAX_JOB_ITEMS;
use crate::sudoku::Kernel;
use crate::{engine, grpc, pool, telemetry};
use std::fmt::Display;
use std::net::SocketAddr;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

/// Where jobs live.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoreChoice {
    /// In SQLite under this directory.
    Embedded(PathBuf),
    /// In memory, gone at exit.
    Memory,
}

/// What `serve` runs with.
#[derive(Clone, Debug)]
pub struct Config {
    /// The server.
    pub grpc: grpc::options::Options,
    /// Jobs and calls.
    pub engine: engine::Options,
    /// Threads.
    pub pool: pool::Options,
    /// The solver's kernel: the one named, or the fastest here.
    pub kernel: Kernel,
    /// Where jobs live.
    pub store: StoreChoice,
    /// Logs.
    pub telemetry: telemetry::Options,
    /// How long calls are served on after SIGTERM, for those who send them to learn of the end.
    pub drain_delay: Duration,
    /// How long calls and chunks in work may take to end then.
    pub drain_timeout: Duration,
}

/// What defaults depend on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Machine {
    /// Cores this process may use.
    pub cores: usize,
    /// Directory for users' data; `None` where there is no home.
    pub data_home: Option<PathBuf>,
}

impl Machine {
    /// This machine, by its environment: `XDG_DATA_HOME`, else `~/.local/share`.
    pub fn here() -> Machine {
        let directory = |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let data_home = directory("XDG_DATA_HOME").or_else(|| directory("HOME").map(|home| home.join(".local/share")));
        Machine { cores: std::thread::available_parallelism().map_or(1, usize::from), data_home }
    }
}

const THREADS: RangeInclusive<usize> = 1..=1024;
const HOUR: Duration = Duration::from_secs(3600);
const SECOND: Duration = Duration::from_secs(1);

impl RawConfig {
    /// Decides and checks every option.
    ///
    /// # Errors
    /// The first option whose value makes no sense, with what would.
    pub fn resolve(&self, machine: &Machine) -> Result<Config, ConfigError> {
        let config = Config {
            grpc: self.grpc()?,
            engine: self.engine()?,
            pool: self.pool(machine)?,
            kernel: self.kernel.as_deref().unwrap_or_default().parse_or("kernel", Kernel::default())?,
            store: self.store(machine)?,
            telemetry: self.telemetry()?,
            drain_delay: within("drain-delay", self.drain_delay, 5 * SECOND, Duration::ZERO..=HOUR)?,
            drain_timeout: within("drain-timeout", self.drain_timeout, 25 * SECOND, Duration::ZERO..=HOUR)?,
        };
        Ok(config)
    }

    fn grpc(&self) -> Result<grpc::options::Options, ConfigError> {
        let usual = grpc::options::Options::default();
        let kept = |key, given, unset: Duration| within(key, given, unset, SECOND..=HOUR);
        let window = |key, given, unset: u32| Ok(sized(key, given, unset as usize, 16..=30)? as u32);
        let options = grpc::options::Options {
            listen: self.listen.unwrap_or(usual.listen),
            health_listen: self.health_listen.or(usual.health_listen),
            admin_listen: self.admin_listen.or(usual.admin_listen),
            insecure: self.insecure.unwrap_or(usual.insecure),
            tls: tls::files(self)?,
            tokens: self.tokens.clone(),
            without_credentials: self
                .without_credentials
                .as_deref()
                .unwrap_or_default()
                .parse_or("without-credentials", usual.without_credentials)?,
            reflection: self.reflection.or(usual.reflection),
            max_message_bytes: sized("max-message-bytes", self.max_message_bytes, usual.max_message_bytes, 20..=28)?,
            max_concurrent_streams: number(
                "max-concurrent-streams",
                self.max_concurrent_streams,
                usual.max_concurrent_streams,
                1..=100_000,
            )?,
            stream_window_bytes: window("stream-window-bytes", self.stream_window_bytes, usual.stream_window_bytes)?,
            connection_window_bytes: window(
                "connection-window-bytes",
                self.connection_window_bytes,
                usual.connection_window_bytes,
            )?,
            keepalive_interval: kept("keepalive-interval", self.keepalive_interval, usual.keepalive_interval)?,
            keepalive_timeout: kept("keepalive-timeout", self.keepalive_timeout, usual.keepalive_timeout)?,
            max_connection_age: match self.max_connection_age {
                None => usual.max_connection_age,
                given => Some(within("max-connection-age", given, SECOND, SECOND..=Duration::MAX)?),
            },
            ..usual
        };
        apart(&options)?;
        options.check().map_err(|e| invalid("listen", e.to_string()))?;
        Ok(options)
    }

    fn engine(&self) -> Result<engine::Options, ConfigError> {
        let usual = engine::Options::default();
        let max_ttl = seconds("max-time-to-live", self.max_time_to_live, usual.max_time_to_live)?;
        let ttl = seconds("time-to-live", self.time_to_live, usual.time_to_live.min(max_ttl))?;
        if ttl > max_ttl {
            let problem = format!("{} is longer than max-time-to-live, {}", Span(ttl), Span(max_ttl));
            return Err(invalid("time-to-live", problem));
        }
        Ok(engine::Options {
            solve_node_limit: number("solve-node-limit", self.solve_node_limit, usual.solve_node_limit, 1..=u64::MAX)?,
            batch_node_limit: number("batch-node-limit", self.batch_node_limit, usual.batch_node_limit, 1..=u64::MAX)?,
            time_to_live: ttl,
            max_time_to_live: max_ttl,
            upload_idle: within("upload-idle", self.upload_idle, usual.upload_idle, SECOND..=Duration::MAX)?,
            max_job_items: number("max-job-items", self.max_job_items, usual.max_job_items, 1..=MAX_JOB_ITEMS)?,
            chunk_items: number("chunk-items", self.chunk_items, usual.chunk_items, 1..=65_536)?,
            chunk_linger: within("chunk-linger", self.chunk_linger, usual.chunk_linger, Duration::ZERO..=10 * SECOND)?,
            upload_buffer_bytes: sized(
                "upload-buffer-bytes",
                self.upload_buffer_bytes,
                usual.upload_buffer_bytes,
                16..=30,
            )?,
            upload_buffers_bytes: sized(
                "upload-buffers-bytes",
                self.upload_buffers_bytes,
                usual.upload_buffers_bytes,
                16..=34,
            )?,
            lease_ttl: within("lease-ttl", self.lease_ttl, usual.lease_ttl, SECOND..=HOUR)?,
            sweep_every: within("sweep-every", self.sweep_every, usual.sweep_every, SECOND / 10..=HOUR)?,
            inline_budget: within(
                "inline-budget",
                self.inline_budget,
                usual.inline_budget,
                Duration::ZERO..=Duration::from_micros(500),
            )?,
        })
    }

    fn pool(&self, machine: &Machine) -> Result<pool::Options, ConfigError> {
        let usual = pool::BatchPriority::default();
        Ok(pool::Options {
            batch_threads: number("threads", self.threads, machine.cores.clamp(1, *THREADS.end()), THREADS)?,
            batch_priority: self.batch_priority.as_deref().unwrap_or_default().parse_or("batch-priority", usual)?,
            interactive_threads: number("interactive-threads", self.interactive_threads, 1, THREADS)?,
            interactive_queue: number("interactive-queue", self.interactive_queue, 1024, 1..=1_000_000)?,
        })
    }

    fn store(&self, machine: &Machine) -> Result<StoreChoice, ConfigError> {
        let unknown = |url: &str| format!("{url:?} is no store: write memory: or file:DIR");
        match (&self.data, self.store.as_deref()) {
            (Some(_), Some(_)) => Err(invalid("store", "data is given too: give one of the two".into())),
            (Some(path), None) if path.as_os_str().is_empty() => Err(invalid("data", "give a directory".into())),
            (Some(path), None) => Ok(StoreChoice::Embedded(path.clone())),
            (None, Some("memory:")) => Ok(StoreChoice::Memory),
            (None, Some(url)) => match url.strip_prefix("file:").filter(|path| !path.is_empty()) {
                Some(path) => Ok(StoreChoice::Embedded(path.strip_prefix("//").unwrap_or(path).into())),
                None => Err(invalid("store", unknown(url))),
            },
            (None, None) => match &machine.data_home {
                Some(home) => Ok(StoreChoice::Embedded(home.join("sudokud"))),
                None => Err(invalid("data", "there is no home directory: give the store's directory".into())),
            },
        }
    }

    fn telemetry(&self) -> Result<telemetry::Options, ConfigError> {
        let filter = self.log.clone().unwrap_or_else(|| telemetry::DEFAULT_FILTER.to_owned());
        telemetry::check_filter(&filter).map_err(|e| invalid("log", format!("{filter:?}: {e}")))?;
        let format = self.log_format.as_deref().unwrap_or_default();
        Ok(telemetry::Options { filter, format: format.parse_or("log-format", telemetry::LogFormat::Auto)? })
    }
}

/// Parsing where an empty text means the default.
trait ParseOr {
    fn parse_or<T: std::str::FromStr<Err = String>>(&self, key: &'static str, unset: T) -> Result<T, ConfigError>;
}

impl ParseOr for str {
    fn parse_or<T: std::str::FromStr<Err = String>>(&self, key: &'static str, unset: T) -> Result<T, ConfigError> {
        if self.is_empty() { Ok(unset) } else { self.parse().map_err(|e| invalid(key, e)) }
    }
}

fn invalid(key: &'static str, problem: String) -> ConfigError {
    ConfigError::Invalid { key, problem }
}

/// Refuses listeners that would meet.
fn apart(options: &grpc::options::Options) -> Result<(), ConfigError> {
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

fn number<T: Copy + PartialOrd + Display>(
    key: &'static str,
    given: Option<T>,
    unset: T,
    range: RangeInclusive<T>,
) -> Result<T, ConfigError> {
    let value = given.unwrap_or(unset);
    let wrong = || invalid(key, format!("{value} is out of range: give {} to {}", range.start(), range.end()));
    range.contains(&value).then_some(value).ok_or_else(wrong)
}

/// A size between two powers of two.
fn sized(
    key: &'static str,
    given: Option<Size>,
    unset: usize,
    powers: RangeInclusive<u32>,
) -> Result<usize, ConfigError> {
    let value = given.unwrap_or(Size(unset as u64));
    let (low, high) = (Size(1 << powers.start()), Size(1 << powers.end()));
    let fits = (low.0..=high.0).contains(&value.0);
    let wrong = || invalid(key, format!("{value} is out of range: give {low} to {high}"));
    usize::try_from(value.0).ok().filter(|_| fits).ok_or_else(wrong)
}

fn within(
    key: &'static str,
    given: Option<Span>,
    unset: Duration,
    range: RangeInclusive<Duration>,
) -> Result<Duration, ConfigError> {
    let value = given.map_or(unset, |span| span.0);
    let most = if *range.end() == Duration::MAX { "or more".into() } else { format!("to {}", Span(*range.end())) };
    let wrong = || invalid(key, format!("{} is out of range: give {} {most}", Span(value), Span(*range.start())));
    range.contains(&value).then_some(value).ok_or_else(wrong)
}

/// Whole seconds, at least one.
fn seconds(key: &'static str, given: Option<Span>, unset: Duration) -> Result<Duration, ConfigError> {
    let value = within(key, given, unset, SECOND..=Duration::MAX)?;
    let wrong = || invalid(key, format!("{} is no whole number of seconds", Span(value)));
    (value.subsec_nanos() == 0).then_some(value).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine() -> Machine {
        Machine { cores: 6, data_home: Some("/home/ada/.local/share".into()) }
    }

    fn resolve(toml: &str) -> Result<Config, ConfigError> {
        toml::from_str::<RawConfig>(toml).expect("well-formed").resolve(&machine())
    }

    #[test]
    fn defaults() {
        let config = resolve("").expect("defaults are valid");
        assert_eq!(config.grpc.listen.to_string(), "127.0.0.1:50051");
        assert_eq!((config.pool.batch_threads, config.kernel), (6, Kernel::default()));
        assert_eq!(config.store, StoreChoice::Embedded("/home/ada/.local/share/sudokud".into()));
        assert_eq!(config.drain_timeout, Duration::from_secs(25));
    }

    #[test]
    fn nonsense_is_refused_with_the_key_and_what_would_be_right() {
        for (text, words) in [
            ("threads = 0", "threads: 0 is out of range: give 1 to 1024"),
            ("interactive-queue = 0", "interactive-queue: 0 is out of range"),
            ("chunk-items = 70000", "chunk-items: 70000 is out of range: give 1 to 65536"),
            ("max-job-items = 4000000001", "give 1 to 4000000000"),
            ("solve-node-limit = 0", "solve-node-limit: 0 is out of range"),
            ("health-listen = \"127.0.0.1:50051\"", "health-listen: 127.0.0.1:50051 clashes with listen"),
            ("admin-listen = \"0.0.0.0:50051\"", "admin-listen: 0.0.0.0:50051 clashes with listen"),
            ("tls-cert = \"c\"", "tls-key: is needed with tls-cert"),
            ("tls-key = \"k\"", "tls-cert: is needed with tls-key"),
            ("tls-client-auth = \"required\"", "tls-client-auth: needs tls-client-ca"),
            ("tls-client-ca = \"a\"\ntls-client-auth = \"optional\"", "tls-client-auth: optional needs tokens"),
            ("tls-client-ca = \"a\"\ntls-client-auth = \"maybe\"", "\"maybe\" is none of required, optional"),
            ("without-credentials = \"jobs\"", "none of none, health, reflection, all"),
            ("tokens = \"t\"\nlisten = \"0.0.0.0:1\"", "there is no TLS (--tls-cert, --tls-key): give"),
            ("tls-client-ca = \"a\"", "tls-cert: is needed with tls-client-ca"),
            ("listen = \"0.0.0.0:1\"", "listen: 0.0.0.0:1 can be reached from other machines"),
            ("time-to-live = \"31days\"", "time-to-live: 1month 13h 26m 24s is longer than max-time-to-live"),
            ("time-to-live = \"1500ms\"", "time-to-live: 1s 500ms is no whole number of seconds"),
            ("lease-ttl = \"1ms\"", "lease-ttl: 1ms is out of range: give 1s to 1h"),
            ("inline-budget = \"1ms\"", "inline-budget: 1ms is out of range: give 0s to 500us"),
            ("max-message-bytes = \"1KiB\"", "max-message-bytes: 1KiB is out of range: give 1MiB to 256MiB"),
            ("kernel = \"gpu\"", "kernel: this machine has no kernel \"gpu\""),
            ("store = \"nats://x\"", "store: \"nats://x\" is no store: write memory: or file:DIR"),
            ("store = \"memory:\"\ndata = \"/x\"", "store: data is given too"),
            ("log = \"sudokud=loud\"", "log: \"sudokud=loud\""),
            ("log-format = \"xml\"", "log-format: no format \"xml\": auto, text or json"),
        ] {
            let error = resolve(text).expect_err(text).to_string();
            assert!(error.contains(words), "{text}: {error}");
        }
        let homeless = RawConfig::default().resolve(&Machine { data_home: None, ..machine() });
        assert!(homeless.is_err_and(|e| e.to_string().starts_with("data: there is no home directory")));
    }

    #[test]
    fn a_shorter_maximum_shortens_the_default_time_to_live() {
        let config = resolve("max-time-to-live = \"1h\"").expect("valid");
        assert_eq!(config.engine.time_to_live, Duration::from_secs(3600));
    }

    #[test]
    fn stores() {
        for (url, path) in [("file:rel/dir", "rel/dir"), ("file:/abs", "/abs"), ("file:///abs", "/abs")] {
            let config = resolve(&format!("store = \"{url}\"")).expect(url);
            assert_eq!(config.store, StoreChoice::Embedded(path.into()));
        }
    }
}

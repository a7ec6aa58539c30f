//! [`Config`]: every option decided and checked, sorted by the part that it is for.

use super::check::{HOUR, ParseOr, SECOND, invalid, number, within};
use super::error::ConfigError;
use super::raw::RawConfig;
use super::{jobs, network};
use crate::sudoku::Kernel;
use crate::{engine, grpc, pool, telemetry};
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
    /// Logs and traces.
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

impl RawConfig {
    /// Decides and checks every option.
    ///
    /// # Errors
    /// The first option whose value makes no sense, with what would.
    pub fn resolve(&self, machine: &Machine) -> Result<Config, ConfigError> {
        let config = Config {
            grpc: network::options(self)?,
            engine: jobs::options(self)?,
            pool: self.pool(machine)?,
            kernel: self.kernel.as_deref().unwrap_or_default().parse_or("kernel", Kernel::default())?,
            store: self.store(machine)?,
            telemetry: self.telemetry()?,
            drain_delay: within("drain-delay", self.drain_delay, 5 * SECOND, Duration::ZERO..=HOUR)?,
            drain_timeout: within("drain-timeout", self.drain_timeout, 25 * SECOND, Duration::ZERO..=HOUR)?,
        };
        Ok(config)
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
        let format = format.parse_or("log-format", telemetry::LogFormat::Auto)?;
        let otlp_endpoint = self.otlp_endpoint.clone();
        otlp_endpoint.as_deref().map_or(Ok(()), telemetry::check_endpoint).map_err(|e| invalid("otlp-endpoint", e))?;
        let trace_sample = number("trace-sample", self.trace_sample, 1.0, 0.0..=1.0)?;
        Ok(telemetry::Options { filter, format, otlp_endpoint, trace_sample })
    }
}

#[cfg(test)]
mod tests {
    use super::super::layers::keys;
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
            ("solve-node-limit = 2000000000", "solve-node-limit: 2000000000 is out of range: give 1 to 1000000000"),
            ("solve-time-limit = \"1ms\"", "solve-time-limit: 1ms is out of range: give 10ms to 1h"),
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
            ("otlp-endpoint = \"https://c:4317\"", "otlp-endpoint: \"https://c:4317\" is no address of a collector"),
            ("trace-sample = 1.5", "trace-sample: 1.5 is out of range: give 0 to 1"),
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
    fn a_lower_maximum_lowers_the_default_node_limit() {
        let config = resolve("max-solve-node-limit = 500").expect("valid");
        assert_eq!((config.engine.max_solve_node_limit, config.engine.solve_node_limit), (500, 500));
    }

    #[test]
    fn each_limit_that_a_refusal_names_is_an_option() {
        let keys: Vec<String> = keys().into_iter().map(|key| key.name).collect();
        for limit in engine::Limit::ALL {
            assert!(keys.iter().any(|key| key == limit.setting()), "{limit:?}");
        }
    }

    #[test]
    fn stores() {
        for (url, path) in [("file:rel/dir", "rel/dir"), ("file:/abs", "/abs"), ("file:///abs", "/abs")] {
            let config = resolve(&format!("store = \"{url}\"")).expect(url);
            assert_eq!(config.store, StoreChoice::Embedded(path.into()));
        }
    }
}

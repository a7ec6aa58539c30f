//! Logs, metrics and the panic hook of a process that serves. Knows nothing of what is logged or counted.

use metrics_exporter_prometheus::{BuildError, PrometheusBuilder, PrometheusHandle};
use std::fmt;
use std::io::IsTerminal;
use std::str::FromStr;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;

/// What is logged unless told otherwise.
pub const DEFAULT_FILTER: &str = "info";

/// Upper bounds of the buckets of every histogram of durations, in seconds: 100 µs to 100 s.
const SECONDS_BUCKETS: [f64; 13] =
    [0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.1, 0.5, 2.0, 10.0, 100.0];

/// How logs are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LogFormat {
    /// Text on a terminal, else JSON.
    #[default]
    Auto,
    /// Text for people.
    Text,
    /// One JSON object a line.
    Json,
}

impl LogFormat {
    const ALL: [(LogFormat, &'static str); 3] =
        [(LogFormat::Auto, "auto"), (LogFormat::Text, "text"), (LogFormat::Json, "json")];
}

impl fmt::Display for LogFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Self::ALL.iter().find(|(format, _)| format == self).map_or("auto", |(_, name)| name))
    }
}

impl FromStr for LogFormat {
    type Err = String;

    fn from_str(text: &str) -> Result<LogFormat, String> {
        let known = Self::ALL.iter().find(|(_, name)| *name == text).map(|(format, _)| *format);
        known.ok_or_else(|| format!("no format {text:?}: auto, text or json"))
    }
}

/// What is logged, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// A level, or directives of `tracing_subscriber::EnvFilter`.
    pub filter: String,
    /// How it is written.
    pub format: LogFormat,
}

/// Why telemetry can't be set up.
#[derive(Debug, thiserror::Error)]
pub enum TelemetryError {
    /// The filter is none.
    #[error("log filter: {0}")]
    Filter(String),
    /// Another subscriber is installed in this process.
    #[error("logs: {0}")]
    Logs(String),
    /// Another recorder is installed in this process.
    #[error("metrics: {0}")]
    Metrics(#[from] BuildError),
}

/// Whether a filter is well-formed.
///
/// # Errors
/// What is wrong with it.
pub fn check_filter(filter: &str) -> Result<(), String> {
    // The filter takes a bare word for a target, so a misspelt level would silence the log.
    let bare = |word: &&str| !word.is_empty() && !word.contains(['=', '[', ':']);
    let mut words = filter.split(',').map(str::trim).filter(bare);
    if let Some(word) = words.find(|word| word.parse::<LevelFilter>().is_err()) {
        return Err(format!(
            "{word:?} is no level: off, error, warn, info, debug or trace; a target needs one, as in {word}=debug"
        ));
    }
    EnvFilter::try_new(filter).map(drop).map_err(|e| e.to_string())
}

/// Installs logging to stderr, the panic hook and the metrics recorder, once in a process. The handle renders
/// the metrics; call its `run_upkeep` every few seconds.
///
/// # Errors
/// When the filter is malformed or something of the kind is installed already.
pub fn install(options: &Options) -> Result<PrometheusHandle, TelemetryError> {
    let filter = EnvFilter::try_new(&options.filter).map_err(|e| TelemetryError::Filter(e.to_string()))?;
    let terminal = std::io::stderr().is_terminal();
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).with_ansi(terminal);
    let installed = match options.format {
        LogFormat::Text => builder.try_init(),
        LogFormat::Auto if terminal => builder.try_init(),
        LogFormat::Auto | LogFormat::Json => builder.json().flatten_event(true).try_init(),
    };
    installed.map_err(|e| TelemetryError::Logs(e.to_string()))?;
    std::panic::set_hook(Box::new(log_panic));
    Ok(PrometheusBuilder::new().set_buckets(&SECONDS_BUCKETS)?.install_recorder()?)
}

/// A recorder that belongs to nobody but its handle, for servers that live inside another command.
pub fn detached_metrics() -> PrometheusHandle {
    PrometheusBuilder::new().build_recorder().handle()
}

/// Logs a panic with its place; whoever runs the thread decides what it means.
fn log_panic(panic: &std::panic::PanicHookInfo<'_>) {
    let message = panic.payload_as_str().unwrap_or("no message");
    let place = panic.location().map(ToString::to_string).unwrap_or_default();
    let thread = std::thread::current().name().unwrap_or("unnamed").to_owned();
    tracing::error!(message, place, thread, "panic");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_have_names() {
        for (format, name) in LogFormat::ALL {
            assert_eq!((format.to_string().as_str(), name.parse()), (name, Ok(format)));
        }
        assert!("xml".parse::<LogFormat>().is_err_and(|e| e.contains("\"xml\"")));
    }

    #[test]
    fn filters() {
        for good in [DEFAULT_FILTER, "warn,sudokud::engine=debug", "off"] {
            assert_eq!(check_filter(good), Ok(()), "{good}");
        }
        assert!(check_filter("sudokud=loud").is_err());
        assert!(check_filter("sudokud=debug,inof").is_err_and(|e| e.contains("\"inof\" is no level")));
    }
}

//! Logs, traces, metrics and the panic hook of a process that serves. Knows nothing of what is logged or counted.

mod otlp;

use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle};
use otlp::Traces;
pub use otlp::check_endpoint;
use std::fmt;
use std::io::IsTerminal;
use std::str::FromStr;
use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer, Registry, fmt as log};

/// What is logged unless told otherwise.
pub const DEFAULT_FILTER: &str = "info";

/// Upper bounds of the buckets of every histogram of durations, in seconds: 50 µs to 100 s.
const SECONDS_BUCKETS: [f64; 17] = [
    0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0,
    100.0,
];
/// Of every other histogram: how many.
const COUNT_BUCKETS: [f64; 9] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 256.0, 1024.0];

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

/// What is logged and traced, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// A level, or directives of `tracing_subscriber::EnvFilter`.
    pub filter: String,
    /// How it is written.
    pub format: LogFormat,
    /// Where spans go, `http://HOST:PORT`; unset: nowhere.
    pub otlp_endpoint: Option<String>,
    /// Of the traces that begin here, the share that is told, 0 to 1.
    pub trace_sample: f64,
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
    /// The way to the collector cannot be set up.
    #[error("traces: {0}")]
    Traces(String),
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

/// What serves the process until its end.
pub struct Installed {
    /// Renders the metrics; call its `run_upkeep` every few seconds.
    pub metrics: PrometheusHandle,
    traces: Option<Traces>,
}

impl Installed {
    /// Sends the last spans. Blocks, for a moment at the most.
    pub fn flush(self) {
        if let Some(traces) = self.traces {
            traces.flush();
        }
    }
}

/// Installs logging to stderr, traces, the panic hook and the metrics recorder, once in a process, inside of a tokio
/// runtime that outlives them.
///
/// # Errors
/// When the options are malformed or something of the kind is installed already.
pub fn install(options: &Options) -> Result<Installed, TelemetryError> {
    let filter = EnvFilter::try_new(&options.filter).map_err(|e| TelemetryError::Filter(e.to_string()))?;
    let traces = options.otlp_endpoint.as_ref().map(|endpoint| Traces::start(endpoint, options.trace_sample));
    let traces = traces.transpose().map_err(TelemetryError::Traces)?;
    let logged = lines(options.format).with_filter(filter);
    let installed = tracing_subscriber::registry().with(logged).with(traces.as_ref().map(Traces::layer)).try_init();
    installed.map_err(|e| TelemetryError::Logs(e.to_string()))?;
    std::panic::set_hook(Box::new(log_panic));
    let seconds = Matcher::Suffix("_seconds".to_owned());
    let builder = PrometheusBuilder::new().set_buckets(&COUNT_BUCKETS)?;
    let metrics = builder.set_buckets_for_metric(seconds, &SECONDS_BUCKETS)?.install_recorder()?;
    Ok(Installed { metrics, traces })
}

/// Describes the metrics of the process and of its traces to the recorder in place.
pub fn describe() {
    metrics_process::Collector::default().describe();
    otlp::describe();
}

/// Writes each event as a line, with the fields of its span.
fn lines(format: LogFormat) -> Box<dyn Layer<Registry> + Send + Sync> {
    let terminal = std::io::stderr().is_terminal();
    let layer = log::layer().with_writer(std::io::stderr).with_ansi(terminal);
    match format {
        LogFormat::Auto if !terminal => layer.json().flatten_event(true).with_span_list(false).boxed(),
        LogFormat::Json => layer.json().flatten_event(true).with_span_list(false).boxed(),
        LogFormat::Auto | LogFormat::Text => layer.boxed(),
    }
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

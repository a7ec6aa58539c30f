//! Spans to an OpenTelemetry collector, over OTLP and gRPC. Nothing waits for the collector: spans that it does not
//! take in time are dropped and counted. Knows nothing of what the spans are about.

use metrics::{Unit, counter, describe_counter};
use opentelemetry::trace::TracerProvider;
use opentelemetry::{KeyValue, global};
use opentelemetry_otlp::{SpanExporter, WithExportConfig};
use opentelemetry_sdk::error::{OTelSdkError, OTelSdkResult};
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::{
    BatchConfigBuilder, BatchSpanProcessor, Sampler, SdkTracer, SdkTracerProvider, SpanData,
};
use opentelemetry_sdk::{Resource, trace};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use tracing::Subscriber;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::registry::LookupSpan;

/// Our spans: those of the libraries below us are not told.
const TARGET: &str = "sudokud";
/// Spans that may wait to be sent; more are dropped.
const QUEUE: usize = 8_192;
/// How long spans are gathered before they are sent.
const GATHER: Duration = Duration::from_secs(1);
/// How long the collector may take for one batch.
const SEND: Duration = Duration::from_secs(5);
/// What the last batch may take when the process ends.
const FLUSH: Duration = Duration::from_secs(2);
/// A collector that takes no spans is told of at most this often.
const TELL_EVERY: Duration = Duration::from_secs(60);

const SENT: &str = "sudokud_spans_sent_total";
const LOST: &str = "sudokud_spans_lost_total";

/// Describes its metrics to the recorder in place.
pub(super) fn describe() {
    describe_counter!(SENT, Unit::Count, "Spans that the collector of traces took");
    describe_counter!(LOST, Unit::Count, "Spans that the collector of traces did not take");
    counter!(SENT).increment(0);
    counter!(LOST).increment(0);
}

/// Whether a collector's address is well-formed.
///
/// # Errors
/// What would be right.
pub fn check_endpoint(endpoint: &str) -> Result<(), String> {
    let authority = endpoint.strip_prefix("http://").filter(|rest| !rest.is_empty() && !rest.contains(['/', ' ']));
    authority.map(|_| ()).ok_or_else(|| format!("{endpoint:?} is no address of a collector: write http://HOST:4317"))
}

/// The way of spans to a collector.
pub(super) struct Traces(SdkTracerProvider);

impl Traces {
    /// Begins to send spans, the share `sample` of those traces that begin here, and of the others those that their
    /// caller sampled. Inside of a tokio runtime.
    pub(super) fn start(endpoint: &str, sample: f64) -> Result<Traces, String> {
        let exporter = SpanExporter::builder().with_tonic().with_endpoint(endpoint).with_timeout(SEND).build();
        let exporter = Told { inner: exporter.map_err(|e| e.to_string())?, told: Mutex::default() };
        let batches = BatchConfigBuilder::default().with_max_queue_size(QUEUE).with_scheduled_delay(GATHER).build();
        let version = KeyValue::new("service.version", env!("CARGO_PKG_VERSION"));
        let resource = Resource::builder().with_service_name("sudokud").with_attribute(version).build();
        let provider = SdkTracerProvider::builder()
            .with_span_processor(BatchSpanProcessor::builder(exporter).with_batch_config(batches).build())
            .with_sampler(Sampler::ParentBased(Box::new(Sampler::TraceIdRatioBased(sample))))
            .with_resource(resource)
            .build();
        global::set_text_map_propagator(TraceContextPropagator::new());
        Ok(Traces(provider))
    }

    /// What gives it spans, with the events in them.
    pub(super) fn layer<S>(&self) -> impl Layer<S> + use<S>
    where
        S: Subscriber + for<'span> LookupSpan<'span>,
    {
        let tracer: SdkTracer = self.0.tracer(TARGET);
        let layer = tracing_opentelemetry::layer().with_tracer(tracer);
        let layer = layer.with_location(false).with_threads(false).with_tracked_inactivity(false);
        let layer = layer.with_target(false).with_level(true).with_context_activation(false);
        layer.with_filter(Targets::new().with_target(TARGET, LevelFilter::INFO))
    }

    /// Sends what waits, for a moment at the most.
    pub(super) fn flush(self) {
        if let Err(error) = self.0.shutdown_with_timeout(FLUSH) {
            tracing::warn!(%error, "the last spans were not sent");
        }
    }
}

/// An exporter whose failures are counted, and told now and then.
#[derive(Debug)]
struct Told {
    inner: SpanExporter,
    /// When a failure was last told.
    told: Mutex<Option<Instant>>,
}

impl Told {
    fn failed(&self, spans: u64, error: &OTelSdkError) {
        counter!(LOST).increment(spans);
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if told.is_none_or(|at| at.elapsed() >= TELL_EVERY) {
            *told = Some(Instant::now());
            tracing::warn!(%error, spans, "the collector takes no spans; they are dropped, and the work goes on");
        }
    }
}

impl trace::SpanExporter for Told {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        let spans = batch.len() as u64;
        let sent = self.inner.export(batch).await;
        match &sent {
            Ok(()) => counter!(SENT).increment(spans),
            Err(error) => self.failed(spans, error),
        }
        sent
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.inner.shutdown_with_timeout(timeout)
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.inner.force_flush()
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.inner.set_resource(resource);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endpoints() {
        for good in ["http://127.0.0.1:4317", "http://otel-collector.monitoring:4317", "http://[::1]:4317"] {
            assert_eq!(check_endpoint(good), Ok(()), "{good}");
        }
        for bad in ["", "collector:4317", "https://collector:4317", "http://", "http://c:4317/v1/traces"] {
            assert!(check_endpoint(bad).is_err_and(|e| e.contains("http://HOST:4317")), "{bad}");
        }
    }
}

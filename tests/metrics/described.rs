//! A recorder that keeps what metrics are described to be, and nothing else.

use metrics::{Counter, Gauge, Histogram, Key, KeyName, Metadata, Recorder, SharedString, Unit};
use std::sync::Mutex;

/// What is said of a metric.
#[derive(Clone, Debug)]
pub struct Described {
    /// Its name.
    pub name: String,
    /// `counter`, `gauge` or `histogram`.
    pub kind: &'static str,
    /// What it tells.
    pub help: String,
}

impl Described {
    /// The unit that its name says.
    fn unit(&self) -> Unit {
        match self.name.trim_end_matches("_total").rsplit('_').next() {
            Some("seconds") => Unit::Seconds,
            Some("bytes") => Unit::Bytes,
            _ => Unit::Count,
        }
    }

    /// The names under which Prometheus has it.
    pub fn series(&self) -> Vec<String> {
        let parts: &[&str] = if self.kind == "histogram" { &["_bucket", "_sum", "_count"] } else { &[""] };
        parts.iter().map(|part| format!("{}{part}", self.name)).collect()
    }
}

/// Every metric that the program describes, by name.
pub fn all() -> Vec<Described> {
    let kept = Kept::default();
    metrics::with_local_recorder(&kept, sudokud::app::describe_metrics);
    let mut all = kept.0.into_inner().expect("not poisoned");
    all.sort_by(|a, b| a.name.cmp(&b.name));
    all
}

#[derive(Default)]
struct Kept(Mutex<Vec<Described>>);

impl Kept {
    fn keep(&self, kind: &'static str, name: &KeyName, unit: Option<Unit>, help: &SharedString) {
        let described = Described { name: name.as_str().to_owned(), kind, help: help.to_string() };
        // Those of the process are a library's.
        if name.as_str().starts_with("sudokud_") {
            assert_eq!(unit, Some(described.unit()), "{described:?}");
        }
        self.0.lock().expect("not poisoned").push(described);
    }
}

impl Recorder for Kept {
    fn describe_counter(&self, name: KeyName, unit: Option<Unit>, help: SharedString) {
        self.keep("counter", &name, unit, &help);
    }

    fn describe_gauge(&self, name: KeyName, unit: Option<Unit>, help: SharedString) {
        self.keep("gauge", &name, unit, &help);
    }

    fn describe_histogram(&self, name: KeyName, unit: Option<Unit>, help: SharedString) {
        self.keep("histogram", &name, unit, &help);
    }

    fn register_counter(&self, _: &Key, _: &Metadata<'_>) -> Counter {
        Counter::noop()
    }

    fn register_gauge(&self, _: &Key, _: &Metadata<'_>) -> Gauge {
        Gauge::noop()
    }

    fn register_histogram(&self, _: &Key, _: &Metadata<'_>) -> Histogram {
        Histogram::noop()
    }
}

//! Metrics and probes over HTTP/1, on a port of their own.

use super::edge::Edge;
use super::encode;
use crate::store::StoreStats;
use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use metrics::gauge;
use metrics_exporter_prometheus::PrometheusHandle;

/// Names of priorities, in the order of [`StoreStats`].
const PRIORITIES: [&str; 3] = ["low", "normal", "high"];

#[derive(Clone)]
struct Admin {
    edge: Edge,
    recorder: PrometheusHandle,
}

/// `/metrics`, `/healthz` (the process answers) and `/readyz` (it takes new work).
pub fn router(edge: Edge, recorder: PrometheusHandle) -> Router {
    Router::new()
        .route("/metrics", get(metrics))
        .route("/healthz", get(|| async { "ok\n" }))
        .route("/readyz", get(ready))
        .with_state(Admin { edge, recorder })
}

async fn metrics(State(admin): State<Admin>) -> Response {
    match admin.edge.engine.stats().await {
        Ok(stats) => gauges(&stats),
        // The other metrics are worth having all the more; the gauge says that these are stale.
        Err(error) => tracing::warn!(%error, "no store statistics for this scrape"),
    }
    ([(CONTENT_TYPE, "text/plain; version=0.0.4")], admin.recorder.render()).into_response()
}

async fn ready(State(admin): State<Admin>) -> Response {
    if admin.edge.retire.is_cancelled() {
        return (StatusCode::SERVICE_UNAVAILABLE, "draining\n").into_response();
    }
    match admin.edge.engine.stats().await {
        Ok(_) => "ready\n".into_response(),
        Err(error) => (StatusCode::SERVICE_UNAVAILABLE, format!("{error}\n")).into_response(),
    }
}

fn gauges(stats: &StoreStats) {
    let now = encode::now();
    for (i, priority) in PRIORITIES.into_iter().enumerate() {
        gauge!("sudokud_queue_chunks", "priority" => priority).set(stats.queued_chunks[i] as f64);
        gauge!("sudokud_queue_items", "priority" => priority).set(stats.queued_items[i] as f64);
        let age_ms = stats.oldest[i].map_or(0, |oldest| now.0.saturating_sub(oldest.0));
        gauge!("sudokud_queue_age_seconds", "priority" => priority).set(age_ms as f64 / 1_000.0);
    }
    for &(state, jobs) in &stats.jobs {
        gauge!("sudokud_jobs", "state" => encode::state_name(state)).set(jobs as f64);
    }
    gauge!("sudokud_leased_chunks").set(stats.leased_chunks as f64);
    gauge!("sudokud_store_bytes").set(stats.bytes as f64);
}

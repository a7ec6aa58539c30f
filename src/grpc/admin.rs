//! Metrics and probes over HTTP/1, on a port of their own.

use super::edge::Edge;
use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use metrics_exporter_prometheus::PrometheusHandle;
use tokio::task::spawn_blocking;

#[derive(Clone)]
struct Admin {
    edge: Edge,
    recorder: PrometheusHandle,
    /// The process's own: memory, processor time, files.
    process: metrics_process::Collector,
}

/// `/metrics`, `/healthz` (the process answers) and `/readyz` (it takes new work).
pub fn router(edge: Edge, recorder: PrometheusHandle) -> Router {
    Router::new()
        .route("/metrics", get(metrics))
        .route("/healthz", get(|| async { "ok\n" }))
        .route("/readyz", get(ready))
        .with_state(Admin { edge, recorder, process: metrics_process::Collector::default() })
}

async fn metrics(State(admin): State<Admin>) -> Response {
    let Edge { engine, retire, .. } = &admin.edge;
    super::metrics::server(retire.is_cancelled(), engine.compute().kernel().name());
    if let Err(error) = engine.observe().await {
        // The other metrics are worth having all the more.
        tracing::warn!(%error, "no store statistics for this scrape");
    }
    let Admin { recorder, process, .. } = admin;
    // A process may have many thousands of files open, and they are counted one by one.
    let rendered = spawn_blocking(move || {
        process.collect();
        recorder.render()
    });
    match rendered.await {
        Ok(text) => ([(CONTENT_TYPE, "text/plain; version=0.0.4")], text).into_response(),
        Err(fault) => (StatusCode::INTERNAL_SERVER_ERROR, format!("{fault}\n")).into_response(),
    }
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

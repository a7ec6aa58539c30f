//! What health checks answer, for the process as a whole and for each service.

use super::proto::v1::{job_service_server, sudoku_service_server};
use tonic_health::ServingStatus;
use tonic_health::pb::health_server::HealthServer;
use tonic_health::server::{HealthReporter, HealthService};

/// The names that can be asked for; the empty one is the process.
const NAMES: [&str; 3] = ["", sudoku_service_server::SERVICE_NAME, job_service_server::SERVICE_NAME];

/// The health told on one port.
pub struct Health {
    reporter: HealthReporter,
}

impl Health {
    /// NOT_SERVING at first.
    pub async fn new() -> Health {
        let health = Health { reporter: HealthReporter::new() };
        health.set(false).await;
        health
    }

    /// The service that tells it.
    pub fn service(&self) -> HealthServer<HealthService> {
        HealthServer::new(HealthService::from_health_reporter(self.reporter.clone()))
    }

    /// Whether calls are served.
    pub async fn set(&self, serving: bool) {
        let status = if serving { ServingStatus::Serving } else { ServingStatus::NotServing };
        for name in NAMES {
            self.reporter.set_service_status(name, status).await;
        }
    }

    /// NOT_SERVING for good: watchers learn of it and their streams end, which a graceful end waits for.
    pub async fn end(&mut self) {
        self.set(false).await;
        for name in NAMES {
            self.reporter.clear_service_status(name).await;
        }
    }
}

//! Puts the parts together: the only file that names a concrete store, pool and server. Start-up and drain order.

use crate::config::resolved::Machine;
use crate::config::{Config, RawConfig, StoreChoice};
use crate::engine::{self, Compute, Engine, EngineError};
use crate::grpc::server::{Bound, ServeError, Server, Shutdown};
use crate::grpc::{self, server};
use crate::pool::{self, Pool};
use crate::store::memory::{MemoryOptions, MemoryStore};
use crate::store::{self, Clock, JobStore, embedded};
use crate::sudoku::Kernel;
use crate::telemetry::{self, TelemetryError};
use metrics_exporter_prometheus::PrometheusHandle;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::runtime::{Builder, Runtime};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::task::JoinHandle;

/// Runtime threads at the least and at the most: they move bytes, the pool computes.
const RUNTIME_THREADS: (usize, usize) = (2, 16);
/// What the engine may take to hand its chunks back once the server has drained.
const ENGINE_END: Duration = Duration::from_secs(5);

/// Why a server did not start, or ended.
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    /// Logs or metrics.
    #[error(transparent)]
    Telemetry(#[from] TelemetryError),
    /// The system gave no threads or signals.
    #[error("cannot start: {0}")]
    System(#[from] io::Error),
    /// The embedded store.
    #[error(transparent)]
    Store(#[from] embedded::OpenError),
    /// The ports.
    #[error(transparent)]
    Serve(#[from] ServeError),
    /// The engine or its store did not end well.
    #[error("while closing: {0}")]
    Close(#[from] EngineError),
    /// A task of ours panicked.
    #[error("internal fault: {0}")]
    Fault(#[from] tokio::task::JoinError),
}

impl AppError {
    /// Whether other options would help, rather than a sound machine.
    pub fn is_usage(&self) -> bool {
        matches!(self, AppError::Serve(ServeError::Exposed(_) | ServeError::Files(_)))
    }
}

/// Serves until SIGTERM or SIGINT, drains and closes. A second signal ends the process at once, as a kill would:
/// nothing that was acknowledged is lost.
///
/// # Errors
/// Why it did not start, or did not end well.
pub fn serve(config: &Config) -> Result<(), AppError> {
    let runtime = runtime()?;
    let _within = runtime.enter();
    let telemetry = telemetry::install(&config.telemetry)?;
    describe_metrics();
    let metrics = telemetry.metrics.clone();
    let ended = runtime.block_on(async {
        let mut signals = Signals::watch()?;
        let parts = Parts::start(config).await?;
        parts.log_ready(config);
        parts.run(config, metrics, &mut signals).await
    });
    telemetry.flush();
    runtime.shutdown_background();
    ended
}

/// Describes every metric to the recorder in place.
pub fn describe_metrics() {
    store::metrics::describe();
    engine::metrics::describe();
    grpc::metrics::describe();
    telemetry::describe();
}

/// What the offline commands compute with: the pool alone, at normal priority, on every core.
///
/// # Errors
/// When a thread can't be started.
pub fn offline(kernel: Kernel) -> io::Result<Compute> {
    let batch_threads = Machine::here().cores;
    let batch_priority = pool::BatchPriority::Normal;
    let pool =
        Pool::start(pool::Options { batch_threads, batch_priority, interactive_threads: 1, interactive_queue: 1 })?;
    // Who works at home may take as long as it takes.
    let options = engine::Options { solve_time_limit: Duration::MAX, ..engine::Options::default() };
    Ok(Compute::new(pool, kernel, &options))
}

fn runtime() -> io::Result<Runtime> {
    let threads = Machine::here().cores.clamp(RUNTIME_THREADS.0, RUNTIME_THREADS.1);
    Builder::new_multi_thread().worker_threads(threads).enable_all().build()
}

/// A server that is bound and ready to run.
struct Parts {
    pool: Pool,
    engine: Engine,
    server: Server,
}

impl Parts {
    /// Store, pool, engine, ports, in this order; what was started ends again if a later one fails.
    async fn start(config: &Config) -> Result<Parts, AppError> {
        let store = open(&config.store).await?;
        let pool = Pool::start(config.pool)?;
        let compute = Compute::new(pool.clone(), config.kernel, &config.engine);
        let engine = Engine::start(store, compute, config.engine.clone());
        match server::bind(&config.grpc).await {
            Ok(server) => Ok(Parts { pool, engine, server }),
            Err(failed) => {
                close(&engine, &pool).await?;
                Err(failed.into())
            }
        }
    }

    fn log_ready(&self, config: &Config) {
        let Bound { api, health, admin } = self.server.bound();
        let text = |address: Option<SocketAddr>| address.map_or("none".into(), |address| address.to_string());
        let store = match &config.store {
            StoreChoice::Embedded(dir) => dir.display().to_string(),
            StoreChoice::Memory => "memory".into(),
        };
        tracing::info!(
            version = env!("CARGO_PKG_VERSION"),
            %api,
            health = text(health),
            admin = text(admin),
            kernel = self.engine.compute().kernel().name(),
            threads = config.pool.batch_threads,
            store,
            tls = config.grpc.tls.is_some(),
            authentication = config.grpc.authenticates(),
            "ready"
        );
        if let Some(exposed) = config.grpc.exposed() {
            tracing::warn!(%api, lacks = exposed.lacks(), "insecure: other machines reach the API");
        }
    }

    /// Serves until the first signal, then drains; the second ends the process.
    async fn run(self, config: &Config, metrics: PrometheusHandle, signals: &mut Signals) -> Result<(), AppError> {
        let shutdown = Shutdown::default();
        let whole = self.serve_until(shutdown.clone(), metrics, config.drain_timeout);
        tokio::pin!(whole);
        let first = tokio::select! {
            ended = &mut whole => return ended,
            signal = signals.next() => signal,
        };
        let start = Instant::now();
        let ending = async { tokio::join!(wind_down(&first, config.drain_delay, &shutdown), &mut whole).1 };
        tokio::select! {
            ended = ending => {
                tracing::info!(elapsed_ms = start.elapsed().as_millis() as u64, "closed");
                ended
            }
            second = signals.next() => {
                tracing::warn!(signal = second.name, "second signal: ending at once");
                std::process::exit(128 + second.number)
            }
        }
    }

    async fn serve_until(
        self,
        shutdown: Shutdown,
        metrics: PrometheusHandle,
        drain_timeout: Duration,
    ) -> Result<(), AppError> {
        let served = self.server.run(self.engine.clone(), metrics, shutdown, drain_timeout).await;
        let closed = close(&self.engine, &self.pool).await;
        served?;
        closed
    }
}

/// Takes the server out of service, then drains it. Who presses Ctrl-C is not kept waiting.
async fn wind_down(signal: &Caught, delay: Duration, shutdown: &Shutdown) {
    let delay = if signal.asks_for_delay { delay } else { Duration::ZERO };
    tracing::info!(signal = signal.name, ?delay, "retiring: health says NOT_SERVING");
    shutdown.retire.cancel();
    tokio::time::sleep(delay).await;
    tracing::info!("draining");
    shutdown.drain.cancel();
}

async fn close(engine: &Engine, pool: &Pool) -> Result<(), AppError> {
    engine.drain();
    let closed = engine.close(ENGINE_END).await;
    pool.close().await;
    Ok(closed?)
}

async fn open(choice: &StoreChoice) -> Result<Arc<dyn JobStore>, AppError> {
    match choice.clone() {
        StoreChoice::Memory => Ok(Arc::new(MemoryStore::new(MemoryOptions::default()))),
        StoreChoice::Embedded(dir) => {
            let open = move || embedded::Embedded::open(&dir, embedded::Options::default(), Clock::system());
            Ok(Arc::new(tokio::task::spawn_blocking(open).await??))
        }
    }
}

/// The signals that end a server.
struct Signals {
    interrupt: Signal,
    terminate: Signal,
}

struct Caught {
    name: &'static str,
    number: i32,
    /// Whether an orchestrator sends it, which must first learn not to send calls here.
    asks_for_delay: bool,
}

impl Signals {
    fn watch() -> io::Result<Signals> {
        Ok(Signals { interrupt: signal(SignalKind::interrupt())?, terminate: signal(SignalKind::terminate())? })
    }

    async fn next(&mut self) -> Caught {
        tokio::select! {
            _ = self.interrupt.recv() => Caught { name: "SIGINT", number: 2, asks_for_delay: false },
            _ = self.terminate.recv() => Caught { name: "SIGTERM", number: 15, asks_for_delay: true },
        }
    }
}

/// A server inside of another command, on a port of loopback that the system chose.
pub struct LocalServer {
    /// Where it listens.
    pub address: SocketAddr,
    compute: Compute,
    shutdown: Shutdown,
    task: JoinHandle<Result<(), AppError>>,
}

impl LocalServer {
    /// Starts one with an embedded store in `dir`.
    ///
    /// # Errors
    /// Why it did not start.
    pub async fn start(dir: &Path) -> Result<LocalServer, AppError> {
        let raw = RawConfig {
            listen: Some(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))),
            data: Some(dir.to_owned()),
            ..RawConfig::default()
        };
        let config = raw.resolve(&Machine::here()).map_err(io::Error::other)?;
        let parts = Parts::start(&config).await?;
        let (address, compute) = (parts.server.bound().api, parts.engine.compute().clone());
        let (shutdown, metrics) = (Shutdown::default(), telemetry::detached_metrics());
        let task = tokio::spawn(parts.serve_until(shutdown.clone(), metrics, config.drain_timeout));
        Ok(LocalServer { address, compute, shutdown, task })
    }

    /// Its threads.
    pub fn compute(&self) -> &Compute {
        &self.compute
    }

    /// Drains and closes it.
    ///
    /// # Errors
    /// When it did not end well.
    pub async fn stop(self) -> Result<(), AppError> {
        self.shutdown.now();
        self.task.await?
    }
}

//! The ports: the API, health checks and administration, from their binding to the end of a drain.

use super::auth::Access;
use super::calls::Calls;
use super::drained::Drained;
use super::edge::Edge;
use super::exposed::Exposed;
use super::health::Health;
use super::link::{Plain, incoming, plain};
use super::observe::Observe;
use super::options::Options;
use super::places::Places;
use super::proto::{DESCRIPTORS, v1};
use super::reload::{LoadError, Reloaded};
use super::tls::{self, Tls};
use super::{admin, jobs::Jobs, solve::Sudoku};
use crate::engine::Engine;
use futures::FutureExt;
use metrics_exporter_prometheus::PrometheusHandle;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tonic::transport::server::Router;
use tower_layer::Stack;

/// Streams reset by the peer before we looked at them, and by us for its errors, that one connection may have
/// before it is closed (what hyper would allow; tonic asks for none).
const MAX_RESET_STREAMS: usize = 20;
const MAX_LOCAL_ERROR_RESETS: usize = 1_024;
/// The largest answer, in bytes: blocks of results are far smaller.
const MAX_ANSWER_BYTES: usize = 16 << 20;
/// How often the metrics' samples are folded into their sums, scraped or not.
const UPKEEP_EVERY: Duration = Duration::from_secs(5);
/// What calls may take to end once they are cut.
const CUT_END: Duration = Duration::from_secs(1);
/// Connections that have no calls may take so long to end: more than they linger.
const IDLE_END: Duration = Duration::from_secs(3);
/// How often a draining server looks whether calls are open.
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// Age at which a prober is asked to connect again: places are few, and an idle one must not keep its own.
const PROBE_AGE: Duration = Duration::from_secs(60);
/// What the side ports may take to end once the API has.
const SIDES_END: Duration = Duration::from_secs(1);

/// Why the server does not serve.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// Other machines would reach it, which must be asked for.
    #[error(transparent)]
    Exposed(#[from] Exposed),
    /// The files of its certificate, or of grants, are no use.
    #[error(transparent)]
    Files(#[from] LoadError),
    /// An address cannot be listened on.
    #[error("cannot listen on {address}: {source}")]
    Bind {
        /// The address.
        address: SocketAddr,
        /// Why.
        source: std::io::Error,
    },
    /// Reflection cannot be set up.
    #[error("the API's descriptors are not fit for reflection: {0}")]
    Reflection(#[from] tonic_reflection::server::Error),
    /// A port failed while serving.
    #[error("the {port} port failed: {why}")]
    Port {
        /// Which.
        port: &'static str,
        /// Why.
        why: String,
    },
}

/// Where a server listens: the ports that the system chose, where 0 was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    /// The API.
    pub api: SocketAddr,
    /// Health checks.
    pub health: Option<SocketAddr>,
    /// Metrics and probes.
    pub admin: Option<SocketAddr>,
}

/// How a server is asked to end: in two steps, which may come at once. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct Shutdown {
    /// Health says NOT_SERVING, and calls are served as ever: whoever sends them here has time to learn of it.
    pub retire: CancellationToken,
    /// No more work is taken, and what is open ends.
    pub drain: CancellationToken,
}

impl Shutdown {
    /// Both steps.
    pub fn now(&self) {
        self.retire.cancel();
        self.drain.cancel();
    }
}

/// A server whose ports are bound. Connections wait until it runs.
pub struct Server {
    options: Options,
    bound: Bound,
    tls: Option<Arc<Tls>>,
    access: Access,
    api: TcpListener,
    places: Places,
    health: Option<TcpListener>,
    admin: Option<TcpListener>,
}

type Served = Result<(), ServeError>;

/// Reads the files that the options name and binds every port.
///
/// # Errors
/// When an address is exposed without leave or cannot be listened on, or a file is no use.
pub async fn bind(options: &Options) -> Result<Server, ServeError> {
    options.check()?;
    let tls = match &options.tls {
        Some(files) => Some(Arc::new(tls::load(files).await?)),
        None => None,
    };
    let access = Access::load(options).await?;
    let (api, api_address) = listen(options.listen).await?;
    let health = listen_on(options.health_listen).await?;
    let admin = listen_on(options.admin_listen).await?;
    let address = |listener: &Option<(TcpListener, SocketAddr)>| listener.as_ref().map(|(_, address)| *address);
    let bound = Bound { api: api_address, health: address(&health), admin: address(&admin) };
    let (health, admin) = (health.map(|(listener, _)| listener), admin.map(|(listener, _)| listener));
    let places = Places::api(options.max_connections);
    Ok(Server { options: options.clone(), bound, tls, access, api, places, health, admin })
}

async fn listen_on(address: Option<SocketAddr>) -> Result<Option<(TcpListener, SocketAddr)>, ServeError> {
    match address {
        Some(address) => listen(address).await.map(Some),
        None => Ok(None),
    }
}

async fn listen(address: SocketAddr) -> Result<(TcpListener, SocketAddr), ServeError> {
    let failed = |source| ServeError::Bind { address, source };
    let listener = TcpListener::bind(address).await.map_err(failed)?;
    let bound = listener.local_addr().map_err(failed)?;
    Ok((listener, bound))
}

impl Server {
    /// Where it listens.
    pub fn bound(&self) -> Bound {
        self.bound
    }

    /// Serves until `shutdown` says to drain: then new work is refused, open streams end with UNAVAILABLE (to be
    /// resumed elsewhere) and unary calls with their answers. Returns once all calls have ended, at the latest
    /// after `drain_timeout`.
    ///
    /// # Errors
    /// When a port fails before that.
    pub async fn run(
        self,
        engine: Engine,
        recorder: PrometheusHandle,
        shutdown: Shutdown,
        drain_timeout: Duration,
    ) -> Result<(), ServeError> {
        let options = Arc::new(self.options);
        let (drain, cut) = (CancellationToken::new(), CancellationToken::new());
        let edge = Edge { engine, options, retire: shutdown.retire, drain, cut, tasks: TaskTracker::new() };
        let close = CancellationToken::new();
        let (mut health, mut probed) = (Health::new().await, Health::new().await);

        let mut api = JoinSet::new();
        let calls = Calls::new(&edge.options);
        let router = api_router(&edge, &health, self.access.clone(), calls.clone())?;
        let signal = edge.drain.clone().cancelled_owned();
        let serving = router.serve_with_incoming_shutdown(incoming(self.api, self.places, self.tls.clone()), signal);
        api.spawn(async { serving.await.map_err(|error| failed("API", &error)) });
        let mut sides = sides(self.health, self.admin, &probed, &edge, &recorder, &close);
        sides.spawn(calls.clone().forget_idle(close.clone()).map(Ok));
        if let Some(tls) = self.tls {
            sides.spawn(follow(tls, close.clone()));
        }
        if let Some(grants) = self.access.grants() {
            sides.spawn(follow(grants, close.clone()));
        }
        health.set(true).await;
        probed.set(true).await;

        let told = async {
            edge.retire.cancelled().await;
            tokio::join!(probed.set(false), health.set(false));
            shutdown.drain.cancelled().await;
        };
        let early = tokio::select! {
            () = told => Ok(()),
            Some(ended) = api.join_next() => Err(ended_early("API", ended)),
            Some(ended) = sides.join_next() => Err(ended_early("health or admin", ended)),
        };
        probed.set(false).await;
        health.end().await;
        edge.engine.drain();
        edge.drain.cancel();
        edge.tasks.close();
        if timeout(drain_timeout, calls_end(&mut api, &edge, &calls)).await.is_err() {
            tracing::warn!(?drain_timeout, "calls were still open at the end of the drain; they are cut");
            edge.cut.cancel();
            if timeout(CUT_END, calls_end(&mut api, &edge, &calls)).await.is_err() {
                tracing::warn!("some connections do not take the end of their calls; they are dropped");
            }
        }
        probed.end().await;
        close.cancel();
        // A side port that does not end is aborted with its set.
        let ended = timeout(SIDES_END, async { while sides.join_next().await.is_some() {} });
        if ended.await.is_err() {
            tracing::debug!("a connection to the health or admin port did not end by itself");
        }
        early
    }
}

/// Waits until the API's connections and the tasks behind its calls have ended. Connections that stay although no call is
/// open on any of them are not waited for: their peers do not answer.
async fn calls_end(api: &mut JoinSet<Served>, edge: &Edge, calls: &Calls) {
    tokio::select! {
        () = async { while api.join_next().await.is_some() {} } => {}
        () = no_call_open(calls) => tracing::debug!("connections without calls do not end by themselves; they are dropped"),
    }
    edge.tasks.wait().await;
}

/// Returns once no call was open at any look for a while.
async fn no_call_open(calls: &Calls) {
    let mut since = Instant::now();
    while since.elapsed() < IDLE_END {
        sleep(LOOK_EVERY).await;
        if calls.open() > 0 {
            since = Instant::now();
        }
    }
}

fn failed(port: &'static str, why: &dyn std::error::Error) -> ServeError {
    let source = why.source().map(|source| format!(": {source}")).unwrap_or_default();
    ServeError::Port { port, why: format!("{why}{source}") }
}

fn ended_early(port: &'static str, ended: Result<Served, tokio::task::JoinError>) -> ServeError {
    match ended {
        Ok(Ok(())) => ServeError::Port { port, why: "it stopped listening".into() },
        Ok(Err(error)) => error,
        Err(panicked) => failed(port, &panicked),
    }
}

/// Keeps what was made of files as they are.
async fn follow<T>(reloaded: Arc<Reloaded<T>>, close: CancellationToken) -> Served {
    reloaded.follow(close).await;
    Ok(())
}

/// The health and admin ports, and the upkeep of the metrics.
fn sides(
    health: Option<TcpListener>,
    admin: Option<TcpListener>,
    probed: &Health,
    edge: &Edge,
    recorder: &PrometheusHandle,
    close: &CancellationToken,
) -> JoinSet<Served> {
    let mut sides = JoinSet::new();
    if let Some(listener) = health {
        let router = http2(&edge.options).max_connection_age(PROBE_AGE).add_service(probed.service());
        let serving = router
            .serve_with_incoming_shutdown(plain(listener, Places::side("health")), close.clone().cancelled_owned());
        sides.spawn(async { serving.await.map_err(|error| failed("health", &error)) });
    }
    if let Some(listener) = admin {
        let router = admin::router(edge.clone(), recorder.clone());
        let serving = axum::serve(Plain::new(listener, Places::side("admin")), router)
            .with_graceful_shutdown(close.clone().cancelled_owned());
        sides.spawn(async { serving.await.map_err(|error| failed("admin", &error)) });
    }
    let (recorder, close) = (recorder.clone(), close.clone());
    sides.spawn(async move {
        while timeout(UPKEEP_EVERY, close.cancelled()).await.is_err() {
            recorder.run_upkeep();
        }
        Ok(())
    });
    sides
}

type Layers = Stack<Drained, Stack<Calls, Stack<Access, Stack<Observe, tower_layer::Identity>>>>;

fn api_router(edge: &Edge, health: &Health, access: Access, calls: Calls) -> Result<Router<Layers>, ServeError> {
    let limit = edge.options.max_message_bytes;
    let sudoku = v1::sudoku_service_server::SudokuServiceServer::new(Sudoku::new(edge.clone()))
        .max_decoding_message_size(limit)
        .max_encoding_message_size(MAX_ANSWER_BYTES);
    let jobs = v1::job_service_server::JobServiceServer::new(Jobs::new(edge.clone()))
        .max_decoding_message_size(limit)
        .max_encoding_message_size(MAX_ANSWER_BYTES);
    let router = http2(&edge.options)
        .layer(Observe::new())
        .layer(access)
        .layer(calls)
        .layer(Drained(edge.drain.clone()))
        .add_service(sudoku)
        .add_service(jobs)
        .add_service(health.service());
    if !edge.options.reflects() {
        return Ok(router);
    }
    // Tools still ask for v1alpha first.
    Ok(router.add_service(reflection().build_v1()?).add_service(reflection().build_v1alpha()?))
}

fn reflection() -> tonic_reflection::server::Builder<'static> {
    tonic_reflection::server::Builder::configure()
        .register_encoded_file_descriptor_set(DESCRIPTORS)
        .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
        // So that tools can show the details of a status.
        .register_encoded_file_descriptor_set(tonic_types::pb::FILE_DESCRIPTOR_SET)
}

fn http2(options: &Options) -> tonic::transport::Server {
    let server = tonic::transport::Server::builder()
        .max_concurrent_streams(options.max_concurrent_streams)
        .http2_max_pending_accept_reset_streams(Some(MAX_RESET_STREAMS))
        .http2_max_local_error_reset_streams(Some(MAX_LOCAL_ERROR_RESETS))
        .http2_keepalive_interval(Some(options.keepalive_interval))
        .http2_keepalive_timeout(Some(options.keepalive_timeout))
        .initial_stream_window_size(options.stream_window_bytes)
        .initial_connection_window_size(options.connection_window_bytes)
        .max_frame_size(options.max_frame_bytes)
        .http2_max_header_list_size(options.max_header_bytes);
    match options.max_connection_age {
        Some(age) => server.max_connection_age(age),
        None => server,
    }
}

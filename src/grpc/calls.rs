//! A layer behind the one that knows the caller: how many calls are open at a time, and how many each principal may
//! have open and make a second. Health checks and reflection do not count. Must never know what a call does.

use super::options::Options;
use super::proto;
use super::role::Identity;
use super::status::Refusal;
use crate::engine::{EngineError, Limit};
use crate::job::Principal;
use governor::clock::{Clock, DefaultClock};
use governor::state::keyed::HashMapStateStore;
use governor::{Quota, RateLimiter};
use http_body::{Frame, SizeHint};
use std::collections::{HashMap, HashSet};
use std::num::NonZeroU32;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tonic::Status;
use tonic::body::Body;
use tonic::codegen::{BoxFuture, Bytes, Service, http};
use tower_layer::Layer;

/// When to try again where too many calls are open.
const RETRY_OPEN: Duration = Duration::from_secs(1);
/// When to try again where too many streams are: they last.
const RETRY_STREAMS: Duration = Duration::from_secs(5);
/// How often principals that call no more are forgotten.
const FORGET_EVERY: Duration = Duration::from_secs(60);

/// The bounds of calls. Clones share them.
#[derive(Clone)]
pub struct Calls(Arc<Shared>);

struct Shared {
    all: Gate,
    streams: Gate,
    /// Paths of the methods that stream.
    streaming: HashSet<String>,
    own: Option<Own>,
    rate: Option<Rate>,
}

/// So many at a time, of all principals.
struct Gate {
    limit: Limit,
    what: &'static str,
    most: u32,
    retry: Duration,
    free: Arc<Semaphore>,
}

/// So many at a time of each principal.
struct Own {
    most: u32,
    open: Arc<Mutex<HashMap<Principal, u32>>>,
}

/// So many a second of each principal.
struct Rate {
    most: NonZeroU32,
    clock: DefaultClock,
    limiter: RateLimiter<Principal, HashMapStateStore<Principal>, DefaultClock>,
}

/// A call's places, free again when this is dropped.
struct Open {
    _all: OwnedSemaphorePermit,
    _stream: Option<OwnedSemaphorePermit>,
    _own: Option<OwnPlace>,
}

struct OwnPlace {
    principal: Principal,
    open: Arc<Mutex<HashMap<Principal, u32>>>,
}

impl Calls {
    /// As the options say.
    pub fn new(options: &Options) -> Calls {
        let streaming = proto::streaming_methods().into_iter().map(|method| format!("/{method}")).collect();
        Calls(Arc::new(Shared {
            all: Gate::new(Limit::OpenCalls, "calls", options.max_open_calls, RETRY_OPEN),
            streams: Gate::new(Limit::OpenStreams, "streaming calls", options.max_open_streams, RETRY_STREAMS),
            streaming,
            own: options.max_principal_calls.map(|most| Own { most, open: Arc::default() }),
            rate: options.calls_per_second.map(Rate::new),
        }))
    }

    /// Forgets, now and then, the principals that call no more, until `close`.
    pub async fn forget_idle(self, close: CancellationToken) {
        let Some(rate) = &self.0.rate else { return close.cancelled().await };
        while timeout(FORGET_EVERY, close.cancelled()).await.is_err() {
            rate.limiter.retain_recent();
            rate.limiter.shrink_to_fit();
        }
    }

    /// Calls that are open.
    pub fn open(&self) -> usize {
        let all = &self.0.all;
        (all.most as usize).saturating_sub(all.free.available_permits())
    }

    /// Lets a call in. One that is refused for what is open does not count among those of the second.
    fn admit(&self, path: &str, principal: &Principal) -> Result<Open, Refusal> {
        let Shared { all, streams, streaming, own, rate } = &*self.0;
        let open = Open {
            _all: all.enter()?,
            _stream: if streaming.contains(path) { Some(streams.enter()?) } else { None },
            _own: own.as_ref().map(|own| own.enter(principal)).transpose()?,
        };
        match rate {
            Some(rate) => rate.check(principal).map(|()| open),
            None => Ok(open),
        }
    }
}

impl Gate {
    fn new(limit: Limit, what: &'static str, most: u32, retry: Duration) -> Gate {
        Gate { limit, what, most, retry, free: Arc::new(Semaphore::new(most as usize)) }
    }

    fn enter(&self) -> Result<OwnedSemaphorePermit, Refusal> {
        let full = |_| {
            let problem = format!("{} {} are open, and no more may be", self.most, self.what);
            refused(self.limit, problem, self.retry)
        };
        Arc::clone(&self.free).try_acquire_owned().map_err(full)
    }
}

impl Own {
    fn enter(&self, principal: &Principal) -> Result<OwnPlace, Refusal> {
        let mut open = lock(&self.open);
        let count = open.entry(principal.clone()).or_default();
        if *count >= self.most {
            let problem = format!("{} of the caller's calls are open, and no more may be", self.most);
            return Err(refused(Limit::PrincipalCalls, problem, RETRY_OPEN));
        }
        *count += 1;
        Ok(OwnPlace { principal: principal.clone(), open: Arc::clone(&self.open) })
    }
}

impl Drop for OwnPlace {
    fn drop(&mut self) {
        let mut open = lock(&self.open);
        if let Some(count) = open.get_mut(&self.principal) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.principal);
            }
        }
    }
}

fn lock(open: &Mutex<HashMap<Principal, u32>>) -> MutexGuard<'_, HashMap<Principal, u32>> {
    open.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Rate {
    fn new(most: NonZeroU32) -> Rate {
        // The burst is a second's worth.
        Rate { most, clock: DefaultClock::default(), limiter: RateLimiter::hashmap(Quota::per_second(most)) }
    }

    fn check(&self, principal: &Principal) -> Result<(), Refusal> {
        self.limiter.check_key(principal).map_err(|later| {
            let problem = format!("the caller made more than {} calls a second", self.most);
            refused(Limit::CallsPerSecond, problem, later.wait_time_from(self.clock.now()))
        })
    }
}

fn refused(limit: Limit, problem: String, retry: Duration) -> Refusal {
    EngineError::Exhausted { limit, problem, retry_after: Some(retry) }.into()
}

impl<S> Layer<S> for Calls {
    type Service = Bounded<S>;

    fn layer(&self, inner: S) -> Bounded<S> {
        Bounded { inner, calls: self.clone() }
    }
}

/// A service whose calls are within the bounds.
#[derive(Clone)]
pub struct Bounded<S> {
    inner: S,
    calls: Calls,
}

impl<S> Service<http::Request<Body>> for Bounded<S>
where
    S: Service<http::Request<Body>, Response = http::Response<Body>>,
    S::Future: Send + 'static,
    S::Error: Send + 'static,
{
    type Response = http::Response<Body>;
    type Error = S::Error;
    type Future = BoxFuture<http::Response<Body>, S::Error>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let path = request.uri().path();
        let caller = request.extensions().get::<Arc<Identity>>().filter(|_| !path.starts_with("/grpc."));
        let open = match caller.map(|caller| self.calls.admit(path, &caller.principal)).transpose() {
            Ok(open) => open,
            Err(refusal) => return Box::pin(async { Ok(Status::from(refusal).into_http()) }),
        };
        let answer = self.inner.call(request);
        Box::pin(async move { Ok(answer.await?.map(|body| Body::new(Held { body, _open: open }))) })
    }
}

/// An answer that keeps its call's places until it is sent or dropped.
struct Held {
    body: Body,
    _open: Option<Open>,
}

impl http_body::Body for Held {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOLVE: &str = "/sudoku.v1.SudokuService/Solve";
    const WATCH: &str = "/sudoku.v1.JobService/WatchJob";

    fn who(name: &str) -> Principal {
        Principal::new(name).expect("a name")
    }

    /// Which limit refuses the call, and when to try again; the places it has otherwise.
    fn admit(calls: &Calls, path: &str, name: &str) -> Result<Open, (Limit, Duration)> {
        calls.admit(path, &who(name)).map_err(|refusal| match refusal {
            Refusal::Engine(EngineError::Exhausted { limit, retry_after, .. }) => (limit, retry_after.expect("told")),
            other => panic!("{other}"),
        })
    }

    #[test]
    fn places_are_free_again_when_calls_end() {
        let (max_open_calls, max_open_streams) = (3, 1);
        let options = Options { max_open_calls, max_open_streams, max_principal_calls: Some(2), ..Options::default() };
        let calls = Calls::new(&options);
        let first = admit(&calls, WATCH, "ada").expect("free");
        assert_eq!(admit(&calls, WATCH, "bob").err(), Some((Limit::OpenStreams, RETRY_STREAMS)));
        let second = admit(&calls, SOLVE, "ada").expect("free");
        assert_eq!(admit(&calls, SOLVE, "ada").err(), Some((Limit::PrincipalCalls, RETRY_OPEN)));
        let third = admit(&calls, SOLVE, "bob").expect("others are not concerned");
        assert_eq!(admit(&calls, SOLVE, "eve").err(), Some((Limit::OpenCalls, RETRY_OPEN)));
        drop(first);
        let fourth = admit(&calls, WATCH, "ada").expect("free again");
        drop((second, third, fourth));
        assert!(lock(&calls.0.own.as_ref().expect("set").open).is_empty(), "who has no call open is forgotten");
    }

    #[test]
    fn a_principal_has_its_own_rate() {
        let calls = Calls::new(&Options { calls_per_second: NonZeroU32::new(2), ..Options::default() });
        for _ in 0..2 {
            admit(&calls, SOLVE, "ada").expect("a second's worth at once");
        }
        let (limit, retry) = admit(&calls, SOLVE, "ada").err().expect("more");
        assert!(limit == Limit::CallsPerSecond && retry <= Duration::from_millis(500), "{retry:?}");
        admit(&calls, SOLVE, "bob").expect("others are not concerned");
        std::thread::sleep(retry);
        admit(&calls, SOLVE, "ada").expect("as told");
    }
}

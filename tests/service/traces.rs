//! Traces: spans of calls are part of the caller's trace, those of chunks link to it, and a collector that is not
//! there harms nobody.

use crate::process::batch::{Batch, Checked, solve_spec};
use crate::process::client::Client;
use crate::process::{directory, puzzles, run, serve};
use opentelemetry_proto::tonic::collector::trace::v1::trace_service_server::{TraceService, TraceServiceServer};
use opentelemetry_proto::tonic::collector::trace::v1::{ExportTraceServiceRequest, ExportTraceServiceResponse};
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::trace::v1::Span;
use std::time::{Duration, Instant};
use sudokud::grpc::proto::v1::SolveRequest;
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::{Request, Response, Status};

/// The caller's trace and span; the last two digits say that it is sampled.
const PARENT: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
const UNSAMPLED: &str = "00-1bf7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00";

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A collector that passes on every span.
struct Collector(mpsc::UnboundedSender<Span>);

#[tonic::async_trait]
impl TraceService for Collector {
    async fn export(
        &self,
        request: Request<ExportTraceServiceRequest>,
    ) -> Result<Response<ExportTraceServiceResponse>, Status> {
        let resources = request.into_inner().resource_spans;
        let spans = resources.into_iter().flat_map(|r| r.scope_spans).flat_map(|scope| scope.spans);
        // The test may have seen enough.
        spans.for_each(|span| drop(self.0.send(span)));
        Ok(Response::new(ExportTraceServiceResponse::default()))
    }
}

/// Starts a collector, which lasts as long as the test; its address and what comes to it.
async fn collect() -> (String, mpsc::UnboundedReceiver<Span>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    let (sender, spans) = mpsc::unbounded_channel();
    let service = TraceServiceServer::new(Collector(sender));
    let router = tonic::transport::Server::builder().add_service(service);
    tokio::spawn(router.serve_with_incoming(TcpListenerStream::new(listener)));
    (address, spans)
}

fn traced<T>(message: T, parent: &str) -> Request<T> {
    let mut request = Request::new(message);
    request.metadata_mut().insert("traceparent", parent.parse().expect("ASCII"));
    request
}

async fn solve(client: &mut Client, parent: &str) {
    let request = SolveRequest { puzzle: puzzles::mixed(0).line, ..SolveRequest::default() };
    client.sudoku.solve(traced(request, parent)).await.expect("solved");
}

fn attribute(span: &Span, key: &str) -> Option<String> {
    let value = span.attributes.iter().find(|attribute| attribute.key == key)?.value.clone()?.value?;
    match value {
        Value::StringValue(text) => Some(text),
        other => Some(format!("{other:?}")),
    }
}

#[test]
fn calls_are_part_of_the_callers_trace_and_chunks_link_to_it() {
    run(async {
        let (data, (endpoint, mut spans)) = (directory(), collect().await);
        let (mut server, mut client) = serve(data.path(), &["--otlp-endpoint", &endpoint, "--chunk-items", "64"]).await;
        solve(&mut client, UNSAMPLED).await;
        solve(&mut client, PARENT).await;
        let change = |request: &mut Request<_>| {
            request.metadata_mut().insert("traceparent", PARENT.parse().expect("ASCII"));
        };
        let mut batch = Batch::open_with(&mut client, solve_spec("traced"), change).await.expect("a job");
        let job_id = batch.job_id();
        assert!(batch.upload.items(0..128).await && batch.upload.finish(None).await);
        batch.answers.read_to_end(&mut Checked::mixed(0)).await.expect("results");
        drop((batch, client));
        // What is not sent yet is sent at the end.
        server.terminate();
        assert_eq!(server.wait(Duration::from_secs(60)).expect("it ends").code(), Some(0));
        let mut all = Vec::new();
        while let Ok(span) = spans.try_recv() {
            all.push(span);
        }

        let (trace, parent) = (&PARENT[3..35], &PARENT[36..52]);
        let in_trace: Vec<&Span> = all.iter().filter(|span| hex(&span.trace_id) == trace).collect();
        let named = |name: &str| in_trace.iter().find(|span| span.name == name).unwrap_or_else(|| panic!("{all:?}"));
        let solved = named("sudoku.v1.SudokuService/Solve");
        assert_eq!(hex(&solved.parent_span_id), parent);
        assert!(attribute(solved, "request_id").is_some_and(|id| !id.is_empty()), "{solved:?}");
        let submitted = named("sudoku.v1.SudokuService/SubmitBatch");
        assert_eq!(attribute(submitted, "job_id"), Some(job_id.clone()));
        assert_eq!(in_trace.len(), 2, "{in_trace:?}");

        let chunks: Vec<&Span> = all.iter().filter(|span| span.name == "chunk").collect();
        assert!(chunks.len() >= 2, "{all:?}");
        for chunk in chunks {
            assert_eq!(attribute(chunk, "job_id"), Some(job_id.clone()));
            assert_eq!(attribute(chunk, "result").as_deref(), Some("stored"));
            let links: Vec<_> = chunk.links.iter().map(|link| (hex(&link.trace_id), hex(&link.span_id))).collect();
            assert_eq!(links, [(trace.to_owned(), hex(&submitted.span_id))]);
        }
        assert!(all.iter().all(|span| hex(&span.trace_id) != UNSAMPLED[3..35]), "its caller did not want it told");
        let told = format!("{all:?}");
        assert!(!told.contains(&puzzles::mixed(0).line), "no puzzle is told");
    });
}

#[test]
fn without_its_collector_the_server_serves_and_ends() {
    run(async {
        let data = directory();
        // A port that nobody listens on.
        let gone = TcpListener::bind("127.0.0.1:0").await.expect("a port").local_addr().expect("an address");
        let endpoint = format!("http://{gone}");
        let (mut server, mut client) = serve(data.path(), &["--otlp-endpoint", &endpoint]).await;
        let begin = Instant::now();
        while begin.elapsed() < Duration::from_secs(4) {
            let call = Instant::now();
            solve(&mut client, PARENT).await;
            assert!(call.elapsed() < Duration::from_secs(2), "{:?}", call.elapsed());
        }
        drop(client);
        let end = Instant::now();
        server.terminate();
        assert_eq!(server.wait(Duration::from_secs(60)).expect("it ends").code(), Some(0));
        assert!(end.elapsed() < Duration::from_secs(30), "{:?}", end.elapsed());
        let told = server.log().matches("the collector takes no spans").count();
        assert_eq!(told, 1, "now and then, not each time");
    });
}

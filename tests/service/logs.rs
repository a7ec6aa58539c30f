//! What the log says: one JSON object a line, who did what under which ids, and never a puzzle or a token.

use crate::process::batch::{Batch, Checked, rate_spec, solve_spec};
use crate::process::client::{Client, refused};
use crate::process::server::Server;
use crate::process::{directory, puzzles, run};
use serde_json::Value;
use std::time::Duration;
use sudokud::grpc::grants::draw;
use sudokud::grpc::proto::v1::{ExplainRequest, SolveRequest};
use sudokud::job::Principal;
use tonic::transport::{Channel, Endpoint};
use tonic::{Code, Request};

const ITEMS: u32 = 300;

async fn connect(server: &Server) -> Channel {
    let endpoint = Endpoint::from_shared(format!("http://{}", server.address())).expect("an address");
    endpoint.connect().await.expect("the server listens")
}

fn solve(puzzle: &str) -> SolveRequest {
    SolveRequest { puzzle: puzzle.into(), ..SolveRequest::default() }
}

/// Calls of every kind, good and bad; returns the job's id.
async fn calls(channel: &Channel, token: &str, wrong: &str) -> String {
    let mut client = Client::over(channel.clone(), Some(token));
    let mut named = Request::new(solve(&puzzles::mixed(0).line));
    named.metadata_mut().insert("x-request-id", "ada-1".parse().expect("ASCII"));
    let answer = client.sudoku.solve(named).await.expect("solved");
    assert_eq!(answer.metadata().get("x-request-id").expect("answered"), "ada-1");
    let answer = client.sudoku.solve(solve(&puzzles::mixed(1).line)).await.expect("solved");
    let made = answer.metadata().get("x-request-id").expect("one of its own").as_bytes();
    assert!(made.len() > 17 && made.is_ascii(), "{made:?}");
    let bad = client.sudoku.solve(solve(&"12".repeat(40))).await.expect_err("80 cells");
    assert!(bad.metadata().contains_key("x-request-id"), "a refusal has one too: {bad:?}");
    let puzzle = puzzles::mixed(0).line;
    client.sudoku.explain(ExplainRequest { puzzle, ..ExplainRequest::default() }).await.expect("explained");

    let mut batch = Batch::open(&mut client, solve_spec("monday")).await.expect("a job");
    assert!(batch.upload.items(0..ITEMS).await);
    batch.answers.until_stored(ITEMS, &mut Checked::mixed(0)).await.expect("stored");
    let mut batch = Batch::open(&mut client, solve_spec("monday")).await.expect("the job, taken over");
    assert!(batch.upload.finish(Some(ITEMS)).await);
    batch.answers.read_to_end(&mut Checked::mixed(0)).await.expect("results");
    let mut rated = Batch::open(&mut client, rate_spec("rated")).await.expect("a job");
    assert!(rated.upload.items(0..20).await && rated.upload.finish(None).await);
    rated.answers.read_to_end(&mut Checked::mixed(0)).await.expect("results");

    let mut stranger = Client::over(channel.clone(), Some(wrong));
    let refusal = stranger.sudoku.solve(solve(&puzzles::mixed(0).line)).await.expect_err("a wrong token");
    refused(&refusal, Code::Unauthenticated, "CREDENTIALS_INVALID");
    batch.job_id()
}

#[test]
fn one_json_object_a_line_with_ids_and_without_puzzles_or_tokens() {
    run(async {
        let data = directory();
        let (token, line) =
            draw(&Principal::new("ada").expect("a name"), "submit,read".parse().expect("roles")).expect("randomness");
        let tokens = data.path().join("tokens");
        std::fs::write(&tokens, &line).expect("written");
        let tokens = tokens.to_str().expect("text").to_owned();
        let more = ["--log-format", "json", "--log", "info,sudokud=trace", "--tokens", &tokens];
        let mut server = Server::try_start(&data.path().join("data"), &more).expect("it starts");
        let wrong = format!("wrong-{token}");
        let job_id = calls(&connect(&server).await, &token, &wrong).await;
        server.terminate();
        assert_eq!(server.wait(Duration::from_secs(60)).expect("it ends").code(), Some(0));

        let log = server.log();
        let hash = line.split_whitespace().next().and_then(|word| word.strip_prefix("sha256:")).expect("a hash");
        let grids = (0..ITEMS).map(puzzles::mixed).flat_map(|known| [known.line, known.solution]);
        for secret in grids.chain([token, hash.to_owned(), "12".repeat(40)]).filter(|secret| !secret.is_empty()) {
            assert!(!log.contains(&secret), "{secret} is in\n{log}");
        }
        let events: Vec<Value> =
            log.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"))).collect();
        let of = |message: &str| -> Vec<&Value> { events.iter().filter(|e| e["message"] == message).collect() };
        for (message, count) in [("job opened", 2), ("upload taken over", 1), ("job sealed", 2), ("job ended", 2)] {
            let told = of(message);
            assert_eq!(told.len(), count, "{message} in\n{log}");
            for event in &told {
                assert_eq!((&event["principal"], &event["level"]), (&"ada".into(), &"INFO".into()), "{event}");
            }
            let event = told.iter().find(|event| event["job_id"] == job_id.as_str()).expect("the job's");
            assert_eq!(event["request_id"], "monday", "{event}");
        }
        let ended = of("job ended").into_iter().find(|event| event["job_id"] == job_id.as_str()).expect("it");
        assert_eq!((&ended["state"], &ended["done"]), (&"SUCCEEDED".into(), &ITEMS.into()), "{ended}");
        assert!(ended["duration_ms"].is_u64(), "{ended}");

        let calls = of("call ended");
        let ada = calls.iter().find(|event| event["span"]["request_id"] == "ada-1").expect("the call that has a name");
        assert_eq!(ada["span"]["method"], "sudoku.v1.SudokuService/Solve");
        assert_eq!((&ada["span"]["principal"], &ada["code"]), (&"ada".into(), &"OK".into()), "{ada}");
        let refused = calls.iter().find(|event| event["code"] == "UNAUTHENTICATED").expect("the refusal");
        assert!(refused["span"]["request_id"].is_string() && refused["span"]["principal"].is_null(), "{refused}");
        let opened = of("job opened").into_iter().find(|event| event["job_id"] == job_id.as_str()).expect("it");
        assert!(opened["span"]["request_id"].is_string(), "it names the call: {opened}");
        for message in ["ready", "draining", "closed"] {
            assert_eq!(of(message).len(), 1, "{message}");
        }
    });
}

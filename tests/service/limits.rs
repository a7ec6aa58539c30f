//! Bounds of calls: each refusal names its limit and what helps, and nobody else notices.

use crate::process::client::{refused, refused_field};
use crate::process::{directory, run, serve};
use std::time::Duration;
use sudokud::grpc::proto::v1::{self, Outcome, SolveRequest, generate_request};
use tonic::{Code, Status};

/// Checks a refusal that names its limit by the setting; tells when to try again, if that helps.
#[track_caller]
pub fn limited(status: &Status, reason: &str, setting: &str, words: &str) -> Option<Duration> {
    let details = refused(status, Code::ResourceExhausted, reason);
    assert_eq!(details.error_info().expect("a reason").metadata["limit"], setting, "{status:?}");
    let quota = details.quota_failure().expect("a QuotaFailure");
    assert_eq!(quota.violations[0].subject, setting, "{status:?}");
    let message = status.message();
    assert!(message.contains(words) && message.contains(&format!("(limit: {setting})")), "{words:?}: {message}");
    details.retry_info().and_then(|retry| retry.retry_delay)
}

fn counting(node_limit: Option<u64>) -> SolveRequest {
    let (puzzle, count_limit) = (".".repeat(81), Some(1_000_000_000));
    SolveRequest { puzzle, count_limit, node_limit, ..SolveRequest::default() }
}

#[test]
fn a_unary_call_is_bounded_in_nodes_and_time() {
    run(async {
        let data = directory();
        let flags = ["--solve-time-limit=300ms", "--max-solve-node-limit=1000000000"];
        let (_server, mut client) = serve(data.path(), &flags).await;
        let answer = client.sudoku.solve(counting(Some(1_000_000_000))).await.expect("what was found").into_inner();
        assert_eq!((answer.outcome(), answer.solution_count_exact), (Outcome::Multiple, false));
        assert!(answer.solutions.len() == 2 && answer.solution_count > 2, "{answer:?}");
        let status = client.sudoku.solve(counting(Some(1_000_000_001))).await.expect_err("too many nodes");
        refused_field(&status, "INVALID_FIELD", "node_limit", "at most 1000000000 (max-solve-node-limit)");

        let level = v1::Level::Extreme.into();
        let wish = v1::PuzzleSpec { level, ..v1::PuzzleSpec::default() };
        let spec = Some(generate_request::Spec::Puzzle(wish));
        let request = v1::GenerateRequest { spec, count: 1_000, seed: Some(1) };
        let status = client.sudoku.generate(request).await.expect_err("it takes seconds");
        let retry = limited(&status, "LIMIT_REACHED", "solve-time-limit", "1000 items were not made in the 300ms");
        assert_eq!(retry, None, "the same would take as long again");
    });
}

#[test]
fn a_message_over_the_limit_names_it() {
    run(async {
        let data = directory();
        let (_server, mut client) = serve(data.path(), &["--max-message-bytes=1MiB"]).await;
        let puzzle = "1".repeat(2 << 20);
        let status = client.sudoku.solve(SolveRequest { puzzle, ..SolveRequest::default() }).await.expect_err("2 MiB");
        assert_eq!(limited(&status, "MESSAGE_TOO_LARGE", "max-message-bytes", "1048576 bytes"), None);
    });
}

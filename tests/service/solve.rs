//! Solve: text forms, limits, counts, conflicts, refusals, deadline.

use crate::process::client::{Client, refused_field};
use crate::process::{directory, puzzles, run, serve};
use std::time::{Duration, Instant};
use sudokud::grpc::proto::v1::{Outcome, SolveRequest, SolveResponse};
use tonic::{Code, Request, Status};

const PUZZLE: &str = "1..6..5.4....7..3..2..85.1.78...4..9....6....53.9.84.26.1.4......3..........29.5.";
const SOLUTION: &str = "178693524465271938329485716782534169914762385536918472651847293293156847847329651";
const EMPTY: &str = ".................................................................................";
/// Three solutions.
const THREE: &str = "9.3.....421........7.1..3..48...5.......8..1....74..8....87.9.....2....3....945..";

async fn solve(client: &mut Client, request: SolveRequest) -> Result<SolveResponse, Status> {
    Ok(client.sudoku.solve(request).await?.into_inner())
}

fn puzzle(text: &str) -> SolveRequest {
    SolveRequest { puzzle: text.into(), ..SolveRequest::default() }
}

#[test]
fn every_text_form_is_read() {
    let rows = |separator: &str| -> Vec<String> {
        let row = |row: &[u8]| row.iter().map(|&c| char::from(c).to_string()).collect::<Vec<_>>().join(separator);
        PUZZLE.as_bytes().chunks(9).map(row).collect()
    };
    let drawn = |row: &String| format!("| {} | {} | {} |", &row[..3], &row[3..6], &row[6..]);
    let boxed =
        rows("").chunks(3).map(|band| band.iter().map(drawn).collect::<Vec<_>>().join("\n")).collect::<Vec<_>>();
    let forms = [
        PUZZLE.to_owned(),
        PUZZLE.replace('.', "0"),
        PUZZLE.replace('.', "*"),
        PUZZLE.replace('.', "_"),
        PUZZLE.replace('.', "x"),
        PUZZLE.replace('.', "X"),
        format!("\u{feff}{PUZZLE}\r\n"),
        format!("{PUZZLE} # easy, 2026"),
        format!("{PUZZLE};rated 3"),
        rows("").join("\n"),
        rows("").join("\r\n"),
        rows(" ").join("\n"),
        boxed.join("\n|-----+-----+-----|\n"),
        format!("#ASomebody\n#DOf no interest\n{}\n", rows("").join("\n")),
    ];
    run(async {
        let data = directory();
        let (_server, mut client) = serve(data.path(), &[]).await;
        for form in forms {
            let answer = solve(&mut client, puzzle(&form)).await.unwrap_or_else(|e| panic!("{form}\n{e:?}"));
            assert_eq!(answer.outcome(), Outcome::Unique, "{form}");
            assert_eq!(answer.solutions, [SOLUTION], "{form}");
            assert_eq!((answer.solution_count, answer.solution_count_exact), (1, true));
            assert!(answer.conflicts.is_empty() && answer.stats.is_some());
        }
    });
}

#[test]
fn known_puzzles_get_their_answers() {
    run(async {
        let data = directory();
        let (_server, mut client) = serve(data.path(), &[]).await;
        for known in (0..300).map(puzzles::mixed) {
            match solve(&mut client, puzzle(&known.line)).await {
                Ok(answer) => {
                    assert_eq!(answer.outcome(), known.outcome, "{known:?}");
                    let unique = known.outcome == Outcome::Unique;
                    assert!(!unique || answer.solutions == [known.solution.as_str()], "{known:?}");
                }
                Err(status) => assert_eq!((known.outcome, status.code()), (Outcome::Invalid, Code::InvalidArgument)),
            }
        }
    });
}

#[test]
fn limits_count_and_list() {
    let ask = |text: &str, max_solutions, count_limit, node_limit| SolveRequest {
        puzzle: text.into(),
        max_solutions,
        count_limit,
        node_limit,
    };
    // Request; outcome, solutions listed, counted, exactly.
    let cases = [
        (ask(PUZZLE, Some(1), None, None), Outcome::Found, 1, 1, false),
        (ask(PUZZLE, Some(10_000), None, None), Outcome::Unique, 1, 1, true),
        (ask(THREE, None, None, None), Outcome::Multiple, 2, 2, false),
        (ask(THREE, Some(3), Some(4), None), Outcome::Multiple, 3, 3, true),
        (ask(THREE, Some(1), Some(1_000_000_000), None), Outcome::Multiple, 1, 3, true),
        (ask(EMPTY, Some(10_000), None, None), Outcome::Multiple, 10_000, 10_000, false),
        (ask(EMPTY, Some(1), Some(20_000), None), Outcome::Multiple, 1, 20_000, false),
        (ask(EMPTY, None, None, Some(1)), Outcome::Undecided, 0, 0, false),
    ];
    run(async {
        let data = directory();
        let (_server, mut client) = serve(data.path(), &[]).await;
        for (request, outcome, listed, counted, exact) in cases {
            let answer = solve(&mut client, request.clone()).await.unwrap_or_else(|e| panic!("{request:?}\n{e:?}"));
            assert_eq!(answer.outcome(), outcome, "{request:?}");
            assert_eq!(answer.solutions.len(), listed, "{request:?}");
            assert_eq!((answer.solution_count, answer.solution_count_exact), (counted, exact), "{request:?}");
            let distinct: std::collections::HashSet<&String> = answer.solutions.iter().collect();
            assert_eq!(distinct.len(), listed, "the same solution twice: {request:?}");
        }
    });
}

#[test]
fn clashing_givens_are_unsolvable_and_named() {
    run(async {
        let data = directory();
        let (_server, mut client) = serve(data.path(), &[]).await;
        let clash = format!("7{}", &PUZZLE[1..]);
        let answer = solve(&mut client, puzzle(&clash)).await.expect("an answer");
        assert_eq!((answer.outcome(), answer.solution_count), (Outcome::Unsolvable, 0));
        assert_eq!(answer.conflicts, ["r1c1", "r4c1"]);
    });
}

#[test]
fn what_is_wrong_is_named() {
    let with = |change: fn(&mut SolveRequest)| {
        let mut request = puzzle(PUZZLE);
        change(&mut request);
        request
    };
    let other = |text: String| puzzle(&text);
    const FIELD: &str = "INVALID_FIELD";
    let cases = [
        (other(String::new()), "TOO_FEW_CELLS", "puzzle", "0 cells"),
        (other(PUZZLE[..80].into()), "TOO_FEW_CELLS", "puzzle", "80 cells, expected 81"),
        (other(format!("{PUZZLE}1")), "TOO_MANY_CELLS", "puzzle", "82 cells, expected 81"),
        (other(PUZZLE.replacen('.', "?", 1)), "INVALID_CHARACTER", "puzzle", "'?' is not a digit 1-9 or an empty mark"),
        (other(PUZZLE.replacen('.', "\u{663}", 1)), "INVALID_CHARACTER", "puzzle", "cell r1c2"),
        (with(|r| r.max_solutions = Some(0)), FIELD, "max_solutions", "1 to 10000"),
        (with(|r| r.max_solutions = Some(10_001)), FIELD, "max_solutions", "1 to 10000"),
        (with(|r| r.count_limit = Some(1)), FIELD, "count_limit", "max_solutions (2)"),
        (with(|r| r.count_limit = Some(1_000_000_001)), FIELD, "count_limit", "1000000000"),
        (with(|r| r.node_limit = Some(0)), FIELD, "node_limit", "at least 1"),
    ];
    run(async {
        let data = directory();
        let (_server, mut client) = serve(data.path(), &[]).await;
        for (request, reason, field, words) in cases {
            let status = solve(&mut client, request.clone()).await.expect_err(&format!("{request:?}"));
            refused_field(&status, reason, field, words);
        }
    });
}

#[test]
fn a_deadline_stops_the_search() {
    let endless = SolveRequest {
        puzzle: EMPTY.into(),
        max_solutions: Some(1),
        count_limit: Some(1_000_000_000),
        node_limit: Some(1_000_000_000),
    };
    run(async {
        let data = directory();
        let (_server, mut client) = serve(data.path(), &["--interactive-threads", "1"]).await;
        let begin = Instant::now();
        let mut request = Request::new(endless);
        request.set_timeout(Duration::from_millis(200));
        let status = client.sudoku.solve(request).await.expect_err("it counts for minutes");
        // tonic's client, too, watches the deadline and says CANCELLED when it is first.
        assert!(matches!(status.code(), Code::DeadlineExceeded | Code::Cancelled), "{status:?}");
        assert!(begin.elapsed() < Duration::from_secs(10), "answered after {:?}", begin.elapsed());
        // The one interactive thread is free again: another long search gets its turn and an end.
        let long = SolveRequest { puzzle: EMPTY.into(), count_limit: Some(300_000), ..SolveRequest::default() };
        let answer = solve(&mut client, long).await.expect("an answer");
        assert_eq!(answer.solution_count, 300_000);
    });
}

#[test]
fn a_message_over_the_limit_is_refused_and_the_connection_goes_on() {
    run(async {
        let data = directory();
        let (_server, mut client) = serve(data.path(), &[]).await;
        let status = solve(&mut client, puzzle(&"1".repeat(9 << 20))).await.expect_err("over 8 MiB");
        assert!(matches!(status.code(), Code::OutOfRange | Code::ResourceExhausted), "{status:?}");
        let answer = solve(&mut client, puzzle(PUZZLE)).await.expect("the connection goes on");
        assert_eq!(answer.outcome(), Outcome::Unique);
    });
}

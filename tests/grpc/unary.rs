//! Calls answered at once, and what a tool may ask of the server: Solve, Generate, health, reflection.

use crate::puzzles::{PUZZLE, SHORT, SOLUTION, UNSOLVABLE};
use crate::rig::{Rig, Setup, field, reason};
use sudokud::grpc::proto::v1::{
    CompleteGridSpec, GenerateRequest, GenerateResponse, GridFamily, Outcome, SolveRequest, SolveResponse,
    generate_request,
};
use tonic::{Code, Status};
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::{HealthCheckRequest, health_client::HealthClient};
use tonic_types::StatusExt;

async fn solve(rig: &Rig, request: SolveRequest) -> Result<SolveResponse, Status> {
    rig.sudoku.clone().solve(request).await.map(tonic::Response::into_inner)
}

fn asking(puzzle: &str) -> SolveRequest {
    SolveRequest { puzzle: puzzle.into(), ..SolveRequest::default() }
}

#[tokio::test]
async fn one_solution_is_proven() {
    let rig = Rig::start().await;
    let answer = solve(&rig, asking(PUZZLE)).await.expect("solved");
    assert_eq!(answer.outcome(), Outcome::Unique);
    assert_eq!(answer.solutions, [SOLUTION]);
    assert_eq!((answer.solution_count, answer.solution_count_exact), (1, true));
    assert!(answer.conflicts.is_empty() && answer.stats.expect("stats").elapsed.is_some());

    // Any text form will do.
    let rows: Vec<String> =
        PUZZLE.as_bytes().chunks(9).map(|row| String::from_utf8_lossy(row).replace('.', "0")).collect();
    let answer = solve(&rig, asking(&rows.join("\r\n"))).await.expect("solved");
    assert_eq!(answer.solutions, [SOLUTION]);
    rig.stop().await;
}

#[tokio::test]
async fn every_outcome_has_its_answer() {
    let rig = Rig::start().await;
    let empty = ".".repeat(81);
    let found = solve(&rig, SolveRequest { max_solutions: Some(1), ..asking(&empty) }).await.expect("solved");
    assert_eq!((found.outcome(), found.solutions.len(), found.solution_count), (Outcome::Found, 1, 1));
    assert!(!found.solution_count_exact);

    let multiple = solve(&rig, asking(&empty)).await.expect("solved");
    assert_eq!((multiple.outcome(), multiple.solutions.len()), (Outcome::Multiple, 2));
    let counted = SolveRequest { max_solutions: Some(3), count_limit: Some(500), ..asking(&empty) };
    let counted = solve(&rig, counted).await.expect("solved");
    assert_eq!((counted.solutions.len(), counted.solution_count, counted.solution_count_exact), (3, 500, false));

    let none = solve(&rig, asking(UNSOLVABLE)).await.expect("solved");
    assert_eq!((none.outcome(), none.solution_count, none.conflicts.len()), (Outcome::Unsolvable, 0, 0));
    let clash = format!("5.......5{}", ".".repeat(72));
    let clash = solve(&rig, asking(&clash)).await.expect("solved");
    assert_eq!((clash.outcome(), clash.conflicts), (Outcome::Unsolvable, vec!["r1c1".into(), "r1c9".into()]));

    let limited = SolveRequest { node_limit: Some(1), max_solutions: Some(10_000), ..asking(&empty) };
    let limited = solve(&rig, limited).await.expect("solved");
    assert!(!limited.solution_count_exact && limited.solution_count < 10_000, "{limited:?}");
    rig.stop().await;
}

#[tokio::test]
async fn what_is_wrong_is_named() {
    let rig = Rig::start().await;
    let short = solve(&rig, asking(SHORT)).await.expect_err("80 cells");
    assert_eq!(
        (short.code(), reason(&short), field(&short)),
        (Code::InvalidArgument, "TOO_FEW_CELLS".into(), "puzzle".into())
    );
    assert!(short.message().starts_with("puzzle has 80 cells, expected 81"), "{short}");

    let odd = solve(&rig, asking(&PUZZLE.replacen("7", "٣", 1))).await.expect_err("an odd digit");
    assert_eq!(reason(&odd), "INVALID_CHARACTER");
    assert!(odd.message().starts_with("cell r1c5: '٣' is not a digit 1-9 or an empty mark"), "{odd}");

    let many = SolveRequest { max_solutions: Some(10_001), ..asking(PUZZLE) };
    let many = solve(&rig, many).await.expect_err("too many");
    assert_eq!(
        (many.code(), reason(&many), field(&many)),
        (Code::InvalidArgument, "INVALID_FIELD".into(), "max_solutions".into())
    );
    let violation = &many.get_details_bad_request().expect("bad request").field_violations[0];
    assert_eq!(violation.description, "is 10001, must be 1 to 10000");
    rig.stop().await;
}

#[tokio::test]
async fn what_never_reaches_a_call_has_a_reason_too() {
    let mut setup = Setup::default();
    setup.grpc.max_message_bytes = 1_000;
    let rig = Rig::with(setup).await;
    let large = solve(&rig, asking(&".".repeat(1_000))).await.expect_err("too large");
    assert_eq!((large.code(), reason(&large)), (Code::ResourceExhausted, "MESSAGE_TOO_LARGE".into()));
    assert!(large.message().contains("1000 bytes"), "it names the limit: {large}");

    let mut client = tonic::client::Grpc::new(rig.channel.clone());
    client.ready().await.expect("ready");
    let path = tonic::codegen::http::uri::PathAndQuery::from_static("/sudoku.v1.SudokuService/Guess");
    let codec = tonic_prost::ProstCodec::<SolveRequest, SolveResponse>::default();
    let unknown = client.unary(tonic::Request::new(asking(PUZZLE)), path, codec).await.expect_err("no method");
    assert_eq!((unknown.code(), reason(&unknown)), (Code::Unimplemented, "METHOD_UNKNOWN".into()));
    rig.stop().await;
}

async fn generate(
    rig: &Rig,
    spec: CompleteGridSpec,
    count: u32,
    seed: Option<u64>,
) -> Result<GenerateResponse, Status> {
    let request = GenerateRequest { spec: Some(generate_request::Spec::Grid(spec)), count, seed };
    rig.sudoku.clone().generate(request).await.map(tonic::Response::into_inner)
}

#[tokio::test]
async fn grids_can_be_had_again() {
    let rig = Rig::start().await;
    let spec = CompleteGridSpec { first_cell: 7, family: GridFamily::Shift.into() };
    let drawn = generate(&rig, spec, 50, None).await.expect("generated");
    assert_eq!((drawn.items.len(), drawn.generator_version), (50, sudokud::sudoku::generate::GENERATOR_VERSION));
    for item in &drawn.items {
        let grid = sudokud::sudoku::text::parse(&item.solution).expect("a grid");
        assert!(grid.is_solved() && item.solution.starts_with('7'), "{grid}");
        assert_eq!((item.puzzle.as_str(), item.clue_count), ("", 81));
    }
    let again = generate(&rig, spec, 20, Some(drawn.seed)).await.expect("generated");
    assert_eq!(again.items[..], drawn.items[..20]);
    let other = generate(&rig, spec, 20, Some(drawn.seed ^ 1)).await.expect("generated");
    assert_ne!(again.items, other.items);

    let many = generate(&rig, spec, 1_001, None).await.expect_err("too many");
    assert_eq!((many.code(), field(&many)), (Code::InvalidArgument, "count".into()));
    let unset = rig.sudoku.clone().generate(GenerateRequest::default()).await.expect_err("nothing asked");
    assert_eq!((unset.code(), field(&unset)), (Code::InvalidArgument, "grid".into()));
    rig.stop().await;
}

#[tokio::test]
async fn health_names_both_services() {
    let rig = Rig::start().await;
    let mut health = HealthClient::new(rig.channel.clone());
    for service in ["", "sudoku.v1.SudokuService", "sudoku.v1.JobService"] {
        let answer = health.check(HealthCheckRequest { service: service.into() }).await.expect("checked").into_inner();
        assert_eq!(answer.status(), ServingStatus::Serving, "{service}");
    }
    let unknown = health.check(HealthCheckRequest { service: "other".into() }).await.expect_err("unknown");
    assert_eq!(unknown.code(), Code::NotFound);
    rig.stop().await;
}

/// The services that reflection names, in the version of the protocol that the module holds.
macro_rules! services {
    ($rig:expr, $version:ident) => {{
        use tonic_reflection::pb::$version::ServerReflectionRequest;
        use tonic_reflection::pb::$version::server_reflection_client::ServerReflectionClient;
        use tonic_reflection::pb::$version::server_reflection_request::MessageRequest;
        use tonic_reflection::pb::$version::server_reflection_response::MessageResponse;
        let asked = MessageRequest::ListServices(String::new());
        let request = ServerReflectionRequest { host: String::new(), message_request: Some(asked) };
        let mut client = ServerReflectionClient::new($rig.channel.clone());
        let mut answers =
            client.server_reflection_info(tokio_stream::once(request)).await.expect("reflection").into_inner();
        let answer = answers.message().await.expect("an answer").expect("one");
        let Some(MessageResponse::ListServicesResponse(list)) = answer.message_response else { panic!("no list") };
        let mut names: Vec<String> = list.service.into_iter().map(|service| service.name).collect();
        names.sort();
        names
    }};
}

#[tokio::test]
async fn tools_find_the_services_by_either_reflection() {
    let rig = Rig::start().await;
    let v1 = services!(rig, v1);
    let v1alpha = services!(rig, v1alpha);
    for names in [&v1, &v1alpha] {
        for name in ["grpc.health.v1.Health", "sudoku.v1.JobService", "sudoku.v1.SudokuService"] {
            assert!(names.iter().any(|have| have == name), "{name} is not in {names:?}");
        }
    }
    rig.stop().await;
}

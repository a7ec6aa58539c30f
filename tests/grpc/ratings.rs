//! Ratings and puzzles over gRPC: Explain, RateWork, PuzzleSpec in a call and in a batch.

use crate::puzzles::{PUZZLE, SHORT, SOLUTION, UNSOLVABLE, puzzle};
use crate::rig::{Rig, fact, field, reason};
use crate::stream::{Batch, finish, grid_lines, grids, opening, puzzles, solving, text};
use sudokud::grpc::proto::v1::{
    BatchSpec, BlanksPerRow, ErRange, ExplainRequest, ExplainResponse, GenerateRequest, GenerateResponse, GenerateWork,
    JobState, Level, Outcome, Placement, PuzzleSpec, RateWork, Rating, ResultFormat, Symmetry, batch_spec,
    generate_request, generate_work,
};
use sudokud::sudoku::solve::solve;
use sudokud::sudoku::{Kernel, Limits, text as grid_text};
use tonic::{Code, Request, Status};

/// ER 3.6, EP and ED 1.2, by Sudoku Explainer 1.2.1; its first step is a hidden single in a box: r5c8 is 9.
const MEDIUM: &str = "..16.8..4.5......9...4.3.....8..6.71...74........89..514..6.......5.7....3....96.";
/// ER 7.1, EP and ED 1.2, likewise.
const VERY_HARD: &str = "....685.3....9..6.3....1.4..9.....78..7.491..63.1......7.....51...65..84.........";

fn asking(puzzle: &str, max_steps: Option<u32>) -> ExplainRequest {
    ExplainRequest { puzzle: puzzle.into(), max_steps }
}

async fn explain(rig: &Rig, request: impl tonic::IntoRequest<ExplainRequest>) -> Result<ExplainResponse, Status> {
    rig.sudoku.clone().explain(request).await.map(tonic::Response::into_inner)
}

fn rating(er: f64, ep: f64, ed: f64, level: Level) -> Rating {
    Rating { er, ep, ed, level: level.into() }
}

#[tokio::test]
async fn a_puzzle_is_explained() {
    let rig = Rig::start().await;
    let answer = explain(&rig, asking(MEDIUM, None)).await.expect("explained");
    assert_eq!((answer.rating_name.as_str(), answer.at_least), ("se-1.2.1", false));
    assert_eq!(answer.rating, Some(rating(3.6, 1.2, 1.2, Level::Medium)));
    let first = &answer.steps[0];
    assert_eq!((first.difficulty, first.digits.as_slice()), (1.2, [9].as_slice()));
    assert_eq!(first.placement, Some(Placement { cell: "r5c8".into(), digit: 9 }));
    assert!(first.sentence.contains("r5c8") && first.technique.contains("ingle"), "{first:?}");
    let hardest = answer.steps.iter().find(|step| step.difficulty == 3.6).expect("the step that rates it");
    let gone: Vec<_> = hardest.eliminations.iter().map(|e| (e.cell.as_str(), e.digits.clone())).collect();
    assert_eq!(gone, [("r1c7", vec![3]), ("r1c8", vec![3]), ("r3c7", vec![6, 8])]);
    assert!(hardest.placement.is_none() && hardest.cells.len() == 3);

    // The steps solve it.
    let mut cells: Vec<char> = MEDIUM.chars().collect();
    for Placement { cell, digit } in answer.steps.iter().filter_map(|step| step.placement.as_ref()) {
        let at = |i: usize| cell.as_bytes()[i] as usize - usize::from(b'1');
        cells[9 * at(1) + at(3)] = char::from_digit(*digit, 10).expect("a digit");
    }
    assert!(grid_text::parse(&cells.iter().collect::<String>()).expect("a grid").is_solved());
    rig.stop().await;
}

#[tokio::test]
async fn equivalent_puzzles_share_their_form_and_rating() {
    let rig = Rig::start().await;
    let known = explain(&rig, asking(PUZZLE, None)).await.expect("explained");
    assert_eq!((known.canonical_form.len(), known.automorphism_count), (81, 1));
    let renamed = explain(&rig, asking(&puzzle(77_777), None)).await.expect("explained");
    assert_eq!((renamed.canonical_form, renamed.rating), (known.canonical_form.clone(), known.rating));
    let other = explain(&rig, asking(MEDIUM, Some(1))).await.expect("explained");
    assert_ne!(other.canonical_form, known.canonical_form);
    let full = explain(&rig, asking(SOLUTION, None)).await.expect("explained");
    assert_eq!((full.rating, full.steps.len()), (Some(rating(0.0, 0.0, 0.0, Level::VeryEasy)), 0));
    rig.stop().await;
}

#[tokio::test]
async fn a_hint_and_a_deadline_give_a_part() {
    let rig = Rig::start().await;
    let hint = explain(&rig, asking(VERY_HARD, Some(1))).await.expect("explained");
    assert_eq!((hint.steps.len(), hint.at_least), (1, true));
    assert_eq!(hint.rating, Some(rating(1.2, 1.2, 1.2, Level::VeryEasy)));
    // However slow the machine: the call is answered before its end, or ended; it never takes longer.
    let mut hurried = Request::new(asking(VERY_HARD, None));
    hurried.set_timeout(std::time::Duration::from_millis(40));
    match explain(&rig, hurried).await {
        Ok(answer) => assert!(answer.rating.is_some_and(|rating| rating.er <= 7.1), "{answer:?}"),
        Err(status) => assert!(
            matches!(status.code(), Code::DeadlineExceeded | Code::ResourceExhausted | Code::Cancelled),
            "{status}"
        ),
    }
    rig.stop().await;
}

#[tokio::test]
async fn what_has_no_rating_is_refused() {
    let rig = Rig::start().await;
    let empty = ".".repeat(81);
    let clash = format!("5.......5{}", &empty[9..]);
    for (puzzle, why, words) in [
        (UNSOLVABLE, "PUZZLE_UNSOLVABLE", "puzzle has no solution"),
        (&clash, "PUZZLE_UNSOLVABLE", "puzzle has no solution: equal givens clash in r1c1 r1c9"),
        (&empty, "PUZZLE_NOT_UNIQUE", "puzzle has several solutions"),
        (SHORT, "TOO_FEW_CELLS", "puzzle has 80 cells"),
    ] {
        let refused = explain(&rig, asking(puzzle, None)).await.expect_err(why);
        assert_eq!(
            (refused.code(), reason(&refused), field(&refused).as_str()),
            (Code::InvalidArgument, why.into(), "puzzle")
        );
        assert!(refused.message().starts_with(words), "{refused}");
    }
    let none = explain(&rig, asking(PUZZLE, Some(0))).await.expect_err("no steps");
    assert_eq!((none.code(), field(&none)), (Code::InvalidArgument, "max_steps".into()));
    rig.stop().await;
}

fn rate_spec(request_id: &str, format: ResultFormat) -> BatchSpec {
    let work = Some(batch_spec::Work::Rate(RateWork::default()));
    BatchSpec { work, result_format: format.into(), ..solving(request_id) }
}

#[tokio::test]
async fn a_batch_of_ratings_has_each_kind_of_item() {
    let rig = Rig::start().await;
    let empty = ".".repeat(81);
    let lines = [PUZZLE, SHORT, MEDIUM, &empty, UNSOLVABLE, SOLUTION];
    use Outcome::{Invalid, Multiple, Unique, Unsolvable};
    let outcomes = [Unique, Invalid, Unique, Multiple, Unsolvable, Unique];
    let easy = rating(1.2, 1.2, 1.2, Level::VeryEasy);
    let medium = rating(3.6, 1.2, 1.2, Level::Medium);
    let full = rating(0.0, 0.0, 0.0, Level::VeryEasy);
    let (mut batch, job, _) = Batch::open(&rig, rate_spec("block", ResultFormat::Block)).await;
    let Some(batch_spec::Work::Rate(work)) = job.spec.expect("set").work else { panic!("not rating") };
    assert_eq!(work.node_limit, Some(10_000_000), "what was unset is told");
    batch.send(text(None, lines.join("\n"))).await;
    batch.send(finish(Some(6))).await;
    let (blocks, job) = batch.rest().await;
    let told: Vec<Outcome> = blocks.iter().flat_map(|block| block.outcomes()).collect();
    assert_eq!(told, outcomes);
    let ratings: Vec<Rating> = blocks.iter().flat_map(|block| block.ratings.clone()).collect();
    let none = Rating::default();
    assert_eq!(ratings, [easy, none, medium, none, none, full]);
    assert!(blocks.iter().all(|block| block.rating_name == "se-1.2.1" && block.puzzles.is_empty()));
    let grids = grids(&blocks).1;
    assert_eq!((grids[0].as_str(), grids[1].as_str(), grids[5].as_str()), (SOLUTION, "", SOLUTION));
    let counts = job.counts.expect("set");
    assert_eq!(
        (job.state(), counts.unique, counts.invalid, counts.multiple, counts.unsolvable),
        (JobState::Succeeded, 3, 1, 1, 1)
    );

    let (mut batch, ..) = Batch::open(&rig, rate_spec("items", ResultFormat::Items)).await;
    batch.send(puzzles(None, &lines)).await;
    batch.send(finish(None)).await;
    let (blocks, _) = batch.rest().await;
    let items: Vec<_> = blocks.iter().flat_map(|block| &block.items).collect();
    assert_eq!(
        items.iter().map(|item| item.rating).collect::<Vec<_>>(),
        [Some(easy), None, Some(medium), None, None, Some(full)]
    );
    assert_eq!(items[1].error.as_ref().expect("why").reason, "TOO_FEW_CELLS");
    rig.stop().await;
}

#[tokio::test]
async fn a_batch_of_ratings_is_resumed_where_it_stands() {
    let rig = Rig::start().await;
    let lines = |range: std::ops::Range<usize>| range.map(|i| puzzle(i) + "\n").collect::<String>();
    let (mut batch, ..) = Batch::open(&rig, rate_spec("resumed", ResultFormat::Block)).await;
    batch.send(text(None, lines(0..700))).await;
    batch.close();
    let status = batch.ended().await;
    assert_eq!((reason(&status), fact(&status, "next_index")), ("UPLOAD_NOT_FINISHED".into(), "700".into()));
    let (mut batch, _, next) = Batch::open(&rig, rate_spec("resumed", ResultFormat::Block)).await;
    assert_eq!(next, 700);
    batch.send(text(Some(650), lines(650..1_000))).await;
    batch.send(finish(Some(1_000))).await;
    let (blocks, job) = batch.rest().await;
    assert_eq!((job.done_count, job.counts.expect("set").unique), (1_000, 1_000));
    let ratings: Vec<Rating> = blocks.iter().flat_map(|block| block.ratings.clone()).collect();
    assert_eq!(ratings, vec![rating(1.2, 1.2, 1.2, Level::VeryEasy); 1_000]);
    rig.stop().await;
}

async fn generate(rig: &Rig, wishes: PuzzleSpec, count: u32, seed: u64) -> Result<GenerateResponse, Status> {
    let spec = Some(generate_request::Spec::Puzzle(wishes));
    let request = GenerateRequest { spec, count, seed: Some(seed) };
    rig.sudoku.clone().generate(request).await.map(tonic::Response::into_inner)
}

/// Its one solution, by the reference solver.
fn solution_of(puzzle: &str) -> String {
    let grid = grid_text::parse(puzzle).expect("a puzzle");
    let answer = solve(Kernel::Reference, &grid, Limits::PROVE);
    assert_eq!(answer.outcome, sudokud::sudoku::Outcome::Unique, "{puzzle}");
    answer.solutions[0].to_string()
}

#[tokio::test]
async fn puzzles_are_as_wished() {
    let rig = Rig::start().await;
    let wishes = PuzzleSpec {
        min_clues: Some(26),
        max_clues: Some(28),
        symmetry: Symmetry::Rotational180.into(),
        ..PuzzleSpec::default()
    };
    let answer = generate(&rig, wishes, 40, 5).await.expect("made");
    assert_eq!((answer.items.len(), answer.seed, answer.generator_version > 0), (40, 5, true));
    for item in &answer.items {
        assert_eq!(item.solution, solution_of(&item.puzzle));
        let given: Vec<bool> = item.puzzle.bytes().map(|cell| cell != b'.').collect();
        assert!((0..81).all(|i| given[i] == given[80 - i]), "{}", item.puzzle);
        assert_eq!(item.clue_count as usize, given.iter().filter(|&&given| given).count());
        assert!((26..=28).contains(&item.clue_count) && item.level() == Level::Unspecified);
    }
    assert_eq!(generate(&rig, wishes, 10, 5).await.expect("made").items[..], answer.items[..10]);

    for level in [Level::VeryEasy, Level::Easy, Level::Medium] {
        let wishes = PuzzleSpec { level: level.into(), ..PuzzleSpec::default() };
        let item = generate(&rig, wishes, 1, 9).await.expect("made").items.remove(0);
        assert_eq!((item.level(), item.solution), (level, solution_of(&item.puzzle)));
        let rated = explain(&rig, asking(&item.puzzle, None)).await.expect("explained").rating.expect("rated");
        assert_eq!(rated.level(), level);
    }
    rig.stop().await;
}

#[tokio::test]
async fn contradictory_and_hopeless_wishes_are_named() {
    let rig = Rig::start().await;
    let any = PuzzleSpec::default();
    let level = Level::Hard.into();
    for (wishes, path) in [
        (PuzzleSpec { min_clues: Some(30), max_clues: Some(20), ..any }, "puzzle.min_clues"),
        (PuzzleSpec { max_clues: Some(16), ..any }, "puzzle.max_clues"),
        (PuzzleSpec { level, allow_multiple: true, ..any }, "puzzle.level"),
        (PuzzleSpec { level, er: Some(ErRange { min: None, max: Some(1.2) }), ..any }, "puzzle.er"),
        (PuzzleSpec { symmetry: 9, ..any }, "puzzle.symmetry"),
    ] {
        let refused = generate(&rig, wishes, 1, 5).await.expect_err(path);
        assert_eq!((refused.code(), field(&refused).as_str()), (Code::InvalidArgument, path));
        let work = GenerateWork { spec: Some(generate_work::Spec::Puzzle(wishes)), count: 1, seed: Some(5) };
        let spec = BatchSpec { work: Some(batch_spec::Work::Generate(work)), ..solving("") };
        let refused = Batch::begin(&rig, opening(spec)).await.err().expect(path);
        assert_eq!((refused.code(), field(&refused)), (Code::InvalidArgument, format!("open.generate.{path}")));
    }
    // One given in each row, in full symmetry: no check finds out that no pattern has it.
    let hopeless = PuzzleSpec {
        symmetry: Symmetry::Full.into(),
        blanks_per_row: Some(BlanksPerRow { min: 8, max: 8 }),
        allow_multiple: true,
        ..any
    };
    let unmet = generate(&rig, hopeless, 1, 5).await.expect_err("no attempt meets it");
    assert_eq!((unmet.code(), reason(&unmet)), (Code::FailedPrecondition, "GENERATION_FAILED".into()));
    assert_eq!((fact(&unmet, "index"), fact(&unmet, "wish")), ("0".into(), "min_clues and max_clues".into()));
    rig.stop().await;
}

#[tokio::test]
async fn a_batch_makes_the_puzzles_of_the_call() {
    let rig = Rig::start().await;
    let wishes = PuzzleSpec { level: Level::VeryEasy.into(), ..PuzzleSpec::default() };
    let work = GenerateWork { spec: Some(generate_work::Spec::Puzzle(wishes)), count: 150, seed: Some(5) };
    let spec = BatchSpec { work: Some(batch_spec::Work::Generate(work)), ..solving("made") };
    let (mut batch, job, _) = Batch::open(&rig, spec).await;
    let Some(batch_spec::Work::Generate(told)) = job.spec.expect("set").work else { panic!("not generating") };
    let Some(generate_work::Spec::Puzzle(told)) = told.spec else { panic!("not puzzles") };
    assert_eq!((told.level(), told.symmetry()), (Level::VeryEasy, Symmetry::None));
    let (blocks, job) = batch.rest().await;
    assert_eq!((job.done_count, job.counts.expect("set").unique), (150, 150));
    assert!(blocks.iter().all(|block| block.outcomes().all(|outcome| outcome == Outcome::Unique)));
    let puzzles: Vec<String> = blocks
        .iter()
        .flat_map(|block| std::str::from_utf8(&block.puzzles).expect("text").lines())
        .map(String::from)
        .collect();
    let solutions: Vec<String> = blocks.iter().flat_map(grid_lines).map(String::from).collect();
    let unary = generate(&rig, wishes, 150, 5).await.expect("made").items;
    assert_eq!(puzzles, unary.iter().map(|item| item.puzzle.clone()).collect::<Vec<_>>());
    assert_eq!(solutions, unary.iter().map(|item| item.solution.clone()).collect::<Vec<_>>());
    rig.stop().await;
}

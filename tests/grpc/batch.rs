//! SubmitBatch as a client meets it: the order of messages, both forms of input and output, what is refused.

use crate::puzzles::{PUZZLE, SHORT, SOLUTION, UNSOLVABLE, lines, puzzle, solution};
use crate::rig::{Rig, Setup, fact, field, reason};
use crate::stream::{Batch, finish, grids, opening, puzzles, solving, text};
use sudokud::grpc::proto::v1::submit_batch_response::Message as Answer;
use sudokud::grpc::proto::v1::{
    BatchSpec, CompleteGridSpec, GenerateWork, JobState, Outcome, ResultFormat, ResultMode, SolveWork,
    SubmitBatchRequest, batch_spec, generate_work,
};
use tonic::Code;

#[tokio::test]
async fn puzzles_go_in_and_results_come_out_in_order() {
    let rig = Rig::start().await;
    let (mut batch, job, next_index) = Batch::open(&rig, solving("")).await;
    assert_eq!((job.state(), next_index, job.stored_count), (JobState::Uploading, 0, 0));
    let spec = job.spec.expect("set");
    assert!(!spec.request_id.is_empty(), "the server makes a request id");
    let Some(batch_spec::Work::Solve(work)) = spec.work else { panic!("not solving") };
    assert_eq!((work.max_solutions, work.node_limit), (Some(2), Some(10_000_000)));

    batch.send(text(None, lines(0..300))).await;
    let rest: Vec<String> = (300..500).map(puzzle).collect();
    batch.send(puzzles(Some(300), &rest.iter().map(String::as_str).collect::<Vec<_>>())).await;
    batch.send(finish(Some(500))).await;
    let (blocks, ended) = batch.rest().await;
    assert_eq!(grids(&blocks), (0, (0..500).map(solution).collect()));
    assert!(blocks.iter().all(|block| block.outcomes().all(|outcome| outcome == Outcome::Unique)));
    assert_eq!((ended.state(), ended.total_count, ended.done_count), (JobState::Succeeded, Some(500), 500));
    assert_eq!(ended.counts.expect("set").unique, 500);
    assert!(ended.start_time.is_some() && ended.end_time.is_some() && ended.expire_time.is_some());
    assert_eq!(rig.job(&ended.job_id).await.state(), JobState::Succeeded);
    rig.stop().await;
}

#[tokio::test]
async fn one_bad_line_fails_itself_alone() {
    let rig = Rig::start().await;
    let (mut batch, ..) = Batch::open(&rig, solving("mixed")).await;
    let empty = ".".repeat(81);
    let input = format!("# a comment\n{PUZZLE}\n\n{SHORT}\r\n{UNSOLVABLE}\n{empty}\n{PUZZLE} # hard");
    batch.send(text(None, input)).await;
    batch.send(finish(None)).await;
    let (blocks, job) = batch.rest().await;
    assert_eq!(grids(&blocks).1, [SOLUTION, "", "", "", SOLUTION]);
    let outcomes: Vec<Outcome> = blocks.iter().flat_map(|block| block.outcomes()).collect();
    use Outcome::{Invalid, Multiple, Unique, Unsolvable};
    assert_eq!(outcomes, [Unique, Invalid, Unsolvable, Multiple, Unique]);
    let errors: Vec<_> = blocks.iter().flat_map(|block| &block.errors).collect();
    let [error] = errors.as_slice() else { panic!("{errors:?}") };
    assert_eq!((error.index, error.reason.as_str()), (1, "TOO_FEW_CELLS"));
    assert_eq!(error.message, "puzzle has 80 cells, expected 81");
    let counts = job.counts.expect("set");
    assert_eq!((counts.unique, counts.invalid, counts.unsolvable, counts.multiple), (2, 1, 1, 1));
    rig.stop().await;
}

#[tokio::test]
async fn items_read_well_and_the_first_solution_may_do() {
    let rig = Rig::start().await;
    let work = SolveWork { max_solutions: Some(1), node_limit: None };
    let spec = BatchSpec {
        work: Some(batch_spec::Work::Solve(work)),
        result_format: ResultFormat::Items.into(),
        ..solving("items")
    };
    let (mut batch, ..) = Batch::open(&rig, spec).await;
    // One item in nine rows, one that is none.
    let rows: Vec<&str> = PUZZLE.as_bytes().chunks(9).map(|row| std::str::from_utf8(row).expect("ASCII")).collect();
    batch.send(puzzles(None, &[&rows.join("\n"), "nothing"])).await;
    batch.send(finish(None)).await;
    let (blocks, _) = batch.rest().await;
    let items: Vec<_> = blocks.iter().flat_map(|block| &block.items).collect();
    assert!(blocks.iter().all(|block| block.outcomes.is_empty() && block.grids.is_empty()));
    assert_eq!((items.len(), items[0].index, items[1].index), (2, 0, 1));
    assert!(matches!(items[0].outcome(), Outcome::Found | Outcome::Unique));
    assert_eq!((items[0].grid.as_str(), &items[0].error), (SOLUTION, &None));
    assert_eq!((items[1].outcome(), items[1].grid.as_str()), (Outcome::Invalid, ""));
    assert_eq!(items[1].error.as_ref().expect("why").reason, "INVALID_CHARACTER");
    rig.stop().await;
}

#[tokio::test]
async fn a_byte_that_is_no_text_costs_one_item() {
    let rig = Rig::start().await;
    let (mut batch, ..) = Batch::open(&rig, solving("bytes")).await;
    batch.send(text(None, [PUZZLE.as_bytes(), b"\xff", PUZZLE.as_bytes()].join(&b'\n'))).await;
    batch.send(finish(Some(3))).await;
    let (blocks, _) = batch.rest().await;
    let outcomes: Vec<_> = blocks.iter().flat_map(|block| block.outcomes()).collect();
    assert_eq!(outcomes, [Outcome::Unique, Outcome::Invalid, Outcome::Unique]);
    let error = blocks.iter().flat_map(|block| &block.errors).next().expect("why");
    assert_eq!((error.index, error.message.as_str()), (1, "cell r1c1: byte 0xFF is not UTF-8"));
    rig.stop().await;
}

/// The status of a stream that opened well, after one more message.
async fn after(rig: &Rig, request_id: &str, messages: Vec<SubmitBatchRequest>) -> tonic::Status {
    let (mut batch, ..) = Batch::open(rig, solving(request_id)).await;
    for message in messages {
        batch.send(message).await;
    }
    batch.ended().await
}

#[tokio::test]
async fn what_is_out_of_order_is_refused() {
    let rig = Rig::start().await;
    let nothing = SubmitBatchRequest::default();
    for first in [text(None, PUZZLE), finish(None), nothing.clone()] {
        let refused = Batch::begin(&rig, first).await.err().expect("no open");
        assert_eq!((refused.code(), field(&refused)), (Code::InvalidArgument, "open".into()));
    }
    let mut both = puzzles(None, &[PUZZLE]);
    let Some(sudokud::grpc::proto::v1::submit_batch_request::Message::Block(block)) = &mut both.message else {
        panic!("a block")
    };
    block.text = PUZZLE.into();
    for (name, messages, wrong) in [
        ("twice", vec![opening(solving("twice"))], "open"),
        ("nothing", vec![nothing], "message"),
        ("both", vec![both], "block"),
        ("block after finish", vec![finish(None), text(None, PUZZLE)], "message"),
        ("finish after finish", vec![text(None, PUZZLE), finish(Some(1)), finish(Some(1))], "message"),
        ("announced more", vec![text(None, PUZZLE), finish(Some(2))], "finish.total_count"),
    ] {
        let refused = after(&rig, name, messages).await;
        assert_eq!((refused.code(), field(&refused)), (Code::InvalidArgument, wrong.into()), "{name}: {refused}");
    }
    rig.stop().await;
}

#[tokio::test]
async fn a_wrong_spec_is_refused_by_its_field() {
    let rig = Rig::start().await;
    let solve = |max_solutions, node_limit| Some(batch_spec::Work::Solve(SolveWork { max_solutions, node_limit }));
    let generate = |count, spec| Some(batch_spec::Work::Generate(GenerateWork { spec, count, seed: None }));
    let shift = CompleteGridSpec { first_cell: 1, family: 2 };
    let label = |key: &str| [(key.to_string(), String::new())].into();
    for (spec, wrong) in [
        (BatchSpec { work: None, ..solving("") }, "open.work"),
        (BatchSpec { work: solve(Some(3), None), ..solving("") }, "open.solve.max_solutions"),
        (BatchSpec { work: solve(None, Some(0)), ..solving("") }, "open.solve.node_limit"),
        (BatchSpec { work: generate(5, None), ..solving("") }, "open.generate.grid"),
        (BatchSpec { work: generate(0, Some(generate_work::Spec::Grid(shift))), ..solving("") }, "open.generate.count"),
        (
            BatchSpec { work: generate(2_903_041, Some(generate_work::Spec::Grid(shift))), ..solving("") },
            "open.generate.count",
        ),
        (BatchSpec { priority: 9, ..solving("") }, "open.priority"),
        (BatchSpec { labels: label(""), ..solving("") }, "open.labels"),
        (solving(&"x".repeat(129)), "open.request_id"),
        (
            BatchSpec { time_to_live: Some(prost_types::Duration { seconds: 10_000_000, nanos: 0 }), ..solving("") },
            "open.time_to_live",
        ),
    ] {
        let refused = Batch::begin(&rig, opening(spec)).await.err().expect(wrong);
        assert_eq!((refused.code(), field(&refused)), (Code::InvalidArgument, wrong.into()), "{refused}");
    }
    rig.stop().await;
}

#[tokio::test]
async fn a_request_id_is_one_job() {
    let rig = Rig::start().await;
    let (_first, job, _) = Batch::open(&rig, solving("mine")).await;
    let other = BatchSpec { result_mode: ResultMode::Detached.into(), ..solving("mine") };
    let refused = Batch::begin(&rig, opening(other)).await.err().expect("another spec");
    assert_eq!((refused.code(), reason(&refused)), (Code::AlreadyExists, "REQUEST_ID_TAKEN".into()));
    assert_eq!(fact(&refused, "job_id"), job.job_id);
    let (_second, same, _) = Batch::open(&rig, solving("mine")).await;
    assert_eq!(same.job_id, job.job_id);
    rig.stop().await;
}

#[tokio::test]
async fn detached_ends_once_sealed() {
    // Nothing is worked on, so the job can't have ended by itself.
    let rig = Rig::with(Setup { batch_threads: 0, ..Setup::default() }).await;
    let spec = BatchSpec { result_mode: ResultMode::Detached.into(), ..solving("later") };
    let (mut batch, ..) = Batch::open(&rig, spec.clone()).await;
    batch.send(text(None, lines(0..10))).await;
    batch.send(finish(None)).await;
    let (blocks, job) = batch.rest().await;
    assert_eq!((blocks.len(), job.state(), job.total_count), (0, JobState::Queued, Some(10)));
    // Opened again, it is as it was: sealed, so the stream ends at once, and a repeated upload is fine.
    let (mut again, same, next_index) = Batch::open(&rig, spec).await;
    assert_eq!((same.job_id, next_index), (job.job_id.clone(), 10));
    assert_eq!(again.rest().await.1.state(), JobState::Queued);
    assert_eq!(rig.job(&job.job_id).await.stored_count, 10);
    rig.stop().await;
}

#[tokio::test]
async fn generated_work_needs_no_upload() {
    let rig = Rig::start().await;
    let grid = CompleteGridSpec { first_cell: 5, family: 2 };
    let work = GenerateWork { spec: Some(generate_work::Spec::Grid(grid)), count: 20_000, seed: Some(11) };
    let spec = BatchSpec { work: Some(batch_spec::Work::Generate(work)), ..solving("grids") };
    let (mut batch, job, _) = Batch::open(&rig, spec.clone()).await;
    batch.close();
    let (blocks, ended) = batch.rest().await;
    let (first, lines) = grids(&blocks);
    assert_eq!((first, lines.len(), ended.state()), (0, 20_000, JobState::Succeeded));
    assert!(lines.iter().all(|line| line.len() == 81 && line.starts_with('5')));
    assert_eq!(ended.generator_version, sudokud::sudoku::generate::GENERATOR_VERSION);

    // Taken over after its end, its results come again from where they are wanted.
    let (mut again, same, _) = Batch::open_from(&rig, spec, 19_990).await;
    assert_eq!(same.job_id, job.job_id);
    let (blocks, _) = again.rest().await;
    assert_eq!(grids(&blocks), (19_990, lines[19_990..].to_vec()));

    assert_eq!(rig.job(&job.job_id).await.stored_count, 20_000);
    rig.stop().await;
}

#[tokio::test]
async fn generated_work_takes_no_blocks() {
    let rig = Rig::with(Setup { batch_threads: 0, ..Setup::default() }).await;
    let spec = Some(generate_work::Spec::Grid(CompleteGridSpec::default()));
    let work = GenerateWork { spec, count: 100, seed: None };
    let (mut batch, ..) =
        Batch::open(&rig, BatchSpec { work: Some(batch_spec::Work::Generate(work)), ..solving("") }).await;
    batch.send(text(Some(0), PUZZLE)).await;
    let refused = batch.ended().await;
    assert_eq!((refused.code(), reason(&refused)), (Code::FailedPrecondition, "JOB_STATE".into()));
    rig.stop().await;
}

#[tokio::test]
async fn progress_is_told_while_uploading_and_while_working() {
    let mut setup = Setup { batch_threads: 0, ..Setup::default() };
    setup.grpc.heartbeat = std::time::Duration::from_millis(50);
    setup.grpc.progress_interval = std::time::Duration::from_millis(10);
    let rig = Rig::with(setup).await;
    let (mut batch, ..) = Batch::open(&rig, solving("slow")).await;
    // Silent, yet never silent for long.
    for _ in 0..3 {
        let Answer::UploadProgress(progress) = batch.next().await else { panic!("no heartbeat") };
        assert_eq!(progress.stored_count, 0);
    }
    batch.send(text(None, lines(0..10))).await;
    batch.stored(10).await;
    batch.send(finish(None)).await;
    let mut told = 0;
    while told < 3 {
        match batch.next().await {
            Answer::Progress(progress) => {
                assert_eq!(progress.job.expect("set").state(), JobState::Queued);
                told += 1;
            }
            Answer::UploadProgress(_) => assert_eq!(told, 0, "no upload progress after finish"),
            other => panic!("{other:?}"),
        }
    }
    drop(batch);
    rig.stop().await;
}

//! Generate, and generated jobs: the same items by either road, none twice, and refusals.

use crate::process::batch::{Answers, Batch, generate_spec, grid_lines};
use crate::process::client::{Client, refused_field};
use crate::process::{directory, run, serve};
use std::collections::HashSet;
use sudokud::grpc::proto::v1::submit_batch_response::Message as Answer;
use sudokud::grpc::proto::v1::{CompleteGridSpec, GenerateRequest, GridFamily, JobState, Outcome, generate_request};

fn ask(first_cell: u32, family: GridFamily, count: u32, seed: Option<u64>) -> GenerateRequest {
    let grid = CompleteGridSpec { first_cell, family: family.into() };
    GenerateRequest { spec: Some(generate_request::Spec::Grid(grid)), count, seed }
}

async fn solutions(client: &mut Client, request: GenerateRequest) -> Vec<String> {
    let answer = client.sudoku.generate(request).await.expect("Generate").into_inner();
    assert!(answer.generator_version > 0);
    for item in &answer.items {
        assert_eq!((item.clue_count, item.puzzle.as_str()), (81, ""));
        assert!(is_solved(&item.solution), "{}", item.solution);
    }
    answer.items.into_iter().map(|item| item.solution).collect()
}

/// Each house holds each digit once; by a check of the tests' own.
fn is_solved(grid: &str) -> bool {
    let marks = grid.as_bytes();
    let complete = |cells: [usize; 9]| cells.iter().fold(0, |seen, &c| seen | 1 << (marks[c] - b'0')) == 0b11_1111_1110;
    marks.len() == 81
        && (0..9).all(|i| {
            complete(std::array::from_fn(|j| 9 * i + j))
                && complete(std::array::from_fn(|j| 9 * j + i))
                && complete(std::array::from_fn(|j| 27 * (i / 3) + 3 * (i % 3) + 9 * (j / 3) + j % 3))
        })
}

/// The grids of a generated job, in order.
async fn read_grids(answers: &mut Answers) -> Vec<String> {
    let mut grids = Vec::new();
    while let Some(answer) = answers.next().await.expect("the stream goes on") {
        if let Answer::Results(block) = answer {
            assert_eq!(block.first_index as usize, grids.len(), "results come in order and once");
            let other = block.outcomes().find(|&outcome| outcome != Outcome::Found);
            assert_eq!(other, None, "{:?}", block.errors);
            grids.extend(grid_lines(&block).map(str::to_owned));
        }
    }
    grids
}

#[test]
fn the_same_seed_gives_the_same_grids() {
    run(async {
        let data = directory();
        let (_server, mut client) = serve(data.path(), &[]).await;
        for family in [GridFamily::Unspecified, GridFamily::Orbit, GridFamily::Shift, GridFamily::Search] {
            let many = solutions(&mut client, ask(7, family, 1_000, Some(5))).await;
            assert_eq!(many.iter().collect::<HashSet<_>>().len(), 1_000, "{family:?}");
            assert!(many.iter().all(|grid| grid.starts_with('7')), "{family:?}");
            let few = solutions(&mut client, ask(7, family, 10, Some(5))).await;
            assert_eq!(few, many[..10], "{family:?}: item i does not depend on the count");
            let other = solutions(&mut client, ask(7, family, 10, Some(6))).await;
            assert_ne!(few, other, "{family:?}: another seed");
        }
        let unset = solutions(&mut client, ask(0, GridFamily::Unspecified, 50, Some(9))).await;
        assert_eq!(unset, solutions(&mut client, ask(0, GridFamily::Orbit, 50, Some(9))).await);
    });
}

#[test]
fn a_seed_that_was_drawn_is_told() {
    run(async {
        let data = directory();
        let (_server, mut client) = serve(data.path(), &[]).await;
        let drawn = client.sudoku.generate(ask(0, GridFamily::Orbit, 3, None)).await.expect("Generate").into_inner();
        let again = solutions(&mut client, ask(0, GridFamily::Orbit, 3, Some(drawn.seed))).await;
        assert_eq!(again, drawn.items.into_iter().map(|item| item.solution).collect::<Vec<_>>());
    });
}

#[test]
fn a_job_gives_the_items_of_the_unary_call() {
    run(async {
        let data = directory();
        let (_server, mut client) = serve(data.path(), &[]).await;
        for (family, count) in [(GridFamily::Orbit, 100_000), (GridFamily::Shift, 50_000), (GridFamily::Search, 20_000)]
        {
            let spec = generate_spec("", family, count, Some(5));
            let mut batch = Batch::open(&mut client, spec).await.expect("a job");
            let grids = read_grids(&mut batch.answers).await;
            assert_eq!(grids.len(), count as usize, "{family:?}");
            assert_eq!(grids.iter().collect::<HashSet<_>>().len(), count as usize, "{family:?}: a grid twice");
            assert!(grids.iter().all(|grid| is_solved(grid)), "{family:?}");
            let job = &batch.answers.job;
            assert_eq!((job.state(), job.done_count, job.total_count), (JobState::Succeeded, count, Some(count)));
            assert_eq!(job.counts.as_ref().expect("counts").found, u64::from(count));
            assert!(job.generator_version > 0);
            let unary = solutions(&mut client, ask(0, family, 1_000, Some(5))).await;
            assert_eq!(unary, grids[..1_000], "{family:?}");
        }
    });
}

#[test]
fn what_is_wrong_is_named() {
    let shift = GridFamily::Shift;
    let nothing = GenerateRequest { spec: None, count: 1, seed: None };
    let unknown = CompleteGridSpec { first_cell: 0, family: 77 };
    let unknown = GenerateRequest { spec: Some(generate_request::Spec::Grid(unknown)), count: 1, seed: None };
    let unary = [
        (nothing, "grid", "missing"),
        (ask(0, shift, 0, None), "count", "1"),
        (ask(0, shift, 1_001, None), "count", "1"),
        (ask(10, shift, 1, None), "grid.first_cell", "9"),
        (unknown, "grid.family", "77"),
    ];
    let jobs = [
        (generate_spec("", shift, 0, None), "open.generate.count", "1"),
        (generate_spec("", shift, 4_000_000_001, None), "open.generate.count", "4"),
        // 9 times 2,903,040 exist.
        (generate_spec("", shift, 26_127_361, None), "open.generate.count", "26"),
    ];
    run(async {
        let data = directory();
        let (_server, mut client) = serve(data.path(), &[]).await;
        for (request, field, words) in unary {
            let status = client.sudoku.generate(request).await.expect_err(field);
            refused_field(&status, "INVALID_FIELD", field, words);
        }
        for (spec, field, words) in jobs {
            let status = Batch::open(&mut client, spec).await.err().expect(field);
            refused_field(&status, "INVALID_FIELD", field, words);
        }
    });
}

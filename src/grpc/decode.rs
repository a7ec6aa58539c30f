//! Requests as typed values: what is wrong is refused here, naming the field and what would be right.

use super::known::known;
use super::proto::v1;
use super::status::Refusal;
use super::{page, wishes};
use crate::engine;
use crate::job::{
    BatchSpec, GenerateSpec, GenerateWork, JobId, JobState, Priority, RateWork, RequestId, ResultFormat, ResultMode,
    SolveWork, Work,
};
use crate::store::{ListAfter, ListFilter};
use crate::sudoku::{Grid, Limits, text};

/// Solutions that a unary solve lists at the most.
const MAX_SOLUTIONS: u32 = 10_000;
/// Solutions that a unary solve counts at the most.
const MAX_COUNT: u64 = 1_000_000_000;
/// Items of a unary generate.
const MAX_GENERATED: u32 = 1_000;
/// Jobs a page unless asked otherwise, and at the most.
const PAGE_SIZE: (usize, usize) = (100, 1_000);

/// The puzzle and limits of a unary solve.
///
/// # Errors
/// The first field that is wrong.
pub fn solve(request: &v1::SolveRequest, options: &engine::Options) -> Result<(Grid, Limits), Refusal> {
    let max_solutions = request.max_solutions.unwrap_or(2);
    if !(1..=MAX_SOLUTIONS).contains(&max_solutions) {
        return Err(Refusal::invalid("max_solutions", format!("is {max_solutions}, must be 1 to {MAX_SOLUTIONS}")));
    }
    let least = u64::from(max_solutions);
    let count_limit = request.count_limit.unwrap_or(least);
    if !(least..=MAX_COUNT).contains(&count_limit) {
        let problem = format!("is {count_limit}, must be max_solutions ({max_solutions}) to {MAX_COUNT}");
        return Err(Refusal::invalid("count_limit", problem));
    }
    let (node_limit, most) = (request.node_limit.unwrap_or(options.solve_node_limit), options.max_solve_node_limit);
    if !(1..=most).contains(&node_limit) {
        let problem = format!("is {node_limit}, must be at least 1, and here at most {most} (max-solve-node-limit)");
        return Err(Refusal::invalid("node_limit", problem));
    }
    Ok((text::parse(&request.puzzle)?, Limits { max_solutions, count_limit, node_limit }))
}

/// The puzzle to explain, and how many steps at the most.
///
/// # Errors
/// The first field that is wrong.
pub fn explain(request: &v1::ExplainRequest) -> Result<(Grid, u32), Refusal> {
    let max_steps = request.max_steps.unwrap_or(u32::MAX);
    if max_steps == 0 {
        return Err(Refusal::invalid("max_steps", "is 0, must be at least 1, which is a hint"));
    }
    Ok((text::parse(&request.puzzle)?, max_steps))
}

/// What a unary generate asks for: what, how many, and the seed if it brings one.
///
/// # Errors
/// The first field that is wrong.
pub fn generate(request: &v1::GenerateRequest) -> Result<(GenerateSpec, u32, Option<u64>), Refusal> {
    let spec = match &request.spec {
        Some(v1::generate_request::Spec::Grid(grid)) => wishes::grids(grid)?,
        Some(v1::generate_request::Spec::Puzzle(puzzle)) => wishes::puzzles(puzzle)?,
        None => return Err(nothing_asked("grid")),
    };
    let count = request.count;
    if !(1..=MAX_GENERATED).contains(&count) {
        let problem = format!("is {count}, must be 1 to {MAX_GENERATED}; SubmitBatch makes more");
        return Err(Refusal::invalid("count", problem));
    }
    if let Some(capacity) = spec.capacity().filter(|&capacity| capacity < u64::from(count)) {
        return Err(Refusal::invalid("count", format!("is {count}, but there are only {capacity} such grids")));
    }
    Ok((spec, count, request.seed))
}

fn nothing_asked(field: &str) -> Refusal {
    Refusal::invalid(field, "is missing: say what to generate, grid or puzzle, {} for any")
}

/// The request id, if any, and the spec of a batch, as sent. Its values are checked by the engine.
///
/// # Errors
/// The first field that has no typed form; paths are those within `BatchSpec`.
pub fn batch_spec(spec: &v1::BatchSpec) -> Result<(Option<RequestId>, BatchSpec), Refusal> {
    let request_id = match spec.request_id.as_str() {
        "" => None,
        text => Some(RequestId::new(text).map_err(|wrong| Refusal::invalid("request_id", wrong.to_string()))?),
    };
    let work = match &spec.work {
        Some(v1::batch_spec::Work::Solve(work)) => Work::Solve(solve_work(work)?),
        Some(v1::batch_spec::Work::Generate(work)) => Work::Generate(generate_work(work)?),
        Some(v1::batch_spec::Work::Rate(work)) => Work::Rate(RateWork { node_limit: work.node_limit }),
        None => return Err(Refusal::invalid("work", "is missing: set solve, generate or rate")),
    };
    let sent = BatchSpec {
        work,
        result_mode: match known::<v1::ResultMode>("result_mode", spec.result_mode)? {
            v1::ResultMode::Unspecified | v1::ResultMode::Stream => ResultMode::Stream,
            v1::ResultMode::Detached => ResultMode::Detached,
        },
        result_format: result_format(spec.result_format)?.unwrap_or_default(),
        priority: match known::<v1::Priority>("priority", spec.priority)? {
            v1::Priority::Low => Priority::Low,
            v1::Priority::Unspecified | v1::Priority::Normal => Priority::Normal,
            v1::Priority::High => Priority::High,
        },
        time_to_live_s: spec.time_to_live.as_ref().map(whole_seconds).transpose()?,
        labels: spec.labels.clone(),
    };
    Ok((request_id, sent))
}

fn solve_work(work: &v1::SolveWork) -> Result<SolveWork, Refusal> {
    let max_solutions = work.max_solutions.unwrap_or(2);
    let max_solutions = u8::try_from(max_solutions)
        .map_err(|_| Refusal::invalid("solve.max_solutions", format!("is {max_solutions}, must be 1 or 2")))?;
    Ok(SolveWork { max_solutions, node_limit: work.node_limit })
}

fn generate_work(work: &v1::GenerateWork) -> Result<GenerateWork, Refusal> {
    let spec = match &work.spec {
        Some(v1::generate_work::Spec::Grid(grid)) => wishes::grids(grid),
        Some(v1::generate_work::Spec::Puzzle(puzzle)) => wishes::puzzles(puzzle),
        None => Err(nothing_asked("grid")),
    };
    let spec = spec.map_err(|wrong| wrong.within("generate"))?;
    Ok(GenerateWork { spec, count: work.count, seed: work.seed, generator_version: None })
}

fn whole_seconds(duration: &prost_types::Duration) -> Result<u64, Refusal> {
    u64::try_from(duration.seconds)
        .ok()
        .filter(|&seconds| seconds >= 1 && duration.nanos == 0)
        .ok_or_else(|| Refusal::invalid("time_to_live", "must be whole seconds, 1 s or more"))
}

/// A result format; `None` where it is left open.
///
/// # Errors
/// A value that is none.
pub fn result_format(value: i32) -> Result<Option<ResultFormat>, Refusal> {
    Ok(match known::<v1::ResultFormat>("result_format", value)? {
        v1::ResultFormat::Unspecified => None,
        v1::ResultFormat::Block => Some(ResultFormat::Block),
        v1::ResultFormat::Items => Some(ResultFormat::Items),
    })
}

/// A job id.
///
/// # Errors
/// A text that is none.
pub fn job_id(text: &str) -> Result<JobId, Refusal> {
    text.parse().map_err(|wrong: crate::job::id::InvalidId| Refusal::invalid("job_id", wrong.to_string()))
}

/// Which jobs to list, after which, and how many.
///
/// # Errors
/// The first field that is wrong.
pub fn list(request: &v1::ListJobsRequest) -> Result<(ListFilter, Option<ListAfter>, usize), Refusal> {
    let (default, most) = PAGE_SIZE;
    let size = match usize::try_from(request.page_size).unwrap_or(most) {
        0 => default,
        asked => asked.min(most),
    };
    let states = request.states.iter().map(|&value| job_state(value)).collect::<Result<Vec<_>, _>>()?;
    let filter = ListFilter {
        // UNSPECIFIED stands for every state, whatever stands beside it.
        states: states.iter().copied().collect::<Option<Vec<JobState>>>().unwrap_or_default(),
        labels: request.labels.iter().map(|(key, value)| (key.clone(), value.clone())).collect(),
    };
    let after = match request.page_token.as_str() {
        "" => None,
        token => Some(page::read(token, &filter)?),
    };
    Ok((filter, after, size))
}

fn job_state(value: i32) -> Result<Option<JobState>, Refusal> {
    Ok(match known::<v1::JobState>("states", value)? {
        v1::JobState::Unspecified => None,
        v1::JobState::Uploading => Some(JobState::Uploading),
        v1::JobState::Queued => Some(JobState::Queued),
        v1::JobState::Running => Some(JobState::Running),
        v1::JobState::Cancelling => Some(JobState::Cancelling),
        v1::JobState::Succeeded => Some(JobState::Succeeded),
        v1::JobState::Failed => Some(JobState::Failed),
        v1::JobState::Cancelled => Some(JobState::Cancelled),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sudoku::generate::{CompleteSpec, Family};
    use std::collections::BTreeMap;

    const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    fn asked(change: impl FnOnce(&mut v1::SolveRequest)) -> Result<Limits, String> {
        let mut request = v1::SolveRequest { puzzle: PUZZLE.into(), ..v1::SolveRequest::default() };
        change(&mut request);
        let options = engine::Options { solve_node_limit: 77, max_solve_node_limit: 99, ..engine::Options::default() };
        solve(&request, &options).map(|(_, limits)| limits).map_err(|refusal| refusal.to_string())
    }

    #[test]
    fn limits_of_a_solve() {
        let limits = |max_solutions, count_limit, node_limit| Ok(Limits { max_solutions, count_limit, node_limit });
        assert_eq!(asked(|_| ()), limits(2, 2, 77));
        assert_eq!(asked(|r| r.max_solutions = Some(10_000)), limits(10_000, 10_000, 77));
        assert_eq!(
            asked(|r| (r.count_limit, r.node_limit) = (Some(1_000_000_000), Some(1))),
            limits(2, 1_000_000_000, 1)
        );
        type Change = fn(&mut v1::SolveRequest);
        let refused: [(&str, Change); 8] = [
            ("max_solutions: is 0, must be 1 to 10000", |r| r.max_solutions = Some(0)),
            ("max_solutions: is 10001, must be 1 to 10000", |r| r.max_solutions = Some(10_001)),
            ("count_limit: is 1, must be max_solutions (2) to 1000000000", |r| r.count_limit = Some(1)),
            ("count_limit: is 1000000001, must be max_solutions (2) to 1000000000", |r| {
                r.count_limit = Some(1_000_000_001);
            }),
            ("node_limit: is 0, must be at least 1, and here at most 99 (max-solve-node-limit)", |r| {
                r.node_limit = Some(0);
            }),
            ("node_limit: is 100, must be at least 1, and here at most 99 (max-solve-node-limit)", |r| {
                r.node_limit = Some(100);
            }),
            ("puzzle has 80 cells, expected 81 (line 1, column 81)", |r| r.puzzle.truncate(80)),
            ("cell r1c3: '٣' is not a digit 1-9 or an empty mark (line 1, column 3)", |r| {
                r.puzzle.replace_range(2..3, "٣");
            }),
        ];
        for (problem, change) in refused {
            assert_eq!(asked(change), Err(problem.into()));
        }
    }

    #[test]
    fn counts_of_a_generate() {
        let request = |grid: Option<(u32, i32)>, count, seed| v1::GenerateRequest {
            spec: grid.map(|(first_cell, family)| {
                v1::generate_request::Spec::Grid(v1::CompleteGridSpec { first_cell, family })
            }),
            count,
            seed,
        };
        let shift = GenerateSpec::Grids(CompleteSpec { first_cell: 7, family: Family::Shift });
        let any = GenerateSpec::Grids(CompleteSpec::default());
        assert_eq!(generate(&request(Some((7, 2)), 1_000, Some(3))).expect("valid"), (shift, 1_000, Some(3)));
        assert_eq!(generate(&request(Some((0, 0)), 1, None)).expect("valid"), (any, 1, None));
        for (wrong, field) in [
            (request(None, 1, None), "grid: "),
            (request(Some((10, 0)), 1, None), "grid.first_cell: is 10, must be 0 (free) to 9"),
            (request(Some((0, 9)), 1, None), "grid.family: 9 is no value of this enum"),
            (request(Some((0, 0)), 0, None), "count: is 0, must be 1 to 1000"),
            (request(Some((0, 0)), 1_001, None), "count: is 1001"),
        ] {
            let refused = generate(&wrong).expect_err(field).to_string();
            assert!(refused.starts_with(field), "{refused}");
        }
    }

    fn spec(change: impl FnOnce(&mut v1::BatchSpec)) -> Result<(Option<RequestId>, BatchSpec), String> {
        let solve = v1::batch_spec::Work::Solve(v1::SolveWork::default());
        let mut spec = v1::BatchSpec { work: Some(solve), ..v1::BatchSpec::default() };
        change(&mut spec);
        batch_spec(&spec).map_err(|refusal| refusal.to_string())
    }

    #[test]
    fn what_a_batch_leaves_open() {
        let sent = BatchSpec {
            work: Work::Solve(SolveWork { max_solutions: 2, node_limit: None }),
            result_mode: ResultMode::Stream,
            result_format: ResultFormat::Block,
            priority: Priority::Normal,
            time_to_live_s: None,
            labels: BTreeMap::new(),
        };
        assert_eq!(spec(|_| ()), Ok((None, sent)));
    }

    #[test]
    fn what_a_batch_says() {
        let (request_id, sent) = spec(|spec| {
            let grid = v1::CompleteGridSpec { first_cell: 9, family: 3 };
            let work = v1::GenerateWork { spec: Some(v1::generate_work::Spec::Grid(grid)), count: 5, seed: Some(6) };
            spec.work = Some(v1::batch_spec::Work::Generate(work));
            spec.request_id = "mine".into();
            (spec.result_mode, spec.result_format, spec.priority) = (2, 2, 3);
            spec.time_to_live = Some(prost_types::Duration { seconds: 60, nanos: 0 });
            spec.labels = BTreeMap::from([("team".into(), "a".into())]);
        })
        .expect("valid");
        assert_eq!(request_id.expect("named").as_str(), "mine");
        let grids = GenerateSpec::Grids(CompleteSpec { first_cell: 9, family: Family::Search });
        let work = GenerateWork { spec: grids, count: 5, seed: Some(6), generator_version: None };
        let expected = BatchSpec {
            work: Work::Generate(work),
            result_mode: ResultMode::Detached,
            result_format: ResultFormat::Items,
            priority: Priority::High,
            time_to_live_s: Some(60),
            labels: BTreeMap::from([("team".into(), "a".into())]),
        };
        assert_eq!(sent, expected);
    }

    #[test]
    fn what_a_batch_may_not_say() {
        let second = prost_types::Duration { seconds: 1, nanos: 500_000_000 };
        let solve = |max_solutions| {
            Some(v1::batch_spec::Work::Solve(v1::SolveWork { max_solutions: Some(max_solutions), node_limit: None }))
        };
        let refused = [
            ("work: is missing", spec(|s| s.work = None)),
            ("request_id: a request id has 1-128 bytes", spec(|s| s.request_id = "é".repeat(65))),
            ("solve.max_solutions: is 300, must be 1 or 2", spec(|s| s.work = solve(300))),
            ("result_mode: 7 is no value", spec(|s| s.result_mode = 7)),
            ("result_format: -1 is no value", spec(|s| s.result_format = -1)),
            ("priority: 4 is no value", spec(|s| s.priority = 4)),
            ("time_to_live: must be whole seconds", spec(|s| s.time_to_live = Some(second))),
            ("time_to_live: must be whole seconds", spec(|s| s.time_to_live = Some(prost_types::Duration::default()))),
            (
                "generate.grid: is missing",
                spec(|s| {
                    s.work = Some(v1::batch_spec::Work::Generate(v1::GenerateWork::default()));
                }),
            ),
        ];
        for (problem, refusal) in refused {
            let said = refusal.expect_err(problem);
            assert!(said.starts_with(problem), "{said}");
        }
    }

    #[test]
    fn listings() {
        let request = v1::ListJobsRequest::default();
        assert_eq!(list(&request).expect("valid"), (ListFilter::default(), None, 100));
        let labels = BTreeMap::from([("a".to_string(), "b".to_string())]);
        let request = v1::ListJobsRequest { page_size: 5_000, states: vec![2, 5], labels, ..request };
        let (filter, after, size) = list(&request).expect("valid");
        let states = vec![JobState::Queued, JobState::Succeeded];
        assert_eq!(filter, ListFilter { states, labels: vec![("a".into(), "b".into())] });
        assert_eq!((after, size), (None, 1_000));
        let every = v1::ListJobsRequest { states: vec![0, 5], ..v1::ListJobsRequest::default() };
        assert_eq!(list(&every).expect("valid").0, ListFilter::default());
        let unknown = v1::ListJobsRequest { states: vec![8], ..v1::ListJobsRequest::default() };
        assert_eq!(list(&unknown).expect_err("unknown").to_string(), "states: 8 is no value of this enum");
        assert_eq!(
            job_id("7").expect_err("short").to_string(),
            "job_id: a job id is a UUID, like 0f8fad5b-d9cb-469f-a165-70867728950e"
        );
    }
}

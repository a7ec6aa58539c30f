//! Typed values as answers.

use super::proto::v1;
use super::{steps, wished};
use crate::job::{
    BatchSpec, Counts, GenerateSpec, JobRecord, JobState, Priority, ResultFormat, ResultMode, Timestamp, Work,
};
use crate::sudoku::generate::GENERATOR_VERSION;
use crate::sudoku::generate::puzzle::Made;
use crate::sudoku::{Answer, Grid, Outcome};
use std::time::Duration;

/// A unary solve's answer.
pub fn solved(answer: &Answer, elapsed: Duration) -> v1::SolveResponse {
    v1::SolveResponse {
        outcome: outcome(answer.outcome).into(),
        solutions: answer.solutions.iter().map(Grid::to_string).collect(),
        solution_count: answer.count,
        solution_count_exact: answer.exact,
        conflicts: answer.conflicts.iter().map(|cell| cell.to_string()).collect(),
        stats: Some(v1::SolveStats { nodes: answer.nodes, elapsed: Some(duration(elapsed)) }),
    }
}

/// A unary generate's answer: items of the sequence of this seed.
pub fn generated(items: Vec<v1::GeneratedItem>, seed: u64) -> v1::GenerateResponse {
    v1::GenerateResponse { items, seed, generator_version: GENERATOR_VERSION }
}

/// A completed grid.
pub fn generated_grid(grid: &Grid) -> v1::GeneratedItem {
    v1::GeneratedItem { solution: grid.to_string(), clue_count: 81, ..v1::GeneratedItem::default() }
}

/// A puzzle, with its level where that is known.
pub fn generated_puzzle(Made { puzzle, solution, level, .. }: &Made) -> v1::GeneratedItem {
    v1::GeneratedItem {
        puzzle: puzzle.to_string(),
        solution: solution.to_string(),
        clue_count: puzzle.clue_count() as u32,
        level: level.map_or(v1::Level::Unspecified, steps::level).into(),
    }
}

/// A job as it stands at `now`.
pub fn job(record: &JobRecord, now: Timestamp) -> v1::Job {
    let ended = record.state.is_final();
    let done = record.done();
    let rate = rate(record, now);
    let items = u64::from(record.total.unwrap_or(record.stored));
    let left = items.saturating_sub(done);
    v1::Job {
        job_id: record.id.to_string(),
        spec: Some(spec(record)),
        state: job_state(record.state).into(),
        stored_count: record.stored,
        total_count: record.total,
        done_count: saturate(done),
        not_run_count: if ended { saturate(left) } else { 0 },
        counts: Some(counts(&record.counts)),
        items_per_second: rate,
        remaining: remaining(record, left, rate).map(duration),
        create_time: Some(timestamp(record.created)),
        start_time: record.started.map(timestamp),
        end_time: record.ended.map(timestamp),
        expire_time: record.expires().map(timestamp),
        error: record.error.clone().unwrap_or_default(),
        generator_version: record.spec.work.generator_version().unwrap_or_default(),
        principal: record.principal.as_str().to_owned(),
    }
}

/// Items a second since work began.
fn rate(record: &JobRecord, now: Timestamp) -> f64 {
    let Some(began) = record.started else { return 0.0 };
    // At least a millisecond, the clock's own grain, so that a job of one instant has a rate too.
    let ms = record.ended.unwrap_or(now).0.saturating_sub(began.0).max(1);
    record.done() as f64 * 1_000.0 / ms as f64
}

fn remaining(record: &JobRecord, left: u64, rate: f64) -> Option<Duration> {
    if record.total.is_none() || record.state.is_final() || rate <= 0.0 {
        return None;
    }
    Duration::try_from_secs_f64(left as f64 / rate).ok()
}

fn spec(record: &JobRecord) -> v1::BatchSpec {
    let BatchSpec { work, result_mode, result_format, priority, time_to_live_s, labels } = &record.spec;
    v1::BatchSpec {
        request_id: record.request_id.as_str().into(),
        work: Some(match work {
            Work::Solve(work) => v1::batch_spec::Work::Solve(v1::SolveWork {
                max_solutions: Some(work.max_solutions.into()),
                node_limit: work.node_limit,
            }),
            Work::Rate(work) => v1::batch_spec::Work::Rate(v1::RateWork { node_limit: work.node_limit }),
            Work::Generate(work) => v1::batch_spec::Work::Generate(v1::GenerateWork {
                spec: Some(match &work.spec {
                    GenerateSpec::Grids(grids) => v1::generate_work::Spec::Grid(wished::grid_spec(*grids)),
                    GenerateSpec::Puzzles { puzzles } => v1::generate_work::Spec::Puzzle(wished::puzzle_spec(puzzles)),
                }),
                count: work.count,
                seed: work.seed,
            }),
        }),
        result_mode: match result_mode {
            ResultMode::Stream => v1::ResultMode::Stream,
            ResultMode::Detached => v1::ResultMode::Detached,
        }
        .into(),
        result_format: match result_format {
            ResultFormat::Block => v1::ResultFormat::Block,
            ResultFormat::Items => v1::ResultFormat::Items,
        }
        .into(),
        priority: match priority {
            Priority::Low => v1::Priority::Low,
            Priority::Normal => v1::Priority::Normal,
            Priority::High => v1::Priority::High,
        }
        .into(),
        time_to_live: time_to_live_s.map(|seconds| duration(Duration::from_secs(seconds))),
        labels: labels.clone(),
    }
}

fn counts(counts: &Counts) -> v1::OutcomeCounts {
    v1::OutcomeCounts {
        unique: counts.get(Outcome::Unique),
        multiple: counts.get(Outcome::Multiple),
        found: counts.get(Outcome::Found),
        unsolvable: counts.get(Outcome::Unsolvable),
        undecided: counts.get(Outcome::Undecided),
        invalid: counts.get(Outcome::Invalid),
        failed: counts.get(Outcome::Failed),
    }
}

/// What became of a puzzle.
pub fn outcome(outcome: Outcome) -> v1::Outcome {
    match outcome {
        Outcome::Unique => v1::Outcome::Unique,
        Outcome::Multiple => v1::Outcome::Multiple,
        Outcome::Found => v1::Outcome::Found,
        Outcome::Unsolvable => v1::Outcome::Unsolvable,
        Outcome::Undecided => v1::Outcome::Undecided,
        Outcome::Invalid => v1::Outcome::Invalid,
        Outcome::Failed => v1::Outcome::Failed,
    }
}

fn job_state(state: JobState) -> v1::JobState {
    match state {
        JobState::Uploading => v1::JobState::Uploading,
        JobState::Queued => v1::JobState::Queued,
        JobState::Running => v1::JobState::Running,
        JobState::Cancelling => v1::JobState::Cancelling,
        JobState::Succeeded => v1::JobState::Succeeded,
        JobState::Failed => v1::JobState::Failed,
        JobState::Cancelled => v1::JobState::Cancelled,
    }
}

/// Now, by the wall clock.
pub fn now() -> Timestamp {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    Timestamp(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}

fn timestamp(Timestamp(ms): Timestamp) -> prost_types::Timestamp {
    let seconds = i64::try_from(ms / 1_000).unwrap_or(i64::MAX);
    prost_types::Timestamp { seconds, nanos: (ms % 1_000) as i32 * 1_000_000 }
}

fn duration(duration: Duration) -> prost_types::Duration {
    let seconds = i64::try_from(duration.as_secs()).unwrap_or(i64::MAX);
    prost_types::Duration { seconds, nanos: duration.subsec_nanos() as i32 }
}

fn saturate(count: u64) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::{GenerateWork, JobId, Principal, RequestId, SolveWork};
    use crate::sudoku::generate::{CompleteSpec, Family};
    use std::collections::BTreeMap;

    fn record() -> JobRecord {
        let work = Work::Solve(SolveWork { max_solutions: 2, node_limit: Some(1_000) });
        let spec = BatchSpec {
            work,
            result_mode: ResultMode::Detached,
            result_format: ResultFormat::Items,
            priority: Priority::High,
            time_to_live_s: Some(60),
            labels: BTreeMap::from([("team".into(), "a".into())]),
        };
        let mut counts = Counts::default();
        counts.add(Outcome::Unique, 30);
        counts.add(Outcome::Invalid, 10);
        JobRecord {
            id: JobId::from_bytes([7; 16]),
            principal: Principal::anonymous(),
            request_id: RequestId::new("mine").expect("id"),
            spec,
            state: JobState::Running,
            revision: 9,
            stored: 100,
            total: Some(100),
            counts,
            upload_epoch: 1,
            created: Timestamp(10_000),
            started: Some(Timestamp(11_500)),
            ended: None,
            last_input: Timestamp(11_000),
            error: None,
        }
    }

    #[test]
    fn a_running_job() {
        let job = job(&record(), Timestamp(13_500));
        assert_eq!(job.job_id, "07070707-0707-0707-0707-070707070707");
        assert_eq!((job.principal.as_str(), job.state()), ("anonymous", v1::JobState::Running));
        assert_eq!((job.stored_count, job.total_count, job.done_count, job.not_run_count), (100, Some(100), 40, 0));
        // 40 items in 2 s; 60 are left.
        assert_eq!(job.items_per_second, 20.0);
        assert_eq!(job.remaining, Some(prost_types::Duration { seconds: 3, nanos: 0 }));
        assert_eq!(job.create_time, Some(prost_types::Timestamp { seconds: 10, nanos: 0 }));
        assert_eq!(job.start_time, Some(prost_types::Timestamp { seconds: 11, nanos: 500_000_000 }));
        assert_eq!((job.end_time, job.expire_time), (None, None));
        let counts = job.counts.expect("counts");
        assert_eq!((counts.unique, counts.invalid, counts.failed), (30, 10, 0));

        let spec = job.spec.expect("spec");
        assert_eq!(spec.request_id, "mine");
        assert_eq!((spec.result_mode, spec.result_format, spec.priority), (2, 2, 3));
        assert_eq!(spec.time_to_live, Some(prost_types::Duration { seconds: 60, nanos: 0 }));
        assert_eq!(spec.labels["team"], "a");
        let solve = v1::SolveWork { max_solutions: Some(2), node_limit: Some(1_000) };
        assert_eq!(spec.work, Some(v1::batch_spec::Work::Solve(solve)));
    }

    #[test]
    fn an_ended_job() {
        let ended = Timestamp(15_500);
        let cancelled = JobRecord {
            state: JobState::Cancelled,
            total: None,
            ended: Some(ended),
            error: Some("why".into()),
            ..record()
        };
        let job = job(&cancelled, Timestamp(99_000));
        assert_eq!((job.total_count, job.not_run_count), (None, 60));
        // The rate is that of its life; nothing remains.
        assert_eq!((job.items_per_second, job.remaining), (10.0, None));
        assert_eq!(job.end_time, Some(prost_types::Timestamp { seconds: 15, nanos: 500_000_000 }));
        assert_eq!(job.expire_time, Some(prost_types::Timestamp { seconds: 75, nanos: 500_000_000 }));
        assert_eq!(job.error, "why");
    }

    #[test]
    fn a_generating_job_says_how_to_have_it_again() {
        let spec = GenerateSpec::Grids(CompleteSpec { first_cell: 4, family: Family::Shift });
        let work = GenerateWork { spec, count: 5, seed: Some(u64::MAX), generator_version: Some(3) };
        let mut waiting = record();
        (waiting.spec.work, waiting.started, waiting.counts) = (Work::Generate(work), None, Counts::default());
        let job = job(&waiting, Timestamp(99_000));
        assert_eq!((job.generator_version, job.items_per_second, job.remaining), (3, 0.0, None));
        let grid = v1::CompleteGridSpec { first_cell: 4, family: v1::GridFamily::Shift.into() };
        let spec = Some(v1::generate_work::Spec::Grid(grid));
        let generate = v1::GenerateWork { spec, count: 5, seed: Some(u64::MAX) };
        assert_eq!(job.spec.expect("spec").work, Some(v1::batch_spec::Work::Generate(generate)));
    }

    #[test]
    fn states_have_short_names() {
        for state in JobState::ALL {
            assert_eq!(job_state(state).as_str_name(), format!("JOB_STATE_{}", state.name()));
        }
    }
}

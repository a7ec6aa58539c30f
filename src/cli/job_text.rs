//! A job in words: a line in a list, a page by itself.

use super::progress::count;
use crate::grpc::proto::v1::batch_spec::Work;
use crate::grpc::proto::v1::generate_work::Spec;
use crate::grpc::proto::v1::{self, JobState};
use std::fmt::Write;
use std::time::{Duration, SystemTime};

/// Its state in lower case, as flags name it.
pub fn state_word(job: &v1::Job) -> String {
    job.state().as_str_name().trim_start_matches("JOB_STATE_").to_lowercase()
}

/// One line: id, state, progress, when it was created, labels.
pub fn line(job: &v1::Job) -> String {
    let total = job.total_count.map_or("?".into(), |total| total.to_string());
    let labels = job.spec.iter().flat_map(|spec| &spec.labels);
    let labels: String = labels.map(|(key, value)| format!("  {key}={value}")).collect();
    let created = job.create_time.as_ref().map(time).unwrap_or_default();
    format!("{}  {:<10}  {}/{total}  {created}{labels}", job.job_id, state_word(job), job.done_count)
}

/// All that is known of it, a fact a line.
pub fn page(job: &v1::Job) -> String {
    let mut page = String::new();
    // Writing to a String can't fail.
    let mut fact = |name: &str, value: String| {
        let _ = writeln!(page, "{name:<14}{value}");
    };
    fact("job", job.job_id.clone());
    fact("principal", job.principal.clone());
    if let Some(spec) = &job.spec {
        fact("request id", spec.request_id.clone());
        fact("work", work(spec.work.as_ref()));
        if let Some(Work::Generate(v1::GenerateWork { seed: Some(seed), .. })) = &spec.work {
            fact("seed", seed.to_string());
        }
    }
    fact("state", state_word(job));
    if !job.error.is_empty() {
        fact("error", job.error.clone());
    }
    fact("stored", count(job.stored_count.into()));
    if let Some(total) = job.total_count {
        fact("total", count(total.into()));
    }
    fact("done", count(job.done_count.into()));
    for (outcome, n) in job.counts.iter().flat_map(outcomes).filter(|&(_, n)| n > 0) {
        fact(&format!("  {outcome}"), count(n));
    }
    if job.not_run_count > 0 {
        fact("not run", count(job.not_run_count.into()));
    }
    if job.items_per_second > 0.0 {
        fact("rate", format!("{}/s", count(job.items_per_second as u64)));
    }
    if let Some(remaining) = &job.remaining {
        fact("remaining", format!("{} s", remaining.seconds));
    }
    let times = [&job.create_time, &job.start_time, &job.end_time, &job.expire_time];
    for (name, at) in ["created", "started", "ended", "expires"].into_iter().zip(times) {
        if let Some(at) = at {
            fact(name, time(at));
        }
    }
    page
}

fn work(work: Option<&Work>) -> String {
    match work {
        Some(Work::Rate(_)) => "rate puzzles".into(),
        Some(Work::Generate(v1::GenerateWork { spec: Some(Spec::Puzzle(_)), .. })) => "generate puzzles".into(),
        Some(Work::Generate(_)) => "generate grids".into(),
        _ => "solve puzzles".into(),
    }
}

/// How an ended job went, in one line.
pub fn summary(job: &v1::Job) -> String {
    let counts = job.counts.iter().flat_map(outcomes).filter(|&(_, n)| n > 0);
    let counts: Vec<String> = counts.map(|(outcome, n)| format!("{} {outcome}", count(n))).collect();
    let rate = match job.state() {
        JobState::Succeeded if job.items_per_second > 0.0 => format!(" ({}/s)", count(job.items_per_second as u64)),
        _ => String::new(),
    };
    let counts = if counts.is_empty() { "no results".into() } else { counts.join(", ") };
    format!("job {} {}: {counts}{rate}", job.job_id, state_word(job))
}

fn outcomes(counts: &v1::OutcomeCounts) -> [(&'static str, u64); 7] {
    [
        ("unique", counts.unique),
        ("multiple", counts.multiple),
        ("found", counts.found),
        ("unsolvable", counts.unsolvable),
        ("undecided", counts.undecided),
        ("invalid", counts.invalid),
        ("failed", counts.failed),
    ]
}

fn time(at: &prost_types::Timestamp) -> String {
    let since = Duration::from_secs(at.seconds.max(0).unsigned_abs());
    humantime::format_rfc3339_seconds(SystemTime::UNIX_EPOCH + since).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_in_words() {
        let counts = v1::OutcomeCounts { unique: 1_200, invalid: 3, ..Default::default() };
        let labels = [("team".to_owned(), "blue".to_owned())].into();
        let job = v1::Job {
            job_id: "j1".into(),
            principal: "ada".into(),
            spec: Some(v1::BatchSpec { request_id: "mine".into(), labels, ..Default::default() }),
            state: JobState::Succeeded.into(),
            stored_count: 1_203,
            total_count: Some(1_203),
            done_count: 1_203,
            counts: Some(counts),
            items_per_second: 2_000.0,
            create_time: Some(prost_types::Timestamp { seconds: 86_400, nanos: 5 }),
            ..Default::default()
        };
        assert_eq!(line(&job), "j1  succeeded   1203/1203  1970-01-02T00:00:00Z  team=blue");
        assert_eq!(summary(&job), "job j1 succeeded: 1,200 unique, 3 invalid (2,000/s)");
        let page = page(&job);
        for fact in [
            "principal     ada\n",
            "request id    mine\n",
            "  unique      1,200\n",
            "created       1970-01-02T00:00:00Z\n",
        ] {
            assert!(page.contains(fact), "{page}");
        }
    }
}

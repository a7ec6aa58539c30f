//! Jobs on a server: `batch status`, `watch`, `list`, `cancel` and `delete`.

use super::args::{FollowArgs, JobArgs, ListArgs};
use super::exit::{Ended, Exit, Failure};
use super::job_text::{line, page};
use super::progress::Progress;
use super::refusal::{cut_short, refused};
use super::remote::{Remote, call};
use super::say::say;
use crate::grpc::proto::v1::{self, JobState};

/// Jobs asked for at a time.
const PAGE: u32 = 500;

/// Runs `batch status`.
///
/// # Errors
/// As the exit codes say.
pub async fn status(args: &JobArgs) -> Ended {
    let remote = Remote::connect(&args.server).await?;
    say(page(&get(&remote, &args.job).await?).trim_end())?;
    Ok(Exit::Done)
}

/// Runs `batch watch`.
///
/// # Errors
/// As the exit codes say.
pub async fn watch(args: &FollowArgs) -> Ended {
    let remote = Remote::hold(&args.job.server, args.retry.patience(false)).await?;
    let mut state = JobState::Unspecified;
    let job = follow(&remote, &args.job.job, |job| {
        if job.state() != state {
            state = job.state();
            say(line(job))?;
        }
        Ok(())
    });
    ended(&job.await?)
}

/// Runs `batch list`.
///
/// # Errors
/// As the exit codes say.
pub async fn list(args: &ListArgs) -> Ended {
    let remote = Remote::connect(&args.server).await?;
    let state = |name: &String| JobState::from_str_name(&format!("JOB_STATE_{}", name.to_uppercase()));
    let mut request = v1::ListJobsRequest {
        page_size: PAGE,
        page_token: String::new(),
        states: args.states.iter().filter_map(state).map(i32::from).collect(),
        labels: args.labels.iter().cloned().collect(),
    };
    loop {
        let answer = remote.jobs().list_jobs(call(request.clone())).await.map_err(|e| refused(&e))?.into_inner();
        answer.jobs.iter().try_for_each(|job| say(line(job)))?;
        if answer.next_page_token.is_empty() {
            return Ok(Exit::Done);
        }
        request.page_token = answer.next_page_token;
    }
}

/// Runs `batch cancel`.
///
/// # Errors
/// As the exit codes say.
pub async fn cancel(args: &JobArgs) -> Ended {
    let remote = Remote::connect(&args.server).await?;
    let request = v1::CancelJobRequest { job_id: args.job.clone() };
    let answer = remote.jobs().cancel_job(call(request)).await.map_err(|e| refused(&e))?.into_inner();
    say(line(&answer.job.unwrap_or_default()))?;
    Ok(Exit::Done)
}

/// Runs `batch delete`.
///
/// # Errors
/// As the exit codes say.
pub async fn delete(args: &JobArgs) -> Ended {
    let remote = Remote::connect(&args.server).await?;
    let request = v1::DeleteJobRequest { job_id: args.job.clone() };
    remote.jobs().delete_job(call(request)).await.map_err(|e| refused(&e))?;
    say(format!("{} deleted", args.job))?;
    Ok(Exit::Done)
}

/// The job as it stands, through outages.
///
/// # Errors
/// A refusal, or patience at its end.
pub async fn get(remote: &Remote, job_id: &str) -> Result<v1::Job, Failure> {
    let request = v1::GetJobRequest { job_id: job_id.to_owned() };
    let answer = remote.retry().until(|| {
        let (mut jobs, request) = (remote.jobs(), call(request.clone()));
        async move { jobs.get_job(request).await }
    });
    Ok(answer.await?.into_inner().job.unwrap_or_default())
}

/// Follows a job until it ends, through outages; `seen` sees it at each change, a terminal its progress.
///
/// # Errors
/// A refusal, patience at its end, or what `seen` fails with.
pub async fn follow(
    remote: &Remote,
    job_id: &str,
    mut seen: impl FnMut(&v1::Job) -> Result<(), Failure>,
) -> Result<v1::Job, Failure> {
    let progress = Progress::items("running", None);
    let mut retry = remote.retry();
    loop {
        let request = v1::WatchJobRequest { job_id: job_id.to_owned() };
        let status = match remote.jobs().watch_job(request).await {
            Err(status) => status,
            Ok(answers) => {
                let mut answers = answers.into_inner();
                loop {
                    let job = match answers.message().await {
                        Ok(Some(answer)) => answer.job.unwrap_or_default(),
                        Ok(None) => break cut_short(),
                        Err(status) => break status,
                    };
                    retry.progressed();
                    job.total_count.into_iter().for_each(|total| progress.of(u64::from(total)));
                    progress.at(u64::from(job.done_count));
                    seen(&job)?;
                    if is_final(&job) {
                        return Ok(job);
                    }
                }
            }
        };
        retry.wait(&status).await?;
    }
}

/// Whether it has ended.
pub fn is_final(job: &v1::Job) -> bool {
    matches!(job.state(), JobState::Succeeded | JobState::Failed | JobState::Cancelled)
}

/// The exit that a job's state means; one that has not ended is no failure.
///
/// # Errors
/// When it failed or was cancelled.
pub fn ended(job: &v1::Job) -> Ended {
    let failed = |message| Err(Failure { exit: Exit::Job, message });
    let rest = || match job.done_count {
        0 => String::new(),
        done => format!("; its {done} results: sudokud batch results {}", job.job_id),
    };
    match job.state() {
        JobState::Failed => failed(format!("job {} failed: {}{}", job.job_id, job.error, rest())),
        JobState::Cancelled => failed(format!("job {} was cancelled{}", job.job_id, rest())),
        _ => Ok(Exit::Done),
    }
}

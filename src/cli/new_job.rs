//! A new job, whatever its work: what is sent to open it, its id told, and its results awaited, in as many lives of the
//! command as it takes.

use super::args::NewJobArgs;
use super::exit::{Ended, Exit, Failure};
use super::job_text::{counts, summary};
use super::jobs::{ended, follow, is_there};
use super::kept::{Kept, Wanted, anew};
use super::litter::Litter;
use super::output::Output;
use super::remote::Remote;
use super::report::{NAMED, Problem, Report, words};
use super::results::read;
use super::saved::Flags;
use super::say::{note, say};
use super::written::{Item, Written};
use crate::grpc::proto::v1::{self, batch_spec::Work};
use crate::job::{Priority, RequestId};
use crate::sudoku::Outcome;
use std::future::Future;
use std::path::Path;
use tokio::sync::oneshot;
use uuid::Uuid;

/// What a job is to do.
pub struct Task {
    /// The work as it is sent.
    pub work: Work,
    /// Whether solutions stand beside generated puzzles.
    pub with_solution: bool,
    /// The flags that make it this work, and its input.
    pub flags: Flags,
    /// Whether the same command can do it again from the start: not if its input is a pipe.
    pub repeats: bool,
}

/// A job that is to be opened, and what is wanted of it.
pub struct NewJob<'a> {
    args: &'a NewJobArgs,
    task: Task,
    request_id: RequestId,
    output: Option<Output>,
    problems: Vec<Problem>,
}

/// Sees the job each time it is opened.
pub type Opened = Box<dyn FnMut(&v1::Job) -> Result<(), Failure> + Send>;

/// How the items of a job are spoken of.
pub struct Words<'a> {
    /// Where an item stands.
    pub place: &'a (dyn Fn(u32) -> String + Sync),
    /// Why one is INVALID or FAILED, of what the server says.
    pub why: fn(&str) -> String,
    /// What is wrong with one that is not as it should be, and with many.
    pub wrong: [&'static str; 2],
    /// What is told of a job that is not waited for.
    pub left: fn(&v1::Job) -> String,
}

impl<'a> NewJob<'a> {
    /// Opens the output, so that a name that can't be written is told before anything is sent, and finds out whether an
    /// earlier command has begun.
    ///
    /// # Errors
    /// When it can't be, such results can't be written so, or the request id is none.
    pub fn new(args: &'a NewJobArgs, task: Task, litter: &Litter) -> Result<NewJob<'a>, Failure> {
        Written::new(Some(&task.work), args.format, task.with_solution, 0)?;
        let checked = |id: String| RequestId::new(id).map_err(|e| Failure::usage(format!("--request-id: {e}")));
        let mut request_id = checked(args.request_id.clone().unwrap_or_else(|| Uuid::new_v4().to_string()))?;
        let mut job = NewJob { args, request_id: request_id.clone(), output: None, problems: Vec::new(), task };
        if let Some(path) = &args.output {
            let mut output = Output::keep(Some(path), job.wanted(), litter)?;
            if let Some(kept) = output.kept() {
                request_id = checked(kept.saved().request_id.clone())?;
                job.problems = kept.saved().problems.clone();
            }
            job.output = Some(output);
        }
        Ok(NewJob { request_id, ..job })
    }

    fn wanted(&self) -> Wanted {
        let mut flags = self.task.flags.clone();
        let mut flag = |name: &str, value: String| flags.insert(name.to_owned(), value);
        flag("--format", self.args.format.to_string());
        flag("--priority", format!("{:?}", self.args.priority).to_lowercase());
        if let Some(ttl) = self.args.ttl {
            flag("--ttl", ttl.to_string());
        }
        let labels: Vec<String> = self.args.labels.iter().map(|(key, value)| format!("{key}={value}")).collect();
        if !labels.is_empty() {
            flag("--label", labels.join(" "));
        }
        Wanted { request_id: self.args.request_id.clone(), flags, rereads: self.task.repeats }
    }

    /// The spec that is sent: always detached, so that the same submission with other flags is the same job.
    pub fn spec(&self) -> v1::BatchSpec {
        let priority = match self.args.priority {
            Priority::Low => v1::Priority::Low,
            Priority::Normal => v1::Priority::Normal,
            Priority::High => v1::Priority::High,
        };
        let time_to_live = self.args.ttl.map(|ttl| prost_types::Duration {
            seconds: i64::try_from(ttl.0.as_secs()).unwrap_or(i64::MAX),
            nanos: ttl.0.subsec_nanos() as i32,
        });
        v1::BatchSpec {
            request_id: self.request_id.as_str().to_owned(),
            work: Some(self.task.work),
            result_mode: v1::ResultMode::Detached.into(),
            result_format: v1::ResultFormat::Block.into(),
            priority: priority.into(),
            time_to_live,
            labels: self.args.labels.iter().cloned().collect(),
        }
    }

    /// Opens the job, which `open` does and tells of, says its id and waits for as much as is wanted.
    ///
    /// # Errors
    /// As the exit codes say.
    pub async fn run<F: Future<Output = Result<v1::Job, Failure>>>(
        mut self,
        remote: &Remote,
        open: impl FnOnce(v1::BatchSpec, Opened) -> F,
        words: Words<'_>,
    ) -> Ended {
        self.begin(remote).await?;
        let (tell_id, job_id) = oneshot::channel::<String>();
        let to_stderr = self.args.output.as_deref() == Some(Path::new("-"));
        let opening = open(self.spec(), teller(to_stderr, tell_id));
        let mut is_open = false;
        let results = async {
            // The sender goes without a word only if the opening fails, and then so does the whole.
            let Ok(job_id) = job_id.await else { return Ok(None) };
            is_open = true;
            if self.output.is_none() && !self.args.strict {
                return Ok(None);
            }
            self.results(remote, &job_id, words.why).await.map(Some)
        };
        let (opened, read) = match tokio::try_join!(opening, results) {
            Ok(done) => done,
            Err(failure) => return Err(self.given_up(failure, is_open)),
        };
        if !self.args.wait {
            note((words.left)(&opened));
            return Ok(Exit::Done);
        }
        let job = match read {
            Some(job) => job,
            None => follow(remote, &opened.job_id, |_| Ok(())).await?,
        };
        note(summary(&job));
        self.end(&job, &words)
    }

    /// Makes sure that the job of an earlier command is still there, and saves under which id a new one will be.
    async fn begin(&mut self, remote: &Remote) -> Result<(), Failure> {
        let Some(kept) = self.output.as_mut().and_then(Output::kept) else { return Ok(()) };
        match &kept.saved().job_id {
            Some(job_id) if !is_there(remote, job_id).await? => Err(gone(job_id, kept.part())),
            Some(_) => Ok(()),
            None => kept.begin(None),
        }
    }

    /// Reads the results as they come, to the output, and notes the first problems.
    async fn results(&mut self, remote: &Remote, job_id: &str, why: fn(&str) -> String) -> Result<v1::Job, Failure> {
        let NewJob { args, task, output, problems, .. } = self;
        let mut start = 0;
        if let Some(kept) = output.as_mut().and_then(Output::kept) {
            start = kept.saved().next_index;
            match kept.saved().job_id.as_deref() {
                Some(saved) if saved != job_id => return Err(gone(saved, kept.part())),
                Some(_) => {}
                None => kept.begin(Some(job_id))?,
            }
        }
        let mut written = Written::new(Some(&task.work), args.format, task.with_solution, start)?;
        let mut take = |item: Item<'_>| {
            if let Some(problem) = problem(&item, why).filter(|_| problems.len() < NAMED) {
                problems.push(problem);
            }
            let Some(output) = output.as_mut() else { return Ok(()) };
            written.item(&item, output)?;
            if output.kept().is_some_and(Kept::is_due) {
                written.flush(output)?;
                output.make_safe(item.index + 1, problems)?;
            }
            Ok(())
        };
        let job = read(remote, (job_id, start, true), &mut take).await?;
        if let Some(output) = output {
            written.flush(output)?;
        }
        Ok(job)
    }

    /// What is said, and what stays, when it goes no further now.
    fn given_up(mut self, failure: Failure, is_open: bool) -> Failure {
        let hint = match self.output.as_mut().and_then(Output::kept) {
            // There is no such job: nothing of it may be in the way of a better one.
            Some(kept) if failure.exit == Exit::Usage && !is_open && !kept.is_resumed() => {
                self.output.into_iter().for_each(Output::discard);
                return failure;
            }
            Some(kept) => kept.how_to_go_on(),
            None => format!("to go on later, submit again with --request-id {}", self.request_id.as_str()),
        };
        match is_open && failure.exit == Exit::Io {
            true => Failure { message: format!("{}; {hint}", failure.message), ..failure },
            false => failure,
        }
    }

    /// The job has ended: the output takes its place, if it is whole.
    fn end(self, job: &v1::Job, words: &Words<'_>) -> Ended {
        if let Err(failure) = ended(job) {
            // Of a job that did not succeed the file stays as it was: whole or not at all.
            self.output.into_iter().for_each(Output::discard);
            return Err(failure);
        }
        if let Some(output) = self.output {
            output.finish()?;
        }
        if !self.args.strict {
            return Ok(Exit::Done);
        }
        let problems =
            self.problems.iter().map(|problem| format!("{}: {}", (words.place)(problem.index), problem.what));
        Report::of(counts(job), problems.collect()).tell_problems(words.wrong)
    }
}

/// What is wrong with an item, if anything is.
fn problem(item: &Item<'_>, why: fn(&str) -> String) -> Option<Problem> {
    let outcome = item.outcome.filter(|outcome| !outcome.shows_grid())?;
    let unnamed = if outcome == Outcome::Unsolvable { "" } else { "failed" };
    let what = words(outcome, || item.error.map_or_else(|| unnamed.into(), |error| why(&error.message)));
    Some(Problem { index: item.index, what })
}

/// What it means that a job whose results are in part here is no longer there.
fn gone(job_id: &str, part: &Path) -> Failure {
    let here = format!("results of job {job_id} are in {}, but the server does not know it (any more)", part.display());
    Failure::usage(format!("{here}: {}", anew(part)))
}

/// Says a job's id, once: to the person, and to the reading of results.
fn teller(to_stderr: bool, tell: oneshot::Sender<String>) -> Opened {
    let mut tell = Some(tell);
    Box::new(move |job| {
        let Some(tell) = tell.take() else { return Ok(()) };
        if to_stderr {
            note(&job.job_id);
        } else {
            say(&job.job_id)?;
        }
        // Nobody reads results unless asked to.
        let _ = tell.send(job.job_id.clone());
        Ok(())
    })
}

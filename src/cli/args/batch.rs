//! The words and flags of `batch`.

use super::generate::{CountArgs, GridArgs, PuzzleArgs};
use super::shared::{OutArgs, RetryArgs, ServerArgs};
use super::values::{formats, label, priorities, seed};
use crate::config::value::Span;
use crate::job::Priority;
use crate::sudoku::text::Format;
use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// What to do with batch jobs.
#[derive(Debug, Subcommand)]
pub enum BatchCommand {
    /// Upload puzzles as a job; prints its id first.
    Submit(SubmitArgs),
    /// Let the server generate grids or puzzles as a job; prints its id first.
    Generate(Box<BatchGenerateArgs>),
    /// Show a job.
    Status(JobArgs),
    /// Follow a job until it ends.
    Watch(FollowArgs),
    /// Read a job's results.
    Results(ResultsArgs),
    /// List jobs, newest first.
    List(ListArgs),
    /// Cancel a job; what is done stays.
    Cancel(JobArgs),
    /// Remove an ended job and its results.
    Delete(JobArgs),
}

/// Flags of `batch submit`.
#[derive(Debug, Args)]
pub struct SubmitArgs {
    /// Puzzles, one a line or in grids of 9 lines; - is stdin.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Rate the puzzles instead of solving them: results as lines of ER, EP, ED and level, or json.
    #[arg(long)]
    pub rate: bool,
    /// The job.
    #[command(flatten)]
    pub new: NewJobArgs,
}

/// Flags of `batch generate`.
#[derive(Debug, Args)]
pub struct BatchGenerateArgs {
    /// How many.
    #[command(flatten)]
    pub count: CountArgs,
    /// Seed of the sequence, 0 to 18446744073709551615; unset: the server draws one, which `batch status` shows.
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = seed)]
    pub seed: Option<u64>,
    /// The job.
    #[command(flatten)]
    pub new: NewJobArgs,
    /// Which grids.
    #[command(flatten)]
    pub of_grids: GridArgs,
    /// Which puzzles.
    #[command(flatten)]
    pub of_puzzles: PuzzleArgs,
}

/// Flags of commands that begin a job.
#[derive(Debug, Args)]
pub struct NewJobArgs {
    /// Which server.
    #[command(flatten)]
    pub server: ServerArgs,
    /// Your own id for this submission, 1-128 bytes: the same one again resumes it and never makes a second job.
    #[arg(long, value_name = "ID")]
    pub request_id: Option<String>,
    /// Wait until the job has ended.
    #[arg(long)]
    pub wait: bool,
    /// Exit 1 if some item has no unique solution, is invalid or could not be made.
    #[arg(long, requires = "wait")]
    pub strict: bool,
    /// File to write the results to, whole or not at all; - is stdout.
    #[arg(short, long, value_name = "OUT", requires = "wait")]
    pub output: Option<PathBuf>,
    /// Form of the results.
    #[arg(long, value_name = "F", default_value = "line", value_parser = formats())]
    pub format: Format,
    /// Which jobs go first: low, normal or high.
    #[arg(long, value_name = "P", default_value = "normal", value_parser = priorities())]
    pub priority: Priority,
    /// Label to find the job by; may be given again.
    #[arg(long = "label", value_name = "KEY=VALUE", value_parser = label)]
    pub labels: Vec<(String, String)>,
    /// How long the job stays once it has ended, such as 1h; unset: the server's default.
    #[arg(long, value_name = "TIME")]
    pub ttl: Option<Span>,
    /// How long to hold on.
    #[command(flatten)]
    pub retry: RetryArgs,
}

/// Which job.
#[derive(Debug, Args)]
pub struct JobArgs {
    /// The job's id.
    #[arg(value_name = "JOB")]
    pub job: String,
    /// Which server.
    #[command(flatten)]
    pub server: ServerArgs,
}

/// Which job, and how long to hold on to it.
#[derive(Debug, Args)]
pub struct FollowArgs {
    /// The job.
    #[command(flatten)]
    pub job: JobArgs,
    /// How long to hold on.
    #[command(flatten)]
    pub retry: RetryArgs,
}

/// Flags of `batch results`.
#[derive(Debug, Args)]
pub struct ResultsArgs {
    /// The job.
    #[command(flatten)]
    pub of: FollowArgs,
    /// Where they go.
    #[command(flatten)]
    pub out: OutArgs,
    /// Write the solution beside each generated puzzle: in the formats line, csv and json.
    #[arg(long)]
    pub with_solution: bool,
    /// Wait for those that are not there yet, until the job ends.
    #[arg(long)]
    pub follow: bool,
    /// Item to begin at, from 0.
    #[arg(long, value_name = "N", default_value = "0")]
    pub start: u32,
}

/// Flags of `batch list`.
#[derive(Debug, Args)]
pub struct ListArgs {
    /// Which server.
    #[command(flatten)]
    pub server: ServerArgs,
    /// Only jobs in this state; may be given again.
    #[arg(long = "state", value_name = "STATE", value_parser = PossibleValuesParser::new(STATES), ignore_case = true)]
    pub states: Vec<String>,
    /// Only jobs with this label; may be given again.
    #[arg(long = "label", value_name = "KEY=VALUE", value_parser = label)]
    pub labels: Vec<(String, String)>,
}

const STATES: [&str; 7] = ["uploading", "queued", "running", "cancelling", "succeeded", "failed", "cancelled"];

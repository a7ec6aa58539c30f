//! The words and flags of the command line.

use crate::config::RawConfig;
use crate::config::value::Span;
use crate::job::Priority;
use crate::sudoku::Kernel;
use crate::sudoku::generate::Family;
use crate::sudoku::text::Format;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;

/// Sudoku as a service: solves and generates 9x9 Sudoku, here or on a server, in batches of millions.
#[derive(Debug, Parser)]
#[command(name = "sudokud", version, max_term_width = 100)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run the server.
    Serve(Box<ServeArgs>),
    /// Solve a file of puzzles on this machine.
    Solve(SolveArgs),
    /// Generate completed grids on this machine.
    Generate(GenerateArgs),
    /// Batch jobs on a server.
    #[command(subcommand)]
    Batch(BatchCommand),
    /// Start a server with a temporary store, send it a batch and check every answer.
    Demo(DemoArgs),
    /// Ask whether a server serves: exit 0 if it does, else 1.
    Health(ServerArgs),
}

/// Flags of `serve`.
#[derive(Debug, Args)]
pub struct ServeArgs {
    /// TOML file of the options below; flags and variables win over it.
    #[arg(long, env = "SUDOKUD_CONFIG", value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Print the options in force as such a file, and end.
    #[arg(long)]
    pub print_config: bool,
    /// The options.
    #[command(flatten)]
    pub options: RawConfig,
}

/// Flags of `solve`.
#[derive(Debug, Args)]
pub struct SolveArgs {
    /// Puzzles, one a line or in grids of 9 lines; - is stdin.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Where the solutions go.
    #[command(flatten)]
    pub out: OutArgs,
    /// Solutions to look for: 2 proves that there is only one, 1 takes the first.
    #[arg(long, value_name = "N", default_value = "2", value_parser = clap::value_parser!(u8).range(1..=2))]
    pub max_solutions: u8,
    /// The first solution found will do: --max-solutions 1.
    #[arg(long, conflicts_with = "max_solutions")]
    pub any: bool,
    /// Solver: auto (the fastest that this machine runs) or one by name, such as portable or reference.
    #[arg(long, value_name = "NAME", default_value = "auto")]
    pub kernel: Kernel,
}

/// Where results go.
#[derive(Debug, Args)]
pub struct OutArgs {
    /// File to write, whole or not at all; - or unset is stdout.
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// Form of the results.
    #[arg(long, value_name = "F", default_value = "line", value_parser = formats())]
    pub format: Format,
}

/// Flags of `generate`.
#[derive(Debug, Args)]
pub struct GenerateArgs {
    /// How many completed grids.
    #[arg(long, value_name = "N", required = true, allow_negative_numbers = true, value_parser = positive)]
    pub grids: u64,
    /// Digit of row 1, column 1; 0 leaves it free.
    #[arg(long, value_name = "D", default_value = "0", allow_negative_numbers = true, value_parser = clap::value_parser!(u8).range(0..=9))]
    pub first_cell: u8,
    /// Where they come from: orbit and shift hold no grid twice, search has the broadest variety.
    #[arg(long, value_name = "F", default_value = "orbit", value_parser = families())]
    pub family: Family,
    /// Seed of the sequence, 0 to 18446744073709551615; unset: one is drawn and named on stderr.
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = seed)]
    pub seed: Option<u64>,
    /// Where the grids go.
    #[command(flatten)]
    pub out: OutArgs,
}

/// Which server.
#[derive(Clone, Debug, Args)]
pub struct ServerArgs {
    /// Address of the server.
    #[arg(long, env = "SUDOKUD_SERVER", value_name = "URL", default_value = "http://127.0.0.1:50051")]
    pub server: String,
}

/// What to do with batch jobs.
#[derive(Debug, Subcommand)]
pub enum BatchCommand {
    /// Upload puzzles as a job; prints its id first.
    Submit(SubmitArgs),
    /// Show a job.
    Status(JobArgs),
    /// Follow a job until it ends.
    Watch(JobArgs),
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
    /// Which server.
    #[command(flatten)]
    pub server: ServerArgs,
    /// Your own id for this submission, 1-128 bytes: the same one again resumes it and never makes a second job.
    #[arg(long, value_name = "ID")]
    pub request_id: Option<String>,
    /// Wait until the job has ended.
    #[arg(long)]
    pub wait: bool,
    /// Exit 1 if some item has no unique solution or is invalid.
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

/// Flags of `batch results`.
#[derive(Debug, Args)]
pub struct ResultsArgs {
    /// The job.
    #[command(flatten)]
    pub job: JobArgs,
    /// Where they go.
    #[command(flatten)]
    pub out: OutArgs,
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

/// Flags of `demo`.
#[derive(Debug, Args)]
pub struct DemoArgs {
    /// How many puzzles.
    #[arg(long, value_name = "N", default_value = "100000", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub puzzles: u32,
}

const STATES: [&str; 7] = ["uploading", "queued", "running", "cancelling", "succeeded", "failed", "cancelled"];

/// One of some words, each with its meaning.
fn words<T: Clone + Send + Sync + 'static>(all: &'static [(&'static str, T)]) -> impl TypedValueParser<Value = T> {
    let names = PossibleValuesParser::new(all.iter().map(|(name, _)| *name));
    names.try_map(move |given| {
        all.iter().find(|(name, _)| *name == given).map(|(_, value)| value.clone()).ok_or("no such word")
    })
}

fn formats() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::ALL.map(Format::name)).try_map(|name| name.parse::<Format>())
}

fn families() -> impl TypedValueParser<Value = Family> {
    words(&[("orbit", Family::Orbit), ("shift", Family::Shift), ("search", Family::Search)])
}

fn priorities() -> impl TypedValueParser<Value = Priority> {
    words(&[("low", Priority::Low), ("normal", Priority::Normal), ("high", Priority::High)])
}

fn positive(text: &str) -> Result<u64, String> {
    let number = text.parse::<u64>().ok().filter(|&n| n > 0);
    number.ok_or_else(|| "give a whole number, 1 or more".into())
}

fn seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("give a whole number, 0 to {}", u64::MAX))
}

fn label(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').filter(|(key, _)| !key.is_empty()).ok_or("give KEY=VALUE")?;
    Ok((key.to_owned(), value.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn wrong_words_are_refused_with_what_would_be_right() {
        for (line, words) in [
            ("generate --grids 0", "give a whole number, 1 or more"),
            ("generate --grids -5", "give a whole number, 1 or more"),
            ("generate --grids many", "give a whole number, 1 or more"),
            ("generate", "--grids <N>"),
            ("generate --grids 1 --first-cell 10", "10 is not in 0..=9"),
            ("generate --grids 1 --family circle", "orbit, shift, search"),
            ("generate --grids 1 --seed -1", "give a whole number, 0 to 18446744073709551615"),
            ("generate --grids 1 --first-cell -1", "-1 is not in 0..=9"),
            ("generate --puzzles 5", "--puzzles"),
            ("solve", "<FILE>"),
            ("solve x --max-solutions 3", "3 is not in 1..=2"),
            ("solve x --any --max-solutions 2", "cannot be used with"),
            ("solve x --kernel gpu", "no kernel \"gpu\""),
            ("solve x --format xml", "line, grid, sdk, csv, json"),
            ("batch submit x --strict", "--wait"),
            ("batch submit x -o y", "--wait"),
            ("batch submit x --label =v", "give KEY=VALUE"),
            ("batch list --state done", "succeeded"),
            ("rate x", "rate"),
            ("explain x", "explain"),
        ] {
            let parsed = Cli::try_parse_from(["sudokud"].into_iter().chain(line.split(' ')));
            let problem = parsed.expect_err(line);
            assert_eq!(problem.exit_code(), 2, "{line}");
            assert!(problem.to_string().contains(words), "{line}: {problem}");
        }
    }

    #[test]
    fn flags_mean_what_they_say() {
        let line = ["sudokud", "batch", "submit", "-", "--label", "a=b=c", "--priority", "high", "--ttl", "2h"];
        let Command::Batch(BatchCommand::Submit(submit)) = Cli::parse_from(line).command else {
            panic!("not a submit")
        };
        assert_eq!(submit.labels, [("a".to_owned(), "b=c".to_owned())]);
        assert_eq!((submit.priority, submit.ttl.map(|t| t.0.as_secs())), (Priority::High, Some(7200)));
        let Command::Serve(serve) = Cli::parse_from(["sudokud", "serve", "--insecure", "--reflection=false"]).command
        else {
            panic!("not a serve")
        };
        assert_eq!((serve.options.insecure, serve.options.reflection), (Some(true), Some(false)));
    }
}

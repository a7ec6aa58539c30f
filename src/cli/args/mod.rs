//! The words and flags of the command line.

mod batch;
mod generate;
mod shared;
mod values;

use crate::config::RawConfig;
use crate::grpc::role::Roles;
use crate::job::Principal;
use crate::sudoku::Kernel;
use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;

pub use batch::{BatchCommand, BatchGenerateArgs, FollowArgs, JobArgs, ListArgs, NewJobArgs, ResultsArgs, SubmitArgs};
pub use generate::{GenerateArgs, GridArgs, PuzzleArgs};
pub use shared::{EachArgs, OutArgs, ServerArgs};
pub use values::Form;
use values::{forms, principal, seed};

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
    /// Generate completed grids, or puzzles as hard as wished, on this machine.
    Generate(GenerateArgs),
    /// Rate puzzles by the hardest step a person needs: ER, EP, ED and level, one line a puzzle.
    Rate(EachArgs),
    /// Solve a puzzle as a person would, step by step, and rate it.
    Explain(ExplainArgs),
    /// Take givens away from puzzles as long as their solution stays the only one.
    Minimize(MinimizeArgs),
    /// Bring puzzles into the form that all have that differ in labels and arrangement only: the least one, and its
    /// automorphisms.
    Canonical(EachArgs),
    /// Batch jobs on a server.
    #[command(subcommand)]
    Batch(BatchCommand),
    /// Start a server with a temporary store, send it a batch and check every answer.
    Demo(DemoArgs),
    /// Make a token: prints it, then the line that grants it, for the file of `serve --tokens`.
    Token(TokenArgs),
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

/// Flags of `token`.
#[derive(Debug, Args)]
pub struct TokenArgs {
    /// The principal that it stands for, without blanks: jobs belong to it.
    #[arg(value_name = "NAME", value_parser = principal)]
    pub principal: Principal,
    /// What it may do, with commas: submit, read, admin, high-priority.
    #[arg(long = "role", value_name = "ROLES")]
    pub roles: Roles,
}

/// Flags of `minimize`.
#[derive(Debug, Args)]
pub struct MinimizeArgs {
    /// What and where to.
    #[command(flatten)]
    pub each: EachArgs,
    /// Take givens away in an order drawn from this seed; unset: in reading order.
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = seed)]
    pub seed: Option<u64>,
}

/// Flags of `explain`.
#[derive(Debug, Args)]
pub struct ExplainArgs {
    /// The puzzle, in any form that `solve` reads; - reads it from stdin.
    #[arg(value_name = "PUZZLE")]
    pub puzzle: String,
    /// Steps to show at most: 1 gives a hint. The rating is then of these steps alone.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..))]
    pub max_steps: Option<u32>,
    /// Form of the answer.
    #[arg(long, value_name = "F", default_value = "text", value_parser = forms())]
    pub format: Form,
}

/// Flags of `demo`.
#[derive(Debug, Args)]
pub struct DemoArgs {
    /// How many puzzles.
    #[arg(long, value_name = "N", default_value = "100000", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub puzzles: u32,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::Priority;
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
            ("generate", "--grids <N>|--puzzles <N>"),
            ("generate --grids 1 --first-cell 10", "10 is not in 0..=9"),
            ("generate --grids 1 --family circle", "orbit, shift, search"),
            ("generate --grids 1 --seed -1", "give a whole number, 0 to 18446744073709551615"),
            ("generate --grids 1 --first-cell -1", "-1 is not in 0..=9"),
            ("generate --puzzles 0", "give a whole number, 1 or more"),
            ("generate --puzzles 1 --grids 1", "cannot be used with"),
            ("generate --puzzles 1 --first-cell 3", "'--first-cell <D>'"),
            ("generate --grids 1 --minimal", "'--minimal'"),
            ("generate --grids 1 --with-solution", "'--with-solution'"),
            ("generate --puzzles 1 --level fiendish", "very-easy, easy, medium, hard, very-hard, extreme"),
            ("generate --puzzles 1 --symmetry round", "rotational-180"),
            ("generate --puzzles 1 --clues 30-20", "such as 24-30"),
            ("generate --puzzles 1 --er hard", "such as 2.5-3.6"),
            ("generate --puzzles 1 --blanks-per-row 3-12", "such as 3-8"),
            ("solve", "<FILE>"),
            ("solve x --max-solutions 3", "3 is not in 1..=2"),
            ("solve x --any --max-solutions 2", "cannot be used with"),
            ("solve x --kernel gpu", "no kernel \"gpu\""),
            ("solve x --format xml", "line, grid, sdk, csv, json"),
            ("batch submit x --strict", "--wait"),
            ("batch submit x -o y", "--wait"),
            ("batch submit x --label =v", "give KEY=VALUE"),
            ("batch list --state done", "succeeded"),
            ("rate", "<FILE>"),
            ("rate x --format grid", "text, json"),
            ("explain", "<PUZZLE>"),
            ("token ada", "--role"),
            ("token ada --role root", "none of submit, read, admin, high-priority"),
            ("explain x --max-steps 0", "0 is not in 1.."),
            ("explain x --max-steps -1", "-1 is not in 1.."),
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
        assert_eq!(submit.new.labels, [("a".to_owned(), "b=c".to_owned())]);
        assert_eq!((submit.new.priority, submit.new.ttl.map(|t| t.0.as_secs())), (Priority::High, Some(7200)));
        let Command::Serve(serve) = Cli::parse_from(["sudokud", "serve", "--insecure", "--reflection=false"]).command
        else {
            panic!("not a serve")
        };
        assert_eq!((serve.options.insecure, serve.options.reflection), (Some(true), Some(false)));
    }
}

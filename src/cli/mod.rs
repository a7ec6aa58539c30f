//! The command line: arguments in, results, progress and exit codes out. Offline commands compute here, remote
//! ones talk to a server through the generated client.

mod args;
mod batch_generate;
mod canonical;
mod connect;
mod demo;
mod each;
mod exit;
mod explain;
mod generate;
mod health;
mod input;
mod job_text;
mod jobs;
mod lines;
mod litter;
mod minimize;
mod new_job;
mod offline;
mod output;
mod pairs;
mod play;
mod progress;
mod puzzles;
mod rate;
mod refusal;
mod remote;
mod report;
mod results;
mod retry;
mod rows;
mod say;
mod seed;
mod serve;
mod solve;
mod submit;
mod token;
mod upload;
mod upload_blocks;
mod written;

use args::{BatchCommand, Cli, Command};
use clap::Parser;
use exit::{Ended, Failure};
use litter::Litter;
use say::note;
use std::process::ExitCode;

/// Runs the command line.
pub fn main() -> ExitCode {
    let ended = match Cli::parse().command {
        Command::Serve(args) => serve::run(&args),
        Command::Solve(args) => solve::run(&args),
        Command::Generate(args) => generate::run(&args),
        Command::Rate(args) => rate::run(&args),
        Command::Explain(args) => explain::run(&args),
        Command::Minimize(args) => minimize::run(&args),
        Command::Canonical(args) => canonical::run(&args),
        Command::Batch(command) => remotely(async |litter| batch(&command, litter).await),
        Command::Health(args) => remotely(async |_| health::run(&args).await),
        Command::Token(args) => token::run(&args),
        Command::Demo(args) => remotely(async |_| demo::run(&args).await),
    };
    match ended {
        Ok(exit) => exit.into(),
        Err(failure) => {
            if !failure.message.is_empty() {
                note(format!("sudokud: {}", failure.message));
            }
            failure.exit.into()
        }
    }
}

async fn batch(command: &BatchCommand, litter: &Litter) -> Ended {
    match command {
        BatchCommand::Submit(args) => submit::run(args, litter).await,
        BatchCommand::Generate(args) => batch_generate::run(args, litter).await,
        BatchCommand::Status(args) => jobs::status(args).await,
        BatchCommand::Watch(args) => jobs::watch(args).await,
        BatchCommand::Results(args) => results::run(args, litter).await,
        BatchCommand::List(args) => jobs::list(args).await,
        BatchCommand::Cancel(args) => jobs::cancel(args).await,
        BatchCommand::Delete(args) => jobs::delete(args).await,
    }
}

/// Runs a command that talks to a server.
fn remotely(command: impl AsyncFnOnce(&Litter) -> Ended) -> Ended {
    let cannot = |e| Failure::io(format!("cannot start: {e}"));
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().map_err(cannot)?;
    let litter = Litter::default();
    let _signals = litter.removed_on_signals(runtime.handle()).map_err(cannot)?;
    let ended = runtime.block_on(command(&litter));
    // A thread may wait for stdin for ever: the process ends without it.
    runtime.shutdown_background();
    ended
}

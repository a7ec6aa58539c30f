//! `serve`: layers and checks the configuration, prints it or runs the server with it.

use super::args::ServeArgs;
use super::exit::{Ended, Exit, Failure};
use super::say::say;
use crate::app;
use crate::config::layers::{check_variables, layer, read_file};
use crate::config::resolved::Machine;
use crate::config::{Config, ConfigError, RawConfig, table};

/// Runs the command.
///
/// # Errors
/// As the exit codes say.
pub fn run(args: &ServeArgs) -> Ended {
    let config = configure(args).map_err(Failure::usage)?;
    if args.print_config {
        say(table::print(&config).map_err(Failure::usage)?.trim_end())?;
        return Ok(Exit::Done);
    }
    match app::serve(&config) {
        Ok(()) => Ok(Exit::Done),
        Err(error) if error.is_usage() => Err(Failure::usage(error)),
        Err(error) => Err(Failure::io(error)),
    }
}

fn configure(args: &ServeArgs) -> Result<Config, ConfigError> {
    check_variables(std::env::vars_os().map(|(name, _)| name.to_string_lossy().into_owned()))?;
    let file = match &args.config {
        Some(path) => read_file(path)?,
        None => RawConfig::default(),
    };
    layer(&args.options, file)?.resolve(&Machine::here())
}

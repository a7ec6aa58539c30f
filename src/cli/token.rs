//! `token`: makes a bearer token. It is printed and kept nowhere.

use super::args::TokenArgs;
use super::exit::{Ended, Exit, Failure};
use super::say::say;
use crate::grpc::grants;

/// Runs the command.
///
/// # Errors
/// When the system gives no randomness, or stdout takes no more.
pub fn run(args: &TokenArgs) -> Ended {
    let (token, line) = grants::draw(&args.principal, args.roles).map_err(Failure::io)?;
    say(token)?;
    say(line)?;
    Ok(Exit::Done)
}

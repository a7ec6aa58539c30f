//! Lines for people and scripts: answers on stdout, remarks on stderr.

use super::exit::Failure;
use std::fmt::Display;
use std::io::Write;

/// Writes a line to stdout, at once.
///
/// # Errors
/// When it can't be written; quietly where the reader of a pipe went away.
pub fn say(line: impl Display) -> Result<(), Failure> {
    let mut stdout = std::io::stdout();
    writeln!(stdout, "{line}").and_then(|()| stdout.flush()).map_err(|e| Failure::write("stdout", &e))
}

/// Writes a line to stderr. Where nobody listens there, nothing is lost that the exit code does not tell.
pub fn note(line: impl Display) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

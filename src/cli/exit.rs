//! How a command ends: its exit code, and one line that says why it failed.

use std::fmt::Display;
use std::io;
use std::process::ExitCode;

/// The exit codes of every command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// All went well.
    Done = 0,
    /// Done, but the answer is no: an item without a unique solution, a server that does not serve.
    Negative = 1,
    /// Wrong usage, or a value out of range.
    Usage = 2,
    /// Input or output failed, or retries are exhausted.
    Io = 3,
    /// The job failed or was cancelled.
    Job = 4,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

/// Why a command ends early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// With which code.
    pub exit: Exit,
    /// One line for stderr; empty: nothing is to be said.
    pub message: String,
}

/// How a command ends.
pub type Ended = Result<Exit, Failure>;

impl Failure {
    /// Wrong usage or a value out of range.
    pub fn usage(message: impl Display) -> Failure {
        Failure { exit: Exit::Usage, message: message.to_string() }
    }

    /// Input or output failed.
    pub fn io(message: impl Display) -> Failure {
        Failure { exit: Exit::Io, message: message.to_string() }
    }

    /// What a failed write means: a reader that went away ends the command quietly.
    pub fn write(name: &str, error: &io::Error) -> Failure {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Failure { exit: Exit::Done, message: String::new() };
        }
        Failure::io(format!("cannot write {name}: {}", plain(error)))
    }

    /// What a failed read means.
    pub fn read(name: &str, error: &io::Error) -> Failure {
        Failure::io(format!("cannot read {name}: {}", plain(error)))
    }
}

/// The system's words without its number.
fn plain(error: &io::Error) -> String {
    let words = error.to_string();
    words.split(" (os error").next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_closed_pipe_is_quiet_and_other_faults_are_named() {
        let quiet = Failure::write("x", &io::ErrorKind::BrokenPipe.into());
        assert_eq!((quiet.exit, quiet.message.as_str()), (Exit::Done, ""));
        let missing = Failure::read("p.txt", &io::Error::from_raw_os_error(2));
        assert_eq!(
            (missing.exit, missing.message.as_str()),
            (Exit::Io, "cannot read p.txt: No such file or directory")
        );
    }
}

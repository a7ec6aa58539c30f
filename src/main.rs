//! The `sudokud` binary: hands the arguments to [`sudokud::cli`] and exits with its code.
use std::process::ExitCode;

fn main() -> ExitCode {
    sudokud::cli::main()
}

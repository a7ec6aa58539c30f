//! Flags that several commands have.

use super::values::{Form, formats, forms};
use crate::sudoku::text::Format;
use clap::Args;
use std::path::PathBuf;

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

/// Which server.
#[derive(Clone, Debug, Args)]
pub struct ServerArgs {
    /// Address of the server.
    #[arg(long, env = "SUDOKUD_SERVER", value_name = "URL", default_value = "http://127.0.0.1:50051")]
    pub server: String,
}

/// Flags of commands that answer each puzzle of a file with a line.
#[derive(Debug, Args)]
pub struct EachArgs {
    /// Puzzles, one a line or in grids of 9 lines; - is stdin.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// File to write, whole or not at all; - or unset is stdout.
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// Form of the answers: fields with tabs between them, or one JSON object a line.
    #[arg(long, value_name = "F", default_value = "text", value_parser = forms())]
    pub format: Form,
}

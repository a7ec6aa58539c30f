//! Flags that several commands have.

use super::values::{Form, formats, forms};
use crate::cli::retry::Patience;
use crate::config::value::Span;
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
    /// Authorities that sign the certificate of an https:// server, PEM; unset: those that the system trusts.
    #[arg(long, env = "SUDOKUD_TLS_CA", value_name = "FILE")]
    pub tls_ca: Option<PathBuf>,
    /// Certificate to show to an https:// server, PEM.
    #[arg(long, env = "SUDOKUD_TLS_CLIENT_CERT", value_name = "FILE", requires = "tls_client_key")]
    pub tls_client_cert: Option<PathBuf>,
    /// Its private key, PEM.
    #[arg(long, env = "SUDOKUD_TLS_CLIENT_KEY", value_name = "FILE", requires = "tls_client_cert")]
    pub tls_client_key: Option<PathBuf>,
    /// File that holds the token to call with.
    #[arg(long, env = "SUDOKUD_TOKEN_FILE", value_name = "FILE")]
    pub token_file: Option<PathBuf>,
}

impl ServerArgs {
    /// The server at an address, with neither files nor token.
    pub fn at(server: &str) -> ServerArgs {
        let server = server.to_owned();
        ServerArgs { server, tls_ca: None, tls_client_cert: None, tls_client_key: None, token_file: None }
    }
}

/// How long to hold on.
#[derive(Clone, Copy, Debug, Args)]
pub struct RetryArgs {
    /// How long to wait for a server that is away, the first time too, before giving up with exit code 3, such as 10m or
    /// 0s; unset: 5m with --wait; without, 1m, and not the first time.
    #[arg(long, value_name = "TIME")]
    pub retry_for: Option<Span>,
}

impl RetryArgs {
    /// That of a command which waits for a job's end, or not.
    pub fn patience(&self, waits: bool) -> Patience {
        Patience::of(self.retry_for.map(|span| span.0), waits)
    }
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

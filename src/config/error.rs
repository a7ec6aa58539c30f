//! Why a configuration is refused.

use std::path::PathBuf;

/// Why a configuration is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// The file can't be read or understood.
    #[error("configuration file {}: {problem}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it, naming the key.
        problem: String,
    },
    /// A variable that begins like ours.
    #[error("unknown environment variable {name}; the nearest known one is {nearest}")]
    UnknownVariable {
        /// Its name.
        name: String,
        /// The most similar that there is.
        nearest: String,
    },
    /// A value that makes no sense.
    #[error("{key}: {problem}")]
    Invalid {
        /// The option.
        key: &'static str,
        /// What is wrong and what would be right.
        problem: String,
    },
}

//! [`TaskError`]: what the pool says of work that gives no output.

/// Why a task has no output.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TaskError {
    /// It panicked; the pool goes on.
    #[error("panicked: {0}")]
    Panicked(String),
    /// The interactive lane is full.
    #[error("the interactive queue is full ({0} calls wait)")]
    Busy(usize),
    /// The pool is closing, or has no threads in that lane.
    #[error("the pool is closing")]
    Closing,
}

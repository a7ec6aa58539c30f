//! [`Limit`]: what bounds a caller, by the setting that says how far it may go.

/// A limit that a caller can meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Unary calls that may wait for the interactive threads.
    InteractiveQueue,
    /// Search nodes of an explanation's proof.
    SolveNodes,
    /// Time of a unary call.
    SolveTime,
    /// Items of a job.
    JobItems,
}

impl Limit {
    /// All of them.
    pub const ALL: [Limit; 4] = [Limit::InteractiveQueue, Limit::SolveNodes, Limit::SolveTime, Limit::JobItems];

    /// The setting's name.
    pub fn setting(self) -> &'static str {
        match self {
            Limit::InteractiveQueue => "interactive-queue",
            Limit::SolveNodes => "solve-node-limit",
            Limit::SolveTime => "solve-time-limit",
            Limit::JobItems => "max-job-items",
        }
    }
}

//! [`Limit`]: what bounds a caller, by the setting that says how far it may go.

/// A limit that a caller can meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Calls open at a time.
    OpenCalls,
    /// Streaming calls open at a time.
    OpenStreams,
    /// Calls of one principal open at a time.
    PrincipalCalls,
    /// Calls of one principal a second.
    CallsPerSecond,
    /// Unary calls that may wait for the interactive threads.
    InteractiveQueue,
    /// Search nodes of an explanation's proof.
    SolveNodes,
    /// Time of a unary call.
    SolveTime,
    /// Items of a job.
    JobItems,
    /// Jobs of one principal that are stored.
    Jobs,
    /// Bytes of one principal's jobs that are stored.
    StoredBytes,
    /// Free bytes of the disk, below which nothing new is taken.
    DiskFloor,
}

impl Limit {
    /// All of them.
    pub const ALL: [Limit; 11] = [
        Limit::OpenCalls,
        Limit::OpenStreams,
        Limit::PrincipalCalls,
        Limit::CallsPerSecond,
        Limit::InteractiveQueue,
        Limit::SolveNodes,
        Limit::SolveTime,
        Limit::JobItems,
        Limit::Jobs,
        Limit::StoredBytes,
        Limit::DiskFloor,
    ];

    /// The setting's name.
    pub fn setting(self) -> &'static str {
        match self {
            Limit::OpenCalls => "max-open-calls",
            Limit::OpenStreams => "max-open-streams",
            Limit::PrincipalCalls => "max-principal-calls",
            Limit::CallsPerSecond => "calls-per-second",
            Limit::InteractiveQueue => "interactive-queue",
            Limit::SolveNodes => "solve-node-limit",
            Limit::SolveTime => "solve-time-limit",
            Limit::JobItems => "max-job-items",
            Limit::Jobs => "max-jobs",
            Limit::StoredBytes => "max-stored-bytes",
            Limit::DiskFloor => "disk-floor-bytes",
        }
    }
}

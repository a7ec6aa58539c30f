//! What keeps a promise; the model can be run without any one of them, to see that it is needed.

/// A guard of the protocols.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guard {
    /// What is answered was made durable first.
    Durable,
    /// A stream writes with the epoch that it was given, and an older one is refused.
    Epoch,
    /// Only `finish` seals, not the end of a stream.
    Finish,
    /// Sealing needs the number of items that the client sent.
    Total,
    /// A lease that ran out, or is of another boot, stores nothing.
    Lease,
    /// A chunk's first result stays.
    FirstResult,
    /// The leases of a cancelled job store nothing.
    CancelledLease,
    /// A deleted job's leases end with it: its successor has another id.
    JobId,
    /// A chunk whose lease ran out waits again.
    Expiry,
    /// What had no result before a crash waits again after it.
    Recovery,
    /// An ended job is not cancelled.
    Final,
    /// A cancelled job whose last lease ends is CANCELLED.
    LastLease,
}

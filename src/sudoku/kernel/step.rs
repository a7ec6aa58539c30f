//! What one stretch of a search gives.

/// Why a search handed back control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A further solution stands; going on looks for the next one.
    Solution,
    /// There are no further solutions.
    Exhausted,
    /// The node budget is spent and the next thing to do is a guess.
    Paused,
}

//! [`BatchPriority`]: how batch threads stand beside the other threads of the machine. Knows no lane.

use std::fmt;
use std::str::FromStr;

/// How batch threads stand beside other threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BatchPriority {
    /// They run only where no other thread wants the core (`SCHED_IDLE`): calls keep their latency. On a machine
    /// that others keep busy, batches may stand still.
    #[default]
    Idle,
    /// They take their share like every thread.
    Normal,
}

impl BatchPriority {
    /// Gives it to this thread. A machine that refuses is no reason to stop.
    pub(super) fn apply(self) {
        if self == BatchPriority::Idle
            && let Err(error) = step_back()
        {
            tracing::debug!(?error, "batch threads stay at normal priority");
        }
    }
}

/// Lets every other thread of the machine go before this one.
#[cfg(target_os = "linux")]
fn step_back() -> Result<(), thread_priority::Error> {
    use thread_priority::{NormalThreadSchedulePolicy, ThreadPriority, ThreadSchedulePolicy};
    let idle = ThreadSchedulePolicy::Normal(NormalThreadSchedulePolicy::Idle);
    let this = thread_priority::thread_native_id();
    thread_priority::set_thread_priority_and_policy(this, ThreadPriority::Min, idle)
}

/// Lets other threads go before this one, as far as the system knows how.
#[cfg(not(target_os = "linux"))]
fn step_back() -> Result<(), thread_priority::Error> {
    thread_priority::set_current_thread_priority(thread_priority::ThreadPriority::Min)
}

impl fmt::Display for BatchPriority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            BatchPriority::Idle => "idle",
            BatchPriority::Normal => "normal",
        })
    }
}

impl FromStr for BatchPriority {
    type Err = String;

    fn from_str(text: &str) -> Result<BatchPriority, String> {
        match text {
            "idle" => Ok(BatchPriority::Idle),
            "normal" => Ok(BatchPriority::Normal),
            _ => Err(format!("no priority {text:?}: idle or normal")),
        }
    }
}

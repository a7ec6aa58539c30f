//! The state machine of a job, as a pure function.

/// Where a job stands. The discriminants are stored: never reuse one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum JobState {
    /// Input may still come; what is there may be worked on already.
    Uploading = 1,
    /// Sealed, no chunk begun yet.
    Queued = 2,
    /// Sealed and begun.
    Running = 3,
    /// To be cancelled once its leases end.
    Cancelling = 4,
    /// Every item has a result.
    Succeeded = 5,
    /// Ended by a fault that concerns the whole job.
    Failed = 6,
    /// Ended by its user; what was done stays.
    Cancelled = 7,
}

/// What happens to a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum JobEvent {
    /// A worker began a chunk.
    Begun,
    /// No more input.
    Sealed,
    /// The last missing result of a sealed job was stored.
    Completed,
    /// The user wants it cancelled.
    Cancel,
    /// No lease is left.
    LeasesEnded,
    /// The whole job failed (an upload idle too long, say).
    Fail,
}

impl JobState {
    /// Every state, in the order of its code (1..=7).
    pub const ALL: [JobState; 7] = [
        JobState::Uploading,
        JobState::Queued,
        JobState::Running,
        JobState::Cancelling,
        JobState::Succeeded,
        JobState::Failed,
        JobState::Cancelled,
    ];

    /// The state with this code, `None` outside 1..=7.
    pub fn from_code(code: u8) -> Option<JobState> {
        Self::ALL.get(usize::from(code).checked_sub(1)?).copied()
    }

    /// Its name, as in the protocol without the prefix.
    pub fn name(self) -> &'static str {
        match self {
            JobState::Uploading => "UPLOADING",
            JobState::Queued => "QUEUED",
            JobState::Running => "RUNNING",
            JobState::Cancelling => "CANCELLING",
            JobState::Succeeded => "SUCCEEDED",
            JobState::Failed => "FAILED",
            JobState::Cancelled => "CANCELLED",
        }
    }

    /// Whether the job has ended.
    pub fn is_final(self) -> bool {
        matches!(self, JobState::Succeeded | JobState::Failed | JobState::Cancelled)
    }

    /// Whether chunks may be handed out.
    pub fn is_workable(self) -> bool {
        matches!(self, JobState::Uploading | JobState::Queued | JobState::Running)
    }

    /// The state after an event; `None` where the event is not allowed.
    ///
    /// Final states are final: `None` for every event. Sealing leads to QUEUED; a store that knows of begun
    /// chunks or of all results applies [`JobEvent::Begun`] or [`JobEvent::Completed`] right after. A
    /// CANCELLING job can't complete: results that come after the cancel are not stored.
    pub fn next(self, event: JobEvent) -> Option<JobState> {
        use JobState::*;
        match (self, event) {
            (Succeeded | Failed | Cancelled, _) => None,
            (_, JobEvent::Fail) => Some(Failed),
            (_, JobEvent::Cancel) => Some(Cancelling),
            (Uploading, JobEvent::Begun) => Some(Uploading),
            (Uploading, JobEvent::Sealed) => Some(Queued),
            (Queued | Running, JobEvent::Begun) => Some(Running),
            (Queued | Running, JobEvent::Completed) => Some(Succeeded),
            (Cancelling, JobEvent::LeasesEnded) => Some(Cancelled),
            (Uploading, JobEvent::Completed)
            | (Queued | Running | Cancelling, JobEvent::Sealed)
            | (Cancelling, JobEvent::Begun | JobEvent::Completed)
            | (Uploading | Queued | Running, JobEvent::LeasesEnded) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{JobEvent, JobState, JobState::*};

    const EVENTS: [JobEvent; 6] = [
        JobEvent::Begun,
        JobEvent::Sealed,
        JobEvent::Completed,
        JobEvent::Cancel,
        JobEvent::LeasesEnded,
        JobEvent::Fail,
    ];

    #[test]
    fn every_state_and_event() {
        // Columns as in EVENTS.
        #[rustfmt::skip]
        let table: [(JobState, [Option<JobState>; 6]); 7] = [
            //           Begun            Sealed        Completed        Cancel            LeasesEnded      Fail
            (Uploading,  [Some(Uploading), Some(Queued), None,            Some(Cancelling), None,            Some(Failed)]),
            (Queued,     [Some(Running),   None,         Some(Succeeded), Some(Cancelling), None,            Some(Failed)]),
            (Running,    [Some(Running),   None,         Some(Succeeded), Some(Cancelling), None,            Some(Failed)]),
            (Cancelling, [None,            None,         None,            Some(Cancelling), Some(Cancelled), Some(Failed)]),
            (Succeeded,  [None,            None,         None,            None,             None,            None]),
            (Failed,     [None,            None,         None,            None,             None,            None]),
            (Cancelled,  [None,            None,         None,            None,             None,            None]),
        ];
        assert_eq!(table.map(|(state, _)| state), JobState::ALL);
        for (state, row) in table {
            for (event, want) in EVENTS.into_iter().zip(row) {
                assert_eq!(state.next(event), want, "{state:?} + {event:?}");
            }
        }
    }

    #[test]
    fn codes_are_the_stored_ones() {
        for (code, state) in (1..=7).zip(JobState::ALL) {
            assert_eq!((state as u8, JobState::from_code(code)), (code, Some(state)));
        }
        assert_eq!([0, 8, 255].map(JobState::from_code), [None; 3]);
    }

    #[test]
    fn a_job_is_workable_cancelling_or_ended() {
        for state in JobState::ALL {
            let kinds = [state.is_workable(), state == Cancelling, state.is_final()];
            assert_eq!(kinds.iter().filter(|kind| **kind).count(), 1, "{state:?}");
        }
    }
}

//! What an operator can set about jobs and calls.

use crate::store::Usage;
use std::time::Duration;

/// The engine's settings.
#[derive(Clone, Debug)]
pub struct Options {
    /// Node limit of a unary solve that names none.
    pub solve_node_limit: u64,
    /// The greatest node limit that a unary solve may name.
    pub max_solve_node_limit: u64,
    /// How long a unary call may take, its wait for a thread included.
    pub solve_time_limit: Duration,
    /// Node limit of a batch item whose spec names none.
    pub batch_node_limit: u64,
    /// Time to live of an ended job whose spec names none.
    pub time_to_live: Duration,
    /// The longest time to live a spec may ask for.
    pub max_time_to_live: Duration,
    /// An upload without input for longer fails its job.
    pub upload_idle: Duration,
    /// Jobs that a principal may have stored, ended ones too.
    pub max_jobs: u64,
    /// Bytes of packed input and results that a principal may have stored before more input is refused.
    pub max_stored_bytes: Option<u64>,
    /// While the medium has less room, new jobs and input are refused; 0: never.
    pub disk_floor_bytes: u64,
    /// Items a job may hold.
    pub max_job_items: u32,
    /// Items a chunk holds at the most.
    pub chunk_items: u32,
    /// A partial chunk is cut after this long without input.
    pub chunk_linger: Duration,
    /// Bytes of one upload that may wait for the store.
    pub upload_buffer_bytes: usize,
    /// Bytes of all uploads together that may wait for the store.
    pub upload_buffers_bytes: usize,
    /// How long a claimed chunk stays its worker's without a heartbeat.
    pub lease_ttl: Duration,
    /// How often idle uploads, expired jobs and lost leases are looked for.
    pub sweep_every: Duration,
    /// Time that a unary call may be solved where it arrives before it moves to the interactive lane.
    pub inline_budget: Duration,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            solve_node_limit: 10_000_000,
            max_solve_node_limit: 1_000_000_000,
            solve_time_limit: Duration::from_secs(30),
            batch_node_limit: 10_000_000,
            time_to_live: Duration::from_secs(24 * 3600),
            max_time_to_live: Duration::from_secs(30 * 24 * 3600),
            upload_idle: Duration::from_secs(3600),
            max_jobs: 10_000,
            max_stored_bytes: None,
            disk_floor_bytes: 1 << 30,
            max_job_items: crate::job::chunk::MAX_JOB_ITEMS,
            chunk_items: crate::job::chunk::DEFAULT_CHUNK_ITEMS,
            chunk_linger: Duration::from_millis(20),
            upload_buffer_bytes: 8 << 20,
            upload_buffers_bytes: 256 << 20,
            lease_ttl: Duration::from_secs(30),
            sweep_every: Duration::from_secs(5),
            inline_budget: Duration::from_micros(200),
        }
    }
}

impl Options {
    /// What each principal may have stored.
    pub(super) fn quota(&self) -> Usage {
        Usage { jobs: self.max_jobs, bytes: self.max_stored_bytes.unwrap_or(u64::MAX) }
    }
}

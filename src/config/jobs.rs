//! The options of jobs and unary calls: decided and checked.

use super::check::{HOUR, SECOND, invalid, number, optional, seconds, sized, within};
use super::error::ConfigError;
use super::raw::RawConfig;
use super::value::{Size, Span};
use crate::engine::Options;
use crate::job::chunk::MAX_JOB_ITEMS;
use std::time::Duration;

/// More than any disk holds.
const MOST_STORED: Size = Size(1 << 50);

/// The engine's settings.
///
/// # Errors
/// The first option whose value makes no sense.
pub fn options(raw: &RawConfig) -> Result<Options, ConfigError> {
    let usual = Options::default();
    let max_ttl = seconds("max-time-to-live", raw.max_time_to_live, usual.max_time_to_live)?;
    let ttl = seconds("time-to-live", raw.time_to_live, usual.time_to_live.min(max_ttl))?;
    if ttl > max_ttl {
        let problem = format!("{} is longer than max-time-to-live, {}", Span(ttl), Span(max_ttl));
        return Err(invalid("time-to-live", problem));
    }
    let max_nodes = number("max-solve-node-limit", raw.max_solve_node_limit, usual.max_solve_node_limit, 1..=u64::MAX)?;
    let nodes = usual.solve_node_limit.min(max_nodes);
    Ok(Options {
        solve_node_limit: number("solve-node-limit", raw.solve_node_limit, nodes, 1..=max_nodes)?,
        max_solve_node_limit: max_nodes,
        solve_time_limit: within(
            "solve-time-limit",
            raw.solve_time_limit,
            usual.solve_time_limit,
            SECOND / 100..=HOUR,
        )?,
        batch_node_limit: number("batch-node-limit", raw.batch_node_limit, usual.batch_node_limit, 1..=u64::MAX)?,
        time_to_live: ttl,
        max_time_to_live: max_ttl,
        upload_idle: within("upload-idle", raw.upload_idle, usual.upload_idle, SECOND..=Duration::MAX)?,
        max_jobs: number("max-jobs", raw.max_jobs, usual.max_jobs, 1..=10_000_000)?,
        max_stored_bytes: optional("max-stored-bytes", raw.max_stored_bytes, Size(64 << 10)..=MOST_STORED)?
            .map(|size| size.0)
            .or(usual.max_stored_bytes),
        disk_floor_bytes: number(
            "disk-floor-bytes",
            raw.disk_floor_bytes,
            Size(usual.disk_floor_bytes),
            Size(0)..=MOST_STORED,
        )?
        .0,
        max_job_items: number("max-job-items", raw.max_job_items, usual.max_job_items, 1..=MAX_JOB_ITEMS)?,
        chunk_items: number("chunk-items", raw.chunk_items, usual.chunk_items, 1..=65_536)?,
        chunk_linger: within("chunk-linger", raw.chunk_linger, usual.chunk_linger, Duration::ZERO..=10 * SECOND)?,
        upload_buffer_bytes: sized("upload-buffer-bytes", raw.upload_buffer_bytes, usual.upload_buffer_bytes, 16..=30)?,
        upload_buffers_bytes: sized(
            "upload-buffers-bytes",
            raw.upload_buffers_bytes,
            usual.upload_buffers_bytes,
            16..=34,
        )?,
        lease_ttl: within("lease-ttl", raw.lease_ttl, usual.lease_ttl, SECOND..=HOUR)?,
        sweep_every: within("sweep-every", raw.sweep_every, usual.sweep_every, SECOND / 10..=HOUR)?,
        inline_budget: within(
            "inline-budget",
            raw.inline_budget,
            usual.inline_budget,
            Duration::ZERO..=Duration::from_micros(500),
        )?,
    })
}

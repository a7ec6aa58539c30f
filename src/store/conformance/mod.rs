//! The conformance suite: what every backend must do, one test a clause of [`JobStore`]'s contract.
//!
//! A backend's tests implement [`Harness`], and [`Durable`] where it outlives its process, and call
//! `conformance_tests!(Mine);` and `durability_tests!(Mine);`. Must never know which backend runs.

pub mod durable;
pub mod ending;
pub mod input;
pub mod kit;
pub mod lease;
pub mod quota;
pub mod race;
pub mod reading;
pub mod turns;
pub mod work;

use super::{Clock, JobStore};
use std::future::Future;
use std::sync::Arc;

/// Chunks of one job that are out at a time, in every store under test.
pub const WINDOW: u32 = 4;

/// A backend under test.
pub trait Harness: Send + Sized {
    /// Opens a new, empty store, with a window of [`WINDOW`] and a manual clock.
    fn fresh() -> impl Future<Output = Self> + Send;

    /// The store.
    fn store(&self) -> Arc<dyn JobStore>;

    /// The clock that it goes by.
    fn clock(&self) -> &Clock;
}

/// A backend whose jobs outlive its process.
pub trait Durable: Harness {
    /// Ends the process as a kill would, without [`JobStore::close`], and starts another on the same data and
    /// clock.
    fn crash(self) -> impl Future<Output = Self> + Send;
}

/// One test a clause, for a [`Harness`].
macro_rules! conformance_tests {
    ($harness:ty) => {
        $crate::store::conformance::conformance_tests! { $harness;
            input: a_new_job_is_as_asked, the_same_request_is_the_same_job, another_spec_is_a_conflict,
                principals_share_no_request_ids, an_unknown_job_is_not_found, a_newer_stream_fences_older_ones,
                an_upload_goes_on_where_it_stopped, stored_chunks_are_skipped, gaps_and_straddles_store_nothing,
                a_sealed_job_takes_no_input, the_total_must_be_what_is_stored, sealing_again_is_a_repeat,
                an_empty_job_succeeds, sealing_finds_how_far_the_work_is, generated_jobs_are_fed;
            work: a_claim_shows_what_was_stored, claims_are_bounded, a_claim_waits_and_is_woken,
                dropped_claims_lose_nothing, beginning_makes_a_job_running, a_release_counts_nothing,
                a_fault_counts, the_first_result_stays, the_last_result_ends_the_job,
                counts_must_fit_the_chunk, nothing_is_missing_on_a_sound_store;
            turns: chunks_come_in_order, one_jobs_chunks_fill_no_more_than_the_window, a_small_job_is_next,
                principals_take_turns, priorities_are_weighted;
            lease: heartbeats_keep_a_lease, a_lease_that_ran_out_is_lost, a_stale_holder_changes_nothing,
                foreign_tokens_are_lost, a_sweep_wakes_who_waits, locks_exclude_others;
            ending: cancelling_an_idle_job_ends_it, cancelling_waits_for_leases, a_cancelled_result_is_not_stored,
                cancelling_keeps_what_is_done, cancelling_again_changes_nothing, a_failed_job_says_why,
                only_ended_jobs_are_deleted, a_deleted_job_is_gone, a_late_writer_is_told,
                an_idle_upload_fails, an_ended_job_expires;
            reading: results_come_in_order, a_follower_is_woken, an_ended_job_skips_holes,
                nothing_lies_beyond_the_end, every_change_raises_the_revision, a_watcher_is_woken,
                a_watcher_of_a_deleted_job_is_told, jobs_are_listed_newest_first, listings_are_filtered,
                figures_add_up, a_closed_store_refuses_all, closing_wakes_who_waits;
            quota: usage_is_of_jobs_and_of_what_was_stored_for_them, a_full_quota_refuses_new_jobs_alone,
                a_quota_holds_whoever_comes_at_once;
            race: creating_once, uploading_from_many_streams, working_from_many_tasks, completing_once,
                cancelling_meets_completing, sealing_meets_completing, aborted_claims_lose_nothing;
        }
    };
    ($harness:ty; $($area:ident: $($clause:ident),+;)+) => {
        $(mod $area {
            use super::*;
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $clause() {
                let harness = <$harness as $crate::store::conformance::Harness>::fresh().await;
                let kit = $crate::store::conformance::kit::Kit::of(&harness);
                $crate::store::conformance::$area::$clause(kit).await;
                assert_eq!($crate::store::conformance::Harness::store(&harness).close().await, Ok(()));
            })+
        })+
    };
}
pub(crate) use conformance_tests;

/// One test a clause about crashes, for a [`Durable`].
macro_rules! durability_tests {
    ($harness:ty) => {
        $crate::store::conformance::durability_tests! { $harness:
            jobs_and_input_survive, results_survive, tokens_do_not_survive, a_crash_counts_once_begun,
            a_crash_counts_for_the_item_begun, ended_work_counts_no_crash, faults_survive, epochs_go_on,
            cancelling_ends_with_the_process, deleted_stays_deleted, several_crashes,
            usage_survives
        }
    };
    ($harness:ty: $($clause:ident),+) => {
        mod durable {
            use super::*;
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $clause() {
                let harness = <$harness as $crate::store::conformance::Harness>::fresh().await;
                $crate::store::conformance::durable::$clause(harness).await;
            })+
        }
    };
}
pub(crate) use durability_tests;

//! Every order of what can happen to a job, up to the budget: all invariants hold, and each is seen to fail without its guard.

use stateright::{Checker, Model};
use sudokud_model::guard::Guard;
use sudokud_model::protocol::Protocol;
use sudokud_model::world::Budget;

/// What is checked with every guard in place.
const WHOLE: Budget = Budget { crashes: 2, expiries: 1, releases: 1, opens: 3, cancels: 1, deletes: 1, fails: 1 };
/// Enough to see each invariant fail.
const SMALL: Budget = Budget { crashes: 1, expiries: 1, releases: 0, opens: 2, cancels: 1, deletes: 1, fails: 0 };

#[test]
fn all_invariants_hold_in_every_state() {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let model = Protocol { budget: WHOLE, without: vec![] };
    let checker = model.checker().threads(threads).spawn_bfs().join();
    checker.assert_properties();
    println!("states={} transitions={}", checker.unique_state_count(), checker.state_count());
}

#[test]
fn each_invariant_fails_without_its_guard() {
    let cases: [(&[Guard], &str); 13] = [
        (&[Guard::Durable], "no acknowledged input is lost"),
        (&[Guard::Durable], "no stored result is lost"),
        (&[Guard::Lease, Guard::FirstResult], "no result is doubled"),
        (&[Guard::Lease], "no stale lease stores"),
        (&[Guard::JobId], "no stale lease stores"),
        (&[Guard::Epoch], "no stream that was taken over writes"),
        (&[Guard::Finish], "no job runs short"),
        (&[Guard::Total], "a success is whole"),
        (&[Guard::CancelledLease], "nothing is stored after a cancel"),
        (&[Guard::Final], "an end is final"),
        (&[Guard::Expiry], "every sealed job ends"),
        (&[Guard::Recovery], "every sealed job ends"),
        (&[Guard::LastLease], "every sealed job ends"),
    ];
    for (without, invariant) in cases {
        let model = Protocol { budget: SMALL, without: without.to_vec() };
        let checker = model.checker().spawn_bfs().join();
        let path = checker.discovery(invariant);
        let path = path.unwrap_or_else(|| panic!("without {without:?} it still holds that {invariant}"));
        println!("without {without:?}, not: {invariant}: {:?}", path.into_actions());
    }
}

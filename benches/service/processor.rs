//! Processor time, which a busy machine does not distort as it does a clock.

use std::time::Duration;

/// What Linux reports it in, on every platform that it is reported on.
const TICK: Duration = Duration::from_millis(10);

/// Processor time that a process has taken, in user and kernel; `self` for our own.
///
/// # Panics
/// When there is no such process.
pub fn time(process: &str) -> Duration {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).expect("a live process");
    // Fields 14 and 15; the second is the name, in parentheses, and may hold spaces.
    let (_, fields) = stat.rsplit_once(')').expect("a name in parentheses");
    let ticks = fields.split_whitespace().skip(11).take(2).map(|field| field.parse::<u32>().expect("ticks"));
    TICK * ticks.sum::<u32>()
}

/// Runs `work`; what it gives, and what processor time this process took meanwhile.
pub async fn timed<T>(work: impl Future<Output = T>) -> (T, Duration) {
    let before = time("self");
    let done = work.await;
    (done, time("self") - before)
}

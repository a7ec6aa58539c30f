//! Processor time, which a busy machine does not distort as it does a clock.

use std::collections::BTreeMap;
use std::time::Duration;

/// What Linux reports a process's time in, on every platform that it is reported on.
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

/// Processor time of a process's living threads by their names, a number at the end left out.
///
/// # Panics
/// When there is no such process.
pub fn by_thread(process: &str) -> BTreeMap<String, Duration> {
    let mut times = BTreeMap::new();
    for task in std::fs::read_dir(format!("/proc/{process}/task")).expect("a live process") {
        let task = task.expect("a thread").path();
        let read = |file: &str| std::fs::read_to_string(task.join(file));
        // A thread may end while it is looked at.
        let (Ok(name), Ok(spent)) = (read("comm"), read("schedstat")) else { continue };
        let name = name.trim_end().trim_end_matches(|c: char| c.is_ascii_digit() || c == '-');
        let nanoseconds = spent.split_whitespace().next().and_then(|field| field.parse().ok()).expect("nanoseconds");
        *times.entry(name.to_owned()).or_default() += Duration::from_nanos(nanoseconds);
    }
    times
}

/// Runs `work`; what it gives, and what processor time this process took meanwhile.
pub async fn timed<T>(work: impl Future<Output = T>) -> (T, Duration) {
    let before = time("self");
    let done = work.await;
    (done, time("self") - before)
}

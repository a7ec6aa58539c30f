//! What a person at a terminal sees while a command works; nothing at all in a pipe.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::time::Duration;

/// A bar on stderr, erased when dropped.
#[derive(Debug)]
pub struct Progress(ProgressBar);

const COUNTED: &str = "{msg} [{bar:30}] {human_pos}/{human_len} {per_sec} {eta}";
const ENDLESS: &str = "{msg} {spinner} {human_pos} {per_sec}";
const BYTES: &str = "{msg} [{bar:30}] {binary_bytes}/{binary_total_bytes} {binary_bytes_per_sec} {eta}";

impl Progress {
    /// Counts items, up to `total` where that is known.
    pub fn items(what: &'static str, total: Option<u64>) -> Progress {
        Progress::new(what, total, COUNTED)
    }

    /// Counts bytes, up to `total` where that is known.
    pub fn bytes(what: &'static str, total: Option<u64>) -> Progress {
        Progress::new(what, total, BYTES)
    }

    fn new(what: &'static str, total: Option<u64>, style: &str) -> Progress {
        let target = if std::io::stderr().is_terminal() {
            ProgressDrawTarget::stderr_with_hz(10)
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(total, target).with_message(what);
        // The templates above are well-formed, and a fault would show as the usual bar.
        if let Ok(style) = ProgressStyle::with_template(if total.is_some() { style } else { ENDLESS }) {
            bar.set_style(style.progress_chars("=> "));
        }
        Progress(bar)
    }

    /// Where it stands now.
    pub fn at(&self, position: u64) {
        self.0.set_position(position);
    }

    /// How many there will be.
    pub fn of(&self, total: u64) {
        if self.0.length() != Some(total) {
            self.0.set_length(total);
            if let Ok(style) = ProgressStyle::with_template(COUNTED) {
                self.0.set_style(style.progress_chars("=> "));
            }
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// A count with commas: `1,234,567`.
pub fn count(n: u64) -> String {
    let digits = n.to_string();
    let comma = |i: usize| i > 0 && (digits.len() - i).is_multiple_of(3);
    digits.chars().enumerate().flat_map(|(i, c)| comma(i).then_some(',').into_iter().chain([c])).collect()
}

/// `n` of something, in words: `1 puzzle`, `2,000 puzzles`.
pub fn counted(n: u64, what: &str) -> String {
    format!("{} {what}{}", count(n), if n == 1 { "" } else { "s" })
}

/// How long it took, and the rate: `1.25 s, 800,000/s`.
pub fn pace(n: u64, elapsed: Duration) -> String {
    let seconds = elapsed.as_secs_f64().max(1e-6);
    format!("{seconds:.2} s, {}/s", count((n as f64 / seconds) as u64))
}

/// A duration in words, without parts of a second: `1m 30s`.
pub fn whole(duration: Duration) -> String {
    humantime::format_duration(Duration::from_secs(duration.as_secs())).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        for (n, text) in [(0, "0"), (999, "999"), (1_000, "1,000"), (12_345_678, "12,345,678")] {
            assert_eq!(count(n), text);
        }
        assert_eq!((counted(1, "grid").as_str(), counted(2, "grid").as_str()), ("1 grid", "2 grids"));
        assert_eq!(pace(100, Duration::from_millis(500)), "0.50 s, 200/s");
    }
}

//! Finds the metrics that a text names: words of letters and underscores that begin as ours do.

use std::collections::BTreeSet;

const PREFIXES: [&str; 2] = ["sudokud_", "process_"];

/// The names, each once.
pub fn names(text: &str) -> BTreeSet<String> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let words = text.split(|c| !is_part(c));
    words.filter(|word| PREFIXES.iter().any(|prefix| word.starts_with(prefix))).map(str::to_owned).collect()
}

#[test]
fn finds_whole_words() {
    let text = "rate(sudokud_a_total{x=\"sudokud\"}[5m]) / on() process_b:sudokud_c_bucket my_sudokud_d sudokudo";
    assert_eq!(names(text).into_iter().collect::<Vec<_>>(), ["process_b", "sudokud_a_total", "sudokud_c_bucket"]);
}

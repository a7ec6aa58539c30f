//! The rules.

use crate::source::{File, Tree};
use std::collections::{BTreeMap, BTreeSet};

/// Lowest first; those in one row never see each other.
const LAYERS: [&[&str]; 8] =
    [&["sudoku"], &["job"], &["pool", "store"], &["engine"], &["grpc", "telemetry"], &["config"], &["app"], &["cli"]];

/// External crates that only these places may name.
const CONFINED: [(&str, &[&str]); 22] = [
    ("rusqlite", &["store/embedded/"]),
    ("tonic", &["grpc/", "cli/", "app.rs"]),
    ("tokio_rustls", &["grpc/"]),
    ("ring", &["grpc/"]),
    ("subtle", &["grpc/"]),
    ("webpki", &["grpc/"]),
    ("tonic_types", &["grpc/", "cli/"]),
    ("prost", &["grpc/"]),
    ("prost_types", &["grpc/", "cli/"]),
    ("clap", &["cli/", "config/"]),
    ("indicatif", &["cli/"]),
    ("axum", &["grpc/"]),
    ("toml", &["config/"]),
    ("thread_priority", &["pool/"]),
    ("x509_parser", &["grpc/"]),
    ("metrics", &["engine/", "grpc/", "store/", "telemetry/", "app.rs"]),
    ("metrics_exporter_prometheus", &["grpc/", "telemetry/", "app.rs"]),
    ("metrics_process", &["grpc/", "telemetry/"]),
    ("opentelemetry", &["engine/origins.rs", "grpc/call.rs", "telemetry/"]),
    ("opentelemetry_otlp", &["telemetry/"]),
    ("opentelemetry_sdk", &["telemetry/"]),
    ("tracing_opentelemetry", &["engine/origins.rs", "grpc/call.rs", "telemetry/"]),
];

/// Words that have no place in the pure folders.
const IMPURE: [&str; 16] = [
    "metrics",
    "tracing",
    "async",
    "await",
    "tokio",
    "tonic",
    "futures",
    "Instant",
    "SystemTime",
    "fs",
    "net",
    "env",
    "thread",
    "process",
    "println",
    "eprintln",
];

const MAX_LINES: usize = 400;

pub fn check(tree: &Tree) -> Vec<String> {
    let mut findings = Vec::new();
    for file in tree.files.values() {
        lines_and_docs(file, &mut findings);
        layers(tree, file, &mut findings);
        words(file, &mut findings);
    }
    circles(tree, &mut findings);
    findings
}

fn lines_and_docs(file: &File, findings: &mut Vec<String>) {
    let lines = file.text.lines().count();
    if lines > MAX_LINES {
        findings.push(format!("{}: {lines} lines, at most {MAX_LINES}", file.path));
    }
    if !file.text.starts_with("//! ") {
        findings.push(format!("{}: no module doc on the first line", file.path));
    }
}

fn rank(module: &[String]) -> Option<usize> {
    let top = module.first()?;
    LAYERS.iter().position(|row| row.contains(&top.as_str()))
}

fn layers(tree: &Tree, file: &File, findings: &mut Vec<String>) {
    if file.module.is_empty() || file.module == ["main"] {
        return;
    }
    let Some(mine) = rank(&file.module) else {
        findings.push(format!("{}: belongs to no layer", file.path));
        return;
    };
    for reference in &file.references {
        let Some(home) = tree.home(&reference.path) else { continue };
        let Some(theirs) = rank(&home.module) else { continue };
        let same_folder = home.module.first() == file.module.first();
        if !same_folder && theirs >= mine {
            let what = reference.path.join("::");
            findings.push(format!("{}:{}: {what} is not to the right of its layer", file.path, reference.line));
        }
    }
}

fn words(file: &File, findings: &mut Vec<String>) {
    let pure = file.path.starts_with("sudoku/") || file.path.starts_with("job/");
    for word in &file.words {
        let mut found = |problem: &str| findings.push(format!("{}:{}: {problem}", file.path, word.line));
        if word.text == "unsafe" && !file.path.starts_with("sudoku/kernel/") {
            found("`unsafe` outside of sudoku/kernel");
        }
        if pure && !word.in_test && !file.is_test && IMPURE.contains(&word.text.as_str()) {
            found(&format!("`{}` in the pure core", word.text));
        }
        if let Some((name, places)) = CONFINED.iter().find(|(name, _)| *name == word.text)
            && !places.iter().any(|place| file.path.starts_with(place))
        {
            found(&format!("`{name}` belongs to {}", places.join(", ")));
        }
    }
}

/// Import circles among files. A mod.rs that declares and re-exports its children does not import them; a name
/// taken through it counts as taken from the file that defines it.
fn circles(tree: &Tree, findings: &mut Vec<String>) {
    let mut edges: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for file in tree.files.values().filter(|file| !file.is_test) {
        for reference in file.references.iter().filter(|r| !r.in_test) {
            if let Some(home) = tree.home(&reference.path)
                && home.path != file.path
                && !home.module.is_empty()
            {
                edges.entry(&file.path).or_default().insert(&home.path);
            }
        }
    }
    let mut done = BTreeSet::new();
    for &start in edges.keys() {
        visit(start, &edges, &mut Vec::new(), &mut done, findings);
    }
}

fn visit<'a>(
    at: &'a str,
    edges: &BTreeMap<&'a str, BTreeSet<&'a str>>,
    trail: &mut Vec<&'a str>,
    done: &mut BTreeSet<&'a str>,
    findings: &mut Vec<String>,
) {
    if let Some(begin) = trail.iter().position(|&seen| seen == at) {
        findings.push(format!("import circle: {} → {at}", trail[begin..].join(" → ")));
        return;
    }
    if !done.insert(at) {
        return;
    }
    trail.push(at);
    for next in edges.get(at).into_iter().flatten() {
        visit(next, edges, trail, done, findings);
    }
    trail.pop();
}

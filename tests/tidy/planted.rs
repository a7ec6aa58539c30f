//! Each rule sees its violation.

use crate::{rules, source::Tree};

/// A small tidy tree, with these files put over it; the findings.
fn findings(planted: &[(&str, &str)]) -> Vec<String> {
    let tidy = [
        ("lib.rs", "//! The crate.\npub mod sudoku; pub mod job; pub mod pool; pub mod store; pub mod engine;"),
        ("sudoku/mod.rs", "//! Core.\npub mod grid; pub mod solve; pub use grid::Grid; pub use solve::*;"),
        ("sudoku/grid.rs", "//! Grid.\npub struct Grid;"),
        ("sudoku/solve.rs", "//! Solve.\nuse super::Grid; pub fn solve(_: &Grid) {}"),
        ("job/mod.rs", "//! Jobs.\nuse crate::sudoku::{self, Grid, grid::Grid as G};"),
        ("pool/mod.rs", "//! Pool.\nuse crate::job;"),
        ("store/mod.rs", "//! Store.\nuse crate::{job, sudoku::solve};"),
        ("engine/mod.rs", "//! Engine.\nuse crate::{pool, store};"),
    ];
    let kept = tidy.iter().filter(|(path, _)| !planted.iter().any(|(p, _)| p == path));
    rules::check(&Tree::of(kept.chain(planted).map(|(path, text)| (path.to_string(), text.to_string()))))
}

#[track_caller]
fn sees(planted: &[(&str, &str)], expected: &str) {
    let found = findings(planted);
    assert!(found.iter().any(|f| f.contains(expected)), "{expected:?} not in {found:?}");
}

#[test]
fn a_tidy_tree_has_no_findings() {
    assert_eq!(findings(&[]), Vec::<String>::new());
}

#[test]
fn edges_that_point_back() {
    for (file, import) in [
        ("job/mod.rs", "use crate::store::x;"),
        ("job/mod.rs", "use crate::{sudoku, engine::{self}};"),
        ("sudoku/grid.rs", "use super::super::job; pub struct Grid;"),
        ("pool/mod.rs", "fn f() { crate::store::go() }"),
        ("store/mod.rs", "fn f() { assert!(crate::pool::go()) }"),
        ("store/mod.rs", "#[cfg(test)] mod tests { use super::super::engine; }"),
    ] {
        sees(&[(file, &format!("//! Doc.\n{import}"))], "is not to the right of its layer");
    }
    sees(&[("stray.rs", "//! Doc.")], "belongs to no layer");
}

#[test]
fn circles_between_files() {
    let grid = "//! Grid.\nuse super::solve; pub struct Grid;";
    sees(&[("sudoku/grid.rs", grid)], "import circle: sudoku/grid.rs → sudoku/solve.rs → sudoku/grid.rs");
    let through_glob = "//! Grid.\nuse crate::sudoku::solve as go; pub struct Grid;";
    sees(&[("sudoku/grid.rs", through_glob)], "import circle");
    let only_in_tests = "//! Grid.\npub struct Grid; #[cfg(test)] mod tests { use crate::sudoku::solve; }";
    assert_eq!(findings(&[("sudoku/grid.rs", only_in_tests)]), Vec::<String>::new());
}

#[test]
fn long_files_and_missing_docs() {
    sees(&[("pool/mod.rs", &format!("//! Doc.\n{}", "\n".repeat(400)))], "401 lines");
    sees(&[("pool/mod.rs", "// no doc\n")], "no module doc");
}

#[test]
fn unsafe_outside_the_kernel() {
    sees(&[("pool/mod.rs", "//! Doc.\nfn f() { unsafe { g() } }")], "pool/mod.rs:2: `unsafe`");
    let kernel = [("sudoku/kernel/mod.rs", "//! Doc.\nfn f() { unsafe { g() } }")];
    assert_eq!(findings(&kernel), Vec::<String>::new());
    assert_eq!(findings(&[("pool/mod.rs", "//! Doc: unsafe.\n// unsafe")]), Vec::<String>::new());
}

#[test]
fn impurity_in_the_core() {
    for code in [
        "async fn f() {}",
        "use std::time::Instant;",
        "use std::fs::File;",
        "fn f() { tokio::spawn(x) }",
        "fn f() { std::env::var(x) }",
        "fn f() { println!() }",
    ] {
        sees(&[("job/mod.rs", &format!("//! Doc.\n{code}"))], "in the pure core");
    }
    let in_test = "//! Doc.\n#[cfg(test)] mod tests { fn f() { std::fs::read(x) } }";
    assert_eq!(findings(&[("job/mod.rs", in_test)]), Vec::<String>::new());
}

#[test]
fn crates_out_of_place() {
    sees(&[("engine/mod.rs", "//! Doc.\nuse tonic::Status;")], "`tonic` belongs to");
    sees(&[("store/mod.rs", "//! Doc.\nuse rusqlite::Connection;")], "`rusqlite` belongs to");
}

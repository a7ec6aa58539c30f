//! `generate`: the forms and numbers asked for, the same bytes for the same seed, refusals.

use crate::run::Folder;
use std::collections::HashSet;

fn lines(text: &str) -> HashSet<&str> {
    text.lines().collect()
}

#[test]
fn the_grid_form_has_its_exact_size_and_first_cell() {
    let folder = Folder::new();
    let ran = folder.run("generate --grids 10000 --first-cell 9 --format grid --seed 7 -o g.txt");
    assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{}", ran.err);
    let text = folder.read("g.txt");
    assert_eq!(text.len(), 163 * 10_000 - 1);
    let grids: Vec<&str> = text.trim_end().split("\n\n").collect();
    assert_eq!(grids.len(), 10_000);
    assert!(grids.iter().all(|grid| grid.starts_with("9 ") && grid.lines().count() == 9));
    assert_eq!(grids.iter().collect::<HashSet<_>>().len(), 10_000);
    assert!(ran.err.starts_with("10,000 grids ("), "{}", ran.err);
}

#[test]
fn generated_grids_are_solved_ones() {
    let folder = Folder::new();
    for family in ["orbit", "shift", "search"] {
        let grids = folder.run(&format!("generate --grids 50 --family {family} --seed 1"));
        assert_eq!((grids.code, lines(&grids.out).len()), (0, 50), "{family}: {}", grids.err);
        let solved = folder.run_with("solve -", &grids.out);
        assert_eq!((solved.code, solved.out), (0, grids.out), "{family}: {}", solved.err);
    }
}

#[test]
fn a_seed_gives_the_same_bytes_and_an_unset_one_is_told() {
    let folder = Folder::new();
    let drawn = folder.run("generate --grids 20000");
    let seed = drawn.err.lines().find_map(|line| line.strip_prefix("seed ")).expect("the seed is told");
    let again = folder.run(&format!("generate --grids 20000 --seed {seed}"));
    assert!(drawn.code == 0 && drawn.out == again.out && !again.err.contains("seed"), "{}", again.err);
    let part = folder.run(&format!("generate --grids 3 --seed {seed}"));
    assert!(drawn.out.starts_with(&part.out) && part.out.len() == 3 * 82);
    let other = folder.run("generate --grids 3 --seed 12345");
    assert_ne!(other.out, part.out);
}

#[test]
fn wrong_numbers_are_refused() {
    let folder = Folder::new();
    for (words, told) in [
        ("--grids 0", "1 or more"),
        ("--grids -3", "1 or more"),
        ("--grids ten", "1 or more"),
        ("--grids 1.5", "1 or more"),
        ("", "--grids"),
        ("--grids 1 --first-cell 10", "0..=9"),
        ("--grids 1 --family round", "orbit"),
        ("--grids 1 --seed -1", "--seed"),
        ("--grids 2903041 --first-cell 1 --family shift", "2,903,040"),
        ("--grids 1 --level easy", "--level"),
    ] {
        let ran = folder.run(&format!("generate -o out {words}"));
        assert_eq!(ran.code, 2, "{words}: {}", ran.err);
        assert!(ran.err.contains(told), "{words}: {}", ran.err);
    }
    assert!(folder.names().is_empty());
}

//! `generate --puzzles`: every wish met, the same bytes for the same seed, refusals.

use crate::run::Folder;
use std::collections::HashSet;

fn clues(puzzle: &str) -> usize {
    puzzle.bytes().filter(|&byte| byte != b'.').count()
}

#[test]
fn puzzles_have_one_solution_each() {
    let folder = Folder::new();
    let made = folder.run("generate --puzzles 2000 --seed 5");
    assert_eq!((made.code, made.out.lines().count()), (0, 2_000), "{}", made.err);
    assert!(made.err.starts_with("2,000 puzzles: 2,000 unique ("), "{}", made.err);
    assert_eq!(made.out.lines().collect::<HashSet<_>>().len(), 2_000);
    assert!(made.out.lines().all(|line| line.len() == 81 && (17..=40).contains(&clues(line))));
    let solved = folder.run_with("solve - --kernel reference", &made.out);
    assert_eq!(solved.code, 0, "{}", solved.err);
}

#[test]
fn levels_are_as_rated() {
    let folder = Folder::new();
    for level in ["very-easy", "easy", "medium", "hard", "very-hard", "extreme"] {
        let made = folder.run(&format!("generate --puzzles 4 --seed 8 --level {level}"));
        assert_eq!(made.code, 0, "{level}: {}", made.err);
        let rated = folder.run_with("rate -", &made.out);
        assert!(rated.out.lines().all(|line| line.ends_with(&format!("\t{level}"))), "{level}: {}", rated.out);
    }
    let made = folder.run("generate --puzzles 5 --seed 8 --er 2.5-2.8");
    let rated = folder.run_with("rate -", &made.out);
    let er = |line: &str| line.split('\t').next().expect("ER").parse::<f64>().expect("a number");
    assert!(rated.out.lines().all(|line| (2.5..=2.8).contains(&er(line))), "{}", rated.out);
}

#[test]
fn patterns_are_as_wished() {
    let folder = Folder::new();
    let lines = |flags: &str| {
        let made = folder.run(&format!("generate --puzzles 20 --seed 2 {flags}"));
        assert_eq!((made.code, made.out.lines().count()), (0, 20), "{flags}: {}", made.err);
        made.out.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    assert!(lines("--clues 26").iter().all(|line| clues(line) == 26));
    assert!(lines("--clues 30-34").iter().all(|line| (30..=34).contains(&clues(line))));
    let turned = |line: &str| line.bytes().zip(line.bytes().rev()).all(|(a, b)| (a == b'.') == (b == b'.'));
    assert!(lines("--symmetry rotational-180").iter().all(|line| turned(line)));
    let blanks_fit =
        |line: &str| line.as_bytes().chunks(9).all(|row| (3..=8).contains(&row.iter().filter(|&&b| b == b'.').count()));
    assert!(lines("--blanks-per-row 3-8").iter().all(|line| blanks_fit(line)));
    let minimal = lines("--minimal").join("\n");
    assert_eq!(folder.run_with("minimize -", &minimal).out.trim_end(), minimal);
    assert!(lines("--allow-multiple --clues 12").iter().all(|line| clues(line) == 12));
}

#[test]
fn a_seed_gives_the_same_bytes_and_a_part_begins_the_whole() {
    let folder = Folder::new();
    for flags in ["--symmetry mirror", "--level easy"] {
        let drawn = folder.run(&format!("generate --puzzles 300 {flags}"));
        let seed = drawn.err.lines().find_map(|line| line.strip_prefix("seed ")).expect("the seed is told");
        let again = folder.run(&format!("generate --puzzles 300 {flags} --seed {seed} -o same.txt"));
        assert!(
            drawn.code == 0 && drawn.out == folder.read("same.txt") && !again.err.contains("seed"),
            "{}",
            again.err
        );
        let part = folder.run(&format!("generate --puzzles 70 {flags} --seed {seed}"));
        assert!(part.out.len() == 70 * 82 && drawn.out.starts_with(&part.out), "{flags}");
    }
}

#[test]
fn solutions_stand_beside_their_puzzles() {
    let folder = Folder::new();
    let plain = folder.run("generate --puzzles 3 --seed 4").out;
    let both = folder.run("generate --puzzles 3 --seed 4 --with-solution");
    assert_eq!(both.code, 0, "{}", both.err);
    let solved = folder.run_with("solve -", &plain).out;
    let pairs: Vec<String> =
        plain.lines().zip(solved.lines()).map(|(puzzle, grid)| format!("{puzzle}\t{grid}")).collect();
    assert_eq!(both.out.lines().collect::<Vec<_>>(), pairs);
    // What is written so is read again.
    assert_eq!(folder.run_with("solve -", &both.out).out, solved);
    let csv = folder.run("generate --puzzles 3 --seed 4 --with-solution --format csv").out;
    let rows = pairs.iter().enumerate().map(|(i, pair)| format!("{i},unique,{}\n", pair.replace('\t', ",")));
    assert_eq!(csv, format!("index,outcome,grid,solution\n{}", rows.collect::<String>()));
    let json = folder.run("generate --puzzles 3 --seed 4 --with-solution --format json").out;
    for (i, (line, pair)) in json.lines().zip(&pairs).enumerate() {
        let told: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let (puzzle, solution) = pair.split_once('\t').expect("a pair");
        assert_eq!(told, serde_json::json!({"index": i, "outcome": "unique", "grid": puzzle, "solution": solution}));
    }
}

#[test]
fn wishes_that_contradict_are_usage() {
    let folder = Folder::new();
    for (flags, told) in [
        ("--puzzles 0", "1 or more"),
        ("--puzzles 1 --grids 1", "cannot be used with"),
        ("--puzzles 1 --family orbit", "--family"),
        ("--grids 1 --clues 30", "--clues"),
        ("--puzzles 1 --clues 16", "--clues: 16: a single solution takes 17 givens at least"),
        ("--puzzles 1 --clues 30-20", "--clues"),
        ("--puzzles 1 --level easy --allow-multiple", "--level: a puzzle with several solutions has none"),
        ("--puzzles 1 --minimal --clues 41-50", "--clues: 41: minimal puzzles have 40 givens at most"),
        ("--puzzles 1 --level hard --er 1.5-2.5", "--er: 1.5 to 2.5 has no part in the level"),
        ("--puzzles 1 --symmetry full --clues 22-23", "--symmetry: no full pattern has 22 to 23 givens: widen --clues"),
        ("--puzzles 1 --blanks-per-row 8-8", "--blanks-per-row: "),
        ("--puzzles 1 --with-solution --format grid", "use line, csv or json"),
    ] {
        let ran = folder.run(&format!("generate -o out {flags}"));
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{flags}: {}", ran.err);
        assert!(ran.err.contains(told), "{flags}: {}", ran.err);
    }
    assert!(folder.names().is_empty());
}

#[test]
fn an_item_that_can_not_be_made_is_failed() {
    let folder = Folder::new();
    // Some minimal puzzles have 39 givens, but nobody meets one by chance.
    let ran = folder.run("generate --puzzles 1 --minimal --clues 39-40 --seed 1");
    assert_eq!((ran.code, ran.out.as_str()), (1, "failed\n"), "{}", ran.err);
    let lines: Vec<&str> = ran.err.lines().collect();
    assert!(lines[0].starts_with("item 0: --clues: not met in ") && lines[0].ends_with(" attempts"), "{lines:?}");
    assert_eq!(lines[1], "1 of 1 item could not be made");
}

#[test]
fn a_reader_that_leaves_ends_it_quietly() {
    let folder = Folder::new();
    let mut command = folder.command("generate --puzzles 10000000 --seed 1");
    command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    let mut child = command.spawn().expect("the binary starts");
    let mut first = [0; 82];
    std::io::Read::read_exact(&mut child.stdout.take().expect("piped"), &mut first).expect("a line");
    let ran = crate::run::finish(child);
    assert_eq!((ran.code, ran.err.as_str(), first[81]), (0, "", b'\n'));
}

//! `solve`: bytes out, problems named, exit codes.

use crate::run::Folder;

const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
const SOLUTION: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
/// Two equal givens in a row.
const CLASH: &str = "11.......";

fn clash() -> String {
    format!("{CLASH}{}", ".".repeat(72))
}

#[test]
fn every_form_comes_out_byte_by_byte() {
    let folder = Folder::new();
    folder.write("p.txt", format!("# two\n{PUZZLE}\n\n{PUZZLE} again\r\n"));
    let rows: Vec<String> = SOLUTION.as_bytes().chunks(9).map(|row| String::from_utf8_lossy(row).into()).collect();
    let spaced: Vec<String> =
        rows.iter().map(|row| row.split("").collect::<Vec<_>>().join(" ").trim().into()).collect();
    let (plain, spaced) = (rows.join("\n"), spaced.join("\n"));
    for (format, text) in [
        ("line", format!("{SOLUTION}\n{SOLUTION}\n")),
        ("grid", format!("{spaced}\n\n{spaced}\n")),
        ("sdk", format!("#C item 0\n{plain}\n\n#C item 1\n{plain}\n")),
        ("csv", format!("index,outcome,grid\n0,unique,{SOLUTION}\n1,unique,{SOLUTION}\n")),
        (
            "json",
            format!(
                "{{\"index\":0,\"outcome\":\"unique\",\"grid\":\"{SOLUTION}\"}}\n\
                 {{\"index\":1,\"outcome\":\"unique\",\"grid\":\"{SOLUTION}\"}}\n"
            ),
        ),
    ] {
        let ran = folder.run(&format!("solve p.txt --format {format}"));
        assert_eq!((ran.code, ran.out), (0, text), "{format}: {}", ran.err);
    }
}

#[test]
fn problems_are_named_with_their_lines_and_answered_on_theirs() {
    let folder = Folder::new();
    folder.write("p.txt", format!("{PUZZLE}\n\n{}\n{}\n12?\n{PUZZLE}", clash(), ".".repeat(81)));
    let ran = folder.run("solve p.txt");
    assert_eq!(ran.code, 1);
    assert_eq!(ran.out, format!("{SOLUTION}\nunsolvable\nmultiple\ninvalid\n{SOLUTION}\n"));
    let lines: Vec<&str> = ran.err.lines().collect();
    assert_eq!(
        lines[..2],
        ["p.txt:3: no solution: equal givens clash in r1c1 r1c2", "p.txt:4: more than one solution"]
    );
    assert!(lines[2].starts_with("p.txt:5:3: ") && lines[2].contains("'?'"), "{lines:?}");
    assert_eq!(lines[3], "3 of 5 items have no unique solution or can't be read");
    assert!(lines[4].starts_with("5 puzzles: 2 unique, 1 multiple, 1 unsolvable, 1 invalid ("), "{lines:?}");
    assert_eq!(lines.len(), 5);
}

#[test]
fn twenty_problems_are_named_and_the_rest_counted() {
    let folder = Folder::new();
    let ran = folder.run_with("solve -", &format!("{}\n", clash()).repeat(1_025));
    assert_eq!((ran.code, ran.out.lines().filter(|line| *line == "unsolvable").count()), (1, 1_025));
    assert_eq!(ran.err.lines().filter(|line| line.starts_with("stdin:")).count(), 20);
    assert!(
        ran.err.contains(
            "stdin:20: no solution: equal givens clash in r1c1 r1c2\n… and 1,005 more\n1,025 of 1,025 items have"
        ),
        "{}",
        ran.err
    );
}

#[test]
fn the_first_solution_will_do() {
    let folder = Folder::new();
    folder.write("p.txt", format!("{}\n", ".".repeat(81)));
    for flags in ["--any", "--max-solutions 1", "--any --kernel reference", "--any --kernel portable"] {
        let ran = folder.run(&format!("solve p.txt {flags}"));
        assert_eq!(ran.code, 0, "{}", ran.err);
        let line = ran.out.trim_end();
        assert!(line.len() == 81 && line.bytes().all(|b| (b'1'..=b'9').contains(&b)), "{line}");
        assert!(ran.err.starts_with("1 puzzle: 1 found"), "{}", ran.err);
    }
}

#[test]
fn grids_of_nine_lines_are_read() {
    let folder = Folder::new();
    let rows: Vec<String> = PUZZLE.as_bytes().chunks(9).map(|row| String::from_utf8_lossy(row).into()).collect();
    folder.write("p.txt", format!("{}\n\n{}\n", rows.join("\n"), rows.join("\n")));
    let ran = folder.run("solve p.txt");
    assert_eq!((ran.code, ran.out), (0, format!("{SOLUTION}\n{SOLUTION}\n")), "{}", ran.err);
}

#[test]
fn many_blocks_stay_in_order() {
    let folder = Folder::new();
    let (mut input, mut expected) = (String::new(), String::new());
    for i in 0..30_000 {
        let clash = i % 7 == 3;
        input += &if clash { clash_line(i) } else { format!("{PUZZLE}\n") };
        expected += &if clash { "unsolvable\n".into() } else { format!("{SOLUTION}\n") };
    }
    let ran = folder.run_with("solve - -o -", &input);
    assert!(ran.code == 1 && ran.out == expected, "{}", ran.err);
}

fn clash_line(i: usize) -> String {
    format!("{} item {i}\n", clash())
}

#[test]
fn nothing_in_gives_nothing_out() {
    let folder = Folder::new();
    for input in ["", "\n\n# only words\n"] {
        let ran = folder.run_with("solve - -o out", input);
        assert_eq!((ran.code, ran.err.as_str(), folder.read("out").as_str()), (0, "stdin: no puzzles\n", ""));
    }
}

#[test]
fn what_is_no_text_is_told_line_by_line() {
    let folder = Folder::new();
    let noise: Vec<u8> = (0..200_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    folder.write("noise", noise);
    folder.write("endless", "5".repeat(3_000_000));
    for name in ["noise", "endless"] {
        let ran = folder.run(&format!("solve {name}"));
        assert_eq!(ran.code, 1, "{}", ran.err);
        assert!(ran.out.lines().all(|line| line == "invalid"), "{name}");
        assert!(ran.err.starts_with(&format!("{name}:1:")) && ran.err.len() < 5_000, "{name}: {}", ran.err.len());
    }
}

#[test]
fn a_missing_file_and_a_folder_are_io() {
    let folder = Folder::new();
    for (file, words) in [("none.txt", "cannot read none.txt: No such file or directory"), (".", "it is a directory")] {
        let ran = folder.run(&format!("solve {file} -o out"));
        assert_eq!((ran.code, ran.out.as_str()), (3, ""));
        assert!(
            ran.err.starts_with("sudokud: ") && ran.err.contains(words) && ran.err.lines().count() == 1,
            "{}",
            ran.err
        );
    }
    assert!(folder.names().is_empty(), "{:?}", folder.names());
}

#[test]
fn wrong_words_are_usage() {
    let folder = Folder::new();
    for words in ["solve", "solve x --max-solutions 0", "solve x --kernel gpu", "solve x y", "sing", "rate", ""] {
        let ran = folder.run(words);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{words}: {}", ran.err);
        assert!(!ran.err.is_empty());
    }
    let ran = folder.run("--version");
    assert_eq!((ran.code, ran.out), (0, format!("sudokud {}\n", env!("CARGO_PKG_VERSION"))));
}

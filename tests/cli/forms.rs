//! `minimize` and `canonical`: one line a puzzle, words and exit codes where there is none.

use crate::run::Folder;

const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// The same with digits renamed, bands exchanged, rows within a band, and transposed.
fn rearranged() -> String {
    let renamed: Vec<u8> = PUZZLE.bytes().map(|b| if b == b'.' { b } else { b'0' + (b - b'0') % 9 + 1 }).collect();
    let row = |row: usize| [4, 3, 5, 0, 1, 2, 6, 8, 7][row];
    (0..81).map(|i| char::from(renamed[row(i % 9) * 9 + i / 9])).collect()
}

#[test]
fn rearranged_puzzles_share_their_form() {
    let folder = Folder::new();
    let ran = folder.run_with("canonical -", &format!("{PUZZLE}\n{}\n", rearranged()));
    assert_eq!(ran.code, 0, "{}", ran.err);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(lines[0], lines[1]);
    let (form, automorphisms) = lines[0].split_once('\t').expect("two fields");
    assert_eq!((form.len(), automorphisms), (81, "1"));
    assert_eq!(folder.run_with("canonical -", form).out.trim_end(), lines[0], "a form is its own");
}

#[test]
fn a_form_needs_no_unique_solution() {
    let folder = Folder::new();
    let one = format!("...5{}", ".".repeat(77));
    let ran = folder.run_with("canonical -", &format!("{one}\nx\n11{}\n", ".".repeat(79)));
    // 2·6^8·9! rearrangements, 81 places for 9 digits.
    let told = format!("{}1\t{}\ninvalid\nunsolvable\n", ".".repeat(80), 2 * 6u64.pow(8) * 362_880 / 729);
    assert_eq!((ran.code, ran.out), (1, told));
    let named: Vec<&str> = ran.err.lines().collect();
    assert!(named[0].starts_with("stdin:2:2: "), "{named:?}");
    assert_eq!(named[1], "stdin:3: no solution: equal givens clash in r1c1 r1c2");
    let none = format!("12345678.........9{}", ".".repeat(63));
    let ran = folder.run_with("canonical - --format json", &format!("{one}\n{none}\n"));
    assert_eq!(ran.code, 0, "each has its form: {}", ran.err);
    for (line, outcome) in ran.out.lines().zip(["multiple", "unsolvable"]) {
        let told: serde_json::Value = serde_json::from_str(line).expect("JSON");
        assert_eq!((told["outcome"].as_str(), told["canonical"].as_str().map(str::len)), (Some(outcome), Some(81)));
    }
}

#[test]
fn minimal_puzzles_need_every_given() {
    let folder = Folder::new();
    for flags in ["", "--seed 5"] {
        let ran = folder.run_with(&format!("minimize - {flags}"), PUZZLE);
        assert_eq!(ran.code, 0, "{}", ran.err);
        let minimal = ran.out.trim_end();
        assert!(minimal.bytes().zip(PUZZLE.bytes()).all(|(kept, given)| kept == given || kept == b'.'), "{minimal}");
        let solved = folder.run_with("solve -", &format!("{minimal}\n{PUZZLE}\n")).out;
        assert_eq!(solved.lines().next(), solved.lines().nth(1));
        let given = (0..81).filter(|&i| minimal.as_bytes()[i] != b'.');
        let less: String = given.map(|i| format!("{}.{}\n", &minimal[..i], &minimal[i + 1..])).collect();
        assert!(folder.run_with("solve -", &less).out.lines().all(|line| line == "multiple"), "{minimal}");
    }
    let seeds = ["1", "1", "2"].map(|seed| folder.run_with(&format!("minimize - --seed {seed}"), PUZZLE).out);
    assert!(seeds[0] == seeds[1] && seeds[0] != seeds[2]);
}

#[test]
fn what_can_not_be_minimized_has_its_word() {
    let folder = Folder::new();
    let ran = folder.run_with("minimize -", &format!("{}\n11{}\n1\n", ".".repeat(81), ".".repeat(79)));
    assert_eq!((ran.code, ran.out.as_str()), (1, "multiple\nunsolvable\ninvalid\n"), "{}", ran.err);
    assert!(ran.err.contains("stdin:2: no solution: equal givens clash in r1c1 r1c2\n"), "{}", ran.err);
    let json = folder.run_with("minimize - --format json", PUZZLE).out;
    assert!(
        json.starts_with("{\"index\":0,\"outcome\":\"unique\",\"puzzle\":\"") && json.contains("\"clues\":"),
        "{json}"
    );
    for command in ["minimize", "canonical"] {
        let ran = folder.run_with(&format!("{command} -"), "");
        assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, "", "stdin: no puzzles\n"));
        let many = folder.run_with(&format!("{command} -"), &format!("{PUZZLE}\n").repeat(2_000));
        assert!(many.code == 0 && many.out.lines().count() == 2_000, "{}", many.err);
        assert!(many.out.lines().all(|line| Some(line) == many.out.lines().next()));
    }
}

//! `explain`: rating, level and steps for people and for programs; refusals.

use crate::run::Folder;

const SOLUTION: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// Of ER 7.2, by Sudoku Explainer 1.2.1.
const HARD: &str = ".794..32.3.....9.1.......787...63......24.....529.7.3.5...2...3.276...1..635...4.";

/// The solution without the cells r1c1, r1c2 and r2c1.
fn three_empty() -> String {
    format!("..{}.{}", &SOLUTION[2..9], &SOLUTION[10..])
}

#[test]
fn steps_are_told_one_a_line() {
    let folder = Folder::new();
    let ran = folder.run(&format!("explain {}", three_empty()));
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(lines[..3], ["rating  ER 1.0  EP 1.0  ED 1.0  (se-1.2.1)", "level   very-easy", "clues   78"]);
    assert!(lines[3].starts_with("form    ") && lines[3].ends_with(" automorphism)"), "{}", lines[3]);
    assert_eq!(
        lines[4..],
        [
            "",
            "1  1.0  Last digit of a house  r1c2 is the last empty cell of column 2, so r1c2 is 3.",
            "2  1.0  Last digit of a house  r1c1 is the last empty cell of row 1, so r1c1 is 5.",
            "3  1.0  Last digit of a house  r2c1 is the last empty cell of box 1, so r2c1 is 6.",
        ]
    );
}

#[test]
fn a_hint_is_the_first_step() {
    let folder = Folder::new();
    let ran = folder.run(&format!("explain {PUZZLE} --max-steps 1"));
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!((ran.code, lines.len()), (0, 6), "{}", ran.out);
    assert!(lines[0].starts_with("rating  at least ER 1.2") && lines[1] == "level   at least very-easy", "{}", ran.out);
    assert!(lines[5].starts_with("1  1.2  Hidden single in a box  In box "), "{}", ran.out);
}

#[test]
fn the_steps_lead_to_the_solution() {
    let folder = Folder::new();
    let ran = folder.run(&format!("explain {HARD} --format json"));
    assert_eq!((ran.code, ran.out.lines().count()), (0, 1), "{}", ran.err);
    let told: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!((told["er"].as_f64(), told["ep"].as_f64(), told["ed"].as_f64()), (Some(7.2), Some(1.2), Some(1.2)));
    assert_eq!((told["rating"].as_str(), told["level"].as_str()), (Some("se-1.2.1"), Some("very-hard")));
    assert_eq!((told["complete"].as_bool(), told["automorphisms"].as_u64()), (Some(true), Some(1)));
    let mut grid = HARD.as_bytes().to_vec();
    let steps = told["steps"].as_array().expect("steps");
    for step in steps {
        if let Some(placed) = step.get("placement") {
            let cell = placed["cell"].as_str().expect("a cell").as_bytes();
            let at = usize::from(cell[1] - b'1') * 9 + usize::from(cell[3] - b'1');
            grid[at] = b'0' + placed["digit"].as_u64().expect("a digit") as u8;
        }
        assert!(step["sentence"].as_str().is_some_and(|words| words.ends_with('.')), "{step}");
    }
    let solved = folder.run_with("solve -", &format!("{HARD}\n"));
    assert_eq!(String::from_utf8(grid).expect("digits"), solved.out.trim_end());
    let hardest = steps.iter().filter_map(|step| step["difficulty"].as_f64()).fold(0.0, f64::max);
    assert_eq!(hardest, 7.2);
    assert!(steps.iter().any(|step| step["chains"].is_array()), "a puzzle of 7.2 takes a chain");
}

#[test]
fn every_form_of_a_grid_is_read() {
    let folder = Folder::new();
    let whole = folder.run(&format!("explain {PUZZLE}")).out;
    let rows: Vec<&str> = (0..9).map(|row| &PUZZLE[9 * row..9 * row + 9]).collect();
    for text in [format!("{PUZZLE}\n"), rows.join("\n"), format!("# mine\n{}\n", PUZZLE.replace('.', "0"))] {
        let ran = folder.run_with("explain -", &text);
        assert_eq!((ran.code, &ran.out), (0, &whole), "{}", ran.err);
    }
    let mut command = folder.command("explain");
    let ran = command.arg(rows.join("\n")).output().expect("the binary runs");
    assert_eq!(String::from_utf8(ran.stdout).expect("text"), whole);
}

#[test]
fn what_can_not_be_explained_is_refused() {
    let folder = Folder::new();
    folder.write("p.txt", PUZZLE);
    let two = format!("{}..", &SOLUTION.replace(['1', '2'], ".")[..79]);
    for (puzzle, code, told) in [
        (".".repeat(81), 1, "the puzzle has more than one solution, so it has no rating"),
        (two, 1, "more than one solution"),
        (format!("12345678.........9{}", ".".repeat(63)), 1, "the puzzle has no solution"),
        (format!("11{}", ".".repeat(79)), 1, "the puzzle has no solution: equal givens clash in r1c1 r1c2"),
        ("53..7".into(), 1, "puzzle has 5 cells, expected 81"),
        ("hello".into(), 1, "cell r1c1: 'h' is not a digit"),
        ("p.txt".into(), 2, "explain - < p.txt"),
    ] {
        let ran = folder.run(&format!("explain {puzzle}"));
        assert_eq!((ran.code, ran.out.as_str(), ran.err.lines().count()), (code, "", 1), "{puzzle}: {}", ran.err);
        assert!(ran.err.contains(told), "{puzzle}: {}", ran.err);
    }
    for (text, told) in [
        (String::new(), "puzzle has 0 cells, expected 81"),
        (format!("{PUZZLE}\n{PUZZLE}\n"), "expected one puzzle (line 2"),
        (format!("{PUZZLE}\n").repeat(100_000), "expected one puzzle"),
        ("5".repeat(3_000_000), "81"),
    ] {
        let ran = folder.run_with("explain -", &text);
        assert_eq!((ran.code, ran.out.as_str()), (1, ""), "{}", ran.err);
        assert!(ran.err.contains(told) && ran.err.len() < 500, "{}", ran.err);
    }
}

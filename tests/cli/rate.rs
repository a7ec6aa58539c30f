//! `rate`: known ratings, words in their places, exit codes, large inputs, pipes that close.

use crate::run::{Folder, finish};
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

/// Puzzles with the numbers that Sudoku Explainer 1.2.1 gives to puzzles they were rearranged from.
const RATED: [(&str, &str); 9] = [
    (".....2.6.8651..3.....8..4.......3.5.3795..6.....4..7...1.74.8.6.3.28.5.95.8.36.17", "1.2\t1.2\t1.2\tvery-easy"),
    ("41.2...9..267.....93....6..6814...2.2536719..794..81...45..2....695...8.1......3.", "2.3\t1.0\t1.0\teasy"),
    ("58.6.4.7.19.587..676.3.95.8257.38...849761325316.52.87.3127685..781.5...6258.37..", "3.4\t3.4\t3.0\tmedium"),
    ("......348......7161.8....5.593...62.217635894864.295...8...1....2195846...937.18.", "4.2\t4.2\t2.6\thard"),
    ("183674..55978124636..359187.6579183.7.8563.1.319428756.3..46578.76.853..85.2376..", "5.6\t5.6\t2.6\thard"),
    (".4.3.9765965...8..7.358649.5861..24..9.645.87.748..65.6.7.5.9.8...96..744.9738.26", "6.6\t6.6\t2.6\thard"),
    ("..27.18.37..683.2...3.2.16727.8..63...63752..3.4162.78128.37.56..72.831.43..16782", "7.1\t6.6\t2.6\tvery-hard"),
    (".794..32.3.....9.1.......787...63......24.....529.7.3.5...2...3.276...1..635...4.", "7.2\t1.2\t1.2\tvery-hard"),
    ("24.9..6.3....3.1.25.32...8...4..23..8...93.2..324...984....9237.7532....329.47.6.", "8.3\t8.0\t2.6\textreme"),
];

fn puzzles() -> String {
    RATED.map(|(puzzle, _)| format!("{puzzle}\n")).concat()
}

fn rated() -> String {
    RATED.map(|(_, rated)| format!("{rated}\n")).concat()
}

#[test]
fn known_puzzles_have_their_ratings() {
    let folder = Folder::new();
    folder.write("p.txt", puzzles());
    let ran = folder.run("rate p.txt");
    assert_eq!((ran.code, ran.out), (0, rated()), "{}", ran.err);
    assert!(ran.err.starts_with("9 puzzles: 9 unique ("), "{}", ran.err);
    let ran = folder.run("rate p.txt -o out.txt");
    assert_eq!((ran.code, ran.out.as_str(), folder.read("out.txt")), (0, "", rated()), "{}", ran.err);
}

#[test]
fn json_has_an_object_a_line() {
    let folder = Folder::new();
    let ran = folder.run_with("rate - --format json", &format!("{}\n{}\n", RATED[7].0, ".".repeat(81)));
    let told = "{\"index\":0,\"outcome\":\"unique\",\"er\":7.2,\"ep\":1.2,\"ed\":1.2,\"level\":\"very-hard\"}\n\
                {\"index\":1,\"outcome\":\"multiple\"}\n";
    assert_eq!((ran.code, ran.out.as_str()), (1, told), "{}", ran.err);
}

#[test]
fn what_has_no_rating_has_a_word_and_is_named() {
    let folder = Folder::new();
    let none = format!("12345678.........9{}", ".".repeat(63));
    let clash = format!("..4..4{}", ".".repeat(75));
    folder.write(
        "p.txt",
        format!("{}\n# a remark\n{none}\n{}\nhello\n{}\n{clash}", RATED[0].0, ".".repeat(81), RATED[1].0),
    );
    let ran = folder.run("rate p.txt");
    let told = format!("{}\nunsolvable\nmultiple\ninvalid\n{}\nunsolvable\n", RATED[0].1, RATED[1].1);
    assert_eq!((ran.code, ran.out), (1, told));
    let lines: Vec<&str> = ran.err.lines().collect();
    assert_eq!(lines[..2], ["p.txt:3: no solution", "p.txt:4: more than one solution"]);
    assert!(lines[2].starts_with("p.txt:5:1: "), "{lines:?}");
    assert_eq!(lines[3], "p.txt:7: no solution: equal givens clash in r1c3 r1c6");
    assert_eq!(lines[4], "4 of 6 items have no unique solution or can't be read");
    let many = folder.run_with("rate -", &format!("{none}\n").repeat(500));
    assert_eq!((many.code, many.out), (1, "unsolvable\n".repeat(500)));
    assert!(many.err.contains("… and 480 more\n500 of 500 items have"), "{}", many.err);
}

#[test]
fn nothing_and_much_are_rated() {
    let folder = Folder::new();
    let ran = folder.run_with("rate - -o out", "\n# no puzzle\n");
    assert_eq!((ran.code, ran.err.as_str(), folder.read("out").as_str()), (0, "stdin: no puzzles\n", ""));
    // A line of both kinds, one after the other, so that a line out of its place is seen.
    let (two, told) = (format!("{}\n{}\n", RATED[0].0, RATED[2].0), format!("{}\n{}\n", RATED[0].1, RATED[2].1));
    let ran = folder.run_with("rate -", &two.repeat(6_000));
    assert!(ran.code == 0 && ran.out == told.repeat(6_000), "{}", ran.err);
    folder.write("endless", "5".repeat(3_000_000));
    let ran = folder.run("rate endless");
    assert_eq!((ran.code, ran.out.as_str()), (1, "invalid\n"), "{}", ran.err);
    assert!(ran.err.len() < 500, "{}", ran.err);
}

#[test]
fn a_reader_that_leaves_ends_it_quietly() {
    let folder = Folder::new();
    let mut command = folder.command("rate -");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the binary starts");
    let mut stdin = child.stdin.take().expect("piped");
    let input = format!("{}\n", RATED[2].0).repeat(60_000);
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()).is_ok());
    let mut stdout = BufReader::new(child.stdout.take().expect("piped"));
    let mut line = String::new();
    stdout.read_line(&mut line).expect("a line");
    drop(stdout);
    let ran = finish(child);
    writer.join().expect("the writer");
    assert_eq!((ran.code, ran.err.as_str(), line.trim_end()), (0, "", RATED[2].1));
}

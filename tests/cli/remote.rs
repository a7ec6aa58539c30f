//! `batch`, `health` and `demo` against a real server, killed and restarted under them.

use crate::run::{Folder, Ran, finish};
use crate::server::Server;
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;
use std::time::{Duration, Instant};

const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
const SOLUTION: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

fn first_line(ran: &Ran) -> String {
    ran.out.lines().next().unwrap_or_default().to_owned()
}

#[test]
fn a_batch_from_submit_to_delete() {
    let folder = Folder::new();
    let server = Server::start(&folder, "127.0.0.1:0");
    assert_eq!(server.run(&folder, "health").out, "serving\n");
    let rows: Vec<String> = PUZZLE.as_bytes().chunks(9).map(|row| String::from_utf8_lossy(row).into()).collect();
    folder.write("p.txt", format!("{}\n\n{PUZZLE}\n\n\n{}\n12\n", rows.join("\n"), ".".repeat(81)));
    let answers = format!("{SOLUTION}\n{SOLUTION}\nmultiple\ninvalid\n");

    let sent = server.run(&folder, "batch submit p.txt --wait --strict -o out.txt --request-id mine --label a=b");
    assert_eq!((sent.code, folder.read("out.txt")), (1, answers.clone()), "{}", sent.err);
    let job = first_line(&sent);
    assert_eq!((job.len(), sent.out.lines().count()), (36, 1));
    for told in ["p.txt:14: more than one solution", "p.txt:15: puzzle has 2 cells, expected 81", "2 of 4 items"] {
        assert!(sent.err.contains(told), "{told}: {}", sent.err);
    }
    let again = server.run(&folder, "batch submit p.txt --wait -o - --request-id mine --label a=b");
    assert_eq!((again.code, again.out), (0, answers), "{}", again.err);
    assert_eq!(again.err.lines().next(), Some(job.as_str()), "the same job");
    let other = server.run(&folder, "batch submit p.txt --request-id mine --label a=c");
    assert_eq!(other.code, 2, "{}", other.err);
    assert!(other.err.lines().count() == 1 && other.err.contains("(REQUEST_ID_TAKEN)"), "{}", other.err);

    let status = server.run(&folder, &format!("batch status {job}")).out;
    assert!(status.contains("state         succeeded") && status.contains("  invalid     1"), "{status}");
    let watched = server.run(&folder, &format!("batch watch {job}"));
    assert_eq!((watched.code, watched.out.contains("succeeded   4/4")), (0, true), "{}", watched.out);
    let csv = server.run(&folder, &format!("batch results {job} --start 1 --format csv")).out;
    assert_eq!(csv, format!("1,unique,{SOLUTION}\n2,multiple,\n3,invalid,\n"));
    let listed = |flags: &str| server.run(&folder, &format!("batch list {flags}")).out.contains(&job);
    assert!(listed("") && listed("--state succeeded") && listed("--label a=b"));
    assert!(!listed("--state failed") && !listed("--label a=c"));
    assert_eq!(server.run(&folder, &format!("batch delete {job}")).code, 0);
    let gone = server.run(&folder, &format!("batch status {job}"));
    assert_eq!((gone.code, gone.err.contains("(JOB_NOT_FOUND)")), (2, true), "{}", gone.err);
}

#[test]
fn strange_lines_are_items_on_both_sides() {
    let folder = Folder::new();
    let server = Server::start(&folder, "127.0.0.1:0");
    folder.write("p.txt", format!("{PUZZLE}\n {PUZZLE}\n\t5\n\u{b}\n\u{a0}\n\n#\n{PUZZLE}\n"));
    let sent = server.run(&folder, "batch submit p.txt --wait -o sent.txt");
    assert_eq!(sent.code, 0, "{}", sent.err);
    assert_eq!(folder.run("solve p.txt -o solved.txt").code, 1);
    assert_eq!(folder.read("sent.txt"), folder.read("solved.txt"));
    assert!(folder.read("sent.txt").ends_with(&format!("invalid\n{SOLUTION}\n")));
}

#[test]
fn a_request_id_given_to_another_file_is_refused() {
    let folder = Folder::new();
    let server = Server::start(&folder, "127.0.0.1:0");
    folder.write("two.txt", format!("{PUZZLE}\n{PUZZLE}\n"));
    assert_eq!(server.run(&folder, "batch submit two.txt --request-id a --wait").code, 0);
    for (file, told) in
        [("one.txt", "2 items, but there are 1 here"), ("three.txt", "2 items, but there are more here")]
    {
        let count = if file == "one.txt" { 1 } else { 3 };
        folder.write(file, format!("{PUZZLE}\n").repeat(count));
        let ran = server.run(&folder, &format!("batch submit {file} --request-id a --wait -o out"));
        assert_eq!(ran.code, 2, "{}", ran.err);
        assert!(ran.err.contains(told) && !folder.names().iter().any(|name| name.starts_with("out")), "{}", ran.err);
    }
}

#[test]
fn nobody_there_is_a_no_for_health_and_io_for_the_rest() {
    let folder = Folder::new();
    folder.write("p.txt", PUZZLE);
    assert_eq!(folder.run("health --server 127.0.0.1:1").code, 1);
    let ran = folder.run("batch submit p.txt --server 127.0.0.1:1");
    assert_eq!((ran.code, ran.err.lines().count()), (3, 1));
    assert!(ran.err.contains("cannot reach 127.0.0.1:1: Connection refused"), "{}", ran.err);
    let ran = folder.run("batch submit none.txt --server 127.0.0.1:1");
    assert!(ran.code == 3 && ran.err.contains("cannot read none.txt"), "{}", ran.err);
}

#[test]
fn a_cancelled_job_is_exit_4() {
    let folder = Folder::new();
    let server = Server::start(&folder, "127.0.0.1:0");
    // Its upload never ends by itself.
    let mut command = folder.command("batch submit - --wait -o out --server");
    command.arg(&server.address).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the binary starts");
    let mut stdin = child.stdin.take().expect("piped");
    writeln!(stdin, "{PUZZLE}").expect("it reads");
    let mut id = String::new();
    BufReader::new(child.stdout.take().expect("piped")).read_line(&mut id).expect("the id comes first");
    let cancelled = server.run(&folder, &format!("batch cancel {}", id.trim()));
    assert_eq!(cancelled.code, 0, "{}", cancelled.err);
    let ran = finish(child);
    drop(stdin);
    assert_eq!(ran.code, 4, "{}", ran.err);
    assert!(ran.err.contains("was cancelled"), "{}", ran.err);
    assert!(!folder.names().contains(&"out".to_owned()), "a file is whole or not at all");
    assert_eq!(server.run(&folder, &format!("batch watch {}", id.trim())).code, 4);
}

#[test]
fn an_upload_survives_the_death_of_its_server() {
    let folder = Folder::new();
    let mut server = Server::start(&folder, "127.0.0.1:0");
    let address = server.address.clone();
    let mut command = folder.command("batch submit - --wait -o out --server");
    command.arg(&address).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the binary starts");
    let mut stdin = child.stdin.take().expect("piped");
    let half = format!("{PUZZLE}\n").repeat(20_000);
    stdin.write_all(half.as_bytes()).expect("it reads");
    let mut id = String::new();
    let mut stdout = BufReader::new(child.stdout.take().expect("piped"));
    stdout.read_line(&mut id).expect("the id comes first");
    let status = format!("batch status {}", id.trim());
    let begin = Instant::now();
    while !server.run(&folder, &status).out.contains("stored      ") {
        assert!(begin.elapsed() < Duration::from_secs(60), "nothing was stored");
        std::thread::sleep(Duration::from_millis(20));
    }
    server.kill();
    let _second = Server::start(&folder, &address);
    stdin.write_all(half.as_bytes()).expect("it still reads");
    drop(stdin);
    let ran = finish(child);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let out = folder.read("out");
    assert!(out.len() == 40_000 * 82 && out.lines().all(|line| line == SOLUTION), "{} bytes", out.len());
}

#[test]
fn sigterm_drains_and_ends_well() {
    let folder = Folder::new();
    let mut server = Server::start(&folder, "127.0.0.1:0");
    assert_eq!(server.drain().code(), Some(0));
}

#[test]
fn the_demo_checks_every_grid() {
    let folder = Folder::new();
    let ran = folder.run("demo --puzzles 700");
    assert_eq!(ran.code, 0, "{}\n{}", ran.out, ran.err);
    for told in ["made      700 puzzles", "job       ", "checked   700 grids, 0 wrong", "700 unique", "grpcurl"] {
        assert!(ran.out.contains(told), "{told}: {}", ran.out);
    }
    assert_eq!(ran.out.matches("grpcurl -plaintext").count(), 3);
    assert!(folder.names().is_empty());
}

#[test]
fn ratings_come_as_from_the_offline_command() {
    let folder = Folder::new();
    let server = Server::start(&folder, "127.0.0.1:0");
    // Of ER 7.2, by Sudoku Explainer 1.2.1.
    let hard = ".794..32.3.....9.1.......787...63......24.....529.7.3.5...2...3.276...1..635...4.";
    folder.write("p.txt", format!("{hard}\n{}\n{PUZZLE}\nnothing\n", ".".repeat(81)));
    let sent = server.run(&folder, "batch submit p.txt --rate --wait --strict -o rated.txt --request-id r");
    assert_eq!(sent.code, 1, "{}", sent.err);
    let told = "7.2\t1.2\t1.2\tvery-hard\nmultiple\n1.2\t1.2\t1.2\tvery-easy\ninvalid\n";
    assert_eq!((folder.read("rated.txt").as_str(), folder.run("rate p.txt").out.as_str()), (told, told));
    assert!(sent.err.contains("p.txt:2: more than one solution\np.txt:4: "), "{}", sent.err);
    let job = first_line(&sent);
    let json = server.run(&folder, &format!("batch results {job} --format json --start 1"));
    let offline = folder.run("rate p.txt --format json").out;
    assert_eq!((json.code, json.out.as_str()), (0, offline.split_once('\n').expect("lines").1));
    for (words, told) in [
        (format!("batch results {job} --format grid"), "--format grid: ratings are written as line or json"),
        (format!("batch results {job} --with-solution"), "--with-solution: ratings have none"),
        ("batch submit p.txt --wait -o x --request-id r".into(), "ALREADY_EXISTS"),
    ] {
        let ran = server.run(&folder, &words);
        assert_eq!(ran.code, 2, "{words}: {}", ran.err);
        assert!(ran.err.contains(told) || told == "ALREADY_EXISTS", "{words}: {}", ran.err);
    }
    assert!(server.run(&folder, &format!("batch status {job}")).out.contains("work          rate puzzles\n"));
}

#[test]
fn a_server_generates_what_the_offline_command_does() {
    let folder = Folder::new();
    let server = Server::start(&folder, "127.0.0.1:0");
    for flags in [
        "--puzzles 300 --seed 5",
        "--puzzles 60 --seed 6 --level easy --symmetry rotational-180 --with-solution",
        "--puzzles 20 --seed 7 --clues 30-32 --format json",
        "--grids 300 --seed 8 --first-cell 3 --family search",
    ] {
        let here = folder.run(&format!("generate {flags}")).out;
        let there = server.run(&folder, &format!("batch generate {flags} --wait --strict -o out"));
        assert_eq!((there.code, folder.read("out")), (0, here), "{flags}: {}", there.err);
    }
    let left = server.run(&folder, "batch generate --puzzles 5 --request-id once");
    let job = first_line(&left);
    assert!(left.err.starts_with("5 items to generate; follow them with: sudokud batch watch "), "{}", left.err);
    assert_eq!(first_line(&server.run(&folder, "batch generate --puzzles 5 --request-id once")), job);
    let results = server.run(&folder, &format!("batch results {job} --follow --with-solution"));
    assert_eq!((results.code, results.out.lines().count()), (0, 5), "{}", results.err);
    assert!(results.out.lines().all(|line| line.len() == 163 && line.as_bytes()[81] == b'\t'), "{}", results.out);
    let status = server.run(&folder, &format!("batch status {job}")).out;
    assert!(status.contains("work          generate puzzles\nseed          "), "{status}");
}

#[test]
fn wishes_are_refused_before_anything_is_sent() {
    let folder = Folder::new();
    for (flags, told) in [
        ("--puzzles 1 --clues 16", "--clues: 16: a single solution takes 17 givens"),
        ("--puzzles 1 --level easy --allow-multiple", "--level: "),
        ("--puzzles 1 --with-solution", "--with-solution: nothing is written without --wait -o OUT"),
        ("--puzzles 4000000001", "4000000000"),
        ("--grids 1 --minimal", "'--minimal'"),
        ("", "--grids <N>|--puzzles <N>"),
    ] {
        let ran = folder.run(&format!("batch generate --server 127.0.0.1:1 {flags}"));
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{flags}: {}", ran.err);
        assert!(ran.err.contains(told), "{flags}: {}", ran.err);
    }
}

//! The file that outlives its command: where it goes on, whose job it is, and who may write it.

use crate::run::{Folder, Ran, finish};
use crate::server::Server;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Stdio};

const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
const FILES: [&str; 2] = ["out.part", "out.part.json"];

/// Six items, two of them problems.
fn input() -> String {
    format!("{PUZZLE}\n{}\n12\n{PUZZLE}\n\n{PUZZLE}\n{PUZZLE}\n", ".".repeat(81))
}

/// What a command saves that has the results of so many items of [`input`], in so many bytes.
fn save(folder: &Folder, format: &str, next_index: usize, bytes: usize, job: &str) {
    let input = folder.path("p.txt");
    let size = std::fs::metadata(&input).expect("a file").len();
    let problem = |index: u32, what: &str| serde_json::json!({"index": index, "what": what});
    let problems = [problem(1, "more than one solution"), problem(2, "puzzle has 2 cells, expected 81")];
    let seen = problems.iter().filter(|problem| problem["index"].as_u64() < Some(next_index as u64));
    let saved = serde_json::json!({
        "request_id": "r",
        "job_id": job,
        "flags": {"FILE": format!("{} of {size} bytes", input.display()), "--format": format, "--priority": "normal"},
        "next_index": next_index,
        "bytes": bytes,
        "problems": seen.collect::<Vec<_>>(),
    });
    folder.write("out.part.json", saved.to_string());
}

fn job_id(ran: &Ran) -> String {
    ran.out.lines().next().expect("the id comes first").to_owned()
}

#[test]
fn every_form_goes_on_at_every_item() {
    let folder = Folder::new();
    let server = Server::start(&folder, "127.0.0.1:0");
    folder.write("p.txt", input());
    let job = job_id(&server.run(&folder, "batch submit p.txt --request-id r --wait"));
    for format in ["line", "grid", "sdk", "csv", "json"] {
        let submit = format!("batch submit p.txt --wait --strict -o out --format {format}");
        let whole = folder.run(&format!("solve p.txt --format {format}")).out;
        for count in 0..=6 {
            let lines: String =
                input().lines().filter(|line| !line.is_empty()).take(count).collect::<Vec<_>>().join("\n");
            let before = folder.run_with(&format!("solve - --format {format}"), &lines).out;
            assert!(whole.starts_with(&before));
            folder.write("out.part", format!("{before}\nwhat came after it was made safe"));
            save(&folder, format, count, before.len(), &job);
            let ran = server.run(&folder, &submit);
            assert_eq!((ran.code, job_id(&ran), folder.read("out")), (1, job.clone(), whole.clone()), "{}", ran.err);
            assert!(
                ran.err.contains(&format!("going on at item {count} of the job with request id r\n")),
                "{}",
                ran.err
            );
            let named = "p.txt:2: more than one solution\np.txt:3: puzzle has 2 cells, expected 81\n2 of 6 items have";
            assert!(ran.err.contains(named), "{count}: {}", ran.err);
            assert!(!folder.names().iter().any(|name| name.contains(".part")), "{:?}", folder.names());
        }
        // What was made safe and is gone is read again.
        folder.write("out.part", "5");
        save(&folder, format, 2, 100, &job);
        let ran = server.run(&folder, &submit);
        assert_eq!((ran.code, folder.read("out")), (1, whole), "{}", ran.err);
        assert!(ran.err.contains("is shorter than it was: all results of request id r are read again"), "{}", ran.err);
    }
}

#[test]
fn two_jobs_are_not_mixed() {
    let folder = Folder::new();
    let server = Server::start(&folder, "127.0.0.1:0");
    folder.write("p.txt", input());
    folder.write("other.txt", input());
    let job = job_id(&server.run(&folder, "batch submit p.txt --request-id r --wait"));
    folder.write("out.part", "");
    save(&folder, "line", 0, 0, &job);
    for (words, told) in [
        ("p.txt --request-id x", "is of a job with --request-id \"r\", not \"x\""),
        ("p.txt --format csv", "is of a job with --format line, not csv"),
        ("p.txt --rate", "is of a job with no --rate"),
        ("p.txt --label a=b", "is of a job with no --label"),
        ("other.txt", "other.txt of "),
        ("-", "not a pipe"),
    ] {
        let ran = server.run(&folder, &format!("batch submit {words} --wait -o out"));
        assert_eq!((ran.code, ran.err.lines().count()), (2, 1), "{words}: {}", ran.err);
        assert!(ran.err.contains(told) && ran.err.contains("for a new job remove "), "{words}: {}", ran.err);
    }
    folder.write("p.txt", format!("{}# longer\n", input()));
    let ran = server.run(&folder, "batch submit p.txt --wait -o out");
    assert!(ran.code == 2 && ran.err.contains(" bytes, not "), "{}", ran.err);
    folder.write("p.txt", input());
    folder.write("out.part.json", "{");
    let ran = server.run(&folder, "batch submit p.txt --wait -o out");
    assert!(ran.code == 2 && ran.err.contains("out.part.json makes no sense"), "{}", ran.err);
    std::fs::remove_file(folder.path("out.part.json")).expect("it was there");
    folder.write("out.part", "somebody's own");
    let ran = server.run(&folder, "batch submit p.txt --wait -o out");
    assert!(ran.code == 2 && ran.err.contains("out.part is in the way"), "{}", ran.err);
    assert_eq!(folder.read("out.part"), "somebody's own");
    assert!(!folder.names().contains(&"out".to_owned()));
}

#[test]
fn a_job_that_is_gone_is_told_and_not_made_again() {
    let folder = Folder::new();
    let server = Server::start(&folder, "127.0.0.1:0");
    folder.write("p.txt", input());
    let job = job_id(&server.run(&folder, "batch submit p.txt --request-id r --wait"));
    assert_eq!(server.run(&folder, &format!("batch delete {job}")).code, 0);
    folder.write("out.part", "");
    save(&folder, "line", 0, 0, &job);
    let ran = server.run(&folder, "batch submit p.txt --request-id r --wait -o out");
    assert_eq!(ran.code, 2, "{}", ran.err);
    assert!(
        ran.err.contains("the server does not know it") && ran.err.contains("for a new job remove "),
        "{}",
        ran.err
    );
    assert_eq!(server.run(&folder, "batch list").out, "");
    FILES.iter().for_each(|name| std::fs::remove_file(folder.path(name)).expect("it was there"));
    let ran = server.run(&folder, "batch submit p.txt --request-id r --wait -o out");
    assert_eq!((ran.code, folder.read("out").lines().count()), (0, 6), "{}", ran.err);
}

#[test]
fn a_finished_file_begins_anew() {
    let folder = Folder::new();
    let server = Server::start(&folder, "127.0.0.1:0");
    folder.write("p.txt", input());
    let submit = |more: &str| {
        let ran = server.run(&folder, &format!("batch submit p.txt --wait -o out {more}"));
        assert_eq!(ran.code, 0, "{}", ran.err);
        (job_id(&ran), folder.read("out"))
    };
    let (first, same) = (submit("--request-id r"), submit("--request-id r"));
    assert_eq!(first, same, "its results are read again");
    let (new, text) = submit("");
    assert!(new != first.0 && text == first.1);
    // Killed after the last step but one.
    save(&folder, "line", 6, text.len(), &first.0);
    assert_eq!(submit(""), first);
    assert_eq!(folder.names(), ["data", "out", "p.txt"]);
}

/// A submission from a pipe, until its job is open.
fn piped(folder: &Folder, server: &Server, more: &str) -> (Child, String) {
    let mut command = folder.command(&format!("batch submit - --wait -o out --server {} {more}", server.address));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the binary starts");
    writeln!(child.stdin.as_mut().expect("piped"), "{PUZZLE}").expect("it reads");
    let mut id = String::new();
    BufReader::new(child.stdout.take().expect("piped")).read_line(&mut id).expect("the id comes first");
    (child, id.trim().to_owned())
}

#[test]
fn one_command_at_a_time_and_a_pipe_comes_again_as_a_whole() {
    let folder = Folder::new();
    let server = Server::start(&folder, "127.0.0.1:0");
    folder.write("p.txt", input());
    let (mut child, job) = piped(&folder, &server, "");
    let ran = server.run(&folder, "batch submit p.txt --wait -o out");
    assert_eq!(ran.code, 3, "{}", ran.err);
    assert!(ran.err.contains("another command is writing ") && ran.err.contains("out now"), "{}", ran.err);
    child.kill().expect("it lives");
    child.wait().expect("our own child");
    let saved: serde_json::Value = serde_json::from_str(&folder.read("out.part.json")).expect("JSON");
    assert_eq!(saved["job_id"].as_str(), Some(job.as_str()));
    let id = saved["request_id"].as_str().expect("an id");
    let submit = format!("batch submit - --wait -o out --server {}", server.address);
    let ran = folder.run_with(&submit, &input());
    assert_eq!(ran.code, 2, "{}", ran.err);
    assert!(ran.err.contains(&format!("give the whole input again, with --request-id {id}")), "{}", ran.err);
    let ran = folder.run_with(&format!("{submit} --request-id {id}"), &input());
    assert_eq!((ran.code, job_id(&ran), folder.read("out").lines().count()), (0, job, 6), "{}", ran.err);
}

#[test]
fn nothing_is_left_of_a_job_that_did_not_succeed() {
    let folder = Folder::new();
    let server = Server::start(&folder, "127.0.0.1:0");
    let (child, job) = piped(&folder, &server, "--request-id r");
    assert!(FILES.iter().all(|name| folder.path(name).exists()));
    assert_eq!(server.run(&folder, &format!("batch cancel {job}")).code, 0);
    let ran = finish(child);
    assert_eq!((ran.code, ran.err.contains("was cancelled")), (4, true), "{}", ran.err);
    assert_eq!(folder.names(), ["data"]);
    // Nor of a refusal at the beginning.
    folder.write("p.txt", input());
    let ran = server.run(&folder, "batch submit p.txt --rate --request-id r --wait -o out");
    assert_eq!((ran.code, ran.err.contains("(REQUEST_ID_TAKEN)")), (2, true), "{}", ran.err);
    assert_eq!(folder.names(), ["data", "p.txt"]);
}

#[test]
fn pipes_and_devices_are_written_as_they_are() {
    let folder = Folder::new();
    let server = Server::start(&folder, "127.0.0.1:0");
    folder.write("p.txt", input());
    let solved = folder.run("solve p.txt").out;
    assert_eq!(server.run(&folder, "batch submit p.txt --wait -o /dev/null").code, 0);
    assert_eq!(server.run(&folder, "batch submit p.txt --wait -o -").out, solved);
    let made = std::process::Command::new("mkfifo").arg(folder.path("pipe")).status();
    assert!(made.expect("mkfifo runs").success());
    let pipe = folder.path("pipe");
    let reader = std::thread::spawn(move || std::fs::read_to_string(pipe).expect("text"));
    let ran = server.run(&folder, "batch submit p.txt --wait -o pipe");
    assert_eq!((ran.code, reader.join().expect("the reader")), (0, solved), "{}", ran.err);
    assert_eq!(folder.names(), ["data", "p.txt", "pipe"]);
}

#[test]
fn what_can_not_be_made_is_named_by_its_flag() {
    let folder = Folder::new();
    let server = Server::start(&folder, "127.0.0.1:0");
    // Some minimal puzzles have 39 givens, but nobody meets one by chance.
    let generate = "batch generate --puzzles 1 --minimal --clues 39-40 --seed 1 --wait --strict -o out";
    let ran = server.run(&folder, generate);
    assert_eq!((ran.code, folder.read("out").as_str()), (1, "failed\n"), "{}", ran.err);
    assert!(ran.err.contains("item 0: --clues: not met in "), "{}", ran.err);
}

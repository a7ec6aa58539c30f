//! Outputs appear whole or not at all; pipes that close end a command quietly; signals leave no litter.

use crate::run::{Folder, finish};
use std::io::Read;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

#[test]
fn a_file_can_be_solved_in_place() {
    let folder = Folder::new();
    let grids = folder.run("generate --grids 2000 --seed 4").out;
    let mut puzzles = String::new();
    for line in grids.lines() {
        puzzles += &format!(".{}\n", &line[1..]);
    }
    folder.write("p.txt", puzzles);
    let ran = folder.run("solve p.txt -o p.txt");
    assert_eq!((ran.code, folder.read("p.txt")), (0, grids), "{}", ran.err);
    assert_eq!(folder.names(), ["p.txt"]);
}

#[test]
fn a_failure_leaves_the_old_file() {
    let folder = Folder::new();
    folder.write("out", "old");
    std::fs::create_dir(folder.path("dir")).expect("a folder");
    for (words, code) in [
        ("solve missing -o out", 3),
        ("solve dir -o out", 3),
        ("generate --grids 0 -o out", 2),
        ("generate --grids 1 -o dir", 3),
        ("generate --grids 1 -o none/out", 3),
    ] {
        let ran = folder.run(words);
        assert_eq!(ran.code, code, "{words}: {}", ran.err);
        assert_eq!((folder.read("out").as_str(), folder.names()), ("old", vec!["dir".into(), "out".into()]), "{words}");
    }
}

#[test]
fn a_closed_pipe_ends_it_quietly() {
    let folder = Folder::new();
    let mut command = folder.command("generate --grids 3000000 --seed 1");
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary starts");
    let mut stdout = child.stdout.take().expect("piped");
    let mut first = [0; 82];
    stdout.read_exact(&mut first).expect("a line");
    drop(stdout);
    let ran = finish(child);
    assert_eq!((ran.code, ran.err.as_str(), first[81]), (0, "", b'\n'));
}

#[test]
fn a_full_device_is_io() {
    let folder = Folder::new();
    let ran = folder.run("generate --grids 100000 --seed 1 -o /dev/full");
    assert_eq!(ran.code, 3);
    assert_eq!(ran.err, "sudokud: cannot write /dev/full: No space left on device\n");
}

#[test]
fn a_signal_leaves_no_litter() {
    let folder = Folder::new();
    folder.write("out", "old");
    // It waits for input that never comes, with its output open.
    let mut command = folder.command("solve - -o out");
    command.stdin(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the binary starts");
    let stdin = child.stdin.take();
    let begin = Instant::now();
    while folder.names().len() < 2 {
        assert!(begin.elapsed() < Duration::from_secs(30), "no temporary file came");
        std::thread::sleep(Duration::from_millis(5));
    }
    let part = folder.names().into_iter().find(|name| name != "out").expect("a temporary file");
    assert!(part.starts_with(".out.") && part.ends_with(".part"), "{part}");
    // The file is known to the watcher a moment after it is made.
    std::thread::sleep(Duration::from_millis(100));
    let told = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    assert!(told.success());
    let ran = finish(child);
    drop(stdin);
    assert_eq!((ran.code, folder.read("out").as_str(), folder.names()), (130, "old", vec!["out".to_owned()]));
}

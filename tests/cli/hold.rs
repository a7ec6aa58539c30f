//! `batch submit --wait -o OUT` holds on: through its server's deaths, drains and connections that age, and through its
//! own, at any moment. What it writes in the end is what `solve` writes.

use crate::run::{Folder, Ran, finish, tell};
use crate::server::Server;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// Longer than anything here takes.
const LIMIT: Duration = Duration::from_secs(100);
/// Slow enough to be met amid its work.
const SLOW: &str = "--threads 1 --kernel reference --chunk-items 1024 --listen";

fn start(folder: &Folder, words: &str) -> Child {
    let mut command = folder.command(words);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary starts")
}

/// Waits until a command says its job's id: from then on it watches for signals, and has saved what it does.
fn until_open(client: &mut Child) {
    let mut id = String::new();
    BufReader::new(client.stdout.take().expect("piped")).read_line(&mut id).expect("the id comes first");
    assert_eq!(id.trim().len(), 36, "{id:?}");
}

/// What the command has saved, once it is as wanted.
fn saved(folder: &Folder, wanted: impl Fn(&serde_json::Value) -> bool) -> serde_json::Value {
    let begin = Instant::now();
    loop {
        let text = std::fs::read(folder.path("out.part.json")).unwrap_or_default();
        if let Ok(saved) = serde_json::from_slice(&text)
            && wanted(&saved)
        {
            return saved;
        }
        assert!(begin.elapsed() < LIMIT, "{}", String::from_utf8_lossy(&text));
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn next_index(saved: &serde_json::Value) -> u64 {
    saved["next_index"].as_u64().expect("a number")
}

/// A file of so many puzzles, and what `solve` makes of it.
fn puzzles(folder: &Folder, count: usize, format: &str) -> String {
    let some = folder.run("generate --puzzles 5000 --seed 3").out;
    folder.write("p.txt", some.repeat(count / 5_000));
    let solved = folder.run(&format!("solve p.txt --format {format} -o whole"));
    assert_eq!(solved.code, 0, "{}", solved.err);
    folder.read("whole")
}

#[test]
fn killed_three_times_with_its_server() {
    let folder = Folder::new();
    let whole = puzzles(&folder, 300_000, "grid");
    let mut server = Server::start_with(&folder, &format!("{SLOW} 127.0.0.1:0"));
    let address = server.address.clone();
    let submit = format!("batch submit p.txt --wait --format grid -o out --server {address}");
    // During the upload, after the first results, and later on; each a little after it has come so far.
    for (results, pause) in [(0, 137), (1, 11), (1, 293)] {
        let mut client = start(&folder, &submit);
        until_open(&mut client);
        saved(&folder, |saved| next_index(saved) >= results);
        std::thread::sleep(Duration::from_millis(pause));
        client.kill().expect("it lives");
        client.wait().expect("our own child");
        let part = std::fs::metadata(folder.path("out.part")).expect("it is there").len();
        assert!(part < whole.len() as u64, "killed too late to tell anything");
        server.kill();
        // The next one comes before its server does.
        let mut early = start(&folder, &submit);
        std::thread::sleep(Duration::from_millis(pause));
        server = Server::start_with(&folder, &format!("{SLOW} {address}"));
        std::thread::sleep(Duration::from_millis(pause));
        early.kill().expect("it lives");
        early.wait().expect("our own child");
    }
    let client = start(&folder, &submit);
    std::thread::sleep(Duration::from_millis(400));
    assert_eq!(server.drain().code(), Some(0));
    let _server = Server::start(&folder, &address);
    let ran = finish(client);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("going on at item "), "{}", ran.err);
    assert!(folder.read("out") == whole, "{} bytes of {}", folder.read("out").len(), whole.len());
    assert_eq!(folder.names(), ["data", "out", "p.txt", "whole"]);
    let jobs = folder.run(&format!("batch list --server {address}")).out;
    assert_eq!(jobs.lines().count(), 1, "one job for all: {jobs}");
}

#[test]
fn only_the_request_id_is_left() {
    // As a pod's next one has it whose files went with it.
    let folder = Folder::new();
    let whole = puzzles(&folder, 20_000, "line");
    let server = Server::start_with(&folder, &format!("{SLOW} 127.0.0.1:0"));
    let submit = format!("batch submit p.txt --request-id uid --wait -o out --server {}", server.address);
    let mut client = start(&folder, &submit);
    saved(&folder, |saved| saved["job_id"].is_string());
    client.kill().expect("it lives");
    client.wait().expect("our own child");
    std::fs::remove_file(folder.path("out.part")).expect("it was there");
    std::fs::remove_file(folder.path("out.part.json")).expect("it was there");
    let ran = folder.run(&submit);
    assert_eq!((ran.code, folder.read("out") == whole), (0, true), "{}", ran.err);
    assert_eq!(server.run(&folder, "batch list").out.lines().count(), 1);
}

#[test]
fn connections_that_age_and_servers_that_drain() {
    let folder = Folder::new();
    let aging = "--max-connection-age 1s --drain-timeout 1s --listen";
    let mut server = Server::start_with(&folder, &format!("{aging} 127.0.0.1:0"));
    let address = server.address.clone();
    let some = folder.run("generate --puzzles 50 --seed 1").out;
    let mut client = start(&folder, &format!("batch submit - --wait -o out --request-id a --server {address}"));
    let mut stdin = client.stdin.take().expect("piped");
    let saved = saved(&folder, |saved| saved["job_id"].is_string());
    let job = saved["job_id"].as_str().expect("an id");
    let watch = start(&folder, &format!("batch watch {job} --server {address}"));
    let results = start(&folder, &format!("batch results {job} --follow -o read --server {address}"));
    for life in 0..3 {
        for _ in 0..12 {
            stdin.write_all(some.as_bytes()).expect("it reads");
            std::thread::sleep(Duration::from_millis(200));
        }
        if life < 2 {
            assert_eq!(server.drain().code(), Some(0));
            server = Server::start_with(&folder, &format!("{aging} {address}"));
        }
    }
    drop(stdin);
    folder.write("p.txt", some.repeat(36));
    let whole = folder.run("solve p.txt").out;
    for (what, child) in [("submit", client), ("watch", watch), ("results", results)] {
        let ran = finish(child);
        assert_eq!(ran.code, 0, "{what}: {}", ran.err);
    }
    assert!(folder.read("out") == whole && folder.read("read") == whole);
}

/// Runs a submission to its end, and how long that took.
fn timed(folder: &Folder, words: &str) -> (Ran, Duration) {
    let begin = Instant::now();
    (folder.run(words), begin.elapsed())
}

#[test]
fn patience_has_an_end_and_the_file_outlives_it() {
    let folder = Folder::new();
    let whole = puzzles(&folder, 30_000, "csv");
    let mut server = Server::start_with(&folder, &format!("{SLOW} 127.0.0.1:0"));
    let submit = format!("batch submit p.txt --wait --format csv -o out --server {}", server.address);
    let client = start(&folder, &format!("{submit} --retry-for 1s"));
    saved(&folder, |saved| saved["job_id"].is_string());
    server.kill();
    let ran = finish(client);
    assert_eq!(ran.code, 3, "{}", ran.err);
    for told in ["; trying again for up to 1s", "gave up after ", "the same command goes on from there"] {
        assert!(ran.err.contains(told), "{told}: {}", ran.err);
    }
    assert_eq!(folder.names(), ["data", "out.part", "out.part.json", "p.txt", "whole"]);
    let (ran, took) = timed(&folder, &format!("{submit} --retry-for 0s"));
    assert_eq!((ran.code, ran.err.contains("cannot reach")), (3, true), "{}", ran.err);
    assert!(took < Duration::from_secs(20), "{took:?}");
    let _server = Server::start(&folder, &server.address);
    let ran = folder.run(&submit);
    assert_eq!((ran.code, folder.read("out") == whole), (0, true), "{}", ran.err);
}

#[test]
fn a_signal_leaves_what_came_and_says_how_to_go_on() {
    let folder = Folder::new();
    let whole = puzzles(&folder, 30_000, "json");
    let server = Server::start_with(&folder, &format!("{SLOW} 127.0.0.1:0"));
    let submit = format!("batch submit p.txt --wait --format json -o out --server {}", server.address);
    for (signal, code) in [("TERM", 143), ("INT", 130)] {
        let mut client = start(&folder, &submit);
        until_open(&mut client);
        tell(&client, signal);
        let ran = finish(client);
        assert_eq!(ran.code, code, "{}", ran.err);
        let told = "interrupted; out.part holds what came so far: the same command goes on from there";
        assert!(ran.err.replace(&format!("{}/", folder.path("").display()), "").contains(told), "{}", ran.err);
    }
    let ran = folder.run(&submit);
    assert_eq!((ran.code, folder.read("out") == whole), (0, true), "{}", ran.err);
    assert_eq!(folder.names(), ["data", "out", "p.txt", "whole"]);
}

#[test]
fn who_is_not_trusted_is_not_waited_for() {
    let folder = Folder::new();
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate");
    folder.write("cert.pem", made.cert.pem());
    folder.write("key.pem", made.signing_key.serialize_pem());
    folder.write("other.pem", rcgen::generate_simple_self_signed(["x".to_owned()]).expect("a certificate").cert.pem());
    folder.write("p.txt", "1\n");
    let server = Server::start_with(&folder, "--tls-cert cert.pem --tls-key key.pem --listen 127.0.0.1:0");
    let url = server.address.replace("127.0.0.1", "https://localhost");
    let submit = format!("batch submit p.txt --wait -o out --server {url} --tls-ca");
    let (ran, took) = timed(&folder, &format!("{submit} other.pem"));
    assert_eq!((ran.code, ran.err.contains("certificate")), (3, true), "{}", ran.err);
    assert!(took < Duration::from_secs(30), "{took:?}");
    assert!(!folder.names().iter().any(|name| name.starts_with("out")), "nothing was begun: {:?}", folder.names());
    let ran = folder.run(&format!("{submit} cert.pem"));
    assert_eq!((ran.code, folder.read("out").as_str()), (0, "invalid\n"), "{}", ran.err);
}

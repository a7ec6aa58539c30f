//! Runs the binary in a folder of its own, free of the caller's SUDOKUD_ variables.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

/// A folder to run in.
pub struct Folder(TempDir);

/// How a run ended.
#[derive(Debug)]
pub struct Ran {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Folder {
    pub fn new() -> Folder {
        Folder(tempfile::tempdir().expect("a folder"))
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), text).expect("a file");
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect("a text file")
    }

    /// Names of all files here, sorted.
    pub fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.0.path()).expect("the folder");
        let mut names: Vec<String> =
            entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// The binary with these words, separated by blanks, to run here.
    pub fn command(&self, words: &str) -> Command {
        let mut command = binary(self.0.path());
        command.args(words.split_whitespace());
        command
    }

    /// Runs it to its end without input.
    pub fn run(&self, words: &str) -> Ran {
        self.run_with(words, "")
    }

    /// Runs it to its end with this on stdin.
    pub fn run_with(&self, words: &str, input: &str) -> Ran {
        let mut command = self.command(words);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the binary starts");
        let mut stdin = child.stdin.take().expect("piped");
        let input = input.to_owned();
        let writer = std::thread::spawn(move || {
            // A command that fails early does not read all of it.
            stdin.write_all(input.as_bytes()).ok();
        });
        let ran = finish(child);
        writer.join().expect("the writer");
        ran
    }
}

/// Sends a signal.
pub fn tell(child: &Child, signal: &str) {
    let told = Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status();
    assert!(told.expect("kill runs").success());
}

/// Reads all that a child says, and waits for its end.
pub fn finish(mut child: Child) -> Ran {
    let mut err = child.stderr.take().expect("piped");
    let errors = std::thread::spawn(move || {
        let mut text = String::new();
        err.read_to_string(&mut text).expect("UTF-8 on stderr");
        text
    });
    let mut out = String::new();
    if let Some(mut stdout) = child.stdout.take() {
        stdout.read_to_string(&mut out).expect("UTF-8 on stdout");
    }
    let code = child.wait().expect("the child ends").code().unwrap_or(-1);
    Ran { code, out, err: errors.join().expect("stderr's reader") }
}

fn binary(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sudokud"));
    command.current_dir(folder).env("HOME", folder).env_remove("XDG_DATA_HOME");
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("SUDOKUD_")) {
        command.env_remove(name);
    }
    command
}

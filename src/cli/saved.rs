//! What a command must know to go on after its own death: which job it follows, for which flags, and how much of the
//! results is in the file. A small file, always whole: written beside, synced and renamed.

use super::exit::Failure;
use super::report::Problem;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Flags by name, as text; `FILE` is the input.
pub type Flags = BTreeMap<String, String>;

/// A job, and the part of its results that is safe.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Saved {
    /// The id that the job was or will be opened with.
    pub request_id: String,
    /// The job's own, once it has answered.
    pub job_id: Option<String>,
    /// What makes another job, or another text of its results.
    pub flags: Flags,
    /// The first item whose result is not in the file.
    pub next_index: u32,
    /// Bytes of the results before it.
    pub bytes: u64,
    /// The first of them that are not as they should be.
    pub problems: Vec<Problem>,
}

impl Saved {
    /// Reads what was saved; `None`: nothing was.
    ///
    /// # Errors
    /// When it can't be read, or makes no sense.
    pub fn load(path: &Path) -> Result<Option<Saved>, Failure> {
        let name = path.display();
        match fs::read(path) {
            Ok(text) => serde_json::from_slice(&text).map(Some).map_err(|e| {
                Failure::usage(format!("{name} makes no sense ({e}): remove it, and the .part, to submit a new job"))
            }),
            Err(e) if e.kind() == ErrorKind::NotFound => Ok(None),
            Err(e) => Err(Failure::read(&name.to_string(), &e)),
        }
    }

    /// Saves it, safe from a crash of the machine once this returns.
    ///
    /// # Errors
    /// When it can't; what was saved before stays.
    pub fn store(&self, path: &Path, folder: &Path) -> io::Result<()> {
        let new = PathBuf::from(format!("{}.new", path.display()));
        let mut file = File::create(&new)?;
        serde_json::to_writer_pretty(&mut file, self)?;
        file.write_all(b"\n")?;
        file.sync_all()?;
        fs::rename(&new, path)?;
        sync_folder(folder)
    }

    /// The first difference to what is wanted now, in words.
    pub fn difference(&self, request_id: Option<&str>, flags: &Flags) -> Option<String> {
        if let Some(id) = request_id.filter(|&id| id != self.request_id) {
            return Some(format!("--request-id {:?}, not {id:?}", self.request_id));
        }
        let differs = |name: &&String| self.flags.get(*name) != flags.get(*name);
        let name = self.flags.keys().chain(flags.keys()).find(differs)?;
        Some(match (self.flags.get(name), flags.get(name)) {
            (Some(saved), Some(now)) => format!("{name} {saved}, not {now}"),
            (Some(saved), None) => format!("{name} {saved}"),
            _ => format!("no {name}"),
        })
    }
}

/// Makes names in a folder safe, where the file system can.
///
/// # Errors
/// When that fails.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    match File::open(folder)?.sync_all() {
        // Some, over a network, have no such thing for folders.
        Err(e) if matches!(e.kind(), ErrorKind::InvalidInput | ErrorKind::Unsupported) => Ok(()),
        synced => synced,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flags(all: &[(&str, &str)]) -> Flags {
        all.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect()
    }

    fn saved() -> Saved {
        Saved {
            request_id: "a".into(),
            job_id: Some("j".into()),
            flags: flags(&[("FILE", "/p of 5 bytes"), ("--format", "csv")]),
            next_index: 3,
            bytes: 250,
            problems: vec![Problem { index: 1, what: "no solution".into() }],
        }
    }

    #[test]
    fn what_is_stored_is_loaded() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("x.part.json");
        assert_eq!(Saved::load(&path), Ok(None));
        for saved in [saved(), Saved { next_index: 9, ..saved() }] {
            saved.store(&path, folder.path()).expect("stored");
            assert_eq!(Saved::load(&path), Ok(Some(saved)));
        }
        assert_eq!(fs::read_dir(folder.path()).expect("folder").count(), 1);
        fs::write(&path, "{\"request_id\": \"a\"}").expect("written");
        let failure = Saved::load(&path).expect_err("half of it");
        assert!(failure.message.contains("makes no sense") && failure.message.contains("missing field"), "{failure:?}");
    }

    #[test]
    fn differences_name_both() {
        let same = saved().flags;
        assert_eq!((saved().difference(None, &same), saved().difference(Some("a"), &same)), (None, None));
        for (id, now, words) in [
            (Some("b"), same.clone(), "--request-id \"a\", not \"b\""),
            (None, flags(&[("FILE", "/p of 6 bytes"), ("--format", "csv")]), "FILE /p of 5 bytes, not /p of 6 bytes"),
            (None, flags(&[("FILE", "/p of 5 bytes")]), "--format csv"),
            (None, flags(&[("FILE", "/p of 5 bytes"), ("--format", "csv"), ("--ttl", "1h")]), "no --ttl"),
        ] {
            assert_eq!(saved().difference(id, &now).as_deref(), Some(words));
        }
    }
}

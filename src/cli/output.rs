//! Where a command's results go: stdout, or a file that appears whole or not at all.

use super::exit::Failure;
use super::kept::{Kept, Wanted};
use super::litter::Litter;
use super::place::{Place, Target};
use super::report::Problem;
use std::fs::{File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// An open output.
#[derive(Debug)]
pub struct Output {
    sink: Sink,
    name: String,
    litter: Litter,
}

#[derive(Debug)]
enum Sink {
    Stdout(io::Stdout),
    /// Written beside its target, renamed over it at the end.
    Beside {
        temp: NamedTempFile,
        target: PathBuf,
    },
    /// A device or pipe, written as it is.
    Direct(File),
    /// Written beside its target, through several lives of the command.
    Kept(Box<Kept>),
}

impl Output {
    /// Opens `target`; `None` and `-` are stdout. An existing file is untouched until [`Output::finish`].
    ///
    /// # Errors
    /// When it can't be written.
    pub fn open(target: Option<&Path>, litter: &Litter) -> Result<Output, Failure> {
        Output::of(target, litter, |target| {
            let temp = beside(&target)?;
            litter.add(temp.path());
            Ok(Sink::Beside { temp, target: target.path })
        })
    }

    /// The same for a job's results: a file that outlives the command, where it is a file.
    ///
    /// # Errors
    /// As [`Output::open`], or when what an earlier command left is of another job.
    pub fn keep(target: Option<&Path>, wanted: Wanted, litter: &Litter) -> Result<Output, Failure> {
        Output::of(target, litter, |target| Kept::open(target, wanted, litter).map(|kept| Sink::Kept(Box::new(kept))))
    }

    fn of(
        target: Option<&Path>,
        litter: &Litter,
        file: impl FnOnce(Target) -> Result<Sink, Failure>,
    ) -> Result<Output, Failure> {
        let (name, sink) = match target.filter(|path| path.as_os_str() != "-") {
            None => ("stdout".to_owned(), Sink::Stdout(io::stdout())),
            Some(path) => {
                let name = path.display().to_string();
                let cannot = |e| Failure::write(&name, &e);
                let sink = match Place::of(path).map_err(cannot)? {
                    Place::Direct(path) => Sink::Direct(OpenOptions::new().write(true).open(path).map_err(cannot)?),
                    Place::File(target) => file(target)?,
                };
                (name, sink)
            }
        };
        Ok(Output { sink, name, litter: litter.clone() })
    }

    /// Writes all bytes.
    ///
    /// # Errors
    /// When it can't; quietly where the reader of a pipe went away.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let written = match &mut self.sink {
            Sink::Stdout(stdout) => stdout.write_all(bytes),
            Sink::Beside { temp, .. } => temp.as_file_mut().write_all(bytes),
            Sink::Direct(file) => file.write_all(bytes),
            Sink::Kept(kept) => kept.write(bytes),
        };
        written.map_err(|e| Failure::write(&self.name, &e))
    }

    /// The file that outlives the command, if it is one.
    pub fn kept(&mut self) -> Option<&mut Kept> {
        match &mut self.sink {
            Sink::Kept(kept) => Some(kept),
            _ => None,
        }
    }

    /// Makes safe what was written: the results of all items before `next_index`.
    ///
    /// # Errors
    /// When it can't be.
    pub fn make_safe(&mut self, next_index: u32, problems: &[Problem]) -> Result<(), Failure> {
        match &mut self.sink {
            Sink::Kept(kept) => kept.keep(next_index, problems).map_err(|e| Failure::write(&self.name, &e)),
            _ => Ok(()),
        }
    }

    /// Leaves the target as it was, and nothing beside it.
    pub fn discard(self) {
        if let Sink::Kept(kept) = self.sink {
            kept.discard();
        }
    }

    /// All is written: the file takes its place.
    ///
    /// # Errors
    /// When the last bytes or the rename fail.
    pub fn finish(self) -> Result<(), Failure> {
        let finished = match self.sink {
            Sink::Stdout(mut stdout) => stdout.flush(),
            Sink::Direct(mut file) => file.flush(),
            Sink::Beside { temp, target } => {
                let path = temp.path().to_owned();
                let renamed = temp.persist(target).map(drop).map_err(|e| e.error);
                self.litter.forget(&path);
                renamed
            }
            Sink::Kept(kept) => kept.finish(),
        };
        finished.map_err(|e| Failure::write(&self.name, &e))
    }
}

/// A file beside the target, with its permissions.
fn beside(target: &Target) -> Result<NamedTempFile, Failure> {
    let temp = tempfile::Builder::new()
        .prefix(&format!(".{}.", target.name))
        .suffix(".part")
        .permissions(Permissions::from_mode(0o666))
        .tempfile_in(&target.folder)
        .map_err(|e| target.in_folder(&e));
    let permitted = temp.and_then(|temp| match &target.mode {
        Some(mode) => temp.as_file().set_permissions(mode.clone()).map(|()| temp),
        None => Ok(temp),
    });
    permitted.map_err(|e| Failure::write(&target.path.display().to_string(), &e))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("folder");
        entries.map(|entry| entry.expect("entry").file_name().to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn a_file_appears_whole_or_not_at_all() {
        let folder = tempfile::tempdir().expect("folder");
        let target = folder.path().join("out.txt");
        fs::write(&target, "old").expect("old");
        fs::set_permissions(&target, Permissions::from_mode(0o640)).expect("mode");
        let litter = Litter::default();
        let mut given_up = Output::open(Some(&target), &litter).expect("open");
        given_up.write(b"half").expect("write");
        drop(given_up);
        assert_eq!((fs::read_to_string(&target).expect("old").as_str(), names(folder.path()).len()), ("old", 1));
        let mut whole = Output::open(Some(&target), &litter).expect("open");
        whole.write(b"new").expect("write");
        whole.finish().expect("finish");
        assert_eq!((fs::read_to_string(&target).expect("new").as_str(), names(folder.path()).len()), ("new", 1));
        assert_eq!(fs::metadata(&target).expect("mode").permissions().mode() & 0o777, 0o640);
    }

    #[test]
    fn a_link_stays_a_link() {
        let folder = tempfile::tempdir().expect("folder");
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        fs::write(&real, "old").expect("real");
        std::os::unix::fs::symlink(&real, &link).expect("link");
        let mut output = Output::open(Some(&link), &Litter::default()).expect("open");
        output.write(b"new").expect("write");
        output.finish().expect("finish");
        assert!(fs::symlink_metadata(&link).expect("link").is_symlink());
        assert_eq!(fs::read_to_string(&real).expect("real"), "new");
    }

    #[test]
    fn what_can_not_be_written_is_named() {
        let folder = tempfile::tempdir().expect("folder");
        for (path, words) in [(folder.path().to_owned(), "directory"), (folder.path().join("no/x"), "not found")] {
            let failure = Output::open(Some(&path), &Litter::default()).expect_err("not writable");
            let begins = format!("cannot write {}: ", path.display());
            assert!(failure.message.starts_with(&begins) && failure.message.contains(words), "{failure:?}");
        }
        let mut null = Output::open(Some(Path::new("/dev/null")), &Litter::default()).expect("device");
        null.write(b"gone").expect("write");
        null.finish().expect("finish");
    }
}

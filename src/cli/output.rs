//! Where a command's results go: stdout, or a file that appears whole or not at all.

use super::exit::Failure;
use super::litter::Litter;
use std::fs::{self, File, OpenOptions, Permissions};
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
}

impl Output {
    /// Opens `target`; `None` and `-` are stdout. An existing file is untouched until [`Output::finish`].
    ///
    /// # Errors
    /// When it can't be written.
    pub fn open(target: Option<&Path>, litter: &Litter) -> Result<Output, Failure> {
        let target = target.filter(|path| path.as_os_str() != "-");
        let name = target.map_or("stdout".into(), |path| path.display().to_string());
        let sink = match target {
            None => Sink::Stdout(io::stdout()),
            Some(path) => Sink::open(path).map_err(|e| Failure::write(&name, &e))?,
        };
        if let Sink::Beside { temp, .. } = &sink {
            litter.add(temp.path());
        }
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
        };
        written.map_err(|e| Failure::write(&self.name, &e))
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
        };
        finished.map_err(|e| Failure::write(&self.name, &e))
    }
}

impl Sink {
    fn open(path: &Path) -> io::Result<Sink> {
        // A link stays a link: what it points to is replaced.
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let mode = match fs::metadata(&target) {
            Ok(meta) if meta.is_dir() => return Err(io::Error::other("it is a directory")),
            Ok(meta) if !meta.is_file() => return OpenOptions::new().write(true).open(&target).map(Sink::Direct),
            Ok(meta) if meta.permissions().readonly() => return Err(io::Error::other("it is read-only")),
            Ok(meta) => Some(meta.permissions()),
            Err(_) => None,
        };
        let name = target.file_name().ok_or_else(|| io::Error::other("it is no file name"))?;
        let folder = target.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let temp = tempfile::Builder::new()
            .prefix(&format!(".{}.", name.to_string_lossy()))
            .suffix(".part")
            .permissions(Permissions::from_mode(0o666))
            .tempfile_in(folder)
            .map_err(|e| io::Error::other(format!("in {}: {}", folder.display(), e.kind())))?;
        if let Some(mode) = mode {
            temp.as_file().set_permissions(mode)?;
        }
        Ok(Sink::Beside { temp, target })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

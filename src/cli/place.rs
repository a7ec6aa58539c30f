//! Where the bytes of an output go: into a device or pipe as it is, or to a file that is replaced by a whole one.

use std::fs::{self, Permissions};
use std::io;
use std::path::{Path, PathBuf};

/// What a name stands for.
#[derive(Debug)]
pub enum Place {
    /// A device or pipe.
    Direct(PathBuf),
    /// A file, or none yet.
    File(Target),
}

/// A file that is to be replaced.
#[derive(Debug)]
pub struct Target {
    /// Its path; a link is followed, so that it stays a link.
    pub path: PathBuf,
    /// The folder it is in.
    pub folder: PathBuf,
    /// Its name there.
    pub name: String,
    /// What its permissions are, if it exists.
    pub mode: Option<Permissions>,
}

impl Place {
    /// What `path` stands for.
    ///
    /// # Errors
    /// When nothing can be written there.
    pub fn of(path: &Path) -> io::Result<Place> {
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let mode = match fs::metadata(&path) {
            Ok(meta) if meta.is_dir() => return Err(io::Error::other("it is a directory")),
            Ok(meta) if !meta.is_file() => return Ok(Place::Direct(path)),
            Ok(meta) if meta.permissions().readonly() => return Err(io::Error::other("it is read-only")),
            Ok(meta) => Some(meta.permissions()),
            Err(_) => None,
        };
        let name = path.file_name().ok_or_else(|| io::Error::other("it is no file name"))?;
        let name = name.to_string_lossy().into_owned();
        let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Ok(Place::File(Target { folder: folder.to_owned(), name, mode, path }))
    }
}

impl Target {
    /// A file beside it, of the same name with this added.
    pub fn beside(&self, suffix: &str) -> PathBuf {
        let mut path = self.path.clone().into_os_string();
        path.push(suffix);
        path.into()
    }

    /// In which folder something failed, and why.
    pub fn in_folder(&self, error: &io::Error) -> io::Error {
        io::Error::other(format!("in {}: {}", self.folder.display(), error.kind()))
    }
}

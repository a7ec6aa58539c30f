//! Values made of files, and made anew when the files change. Must never know what they mean.

use super::metrics;
use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// How often files are looked at. Contents are compared, not times: a changed link (as Kubernetes makes) and a
/// change within the clock's grain are seen alike, and the files are small.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// What the files held, in order, or why one cannot be read.
type Contents = Result<Vec<Vec<u8>>, String>;

/// Makes the value of the files' contents, or says what is wrong with them without repeating them.
type Make<T> = Box<dyn Fn(&[Vec<u8>]) -> Result<T, String> + Send + Sync>;

/// Why files cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{what}: {problem}")]
pub struct LoadError {
    what: &'static str,
    problem: String,
}

/// A value made of files.
pub struct Reloaded<T> {
    what: &'static str,
    paths: Vec<PathBuf>,
    make: Make<T>,
    current: RwLock<Arc<T>>,
    /// What the first value was made of.
    first: Vec<Vec<u8>>,
}

impl<T> Reloaded<T> {
    /// Reads the files for the first time. `what` names the value in errors and in the log.
    ///
    /// # Errors
    /// When a file cannot be read, or what they hold makes no sense.
    pub async fn load(what: &'static str, paths: Vec<PathBuf>, make: Make<T>) -> Result<Reloaded<T>, LoadError> {
        let wrong = |problem| LoadError { what, problem };
        let first = read(&paths).await.map_err(wrong)?;
        let current = RwLock::new(Arc::new(make(&first).map_err(wrong)?));
        Ok(Reloaded { what, paths, make, current, first })
    }

    /// The value as of the last good contents.
    pub fn current(&self) -> Arc<T> {
        self.current.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Follows the files until `close`.
    pub async fn follow(&self, close: CancellationToken) {
        let mut seen = Seen { settled: Ok(self.first.clone()), last: Ok(self.first.clone()) };
        while tokio::time::timeout(LOOK_EVERY, close.cancelled()).await.is_err() {
            self.look(&mut seen).await;
        }
    }

    /// Takes what is new once two looks saw the same, so that no file is taken half written. What makes no sense
    /// is logged, once, and the value stays as it was.
    async fn look(&self, seen: &mut Seen) {
        let now = read(&self.paths).await;
        let settled = now == seen.last;
        seen.last = now;
        if !settled || seen.last == seen.settled {
            return;
        }
        seen.settled = seen.last.clone();
        let made = seen.settled.as_deref().map_err(String::clone).and_then(|contents| (self.make)(contents));
        metrics::reloaded(made.is_ok());
        match made {
            Ok(value) => {
                *self.current.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(value);
                tracing::info!(what = self.what, "reloaded");
            }
            Err(problem) => tracing::error!(what = self.what, problem, "not reloaded: what was there stays in force"),
        }
    }
}

/// What the looks so far saw.
struct Seen {
    /// What was last taken, or refused.
    settled: Contents,
    last: Contents,
}

async fn read(paths: &[PathBuf]) -> Contents {
    let mut contents = Vec::with_capacity(paths.len());
    for path in paths {
        let read = tokio::fs::read(path).await.map_err(|e| format!("{}: {e}", path.display()));
        contents.push(read?);
    }
    Ok(contents)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(contents: &[Vec<u8>]) -> Result<u32, String> {
        let text = std::str::from_utf8(&contents[0]).map_err(|e| e.to_string())?;
        text.trim().parse().map_err(|_| "no number".to_owned())
    }

    #[tokio::test]
    async fn good_contents_replace_the_value_once_settled_and_bad_ones_never() {
        let folder = tempfile::tempdir().expect("a directory");
        let path = folder.path().join("number");
        let load = || Reloaded::load("the number", vec![path.clone()], Box::new(number));
        let missing = load().await.err().expect("no file").to_string();
        assert!(missing.starts_with("the number: ") && missing.contains("number"), "{missing}");
        std::fs::write(&path, "x").expect("written");
        assert_eq!(load().await.err().expect("no number").to_string(), "the number: no number");

        std::fs::write(&path, "1").expect("written");
        let value = load().await.expect("a number");
        let mut seen = Seen { settled: Ok(value.first.clone()), last: Ok(value.first.clone()) };
        for (text, after_one, after_two) in [("2", 1, 2), ("3", 2, 3), ("oops", 3, 3), ("3", 3, 3), ("4", 3, 4)] {
            std::fs::write(&path, text).expect("written");
            value.look(&mut seen).await;
            assert_eq!(*value.current(), after_one, "{text}, seen once");
            value.look(&mut seen).await;
            assert_eq!(*value.current(), after_two, "{text}, seen twice");
        }
        std::fs::remove_file(&path).expect("removed");
        value.look(&mut seen).await;
        value.look(&mut seen).await;
        assert_eq!(*value.current(), 4);
    }
}

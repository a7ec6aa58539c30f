//! A file of results that outlives the command that writes it: `OUT.part` grows beside `OUT`, `OUT.part.json` says how
//! much of it is safe and of which job it is, and the next command goes on from there.

use super::exit::Failure;
use super::litter::Litter;
use super::place::Target;
use super::report::Problem;
use super::saved::{Flags, Saved, sync_folder};
use super::say::note;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Seek, SeekFrom, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use uuid::Uuid;

/// How often what was written is made safe.
const EVERY: Duration = Duration::from_secs(1);
/// Asked so many times, the clock is looked at once.
const ASKED: u32 = 1_024;

/// What a command wants of the job whose results it keeps.
#[derive(Debug)]
pub struct Wanted {
    /// The id it was told to use.
    pub request_id: Option<String>,
    /// What makes another job, or another text of its results.
    pub flags: Flags,
    /// Whether its input can be read again by the same command: a file can, a pipe can't.
    pub rereads: bool,
}

/// The open file. While it lives no other command writes there.
#[derive(Debug)]
pub struct Kept {
    target: Target,
    part: Part,
    saved: Saved,
    /// Whether what was saved is on the disk.
    is_begun: bool,
    /// Whether an earlier command had begun.
    is_resumed: bool,
    rereads: bool,
    /// Bytes in the file.
    bytes: u64,
    asked: u32,
    saved_at: Instant,
    saving: Option<JoinHandle<io::Result<()>>>,
    litter: Litter,
}

/// `OUT.part`, locked.
#[derive(Debug)]
struct Part {
    file: File,
    path: PathBuf,
}

impl Kept {
    /// Opens the file beside `target`, and finds out where an earlier command left it.
    ///
    /// # Errors
    /// When it can't be written, another command writes it, or what is there belongs to another job.
    pub fn open(target: Target, wanted: Wanted, litter: &Litter) -> Result<Kept, Failure> {
        let name = target.path.display().to_string();
        let part = Part::open(target.beside(".part")).map_err(|e| match e.kind() {
            // It passes: who starts this again by itself may do so.
            ErrorKind::WouldBlock => Failure::io(format!("another command is writing {name} now")),
            _ => Failure::write(&name, &target.in_folder(&e)),
        })?;
        let loaded = Saved::load(&target.beside(".part.json"))?;
        let is_resumed = loaded.is_some();
        let saved = match loaded {
            Some(saved) => part.fit(saved, &wanted)?,
            None => part.fresh(&wanted)?,
        };
        let bytes = saved.bytes;
        let begun = (&part.file).seek(SeekFrom::Start(bytes)).and_then(|_| part.file.set_len(bytes));
        begun.map_err(|e| Failure::write(&name, &e))?;
        let (rereads, litter, saved_at) = (wanted.rereads, litter.clone(), Instant::now());
        let kept = Kept {
            target,
            part,
            saved,
            is_begun: is_resumed,
            is_resumed,
            rereads,
            bytes,
            asked: 0,
            saved_at,
            saving: None,
            litter,
        };
        match is_resumed {
            true => kept.litter.leave(kept.how_to_go_on()),
            false => kept.litter.add(&kept.part.path),
        }
        Ok(kept)
    }

    /// Which job it is of, and where its results go on.
    pub fn saved(&self) -> &Saved {
        &self.saved
    }

    /// The file.
    pub fn part(&self) -> &Path {
        &self.part.path
    }

    /// Whether it goes on with what an earlier command began.
    pub fn is_resumed(&self) -> bool {
        self.is_resumed
    }

    /// Saves which job it is of: from here on the next command goes on with it.
    ///
    /// # Errors
    /// When that can't be saved.
    pub fn begin(&mut self, job_id: Option<&str>) -> Result<(), Failure> {
        if let Some(id) = job_id {
            self.saved.job_id = Some(id.to_owned());
        }
        let stored = self.saved.store(&self.state(), &self.target.folder);
        stored.map_err(|e| Failure::write(&self.state().display().to_string(), &e))?;
        if !self.is_begun {
            self.is_begun = true;
            self.litter.leave(self.how_to_go_on());
            self.litter.forget(&self.part.path);
        }
        Ok(())
    }

    /// Appends.
    ///
    /// # Errors
    /// When the system can't.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.part.file.write_all(bytes)?;
        self.bytes += bytes.len() as u64;
        Ok(())
    }

    /// Whether it is time to make safe what was written.
    pub fn is_due(&mut self) -> bool {
        self.asked += 1;
        self.asked.is_multiple_of(ASKED)
            && self.saved_at.elapsed() >= EVERY
            && self.saving.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Makes safe, in a thread of its own, what was written: the results of all items before `next_index`. Only then it
    /// says so in the saved state.
    ///
    /// # Errors
    /// When the last time failed.
    pub fn keep(&mut self, next_index: u32, problems: &[Problem]) -> io::Result<()> {
        self.settle()?;
        (self.saved.next_index, self.saved.bytes) = (next_index, self.bytes);
        self.saved.problems = problems.to_vec();
        let (file, saved) = (self.part.file.try_clone()?, self.saved.clone());
        let (state, folder) = (self.state(), self.target.folder.clone());
        self.saving = Some(std::thread::spawn(move || {
            file.sync_data()?;
            saved.store(&state, &folder)
        }));
        self.saved_at = Instant::now();
        Ok(())
    }

    /// All is written: the file takes its place.
    ///
    /// # Errors
    /// When it can't be made safe or renamed.
    pub fn finish(mut self) -> io::Result<()> {
        self.settle()?;
        if let Some(mode) = self.target.mode.take() {
            self.part.file.set_permissions(mode)?;
        }
        self.part.file.sync_all()?;
        fs::rename(&self.part.path, &self.target.path)?;
        fs::remove_file(self.state())?;
        self.litter.leave_none();
        sync_folder(&self.target.folder)
    }

    /// Nothing is to be gone on with: removes all.
    pub fn discard(mut self) {
        // Whether it worked matters no more.
        let _ = self.settle();
        let _ = fs::remove_file(&self.part.path);
        let _ = fs::remove_file(self.state());
        self.litter.leave_none();
    }

    /// What a person must do to go on.
    pub fn how_to_go_on(&self) -> String {
        let part = self.part.path.display();
        match self.rereads {
            true => format!("{part} holds what came so far: the same command goes on from there"),
            false => format!(
                "{part} holds what came so far: to go on, give the whole input again, with --request-id {}",
                self.saved.request_id
            ),
        }
    }

    fn state(&self) -> PathBuf {
        self.target.beside(".part.json")
    }

    /// Waits for the thread that makes safe.
    fn settle(&mut self) -> io::Result<()> {
        let Some(saving) = self.saving.take() else { return Ok(()) };
        saving.join().unwrap_or_else(|_| Err(io::Error::other("internal fault")))
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        // What fails now is found out by the command that goes on.
        let _ = self.settle();
        if !self.is_begun {
            let _ = fs::remove_file(&self.part.path);
            self.litter.forget(&self.part.path);
        }
    }
}

impl Part {
    /// Opens and locks it. A file that another command has just renamed or removed is not the one.
    fn open(path: PathBuf) -> io::Result<Part> {
        loop {
            let file = OpenOptions::new().write(true).create(true).truncate(false).open(&path)?;
            match file.try_lock() {
                // Where nothing can be locked, nothing is.
                Err(TryLockError::Error(e)) if e.kind() != ErrorKind::Unsupported => return Err(e),
                Err(TryLockError::WouldBlock) => return Err(ErrorKind::WouldBlock.into()),
                _ => {}
            }
            let (ours, there) = (file.metadata()?, fs::metadata(&path));
            if there.is_ok_and(|there| (there.dev(), there.ino()) == (ours.dev(), ours.ino())) {
                return Ok(Part { file, path });
            }
        }
    }

    fn length(&self) -> Result<u64, Failure> {
        let length = self.file.metadata().map(|meta| meta.len());
        length.map_err(|e| Failure::read(&self.path.display().to_string(), &e))
    }

    /// Nothing was saved: what is to be.
    fn fresh(&self, wanted: &Wanted) -> Result<Saved, Failure> {
        if self.length()? > 0 {
            let part = self.path.display();
            return Err(Failure::usage(format!("{part} is in the way, and of no job: remove it, or give another -o")));
        }
        Ok(Saved {
            request_id: wanted.request_id.clone().unwrap_or_else(|| Uuid::new_v4().to_string()),
            job_id: None,
            flags: wanted.flags.clone(),
            next_index: 0,
            bytes: 0,
            problems: Vec::new(),
        })
    }

    /// What was saved, as far as the file bears it out, if it is of the job that is wanted.
    fn fit(&self, saved: Saved, wanted: &Wanted) -> Result<Saved, Failure> {
        let part = self.path.display();
        let anew = anew(&self.path);
        if let Some(difference) = saved.difference(wanted.request_id.as_deref(), &wanted.flags) {
            return Err(Failure::usage(format!("{part} is of a job with {difference}: {anew}")));
        }
        let id = &saved.request_id;
        if !wanted.rereads && wanted.request_id.is_none() {
            return Err(Failure::usage(format!(
                "{part} is of a job whose input was a pipe: to go on, give the whole input again, with --request-id {id}; \
                 {anew}"
            )));
        }
        if self.length()? < saved.bytes {
            note(format!("{part} is shorter than it was: all results of request id {id} are read again"));
            return Ok(Saved { next_index: 0, bytes: 0, problems: Vec::new(), ..saved });
        }
        note(format!("going on at item {} of the job with request id {id}", saved.next_index));
        Ok(saved)
    }
}

/// How to begin with a new job.
pub fn anew(part: &Path) -> String {
    let part = part.display();
    format!("for a new job remove {part} and {part}.json, or give another -o")
}

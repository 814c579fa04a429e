//! A recording that is still being written: a file that grows or is replaced, a pipe, or a program that connects to a socket.
//!
//! A thread copies what comes into files beside, one for each take: a file that has been replaced or has become shorter, and a
//! program that connects anew, begin another take. The takes stay readable whatever becomes of their source.

use super::{Progress, STANDARD, recording::MOST_UNPACKED};
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;
use tempfile::NamedTempFile;

/// How often a file is looked at.
const LOOK: Duration = Duration::from_millis(50);
/// Bytes that are copied at once.
const BLOCK: usize = 1 << 16;
/// How an address begins.
const TCP: &str = "tcp:";
const UNIX: &str = "unix:";

/// What has come so far.
#[derive(Debug, Default)]
struct Taken {
    takes: Vec<NamedTempFile>,
    /// Bytes of the last take.
    bytes: u64,
    /// Whether nothing more will come.
    ended: bool,
    problem: Option<String>,
}

/// Copies a recording while it is being written.
#[derive(Debug)]
pub(crate) struct Follower {
    taken: Arc<Mutex<Taken>>,
    leaving: Arc<AtomicBool>,
    /// The socket in the file system that goes with it, and which file that is.
    socket: Option<(PathBuf, fs::Metadata)>,
}

impl Follower {
    /// Follows a file; `-`, the standard input; or whoever connects to `tcp:ADDRESS:PORT` or `unix:PATH`.
    ///
    /// # Errors
    /// A file that is not there, an address that cannot be listened at.
    pub fn new(name: &str) -> io::Result<Self> {
        let mut own = Self { taken: Arc::default(), leaving: Arc::default(), socket: None };
        let (taken, leaving) = (Arc::clone(&own.taken), Arc::clone(&own.leaving));
        let copier = Copier { taken, leaving };
        if name == STANDARD {
            thread::spawn(move || copier.stream(io::stdin(), true));
        } else if let Some(address) = name.strip_prefix(TCP) {
            let listener = TcpListener::bind(address)?;
            thread::spawn(move || copier.connections(listener.incoming()));
        } else if let Some(path) = name.strip_prefix(UNIX) {
            listen_at(path, copier)?;
            own.socket = fs::metadata(path).ok().map(|there| (PathBuf::from(path), there));
        } else {
            let path = PathBuf::from(name);
            if fs::metadata(&path)?.is_dir() {
                return Err(io::Error::new(io::ErrorKind::IsADirectory, "a folder (expected a file)"));
            }
            thread::spawn(move || copier.file(&path));
        }
        Ok(own)
    }

    /// What has come so far.
    pub fn progress(&self) -> Progress {
        let taken = locked(&self.taken);
        let Taken { takes, bytes, ended, problem } = &*taken;
        Progress { takes: takes.len(), bytes: *bytes, ended: *ended, problem: problem.clone() }
    }

    /// The last take, to be read from its beginning.
    ///
    /// # Errors
    /// An error of the file system; no take.
    pub fn last_take(&self) -> io::Result<File> {
        locked(&self.taken).takes.last().ok_or(io::ErrorKind::NotFound)?.reopen()
    }
}

impl Drop for Follower {
    fn drop(&mut self) {
        self.leaving.store(true, Ordering::Relaxed);
        let Some((path, own)) = &self.socket else { return };
        // Another listener may have taken its place.
        if fs::metadata(path).is_ok_and(|there| identity(&there) == identity(own)) {
            let _gone = fs::remove_file(path);
        }
    }
}

fn locked(taken: &Mutex<Taken>) -> MutexGuard<'_, Taken> {
    taken.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(unix)]
fn listen_at(path: &str, copier: Copier) -> io::Result<()> {
    use std::os::unix::fs::FileTypeExt;
    // A socket that an earlier program has left behind is in the way; anything else is not ours.
    if fs::metadata(path).is_ok_and(|kind| kind.file_type().is_socket()) {
        fs::remove_file(path)?;
    }
    let listener = std::os::unix::net::UnixListener::bind(path)?;
    thread::spawn(move || copier.connections(listener.incoming()));
    Ok(())
}

#[cfg(not(unix))]
fn listen_at(_: &str, _: Copier) -> io::Result<()> {
    Err(io::Error::other("no such sockets here (expected tcp:127.0.0.1:PORT)"))
}

/// The thread's side.
struct Copier {
    taken: Arc<Mutex<Taken>>,
    leaving: Arc<AtomicBool>,
}

impl Copier {
    fn is_over(&self) -> bool {
        self.leaving.load(Ordering::Relaxed)
    }

    fn fail(&self, error: &io::Error) {
        let mut taken = locked(&self.taken);
        (taken.problem, taken.ended) = (Some(error.to_string()), true);
    }

    fn begin(&self) -> io::Result<File> {
        let own = NamedTempFile::new()?;
        let writer = own.reopen()?;
        let mut taken = locked(&self.taken);
        taken.takes.push(own);
        taken.bytes = 0;
        Ok(writer)
    }

    /// Copies what there is to be read; the number of bytes.
    fn copy(&self, reader: &mut impl Read, writer: &mut File, block: &mut [u8]) -> io::Result<usize> {
        let read = reader.read(block)?;
        writer.write_all(&block[..read])?;
        let mut taken = locked(&self.taken);
        taken.bytes += read as u64;
        if taken.bytes > MOST_UNPACKED {
            return Err(io::Error::other(format!("longer than {} GiB", MOST_UNPACKED >> 30)));
        }
        Ok(read)
    }

    /// A take of all that comes until its end.
    fn stream(&self, mut reader: impl Read, is_last: bool) {
        let mut block = vec![0; BLOCK];
        let copied = self.begin().and_then(|mut writer| {
            while !self.is_over() && self.copy(&mut reader, &mut writer, &mut block)? > 0 {}
            Ok(())
        });
        match copied {
            Ok(()) => locked(&self.taken).ended |= is_last,
            Err(error) => self.fail(&error),
        }
    }

    /// A take for each program that connects.
    fn connections<R: Read>(&self, incoming: impl Iterator<Item = io::Result<R>>) {
        for connection in incoming {
            match connection {
                _ if self.is_over() => return,
                Ok(reader) => self.stream(reader, false),
                Err(error) => return self.fail(&error),
            }
        }
    }

    /// A take for each file at that path: one that grows is read on, one that has been replaced or shortened begins anew.
    fn file(&self, path: &Path) {
        let mut block = vec![0; BLOCK];
        while !self.is_over() {
            let copied = (|| -> io::Result<()> {
                let mut reader = File::open(path)?;
                let mut writer = self.begin()?;
                let mut bytes = 0;
                while !self.is_over() {
                    match self.copy(&mut reader, &mut writer, &mut block)? {
                        0 if is_other(&reader, path, bytes) => break,
                        0 => thread::sleep(LOOK),
                        read => bytes += read as u64,
                    }
                }
                Ok(())
            })();
            match copied {
                Ok(()) => {}
                // A file that is being replaced is not there for a moment.
                Err(error) if error.kind() == io::ErrorKind::NotFound => thread::sleep(LOOK),
                Err(error) => return self.fail(&error),
            }
        }
    }
}

/// Whether another file than the one that is read stands at a path, or a shorter one than what has been read of it.
fn is_other(reader: &File, path: &Path, read: u64) -> bool {
    let Ok(there) = fs::metadata(path) else { return false };
    let is_same = reader.metadata().is_ok_and(|own| identity(&own) == identity(&there));
    !is_same || there.len() < read
}

#[cfg(unix)]
fn identity(file: &fs::Metadata) -> impl PartialEq + use<> {
    use std::os::unix::fs::MetadataExt;
    (file.dev(), file.ino())
}

#[cfg(not(unix))]
fn identity(file: &fs::Metadata) -> impl PartialEq + use<> {
    file.created().ok()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// Whoever stops listening takes his socket away, unless another listener has taken its place.
    #[test]
    fn a_socket_goes_with_its_listener() {
        let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("{error}"));
        let path = folder.path().join("probe.socket");
        let listen =
            || Follower::new(&format!("unix:{}", path.display())).unwrap_or_else(|error| panic!("{error}"));
        let first = listen();
        assert!(path.exists());
        let second = listen();
        drop(first);
        assert!(path.exists(), "the second one listens there");
        drop(second);
        assert!(!path.exists());
    }
}

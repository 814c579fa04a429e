//! Files: paths of a file system, and in a page what a person brings or takes away.

#[cfg(not(target_family = "wasm"))]
pub(crate) use own::{NewFile, Stamp, place_for_picture, replace};
#[cfg(target_family = "wasm")]
pub(crate) use page::{NewFile, Stamp, place_for_picture, replace};

/// Whether a file's path leads to it in another start.
pub(crate) const PATHS_LAST: bool = cfg!(not(target_family = "wasm"));

/// A file that a person has brought without a path: chosen, dropped or pasted.
pub(crate) struct Brought {
    pub name: String,
    pub bytes: Vec<u8>,
}

/// The next of the files that a person has brought to the page.
pub(crate) fn brought() -> Option<Brought> {
    #[cfg(target_family = "wasm")]
    return page::brought();
    #[cfg(not(target_family = "wasm"))]
    None
}

#[cfg(not(target_family = "wasm"))]
mod own {
    pub(crate) use crate::files::{Output as NewFile, replace};
    use std::io;
    use std::path::{Path, PathBuf};
    use std::time::SystemTime;

    /// By what a change of a file is noticed: when it was written last, and its size, bytes.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) struct Stamp(SystemTime, u64);

    impl Stamp {
        /// The stamp of a file; none if it is not there.
        pub(crate) fn of(path: &Path) -> Option<Self> {
            let known = std::fs::metadata(path).ok()?;
            Some(Self(known.modified().ok()?, known.len()))
        }
    }

    /// Numbers that are tried for a file name.
    const NUMBERS: u32 = 10_000;

    /// The next free name in the folder for pictures, or in the current one.
    pub(crate) fn place_for_picture() -> io::Result<PathBuf> {
        let user = directories::UserDirs::new();
        let pictures = user.and_then(|user| user.picture_dir().map(Path::to_owned));
        let folder = match pictures.filter(|folder| folder.is_dir()) {
            Some(folder) => folder,
            None => std::env::current_dir()?,
        };
        (1..NUMBERS)
            .map(|number| folder.join(format!("driftlab-{number:03}.png")))
            .find(|path| !path.exists())
            .ok_or_else(|| io::Error::other(format!("{} is full of pictures", folder.display())))
    }
}

#[cfg(target_family = "wasm")]
mod page {
    use super::Brought;
    use driftlab_host::{Ask, Tell, ask, ask_text, tell};
    use std::io;
    use std::path::{Path, PathBuf};

    /// A page's files are the browser's.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) struct Stamp;

    impl Stamp {
        pub(crate) fn of(_: &Path) -> Option<Self> {
            None
        }
    }

    pub(super) fn brought() -> Option<Brought> {
        let name = ask_text(Ask::File)?;
        let bytes = ask(Ask::Contents)?;
        Some(Brought { name, bytes })
    }

    /// Gives the file to a person, as a download.
    pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
        tell(Tell::Download, &path.to_string_lossy(), bytes);
        Ok(())
    }

    /// A file that is given to a person once it is complete.
    pub(crate) struct NewFile {
        name: PathBuf,
        bytes: Vec<u8>,
    }

    impl NewFile {
        /// Begins a file of that name.
        pub(crate) fn create(path: &Path) -> io::Result<Self> {
            Ok(Self { name: path.to_owned(), bytes: Vec::new() })
        }

        /// Gives it to the person.
        pub(crate) fn finish(self) -> io::Result<()> {
            replace(&self.name, &self.bytes)
        }
    }

    impl io::Write for NewFile {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.bytes.extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// The browser numbers files of one name.
    pub(crate) fn place_for_picture() -> io::Result<PathBuf> {
        Ok(PathBuf::from("driftlab.png"))
    }
}

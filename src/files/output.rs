//! Files that are written beside the earlier one and take its place when they are complete.
//!
//! Until [`Output::finish`] an earlier file stays as it is: a run that fails, is killed or fills the disk does not touch it. The
//! incomplete file is removed if the program still can; after a crash `.NAME.….part` is left beside it. A power failure
//! may lose the new file, since nothing waits for the disk.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// The new contents of a file.
pub(crate) enum Output {
    /// A file beside, and the place that it will take.
    Beside(BufWriter<NamedTempFile>, PathBuf),
    /// A device or a pipe, which is written to directly.
    Direct(BufWriter<File>),
}

impl Output {
    /// Begins a new file for `path`.
    ///
    /// # Errors
    /// An error of the file system, or a path that may not be written.
    pub fn create(path: &Path) -> io::Result<Self> {
        if names_a_folder(path) {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "a folder (expected a file)"));
        }
        if is_special(path) {
            return File::create(path).map(BufWriter::new).map(Self::Direct);
        }
        // Through a symbolic link, the file that it leads to is replaced.
        let place = actual(path);
        let name = place.file_name().ok_or(io::ErrorKind::InvalidFilename)?;
        let earlier = match fs::metadata(&place) {
            Ok(earlier) => {
                // A file that may not be written may not be replaced either.
                fs::OpenOptions::new().write(true).open(&place)?;
                Some(earlier.permissions())
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        let mut prefix = std::ffi::OsString::from(".");
        prefix.push(name);
        prefix.push(".");
        let part = with_usual_permissions(tempfile::Builder::new().prefix(&prefix).suffix(".part"))
            .tempfile_in(folder_of(&place))?;
        if let Some(permissions) = earlier {
            part.as_file().set_permissions(permissions)?;
        }
        Ok(Self::Beside(BufWriter::new(part), place))
    }

    /// Puts the file in its place.
    ///
    /// # Errors
    /// An error of the file system; the earlier file is then still there, and the new one is not.
    pub fn finish(self) -> io::Result<()> {
        match self {
            Self::Beside(writer, place) => {
                let part = writer.into_inner().map_err(io::IntoInnerError::into_error)?;
                part.persist(place).map(drop).map_err(|refused| refused.error)
            }
            Self::Direct(mut writer) => writer.flush(),
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Beside(writer, _) => writer.write(bytes),
            Self::Direct(writer) => writer.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Beside(writer, _) => writer.flush(),
            Self::Direct(writer) => writer.flush(),
        }
    }
}

/// Writes a whole file.
///
/// # Errors
/// An error of [`Output`].
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut output = Output::create(path)?;
    output.write_all(bytes)?;
    output.finish()
}

/// Whether it is a device or a pipe.
pub(crate) fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|what| !what.is_file() && !what.is_dir())
}

/// The file that a path leads to, whether it exists or not: a link may lead to a file that is still to be written.
pub(crate) fn actual(path: &Path) -> PathBuf {
    /// Links that are followed, as many as Linux follows.
    const MOST_LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        match (fs::canonicalize(&path), fs::read_link(&path)) {
            (Ok(place), _) => return place,
            (Err(_), Ok(target)) => path = folder_of(&path).join(target),
            (Err(_), Err(_)) => break,
        }
    }
    match (fs::canonicalize(folder_of(&path)), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path,
    }
}

/// Whether a path is spelled as that of a folder: `out/` or `out/.`, whose last name would else be that of a file.
fn names_a_folder(path: &Path) -> bool {
    let text = path.as_os_str().to_string_lossy();
    let end = text.strip_suffix('.').unwrap_or(&text);
    end.ends_with(std::path::is_separator)
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// As any new file: readable and writable for all, less what the user's mask takes away.
#[cfg(unix)]
fn with_usual_permissions<'a, 'b, 'c>(
    builder: &'c mut tempfile::Builder<'a, 'b>,
) -> &'c mut tempfile::Builder<'a, 'b> {
    /// rw-rw-rw-
    const USUAL: u32 = 0o666;
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(USUAL))
}

#[cfg(not(unix))]
fn with_usual_permissions<'a, 'b, 'c>(
    builder: &'c mut tempfile::Builder<'a, 'b>,
) -> &'c mut tempfile::Builder<'a, 'b> {
    builder
}

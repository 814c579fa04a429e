//! Files that a command writes. They are checked before the first step, so that hours of stepping are not lost to a
//! path that cannot be written, and no file is overwritten that is still needed.

use super::failure::Failure;
use super::open::Source;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// An option and the path given to it.
pub(super) type Output<'a> = (&'static str, &'a Option<PathBuf>);

/// Refuses two outputs with the same file, an output onto the scene that is read, and files that cannot be written.
pub(super) fn guard(source: &Source, outputs: &[Output<'_>]) -> Result<(), Failure> {
    let given = || outputs.iter().filter_map(|(option, path)| Some((option, path.as_deref()?)));
    let scene = source.path.as_deref().map(actual);
    let mut taken: Vec<(&str, PathBuf)> = Vec::new();
    for (option, path) in given() {
        let shown = path.display();
        // Any number of options may write to /dev/null.
        if is_special(path) {
            continue;
        }
        let place = actual(path);
        if scene.as_ref() == Some(&place) {
            return Err(Failure::wrong(format!("{option}: {shown} is the scene that is read")));
        }
        if let Some((other, _)) = taken.iter().find(|(_, theirs)| *theirs == place) {
            return Err(Failure::wrong(format!("{option}: {shown} is written by {other} already")));
        }
        taken.push((option, place));
    }
    given().try_for_each(|(_, path)| probe(path).map_err(|error| Failure::file(path, &error)))
}

/// Fails if writing the file would fail, and changes nothing.
pub(super) fn probe(path: &Path) -> io::Result<()> {
    if is_special(path) {
        return Ok(());
    }
    if path.exists() {
        return OpenOptions::new().write(true).open(path).map(drop);
    }
    let part = part_of(path)?;
    File::create(&part)?;
    fs::remove_file(part)
}

/// A buffered new file.
pub(super) fn create(path: &Path) -> Result<BufWriter<File>, Failure> {
    File::create(path).map(BufWriter::new).map_err(|error| Failure::file(path, &error))
}

/// Writes a file under a temporary name in the same folder and then renames it, so that no incomplete file is ever visible.
pub(super) fn replace(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let failed = |error: io::Error| Failure::file(path, &error);
    if is_special(path) {
        let mut file = create(path)?;
        write(&mut file)?;
        return file.flush().map_err(failed);
    }
    let place = actual(path);
    let part = part_of(&place).map_err(failed)?;
    let mut file = File::create(&part).map(BufWriter::new).map_err(failed)?;
    let written = write(&mut file).and_then(|()| file.flush().map_err(failed));
    let put = written.and_then(|()| fs::rename(&part, place).map_err(failed));
    if put.is_err() {
        // The incomplete file is of no use. If it cannot be removed either, the first error is the one to report.
        let _ = fs::remove_file(part);
    }
    put
}

/// Whether it is a device or a pipe, which is written to directly.
fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|what| !what.is_file() && !what.is_dir())
}

/// The file that a path leads to, whether it exists or not.
fn actual(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| {
        let folder = fs::canonicalize(folder_of(path));
        match (folder, path.file_name()) {
            (Ok(folder), Some(name)) => folder.join(name),
            _ => path.to_owned(),
        }
    })
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// The temporary name under which a file is written until it is complete.
fn part_of(path: &Path) -> io::Result<PathBuf> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidFilename)?;
    let mut part = OsString::from(".");
    part.push(name);
    part.push(format!(".{}.part", std::process::id()));
    Ok(folder_of(path).join(part))
}

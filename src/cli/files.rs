//! Files that a command writes. They are checked before the first step, so that hours of stepping are not lost to a
//! path that cannot be written, and no file is overwritten that is still needed.

use super::failure::Failure;
use super::open::Source;
use super::output::Screen;
use crate::files::{self, Output, actual, is_special, is_standard};
use same_file::Handle;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// An option and the path given to it.
pub(super) type Given<'a> = (&'static str, &'a Option<PathBuf>);

/// Whether one of the paths stands for standard output: the summary then goes to standard error.
pub(super) fn any_standard(outputs: &[Given<'_>]) -> bool {
    outputs.iter().any(|(_, path)| path.as_deref().is_some_and(is_standard))
}

/// What is written: a file, or standard output.
pub(super) enum Sink {
    File(Output),
    Standard(BufWriter<Screen>),
}

impl Sink {
    /// Begins the output of that path; `-` is standard output.
    pub fn create(path: &Path) -> io::Result<Self> {
        if is_standard(path) {
            return Ok(Self::Standard(BufWriter::new(Screen::default())));
        }
        Output::create(path).map(Self::File)
    }

    /// Completes it: only now does a file take its place.
    pub fn finish(self) -> io::Result<()> {
        match self {
            Self::File(output) => output.finish(),
            Self::Standard(mut screen) => screen.flush(),
        }
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::File(output) => output.write(bytes),
            Self::Standard(screen) => screen.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::File(output) => output.flush(),
            Self::Standard(screen) => screen.flush(),
        }
    }
}

/// Refuses two outputs with the same file, an output onto the scene that is read, and files that cannot be written.
pub(super) fn guard(source: &Source, outputs: &[Given<'_>]) -> Result<(), Failure> {
    guard_input(source.path.as_deref(), "the scene", outputs)
}

/// Refuses outputs that are the same file as `input`, which `what` names.
pub(super) fn guard_input(input: Option<&Path>, what: &str, outputs: &[Given<'_>]) -> Result<(), Failure> {
    let given = || outputs.iter().filter_map(|(option, path)| Some((option, path.as_deref()?)));
    let input = input.map(Identity::of);
    let mut taken: Vec<(&str, Identity)> = Vec::new();
    for (option, path) in given() {
        let shown = path.display();
        // Any number of options may write to /dev/null.
        if is_special(path) {
            continue;
        }
        let own = Identity::of(path);
        if input.as_ref().is_some_and(|input| input.is(&own)) {
            return Err(Failure::wrong(format!("{option}: {shown} is {what} that is read")));
        }
        if let Some((other, _)) = taken.iter().find(|(_, theirs)| theirs.is(&own)) {
            return Err(Failure::wrong(format!("{option}: {shown} is written by {other} already")));
        }
        taken.push((option, own));
    }
    given().try_for_each(|(_, path)| probe(path).map_err(|error| Failure::file(path, &error)))
}

/// Which file a path leads to: by its device and number if it exists, so that hard links are one file, else by its place.
struct Identity {
    place: PathBuf,
    file: Option<Handle>,
}

impl Identity {
    fn of(path: &Path) -> Self {
        if is_standard(path) {
            return Self { place: path.to_owned(), file: None };
        }
        // Opening a pipe would wait for its other end.
        let file = if is_special(path) { None } else { Handle::from_path(path).ok() };
        Self { place: actual(path), file }
    }

    fn is(&self, other: &Self) -> bool {
        self.place == other.place || (self.file.is_some() && self.file == other.file)
    }
}

/// Fails if writing the file would fail, and changes nothing.
pub(super) fn probe(path: &Path) -> io::Result<()> {
    if is_special(path) || is_standard(path) {
        return Ok(());
    }
    // What is not finished is removed.
    Output::create(path).map(drop)
}

/// Writes a file by `write`; it takes its place if all went well.
pub(super) fn replace(
    path: &Path,
    write: impl FnOnce(&mut Sink) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let failed = |error: io::Error| Failure::file(path, &error);
    let mut sink = Sink::create(path).map_err(failed)?;
    write(&mut sink)?;
    sink.finish().map_err(failed)
}

/// Writes a whole file.
pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    if is_standard(path) {
        return replace(path, |sink| sink.write_all(bytes).map_err(|error| Failure::file(path, &error)));
    }
    files::replace(path, bytes).map_err(|error| Failure::file(path, &error))
}

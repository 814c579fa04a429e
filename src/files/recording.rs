//! Recordings, which may be longer than memory: a compressed one is unpacked beside, and read from there.

use crate::experiment::recording::Source;
use flate2::read::MultiGzDecoder;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Cursor, Read, Seek, SeekFrom};
use std::path::Path;

/// Bytes that a compressed recording may have unpacked: 10⁵ steps of 1,000 bodies.
pub(super) const MOST_UNPACKED: u64 = 16 << 30;
/// With what a file in the format of gzip begins [RFC 1952, 2.3.1].
const GZIP: [u8; 2] = [0x1f, 0x8b];
/// With what a recording of Box2D's own begins.
const BOX2D: &[u8; 4] = b"B2RC";
/// Bytes of a first line in which its format stands.
const BEGINNING: u64 = 256;
/// How that line begins, without blanks.
const FORMAT: &str = "{\"format\":\"driftlab-recording/";

/// A recording that can be read.
pub(crate) struct Opened {
    pub source: Box<dyn Source>,
    /// What is worth knowing of how it was read.
    pub notes: Vec<String>,
}

impl From<Box<dyn Source>> for Opened {
    fn from(source: Box<dyn Source>) -> Self {
        Self { source, notes: Vec::new() }
    }
}

/// Whether a file is a recording, by its first bytes.
pub(crate) fn is_recording(path: &Path) -> bool {
    let is_file = fs::metadata(path).is_ok_and(|kind| kind.is_file());
    let begins = |file| is_of_box2d(path) || begins_one(BufReader::new(file));
    is_file && File::open(path).is_ok_and(begins)
}

/// Whether bytes are a recording, by the first of them.
pub(crate) fn are_recording(bytes: &[u8]) -> bool {
    begins_one(bytes)
}

fn begins_one(reader: impl BufRead) -> bool {
    let mut first = Vec::new();
    // A compressed file that is damaged further on begins all the same.
    let _read = unpacked(reader).and_then(|all| all.take(BEGINNING).read_to_end(&mut first));
    let text = String::from_utf8_lossy(&first);
    let text: String = text.trim_start_matches('\u{feff}').chars().filter(|c| !c.is_whitespace()).collect();
    text.starts_with(FORMAT)
}

/// Bytes in memory, to be read as a recording from any place.
///
/// # Errors
/// Compressed bytes that are damaged or too many.
pub(crate) fn recording_of(bytes: Vec<u8>) -> io::Result<Box<dyn Source>> {
    if bytes.starts_with(&GZIP) {
        spooled(MultiGzDecoder::new(&*bytes))
    } else {
        Ok(Box::new(Cursor::new(bytes)))
    }
}

/// Opens a recording to be read from any place.
///
/// # Errors
/// An error of the file system; a folder or a device; a compressed file that is damaged or too long.
pub(crate) fn open_recording(path: &Path) -> io::Result<Opened> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("no file (expected a recording)"));
    }
    if is_of_box2d(path) {
        return of_box2d(path);
    }
    let mut file = File::open(path)?;
    let mut magic = [0; GZIP.len()];
    let is_packed = file.read_exact(&mut magic).is_ok() && magic == GZIP;
    file.seek(SeekFrom::Start(0))?;
    let source =
        if is_packed { spooled(MultiGzDecoder::new(BufReader::new(file)))? } else { Box::new(file) };
    Ok(source.into())
}

/// Whether a file is one of Box2D's own recordings.
fn is_of_box2d(path: &Path) -> bool {
    let mut magic = [0; BOX2D.len()];
    File::open(path).and_then(|mut file| file.read_exact(&mut magic)).is_ok() && magic == *BOX2D
}

#[cfg(any(feature = "box2d", feature = "engines"))]
fn of_box2d(path: &Path) -> io::Result<Opened> {
    let (file, notes) = super::box2d::replayed(path)?;
    // The file is gone from its folder, and is kept as long as it is open.
    Ok(Opened { source: Box::new(file.reopen()?), notes })
}

#[cfg(not(any(feature = "box2d", feature = "engines")))]
fn of_box2d(_: &Path) -> io::Result<Opened> {
    Err(io::Error::other(
        "a recording of Box2D's own, which a program built with `--features box2d` replays",
    ))
}

/// What a reader gives, unpacked if it is compressed.
fn unpacked<'a>(mut reader: impl BufRead + 'a) -> io::Result<Box<dyn Read + 'a>> {
    let is_packed = reader.fill_buf()?.starts_with(&GZIP);
    Ok(if is_packed { Box::new(MultiGzDecoder::new(reader)) } else { Box::new(reader) })
}

/// Copies all that a reader gives to where it can be read from any place.
fn spooled(reader: impl Read) -> io::Result<Box<dyn Source>> {
    let mut own = spool()?;
    let bytes = io::copy(&mut reader.take(MOST_UNPACKED + 1), &mut own)?;
    if bytes > MOST_UNPACKED {
        let most = MOST_UNPACKED >> 30;
        return Err(io::Error::other(format!("unpacks to more than {most} GiB")));
    }
    own.seek(SeekFrom::Start(0))?;
    Ok(Box::new(own))
}

/// A file that is removed with the program.
#[cfg(not(target_family = "wasm"))]
fn spool() -> io::Result<File> {
    tempfile::tempfile()
}

/// Memory, where there are no files.
#[cfg(target_family = "wasm")]
fn spool() -> io::Result<Cursor<Vec<u8>>> {
    Ok(Cursor::new(Vec::new()))
}

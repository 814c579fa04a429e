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
/// Bytes of a first line in which its format stands.
const BEGINNING: u64 = 256;
/// How that line begins, without blanks.
const FORMAT: &str = "{\"format\":\"driftlab-recording/";

/// Whether a file is a recording, by its first bytes.
pub(crate) fn is_recording(path: &Path) -> bool {
    let is_file = fs::metadata(path).is_ok_and(|kind| kind.is_file());
    is_file && File::open(path).is_ok_and(|file| begins_one(BufReader::new(file)))
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
pub(crate) fn open_recording(path: &Path) -> io::Result<Box<dyn Source>> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("no file (expected a recording)"));
    }
    let mut file = File::open(path)?;
    let mut magic = [0; GZIP.len()];
    let is_packed = file.read_exact(&mut magic).is_ok() && magic == GZIP;
    file.seek(SeekFrom::Start(0))?;
    if is_packed { spooled(MultiGzDecoder::new(BufReader::new(file))) } else { Ok(Box::new(file)) }
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

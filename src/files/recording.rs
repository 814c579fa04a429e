//! Recordings, which may be longer than memory: a compressed one is unpacked beside, and read from there.

use crate::experiment::recording::Source;
use flate2::read::MultiGzDecoder;
use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// Bytes that a compressed recording may have unpacked: 10⁵ steps of 1,000 bodies.
const MOST_UNPACKED: u64 = 16 << 30;
/// With what a file in the format of gzip begins [RFC 1952, 2.3.1].
const GZIP: [u8; 2] = [0x1f, 0x8b];
/// Bytes of a first line in which its format stands.
const BEGINNING: u64 = 256;
/// How that line begins, without blanks.
const FORMAT: &str = "{\"format\":\"driftlab-recording/";

/// Whether a file is a recording, by its first bytes.
pub(crate) fn is_recording(path: &Path) -> bool {
    let begins = |path: &Path| -> io::Result<bool> {
        if !fs::metadata(path)?.is_file() {
            return Ok(false);
        }
        let mut first = Vec::new();
        let file = BufReader::new(File::open(path)?);
        unpacked(file)?.take(BEGINNING).read_to_end(&mut first)?;
        let text = String::from_utf8_lossy(&first);
        let text: String =
            text.trim_start_matches('\u{feff}').chars().filter(|c| !c.is_whitespace()).collect();
        Ok(text.starts_with(FORMAT))
    };
    begins(path).unwrap_or(false)
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
    if is_packed { spooled(unpacked(BufReader::new(file))?) } else { Ok(Box::new(file)) }
}

/// What a reader gives, unpacked if it is compressed.
fn unpacked<R: io::BufRead + Send + 'static>(mut reader: R) -> io::Result<Box<dyn Read + Send>> {
    let is_packed = reader.fill_buf()?.starts_with(&GZIP);
    Ok(if is_packed { Box::new(MultiGzDecoder::new(reader)) } else { Box::new(reader) })
}

/// Copies all that a reader gives into a file that is removed with the program.
fn spooled(reader: impl Read) -> io::Result<Box<dyn Source>> {
    let mut file = tempfile::tempfile()?;
    let bytes = io::copy(&mut reader.take(MOST_UNPACKED + 1), &mut file)?;
    if bytes > MOST_UNPACKED {
        let most = MOST_UNPACKED >> 30;
        return Err(io::Error::other(format!("unpacks to more than {most} GiB")));
    }
    file.flush()?;
    file.seek(SeekFrom::Start(0))?;
    Ok(Box::new(file))
}

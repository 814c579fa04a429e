//! Texts that are read within a limit: an endless device or a pipe without a writer must not take all memory or all time.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;
use std::sync::mpsc;
use std::time::Duration;

/// Bytes of a scene at most: twice a scene of 100,000 links (28 MB). Its tree takes about ten times as much memory.
pub(crate) const MOST_SCENE_BYTES: u64 = 64 << 20;
/// Bytes of a table of poses at most: some 800,000 rows.
pub(crate) const MOST_TABLE_BYTES: u64 = 64 << 20;
/// Bytes of a file of complementarity problems, or of a sweep's part, at most.
#[cfg(feature = "app")]
pub(crate) const MOST_PROBLEM_BYTES: u64 = 256 << 20;
/// A pipe that has not ended after this time is given up: nobody writes into it, or somebody without end.
const PIPE_PATIENCE: Duration = Duration::from_secs(30);
/// What some editors put in front of a text in UTF-8.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// Reads at most `most` bytes.
///
/// # Errors
/// An error of the file system; a device; a pipe that does not end; more bytes than `most`.
pub(crate) fn read_bytes(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let kind = fs::metadata(path)?.file_type();
    if kind.is_file() {
        bytes_within(File::open(path)?, most)
    } else if kind.is_dir() {
        Err(io::Error::new(io::ErrorKind::IsADirectory, "a folder (expected a file)"))
    } else if is_pipe(&kind) {
        from_pipe(path, most)
    } else {
        Err(io::Error::other("a device (expected a file or a pipe)"))
    }
}

/// Reads a text of at most `most` bytes, without its byte order mark.
///
/// # Errors
/// Those of [`read_bytes`]; bytes that are not UTF-8.
pub(crate) fn read_text(path: &Path, most: u64) -> io::Result<String> {
    text_of(read_bytes(path, most)?)
}

/// As [`read_text`], of a file alone: a pipe would be waited for.
///
/// # Errors
/// Those of [`read_text`]; a pipe.
pub(crate) fn read_file(path: &Path, most: u64) -> io::Result<String> {
    if is_pipe(&fs::metadata(path)?.file_type()) {
        return Err(io::Error::other("a pipe (expected a file)"));
    }
    read_text(path, most)
}

/// Reads a text of at most `most` bytes to its end, without its byte order mark.
///
/// # Errors
/// An error of the reader; more bytes than `most`; bytes that are not UTF-8.
pub(crate) fn text_within(reader: impl Read, most: u64) -> io::Result<String> {
    text_of(bytes_within(reader, most)?)
}

fn bytes_within(reader: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::other(format!("too large (expected at most {} MiB)", most >> 20)));
    }
    Ok(bytes)
}

/// Bytes as a text, without its byte order mark.
///
/// # Errors
/// Bytes that are not UTF-8.
pub(crate) fn text_of(bytes: Vec<u8>) -> io::Result<String> {
    let mut text = String::from_utf8(bytes).map_err(|_| io::Error::other("not a text in UTF-8"))?;
    if text.starts_with(BYTE_ORDER_MARK) {
        text.drain(..BYTE_ORDER_MARK.len_utf8());
    }
    Ok(text)
}

/// Reads a pipe in a thread of its own, because opening one waits for a writer.
fn from_pipe(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    let path = path.to_owned();
    std::thread::spawn(move || {
        // Nobody listens any more once the patience is over.
        let _ = sender.send(File::open(path).and_then(|file| bytes_within(file, most)));
    });
    let silent = |_| {
        io::Error::new(
            io::ErrorKind::TimedOut,
            format!("a pipe that did not end within {} s", PIPE_PATIENCE.as_secs()),
        )
    };
    receiver.recv_timeout(PIPE_PATIENCE).map_err(silent)?
}

#[cfg(unix)]
fn is_pipe(kind: &fs::FileType) -> bool {
    std::os::unix::fs::FileTypeExt::is_fifo(kind)
}

#[cfg(not(unix))]
fn is_pipe(_: &fs::FileType) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::text_within;

    #[test]
    fn a_text_is_read_up_to_its_limit_and_without_its_mark() {
        // Protects memory: one byte more than the limit is refused, whatever still follows.
        assert_eq!(text_within("\u{feff}{}".as_bytes(), 5).unwrap(), "{}");
        assert_eq!(text_within(&b"12345"[..], 5).unwrap(), "12345");
        let error = text_within(std::io::repeat(b' '), 1 << 20).unwrap_err().to_string();
        assert_eq!(error, "too large (expected at most 1 MiB)");
        assert_eq!(text_within(&[0xff][..], 5).unwrap_err().to_string(), "not a text in UTF-8");
    }
}

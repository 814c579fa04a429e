//! What is written, compressed if its file's name says so.

use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::{self, Write};
use std::path::Path;

/// A writer that compresses by gzip what is for a file whose name ends in `.gz`.
pub(crate) enum Packed<W: Write> {
    /// As it is.
    Plain(W),
    /// Compressed.
    Packed(GzEncoder<W>),
}

impl<W: Write> Packed<W> {
    /// What is to stand in the file `path`, beneath which is `writer`.
    pub fn of(path: &Path, writer: W) -> Self {
        if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("gz")) {
            Self::Packed(GzEncoder::new(writer, Compression::fast()))
        } else {
            Self::Plain(writer)
        }
    }

    /// The writer beneath, everything written.
    ///
    /// # Errors
    /// Errors of the writer.
    pub fn unpack(self) -> io::Result<W> {
        match self {
            Self::Plain(writer) => Ok(writer),
            Self::Packed(encoder) => encoder.finish(),
        }
    }
}

impl<W: Write> Write for Packed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(writer) => writer.write(bytes),
            Self::Packed(encoder) => encoder.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(writer) => writer.flush(),
            Self::Packed(encoder) => encoder.flush(),
        }
    }
}

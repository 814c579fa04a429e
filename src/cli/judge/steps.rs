//! The figures of every step as a table of comma-separated values, one a row.

use crate::cli::failure::Failure;
use crate::cli::files::Sink;
use crate::experiment::judge::columns;
use crate::numbers::shortest;
use std::path::{Path, PathBuf};

/// The figures of steps, one a row.
pub(super) struct Table {
    path: PathBuf,
    writer: csv::Writer<Sink>,
}

impl Table {
    pub fn create(path: &Path) -> Result<Self, Failure> {
        let sink = Sink::create(path).map_err(|error| Failure::file(path, &error))?;
        let mut writer = csv::Writer::from_writer(sink);
        let header = std::iter::once("file").chain(columns());
        writer.write_record(header).map_err(|error| Failure::csv(path, &error))?;
        Ok(Self { path: path.to_owned(), writer })
    }

    pub fn add(&mut self, file: &str, numbers: &[(&'static str, Option<f64>)]) -> Result<(), Failure> {
        let cells = numbers.iter().map(|(_, number)| number.map_or_else(String::new, shortest));
        let row = std::iter::once(file.to_owned()).chain(cells);
        self.writer.write_record(row).map_err(|error| Failure::csv(&self.path, &error))
    }

    pub fn finish(self) -> Result<(), Failure> {
        let Self { path, writer } = self;
        let sink = writer.into_inner().map_err(|error| Failure::file(&path, error.error()))?;
        sink.finish().map_err(|error| Failure::file(&path, &error))
    }
}

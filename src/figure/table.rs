//! The table behind a figure.

/// Rows of cells as comma-separated values.
pub fn csv<C: AsRef<[u8]>>(rows: impl IntoIterator<Item = Vec<C>>) -> String {
    let mut writer = csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
    for row in rows {
        // Memory takes whatever is written.
        let _ = writer.write_record(row);
    }
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}

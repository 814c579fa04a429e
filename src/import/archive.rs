//! A named entry of a ZIP archive, inflated within a limit.

use crate::scene::Problem;
use flate2::bufread::DeflateDecoder;
use rawzip::{CompressionMethod, ZipArchive};
use std::io::Read;

/// Entries that are looked at; an archive of Algodoo has a handful and a picture per texture.
const MOST_ENTRIES: usize = 10_000;

/// The bytes of the first entry with that name, in whichever folder.
///
/// # Errors
/// An archive that is none or is damaged, one without the entry, an entry of more than `most` bytes.
pub(super) fn entry(bytes: &[u8], name: &str, most: u64) -> Result<Vec<u8>, Problem> {
    let problem = |path: &str, message: String| Problem { path: path.to_owned(), message };
    let damaged = |error: rawzip::Error| problem("", format!("expected a ZIP archive: {error}"));
    let archive = ZipArchive::from_slice(bytes).map_err(damaged)?;
    let mut entries = archive.entries();
    for _ in 0..MOST_ENTRIES {
        let Some(header) = entries.next_entry().map_err(damaged)? else { break };
        let path = header.file_path();
        let path: &[u8] = path.as_ref();
        if path != name.as_bytes() && !path.ends_with(format!("/{name}").as_bytes()) {
            continue;
        }
        let refused = |message: String| problem(name, message);
        let method = header.compression_method();
        let local = archive.get_entry(header.wayfinder()).map_err(damaged)?;
        let data = local.data();
        let mut found = Vec::new();
        // What an entry says of its own size is not believed.
        let limit = most.saturating_add(1);
        let read = if method == CompressionMethod::STORE {
            data.take(limit).read_to_end(&mut found)
        } else if method == CompressionMethod::DEFLATE {
            DeflateDecoder::new(data).take(limit).read_to_end(&mut found)
        } else {
            return Err(refused(
                "is compressed in a way that is not supported (expected deflate)".to_owned(),
            ));
        };
        read.map_err(|error| refused(format!("could not be inflated: {error}")))?;
        if found.len() as u64 > most {
            return Err(refused(format!("inflates to more than {} MiB", most >> 20)));
        }
        return Ok(found);
    }
    Err(problem("", format!("the archive has no entry '{name}'")))
}

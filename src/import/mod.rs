//! Scenes of other programs: R.U.B.E. JSON, Box2D's dumps, a planar subset of MJCF, and Algodoo's scenes.
//!
//! Each format has a reader of its own, which builds a [`World`](crate::model::World) through the engine's builders; the
//! ordinary writer of scenes writes it. What a scene cannot contain is listed with its place in the file, and so is what
//! acts otherwise here; nothing is replaced in silence. docs/IMPORT.md has a table for each format.

mod algodoo;
mod archive;
mod box2d;
mod draft;
mod dump;
mod filters;
mod mjcf;
mod rube;

pub use draft::Imported;
pub use mjcf::{Exported, export};

use crate::scene::Problem;
use std::str::from_utf8;

/// Bytes of a file, or of an archive's entry, at most.
pub const MOST_BYTES: u64 = 64 << 20;

/// A format of another program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// The JSON that R.U.B.E. and b2dJson export.
    Rube,
    /// The text of `b2World::Dump`, Box2D 2.x.
    Box2d,
    /// MuJoCo's XML.
    Mjcf,
    /// Algodoo's archive (`.phz`), or the text in it (`.phn`).
    Algodoo,
}

impl Format {
    /// All.
    pub const ALL: [Self; 4] = [Self::Rube, Self::Box2d, Self::Mjcf, Self::Algodoo];

    /// Its name in the command line.
    pub fn key(self) -> &'static str {
        match self {
            Self::Rube => "rube",
            Self::Box2d => "box2d",
            Self::Mjcf => "mjcf",
            Self::Algodoo => "algodoo",
        }
    }

    /// Its name for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rube => "R.U.B.E. JSON",
            Self::Box2d => "a dump of Box2D",
            Self::Mjcf => "MJCF",
            Self::Algodoo => "Algodoo",
        }
    }

    /// The format of a file, by what it contains; none for what may be a scene of driftlab or anything else.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        /// How much of a text is looked at for the words of its format.
        const BEGINNING: usize = 1 << 20;
        if bytes.starts_with(b"PK\x03\x04") {
            return Some(Self::Algodoo);
        }
        let begins = &bytes[..bytes.len().min(BEGINNING)];
        let has = |word: &str| begins.windows(word.len()).any(|window| window == word.as_bytes());
        let first =
            begins.iter().find(|byte| !byte.is_ascii_whitespace() && !b"\xef\xbb\xbf".contains(byte));
        match first {
            Some(b'<') => has("<mujoco").then_some(Self::Mjcf),
            Some(b'{') if has("\"driftlab-") => None,
            _ if has("b2BodyDef") => Some(Self::Box2d),
            Some(b'{') if has("\"body\"") => Some(Self::Rube),
            _ => has("Scene.add").then_some(Self::Algodoo),
        }
    }
}

/// Converts a file's bytes; without a format, that which its contents show.
///
/// # Errors
/// Bytes of no known format; what is wrong with the file as a whole, such as its syntax; what a scene may not contain. Parts that
/// cannot be converted are no errors: [`Imported::left_out`] lists them.
pub fn import(bytes: &[u8], format: Option<Format>) -> Result<Imported, Vec<Problem>> {
    let whole = |message: String| vec![Problem { path: String::new(), message }];
    if bytes.len() as u64 > MOST_BYTES {
        return Err(whole(format!("too large (expected at most {} MiB)", MOST_BYTES >> 20)));
    }
    let format = format.or_else(|| Format::of(bytes)).ok_or_else(|| {
        let names: Vec<_> = Format::ALL.iter().map(|format| format.name()).collect();
        whole(format!("expected a file of another program ({}), found none of these", names.join(", ")))
    })?;
    if format == Format::Algodoo && bytes.starts_with(b"PK") {
        let text = archive::entry(bytes, algodoo::ENTRY, MOST_BYTES).map_err(|problem| vec![problem])?;
        // Algodoo writes UTF-8; names in other encodings are for people only.
        return algodoo::read(&String::from_utf8_lossy(&text));
    }
    let text = from_utf8(bytes).map_err(|_| whole("not a text in UTF-8".to_owned()));
    let text = text.map(|text| text.strip_prefix('\u{feff}').unwrap_or(text));
    match format {
        Format::Rube => rube::read(text?),
        Format::Box2d => dump::read(&String::from_utf8_lossy(bytes)),
        Format::Mjcf => mjcf::read(text?),
        Format::Algodoo => algodoo::read(&String::from_utf8_lossy(bytes)),
    }
}

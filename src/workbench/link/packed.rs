//! A scene's text in a link: compressed by DEFLATE (RFC 1951), in the letters of base64url without padding (RFC 4648, section 5).

use crate::files::MOST_SCENE_BYTES;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use flate2::Compression;
use flate2::read::{DeflateDecoder, DeflateEncoder};
use std::io::Read;

/// Packs a text.
pub(super) fn pack(text: &str) -> String {
    let mut packed = Vec::new();
    let read = DeflateEncoder::new(text.as_bytes(), Compression::best()).read_to_end(&mut packed);
    // Memory is read from memory.
    debug_assert!(read.is_ok(), "{read:?}");
    URL_SAFE_NO_PAD.encode(packed)
}

/// Unpacks a text, of which no more is unpacked than a scene file may have.
pub(super) fn unpack(text: &str) -> Result<String, String> {
    let packed = URL_SAFE_NO_PAD.decode(text.trim_end_matches('=').as_bytes());
    let packed =
        packed.map_err(|error| format!("not base64url ({error}); the link may have been cut off"))?;
    let mut unpacked = Vec::new();
    let read = DeflateDecoder::new(packed.as_slice()).take(MOST_SCENE_BYTES + 1).read_to_end(&mut unpacked);
    read.map_err(|_| "not compressed by deflate; the link may have been cut off".to_owned())?;
    if unpacked.len() as u64 > MOST_SCENE_BYTES {
        return Err(format!(
            "unpacks to more than {MOST_SCENE_BYTES} bytes, the most that a scene may have"
        ));
    }
    String::from_utf8(unpacked).map_err(|_| "does not unpack to UTF-8".to_owned())
}

#[cfg(test)]
mod tests {
    use super::{pack, unpack};
    use crate::files::MOST_SCENE_BYTES;

    /// Packing loses nothing, whatever the text.
    #[test]
    fn a_text_unpacks_to_itself() {
        for text in ["", "{}", "Kügelchen → ∞", &"six links ".repeat(1000)] {
            assert_eq!(unpack(&pack(text)).as_deref(), Ok(text));
        }
    }

    /// A short link does not unpack to more memory than a scene file may take.
    #[test]
    fn what_unpacks_to_too_much_is_refused() {
        let bomb = pack(&" ".repeat(MOST_SCENE_BYTES as usize + 1));
        assert!(bomb.len() < 100_000, "{}", bomb.len());
        assert!(unpack(&bomb).unwrap_err().contains("more than"));
    }

    /// A link that was cut off, as by a mail program, says so.
    #[test]
    fn what_was_cut_off_is_refused() {
        let whole = pack("a scene of some length, such as mail programs like to break in the middle");
        for end in [1, whole.len() / 2, whole.len() - 2] {
            assert!(unpack(&whole[..end]).unwrap_err().contains("cut off"), "{end}");
        }
        assert!(unpack("ä").is_err());
    }
}

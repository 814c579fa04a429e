//! The files that a drop names: the type `text/uri-list` (RFC 2483), or paths as plain text, one a line.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

/// The files of this machine that are named in a list; comments, and addresses of other kinds, are passed over.
pub(super) fn files(list: &[u8]) -> Vec<PathBuf> {
    // A program may end its text with a zero.
    let lines = list.split(|byte| matches!(byte, b'\n' | b'\r' | 0));
    lines.filter(|line| !line.is_empty()).filter_map(file).collect()
}

fn file(line: &[u8]) -> Option<PathBuf> {
    let path = match line.strip_prefix(b"file:") {
        None => line.to_vec(),
        // RFC 8089: `file:/path`, or `file://host/path` with a host that may be empty.
        Some(rest) => match rest.strip_prefix(b"//") {
            None => decoded(rest),
            Some(hosted) => decoded(&hosted[hosted.iter().position(|byte| *byte == b'/')?..]),
        },
    };
    path.starts_with(b"/").then(|| OsString::from_vec(path).into())
}

/// Text with each `%` and two hexadecimal digits as the byte that they mean; other uses of `%` stay.
fn decoded(text: &[u8]) -> Vec<u8> {
    let digit = |at: usize| text.get(at).and_then(|byte| char::from(*byte).to_digit(16));
    let (mut bytes, mut at) = (Vec::with_capacity(text.len()), 0);
    while let Some(byte) = text.get(at) {
        let coded = (*byte == b'%').then(|| digit(at + 1).zip(digit(at + 2))).flatten();
        match coded.and_then(|(high, low)| u8::try_from(16 * high + low).ok()) {
            Some(meant) => {
                bytes.push(meant);
                at += 3;
            }
            None => {
                bytes.push(*byte);
                at += 1;
            }
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::files;
    use std::path::PathBuf;

    /// Lists as file managers write them: lines end with CR LF, bytes outside of ASCII and blanks are coded, the host is empty or
    /// `localhost`; some offer paths as they are, some one address without an end.
    #[test]
    fn lists_of_file_managers_are_read() {
        for (list, expected) in [
            ("file:///home/a/my%20chain.json\r\n", vec!["/home/a/my chain.json"]),
            ("# two\r\nfile:///a.json\r\nfile://localhost/b%C3%A4.json\r\n", vec!["/a.json", "/bä.json"]),
            ("file:/c.json", vec!["/c.json"]),
            ("/as it is, 100%.json\n", vec!["/as it is, 100%.json"]),
            ("file:///odd%2.json\0", vec!["/odd%2.json"]),
            ("https://example.org/x.json\r\nfile://host\r\nname.json\r\n\r\n", vec![]),
        ] {
            let expected: Vec<PathBuf> = expected.into_iter().map(PathBuf::from).collect();
            assert_eq!(files(list.as_bytes()), expected, "{list:?}");
        }
    }
}

//! What driftlab asks of the web page that it runs in; the other side is `web/host.js`.
//!
//! The program asks and tells; the page never calls into it, but keeps what has happened until it is asked for.

#![cfg(target_family = "wasm")]

/// What the page can be asked for.
#[derive(Clone, Copy, Debug)]
#[repr(u32)]
pub enum Ask {
    /// What stands behind `?` in the page's address.
    Query = 0,
    /// What stands behind `#` in the page's address.
    Fragment = 1,
    /// The name of the next file or text that a person has brought to the page. Its contents wait behind [`Ask::Contents`].
    File = 2,
    /// The contents of the file whose name was asked for last, once.
    Contents = 3,
    /// What stands behind `#` since that was changed while the page was open, once.
    Followed = 4,
    /// The settings that the page keeps.
    Settings = 5,
    /// Unsaved work of a page that is no longer open.
    Lost = 6,
    /// Why the page could not keep what it was told to keep last.
    Refusal = 7,
}

/// What the page can be told.
#[derive(Clone, Copy, Debug)]
#[repr(u32)]
pub enum Tell {
    /// Save these contents as a file of this name.
    Download = 0,
    /// Let a person choose a file whose name ends so.
    Choose = 1,
    /// Put this text into the clipboard.
    Copy = 2,
    /// The program has ended, with this message if it failed.
    Ended = 3,
    /// What the program shows, for a test.
    Probe = 4,
    /// Whether a person types into a field: contents of one byte if so, else none.
    Typing = 5,
    /// The keys that the program takes from the browser, by the names of its events, with spaces between them.
    Keys = 6,
    /// Whether the browser asks before the page is left: contents of one byte if so, else none.
    Unsaved = 7,
    /// Keep these contents under this name ([`keeping`]) from one visit to the next; nothing under it where there are none.
    Keep = 8,
    /// The lost work has been taken up or given up.
    LostSettled = 9,
    /// Speak this text to a person who does not see the picture.
    Spoken = 10,
}

/// Names of what a page keeps.
pub mod keeping {
    /// The settings.
    pub const SETTINGS: &str = "settings";
    /// Settings that could not be read.
    pub const BROKEN_SETTINGS: &str = "settings.broken";
    /// Unsaved work that could not be read.
    pub const BROKEN_WORK: &str = "unsaved.broken";
    /// The unsaved work of this page, beside that of others.
    pub const UNSAVED: &str = "unsaved";
}

mod page {
    #[link(wasm_import_module = "env")]
    unsafe extern "C" {
        /// Bytes of the answer, or less than zero if there is none.
        pub safe fn driftlab_ask(what: u32) -> i32;
        /// Writes the answer's bytes there.
        pub fn driftlab_take(to: *mut u8);
        /// Reads a name and contents from there, before it returns.
        pub fn driftlab_tell(what: u32, name: *const u8, name_bytes: usize, bytes: *const u8, count: usize);
        /// Draws a frame after so many milliseconds.
        pub safe fn driftlab_wake(milliseconds: f64);
    }

    /// The version of the interface, which the loader compares with that of `web/host.js`.
    #[unsafe(no_mangle)]
    extern "C" fn driftlab_crate_version() -> u32 {
        1
    }
}

/// The page's answer.
pub fn ask(what: Ask) -> Option<Vec<u8>> {
    let bytes = usize::try_from(page::driftlab_ask(what as u32)).ok()?;
    let mut answer = vec![0; bytes];
    // SAFETY: the page writes as many bytes as it has announced, and the vector has so many.
    unsafe { page::driftlab_take(answer.as_mut_ptr()) };
    Some(answer)
}

/// The page's answer as a text.
pub fn ask_text(what: Ask) -> Option<String> {
    ask(what).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// Tells the page something.
pub fn tell(what: Tell, name: &str, contents: &[u8]) {
    // SAFETY: the page only reads, within both slices, and keeps neither address.
    unsafe {
        page::driftlab_tell(what as u32, name.as_ptr(), name.len(), contents.as_ptr(), contents.len());
    }
}

/// Asks for a frame after so many milliseconds, in place of the one asked for before.
pub fn wake_after(milliseconds: f64) {
    page::driftlab_wake(milliseconds);
}

//! What differs between the desktop and a web page, one file per thing; nothing else in the program asks where it runs.
//!
//! In a page nothing waits: there are no threads, a file is brought by a person, and a timer of the page asks for the next frame.
//! The page's side of all this is `web/host.js`.

pub(crate) mod address;
pub mod chooser;
pub(crate) mod clock;
pub(crate) mod ending;
pub(crate) mod files;
pub(crate) mod keys;
pub(crate) mod pictures;
pub(crate) mod probe;
pub(crate) mod screen_keyboard;
pub(crate) mod speaking;
pub(crate) mod store;
pub(crate) mod waking;

/// Where the program runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Host {
    /// In a window of its own.
    Desktop,
    /// In a web page.
    Page,
}

impl Host {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Desktop, Self::Page];
    /// That of this program.
    pub const HERE: Self = if cfg!(target_family = "wasm") { Self::Page } else { Self::Desktop };
}

/// Memory for the recorded states of all runs, bytes: a page has 4 GiB at most, and a phone's browser ends pages that take much.
pub(crate) const HISTORY: usize = if cfg!(target_family = "wasm") { 48 << 20 } else { 256 << 20 };

/// Whether steps can be made in threads of their own.
pub(crate) const HAS_THREADS: bool = cfg!(not(target_family = "wasm"));

//! What differs between the desktop and a web page, one file per thing; nothing else in the program asks where it runs.
//!
//! In a page nothing waits: there are no threads, a file is brought by a person, and a timer of the page asks for the next frame.
//! The page's side of all this is `web/host.js`.

pub(crate) mod address;
pub mod chooser;
pub(crate) mod clock;
pub(crate) mod ending;
pub(crate) mod files;
pub(crate) mod probe;
pub(crate) mod waking;

/// Whether steps can be made in threads of their own.
pub(crate) const HAS_THREADS: bool = cfg!(not(target_family = "wasm"));

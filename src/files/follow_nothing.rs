//! In a page there is no file and no socket to be followed.

use super::Progress;
use std::fs::File;
use std::io;

/// Copies a recording while it is being written: there is none.
#[derive(Debug)]
pub(crate) enum Follower {}

impl Follower {
    /// Follows nothing.
    ///
    /// # Errors
    /// Always.
    pub fn new(_: &str) -> io::Result<Self> {
        Err(io::Error::other("a page cannot follow a file; the program can"))
    }

    /// What has come so far.
    pub fn progress(&self) -> Progress {
        match *self {}
    }

    /// The last take.
    ///
    /// # Errors
    /// None, since there is no follower.
    pub fn last_take(&self) -> io::Result<File> {
        match *self {}
    }
}

//! How the window is asked to start.

use std::path::PathBuf;

/// What the command line hands to the window.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// The scene to open; without one, [`FIRST_SCENE`].
    pub scene: Option<OpenScene>,
    /// Stop after this many frames, each of which advances the simulation by exactly 1/60 s.
    pub frames: Option<u64>,
    /// Where the last of those frames is written to, as a PNG of the whole window.
    pub shot: Option<PathBuf>,
    /// Whether time passes; none: as the scene says.
    pub playing: Option<bool>,
    /// A link whose state is opened instead of a scene.
    pub link: Option<String>,
    /// The address of the page that copied links lead to, if this start has one of its own.
    pub link_base: Option<String>,
    /// Show the canvas, the plot, one slider and one line of text alone, as in a page that embeds the window.
    pub embed: bool,
    /// A recording that is opened instead of a scene.
    pub recording: Option<PathBuf>,
    /// A file or an address whose recording is followed while it is being written.
    pub watch: Option<String>,
    /// Trajectories of other programs that are played back beside the scene.
    pub beside: Vec<OpenTable>,
}

/// A scene that has been read but not yet checked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OpenScene {
    /// The catalogue key or the file name.
    pub title: String,
    /// The file it came from, if it did.
    pub path: Option<PathBuf>,
    /// The JSON text.
    pub text: String,
}

/// A table of poses that has been read but not yet checked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OpenTable {
    /// The file name.
    pub title: String,
    /// The file it came from, if it did.
    pub path: Option<PathBuf>,
    /// The comma-separated text.
    pub text: String,
}

/// Key of the shipped scene that opens when none is named.
pub const FIRST_SCENE: &str = "six-link-chain";

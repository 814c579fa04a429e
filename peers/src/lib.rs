//! Other engines beside driftlab. [`peer`] builds worlds of the engine in Box2D and in Rapier, and lets them step.
//! `box2d` reads Box2D's own recordings, `.b2rec`: Box2D replays them, and what it says of every step is written as a driftlab
//! recording.
//!
//! Box2D is C. A damaged file can stop it with a failed assertion or a bad access, which no caller could catch. So a program
//! reads them in a child process of itself, by `convert_in_child`; the child calls `run_child`. A world that is stepped live is
//! checked before Box2D sees it.

#[cfg(feature = "box2d")]
pub mod box2d;
#[cfg(feature = "box2d")]
mod child;
#[cfg(any(feature = "box2d", feature = "rapier"))]
mod frames;
#[cfg(any(feature = "box2d", feature = "rapier"))]
mod lacks;
#[cfg(any(feature = "box2d", feature = "rapier"))]
mod live;
pub mod peer;
#[cfg(feature = "rapier")]
mod rapier;
mod settings;

#[cfg(feature = "box2d")]
pub use child::{Limits, convert_in_child, run_child};

#[cfg(feature = "box2d")]
use serde::{Deserialize, Serialize};

/// What a conversion tells beside the recording that it wrote.
#[cfg(feature = "box2d")]
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct Told {
    /// Number of bodies at the beginning.
    pub bodies: usize,
    /// Number of joints at the beginning.
    pub joints: usize,
    /// Number of steps that were written.
    pub steps: usize,
    /// Box2D's revision and that of the file's format.
    pub engine: String,
    /// What is worth knowing: a sentence each. Also where the file is cut off, and where the replay's state was not the recorded
    /// one.
    pub notes: Vec<String>,
    /// Whether the file ended before its end: the recording has the steps before that.
    pub partial: bool,
}

/// Why there is no recording, or only the beginning of one.
#[cfg(feature = "box2d")]
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize, thiserror::Error)]
pub enum Error {
    /// The bytes are no recording of Box2D's, or end too early.
    #[error("not a recording of Box2D's: {0}")]
    Format(String),
    /// Another revision of the format.
    #[error(
        "the file has revision {}.{} of Box2D's recordings; revision {}.{} is read (Box2D {box2d})",
        found.0, found.1, read.0, read.1
    )]
    Revision {
        /// The file's.
        found: (u32, u32),
        /// The one that is read.
        read: (u32, u32),
        /// Box2D's revision that reads it.
        #[serde(skip_deserializing, default = "revision")]
        box2d: &'static str,
    },
    /// Box2D refused or could not go on.
    #[error("Box2D {0}")]
    Box2d(String),
    /// The child process died.
    #[error("Box2D's replayer stopped at step {step}: the file is cut off or damaged ({how})")]
    Died {
        /// Number of steps that were written before.
        step: usize,
        /// How the process ended.
        how: String,
    },
    /// It took longer than allowed.
    #[error("Box2D's replayer was stopped at step {step} after {seconds} s")]
    Late {
        /// Number of steps that were written before.
        step: usize,
        /// The limit, s.
        seconds: u64,
    },
    /// The recording would be larger than allowed.
    #[error("the recording has more than {bytes} bytes at step {step}: it is written up to there")]
    Large {
        /// Number of steps that were written before.
        step: usize,
        /// The limit, bytes.
        bytes: u64,
    },
    /// A file could not be read or written, or a process not be started.
    #[error("{0}")]
    Io(String),
}

#[cfg(feature = "box2d")]
fn revision() -> &'static str {
    boxdd_sys::UPSTREAM_SHA
}

#[cfg(feature = "box2d")]
impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Self {
        Self::Io(error.to_string())
    }
}

//! Guided tours: data files that name a scene, a scheme and what to look at, step by step.

use include_dir::{Dir, include_dir};
use serde::Deserialize;

static FILES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/assets/tours");

/// A tour.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tour {
    /// Its title.
    pub name: String,
    /// Its steps, in order.
    pub steps: Vec<TourStep>,
}

/// One step of a tour; settings that it does not name stay unchanged.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TourStep {
    /// What to look at.
    pub text: String,
    /// Catalogue key of the scene to open afresh.
    #[serde(default)]
    pub scene: Option<String>,
    /// The scheme with its parameters as the command line names them: `baumgarte_velocity,alpha=50`.
    #[serde(default)]
    pub stabilizer: Option<String>,
    /// Length of a step, s.
    #[serde(default)]
    pub time_step: Option<f64>,
    /// Simulated seconds per real second; 1 if it is not named.
    #[serde(default)]
    pub speed: Option<f64>,
    /// Whether time stands still.
    #[serde(default)]
    pub paused: bool,
}

/// The shipped tours, in the order of their file names.
///
/// # Errors
/// The first file that is not a tour, with the reason.
pub fn shipped() -> Result<Vec<Tour>, String> {
    let mut files: Vec<_> = FILES.files().collect();
    files.sort_by_key(|file| file.path());
    files
        .into_iter()
        .map(|file| {
            serde_json::from_slice(file.contents())
                .map_err(|error| format!("{}: {error}", file.path().display()))
        })
        .collect()
}

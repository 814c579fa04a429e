//! The scenes of the table.

use driftlab::scene::{Problem, Scene};
use include_dir::{Dir, include_dir};

static OF_ENGINES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/engines/scenes");
static OWN: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/beside/scenes");

/// A row of scenes: the file's name, and what it is.
pub static SCENES: [(&str, &str); 15] = [
    ("chain-6", "a chain of six links, from the horizontal"),
    ("chain-100", "a chain of a hundred links, from the horizontal"),
    ("avbd-heavy-rope", "a rope of 18 links with a box 1,800 times as heavy at its end"),
    ("ball-and-chain-672", "a chain of 20 links with a ball 672 times as heavy at its end"),
    ("card-house-240", "a house of 40 cards, at 240 Hz"),
    ("pyramid-10", "a pyramid of ten rows, at rest"),
    ("pyramid-10-struck", "the same, struck at 15 m/s"),
    ("pyramid-20", "a pyramid of twenty rows, at rest"),
    ("pyramid-20-struck", "the same, struck at 15 m/s"),
    ("stack-20", "a stack of twenty boxes"),
    ("poured", "two hundred boxes poured into a bin"),
    ("motor-holds", "a motor that holds a load"),
    ("parked-car", "a car with locked wheels on a slope of 20°"),
    ("cradle", "Newton's cradle, coefficient of restitution 1, at 240 Hz"),
    ("mass-ratio-box-rest", "a box of 400 times the mass on two small ones"),
];

/// A scene of the table by its name.
///
/// # Errors
/// What is wrong with it.
pub(super) fn scene(name: &str) -> Result<Scene, Vec<Problem>> {
    let file = format!("{name}.json");
    let found = OWN.get_file(&file).or_else(|| OF_ENGINES.get_file(&file));
    let text = found.and_then(|file| file.contents_utf8()).unwrap_or_default();
    Scene::parse(text)
}

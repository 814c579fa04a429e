//! The shipped scenes, embedded from `scenes/`: the folder is the list.

use super::{Problem, Scene};
use include_dir::{Dir, include_dir};
use serde::Deserialize;
use std::sync::OnceLock;

static FOLDER: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/scenes");

/// A shipped scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The file's name without its extension, by which the command line refers to the scene.
    pub key: &'static str,
    /// The file's text.
    pub text: &'static str,
    /// The scene's `order`.
    order: f64,
}

impl Entry {
    /// Reads the scene.
    ///
    /// # Errors
    /// What is wrong with the file; a test ensures that no shipped scene has errors.
    pub fn scene(&self) -> Result<Scene, Vec<Problem>> {
        Scene::parse(self.text)
    }
}

/// All shipped scenes by their `order`, from the simple to the hard; those of the same order by key.
pub fn entries() -> &'static [Entry] {
    static ENTRIES: OnceLock<Vec<Entry>> = OnceLock::new();
    ENTRIES.get_or_init(|| {
        let mut entries: Vec<Entry> = FOLDER.files().filter_map(entry).collect();
        entries.sort_by(|a, b| a.order.total_cmp(&b.order).then(a.key.cmp(b.key)));
        entries
    })
}

/// The shipped scene of that key.
pub fn find(key: &str) -> Option<&'static Entry> {
    entries().iter().find(|entry| entry.key == key)
}

/// What the catalogue reads of a scene: its place.
#[derive(Deserialize)]
struct Ordered {
    order: f64,
}

fn entry(file: &'static include_dir::File<'static>) -> Option<Entry> {
    let path = file.path();
    let is_scene = path.extension().is_some_and(|extension| extension == "json");
    let (key, text) = (path.file_stem()?.to_str()?, file.contents_utf8()?);
    let order = serde_json::from_str(text).map_or(f64::INFINITY, |Ordered { order }| order);
    is_scene.then_some(Entry { key, text, order })
}

//! The shelf of shipped scenes, as the browser shows them.

use crate::scene::{Scene, catalogue};

/// A shipped scene, checked once at the start.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed {
    /// Catalogue key.
    pub key: &'static str,
    /// Its JSON text.
    pub text: &'static str,
    /// Name for people.
    pub name: String,
    /// One line.
    pub description: String,
}

/// All shipped scenes and the text to search for among them.
#[derive(Clone, Debug, Default)]
pub struct Shelf {
    /// In the catalogue's order.
    pub scenes: Vec<Listed>,
    /// Words that the shown scenes contain.
    pub search: String,
}

impl Shelf {
    /// Reads the catalogue. A scene that does not load is listed with its error, so that it is seen.
    pub fn read() -> Self {
        let listed = |entry: &catalogue::Entry| {
            let (name, description) = match Scene::parse(entry.text) {
                Ok(scene) => (scene.name, scene.description.unwrap_or_default()),
                Err(problems) => {
                    let first = problems.first().map(ToString::to_string);
                    (entry.key.to_owned(), first.unwrap_or_default())
                }
            };
            Listed { key: entry.key, text: entry.text, name, description }
        };
        let scenes = catalogue::entries().iter().map(listed).collect();
        Self { scenes, search: String::new() }
    }

    /// The scene with that key.
    pub fn find(&self, key: &str) -> Option<&Listed> {
        self.scenes.iter().find(|listed| listed.key == key)
    }

    /// The scenes that contain every word that is searched for.
    pub fn found(&self) -> impl Iterator<Item = &Listed> {
        let words: Vec<String> = self.search.split_whitespace().map(str::to_lowercase).collect();
        self.scenes.iter().filter(move |listed| {
            let text = format!("{} {} {}", listed.key, listed.name, listed.description).to_lowercase();
            words.iter().all(|word| text.contains(word))
        })
    }

    /// The scene `by` places after `key`, wrapping around at the ends.
    pub fn neighbour(&self, key: &str, by: isize) -> Option<&Listed> {
        let count = self.scenes.len() as isize;
        let here = self.scenes.iter().position(|listed| listed.key == key).unwrap_or(0) as isize;
        (count > 0).then(|| &self.scenes[(here + by).rem_euclid(count) as usize])
    }
}

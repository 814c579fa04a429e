//! The shelf of shipped scenes, and what a person does in their list.

use crate::app::view_state::plot_view::concerned;
use crate::scene::{Scene, catalogue};

/// What a scene is about, by what is in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// Joints and springs, and nothing that touches.
    Joints,
    /// Bodies that touch.
    Contact,
    /// Both.
    Mechanisms,
    /// Constraints on velocities alone.
    Nonholonomic,
    /// Scenes with published figures to compare with.
    Published,
    /// Files with errors.
    Broken,
}

impl Group {
    /// All groups, in the order of the list.
    pub const ALL: [Self; 6] =
        [Self::Joints, Self::Contact, Self::Mechanisms, Self::Nonholonomic, Self::Published, Self::Broken];

    /// Its heading.
    pub fn title(self) -> &'static str {
        match self {
            Self::Joints => "Chains, joints and springs",
            Self::Contact => "Contact and friction",
            Self::Mechanisms => "Joints with contact",
            Self::Nonholonomic => "Skates and rolling: velocity constraints",
            Self::Published => "Published experiments, with their figures",
            Self::Broken => "Not loaded",
        }
    }

    fn of(scene: &Scene) -> Self {
        let world = &scene.world;
        let [_, _, touching, ..] = concerned(world);
        match (touching, world.joints().is_empty()) {
            _ if !world.nonholonomic().is_empty() => Self::Nonholonomic,
            _ if !scene.references.is_empty() => Self::Published,
            (false, _) => Self::Joints,
            (true, true) => Self::Contact,
            (true, false) => Self::Mechanisms,
        }
    }
}

/// A shipped scene, checked once at the start.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed {
    /// Catalogue key.
    pub key: &'static str,
    /// Its JSON text.
    pub text: &'static str,
    /// Name for people.
    pub name: String,
    /// Paper or program that it comes from; empty if it says none.
    pub source: String,
    /// What is built.
    pub description: String,
    /// Where the list shows it.
    pub group: Group,
}

/// A line of the list that can be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// The tour at that place.
    Tour(usize),
    /// The scene of that key.
    Scene(&'static str),
}

/// The open list.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Browsing {
    /// Words that the listed scenes contain.
    pub search: String,
    /// The line that Enter opens; none before the list has been laid out.
    pub highlighted: Option<Item>,
}

/// All shipped scenes, and their list if it is open.
#[derive(Clone, Debug, Default)]
pub struct Shelf {
    /// By group, in a group by the catalogue's order.
    pub scenes: Vec<Listed>,
    /// The open list.
    pub browsing: Option<Browsing>,
}

impl Shelf {
    /// Reads the catalogue. A scene that does not load is listed with its error, so that it is seen.
    pub fn read() -> Self {
        let mut scenes: Vec<Listed> = catalogue::entries().iter().map(listed).collect();
        scenes.sort_by_key(|listed| listed.group);
        Self { scenes, browsing: None }
    }

    /// The scene with that key.
    pub fn find(&self, key: &str) -> Option<&Listed> {
        self.scenes.iter().find(|listed| listed.key == key)
    }

    /// The scenes that contain every word of `search`.
    pub fn found(&self, search: &str) -> impl Iterator<Item = &Listed> {
        let words = words(search);
        self.scenes.iter().filter(move |listed| {
            let Listed { key, name, source, description, group, .. } = listed;
            let text = format!("{key} {name} {source} {description} {}", group.title()).to_lowercase();
            words.iter().all(|word| names(word).any(|name| text.contains(name)))
        })
    }

    /// The scene `by` places after `key`, wrapping around at the ends.
    pub fn neighbour(&self, key: &str, by: isize) -> Option<&Listed> {
        let count = self.scenes.len() as isize;
        let here = self.scenes.iter().position(|listed| listed.key == key).unwrap_or(0) as isize;
        (count > 0).then(|| &self.scenes[(here + by).rem_euclid(count) as usize])
    }
}

/// Words that people use for the same things.
const SAME: [&[&str]; 4] = [
    &["pile", "stack", "tower", "wall", "pyramid", "heap"],
    &["disk", "disc", "circle", "ball"],
    &["joint", "hinge", "pin", "revolute"],
    &["box", "block", "crate", "rectangle"],
];

/// What is found by a word: itself, and others for the same thing.
fn names(word: &str) -> impl Iterator<Item = &str> {
    let same = SAME.into_iter().filter(move |names| word.len() > 2 && names.contains(&word));
    std::iter::once(word).chain(same.flatten().copied())
}

/// The words that are searched for, in small letters.
pub fn words(search: &str) -> Vec<String> {
    search.split_whitespace().map(str::to_lowercase).collect()
}

fn listed(entry: &catalogue::Entry) -> Listed {
    let (name, source, description, group) = match Scene::parse(entry.text) {
        Ok(scene) => {
            let group = Group::of(&scene);
            (scene.name, scene.source.unwrap_or_default(), scene.description.unwrap_or_default(), group)
        }
        Err(problems) => {
            let first = problems.first().map(ToString::to_string);
            (entry.key.to_owned(), String::new(), first.unwrap_or_default(), Group::Broken)
        }
    };
    Listed { key: entry.key, text: entry.text, name, source, description, group }
}

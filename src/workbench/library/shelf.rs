//! The shelf of scenes, shipped ones and a person's own, and what a person does in their list.

use crate::files::read_text;
use crate::model::World;
use crate::scene::{Scene, catalogue};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// What a scene is about, by what is in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// Joints without loops, and springs, and nothing that touches.
    Drift,
    /// Joints that close loops, and nothing that touches.
    Loops,
    /// Bodies that touch.
    Contact,
    /// Bodies that slide, roll or are wedged.
    Friction,
    /// Crowds.
    Many,
    /// Scenes with published figures to compare with.
    Papers,
    /// Files with errors.
    Broken,
}

/// So many bodies that move are a crowd.
const CROWD: usize = 50;
/// Words by which a scene says that friction matters in it.
const RUBBING: [&str; 3] = ["friction", "slip", "slide"];

impl Group {
    /// All groups, in the order of the list.
    pub const ALL: [Self; 7] =
        [Self::Drift, Self::Loops, Self::Contact, Self::Friction, Self::Many, Self::Papers, Self::Broken];

    /// Its heading.
    pub fn title(self) -> &'static str {
        match self {
            Self::Drift => "Drift: chains, pendulums, springs",
            Self::Loops => "Loops: linkages and redundancy",
            Self::Contact => "Contact",
            Self::Friction => "Friction",
            Self::Many => "Many bodies",
            Self::Papers => "Papers: published experiments, with their figures",
            Self::Broken => "Not loaded",
        }
    }

    fn of(scene: &Scene) -> Self {
        let world = &scene.world;
        let can_touch = |body: &&crate::model::Body| body.collides && !body.pieces().is_empty();
        let touching = world.bodies().iter().filter(can_touch).count() > 1;
        let texts = [&scene.name, scene.description.as_ref().unwrap_or(&scene.name)];
        let rubs =
            || texts.iter().any(|text| RUBBING.iter().any(|word| text.to_lowercase().contains(word)));
        if !scene.references.is_empty() {
            Self::Papers
        } else if world.bodies().iter().filter(|body| body.is_dynamic()).count() >= CROWD {
            Self::Many
        } else if touching {
            if rubs() { Self::Friction } else { Self::Contact }
        } else if has_loops(world) {
            Self::Loops
        } else {
            Self::Drift
        }
    }
}

/// Whether the joints close a loop: one of them connects bodies that others already connect. All that is fixed is one body.
fn has_loops(world: &World) -> bool {
    let bodies = world.bodies();
    let mut parts: Vec<usize> = (0..bodies.len()).collect();
    let ground = bodies.iter().position(|body| !body.is_dynamic());
    world.joints().iter().any(|joint| {
        let [a, b] = joint.bodies().map(|body| {
            let body = if bodies[body].is_dynamic() { Some(body) } else { ground };
            parts[body.unwrap_or(0)]
        });
        parts.iter_mut().filter(|part| **part == b).for_each(|part| *part = a);
        a == b
    })
}

/// A shipped scene, checked once.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed {
    /// Catalogue key.
    pub key: &'static str,
    /// Its JSON text.
    pub text: &'static str,
    /// Name for people.
    pub name: String,
    /// What the list tells and shows of it.
    pub about: About,
    /// Paper or program that it comes from; empty if it says none.
    pub source: String,
    /// What is built.
    pub description: String,
    /// Where the list shows it.
    pub group: Group,
}

/// What the list shows of a scene besides its texts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct About {
    /// What to look at, or to try.
    pub observe: String,
    /// Its world at the start; none if it does not load.
    pub world: Option<World>,
}

/// A scene file of a person's own.
#[derive(Clone, Debug, PartialEq)]
pub struct Filed {
    /// The file.
    pub path: PathBuf,
    /// Name for people; that of the file if it does not load.
    pub name: String,
    /// What is built, or why it does not load.
    pub description: String,
    /// What the list shows of it.
    pub about: About,
}

/// A line of the list that can be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// The tour at that place.
    Tour(usize),
    /// The file at that place.
    Mine(usize),
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

/// All scenes, and their list if it is open.
#[derive(Clone, Debug, Default)]
pub struct Shelf {
    /// Shipped ones by group, in a group by the catalogue's order.
    pub scenes: &'static [Listed],
    /// Scene files that were opened or saved, the newest first.
    pub recent: Vec<PathBuf>,
    /// A folder whose scene files are listed, too.
    pub folder: Option<PathBuf>,
    /// The files of both, as they were when the list was opened.
    pub files: Vec<Filed>,
    /// The open list.
    pub browsing: Option<Browsing>,
}

/// Files of a folder that are listed at most, and bytes of one that is shown with its picture.
const MOST_FILES: usize = 100;
const MOST_BYTES: u64 = 4 << 20;

/// The catalogue, read when it is first asked for: none of its texts ever changes. A scene that does not load is listed
/// with its error, so that it is seen.
static SHIPPED: LazyLock<Vec<Listed>> = LazyLock::new(|| {
    let mut scenes: Vec<Listed> = catalogue::entries().iter().map(listed).collect();
    scenes.sort_by_key(|listed| listed.group);
    scenes
});

impl Shelf {
    /// The shelf with the shipped scenes.
    pub fn read() -> Self {
        Self { scenes: &SHIPPED, ..Self::default() }
    }

    /// Reads the recent files that are still there, and those of the folder.
    pub fn read_files(&mut self) {
        let mut paths: Vec<PathBuf> = self.recent.iter().filter(|path| path.is_file()).cloned().collect();
        let seen: BTreeSet<PathBuf> = paths.iter().cloned().collect();
        let folder = self.folder.as_deref().map(scene_files).unwrap_or_default();
        paths.extend(folder.into_iter().filter(|path| !seen.contains(path)));
        self.files = paths.into_iter().map(filed).collect();
    }

    /// The scene file of that name in the folder, without its ending.
    pub fn own(&self, name: &str) -> Option<PathBuf> {
        let folder = self.folder.as_ref()?;
        let places = ["json", "driftlab.json"].map(|ending| folder.join(format!("{name}.{ending}")));
        places.into_iter().find(|path| path.is_file())
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

/// The scene files of a folder, by name; none of one that is not there.
fn scene_files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(|path| is_json(path)).collect();
    paths.sort();
    paths.truncate(MOST_FILES);
    paths
}

pub(crate) fn is_json(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "json") && path.is_file()
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
    let (key, text) = (entry.key, entry.text);
    match Scene::parse(text) {
        Ok(scene) => {
            let group = Group::of(&scene);
            let Scene { name, source, description, .. } = scene.clone();
            let (source, description) = (source.unwrap_or_default(), description.unwrap_or_default());
            Listed { key, text, name, about: about(scene), source, description, group }
        }
        Err(problems) => {
            let (name, source, group) = (key.to_owned(), String::new(), Group::Broken);
            let description = problems.first().map(ToString::to_string).unwrap_or_default();
            Listed { key, text, name, about: About::default(), source, description, group }
        }
    }
}

fn filed(path: PathBuf) -> Filed {
    let read = read_text(&path, MOST_BYTES).map_err(|error| error.to_string());
    let first = |problems: Vec<crate::scene::Problem>| problems.first().map(ToString::to_string);
    let scene = read.and_then(|text| Scene::parse(&text).map_err(|own| first(own).unwrap_or_default()));
    match scene {
        Ok(scene) => {
            let (name, description) = (scene.name.clone(), scene.description.clone().unwrap_or_default());
            Filed { path, name, description, about: about(scene) }
        }
        Err(why) => {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            Filed { path, name, description: format!("Not loaded: {why}"), about: About::default() }
        }
    }
}

fn about(scene: Scene) -> About {
    let start = scene.window.and_then(|window| window.start);
    About { observe: scene.observe.unwrap_or_default(), world: Some(start.unwrap_or(scene.world)) }
}

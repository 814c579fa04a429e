//! Other engines, live: Box2D and Rapier as schemes beside those of the table. A *peer*, the world built in such an engine, makes
//! their steps, and what comes of each is written into the world (`experiment/run/elsewhere.rs`). What an engine lacks is refused
//! by name, not approximated.
//!
//! - `live.rs`: a program that has some: the feature `rapier` has one, `engines` both
//! - `foretold.rs`: how far their constraints yield, for the cards
//! - `absent.rs`: any other, which knows their names
//!
//! The window counts schemes by their places: those of the table, then trajectories, which no scheme has made, then the engines.

#[cfg(not(feature = "rapier"))]
mod absent;
#[cfg(feature = "rapier")]
mod foretold;
#[cfg(feature = "rapier")]
mod live;

#[cfg(not(feature = "rapier"))]
use absent as own;
#[cfg(feature = "rapier")]
use live as own;

pub use own::{Kept, Peer};

use crate::method::{Method, Scheme, Stabilizer};
use crate::model::World;
use crate::schemes::TABLE;
use driftlab_probe::format::Engine;

/// The engines' keys and names, whether this program has them or not.
pub const NAMES: [(&str, &str); 2] = [("box2d", "Box2D"), ("rapier", "Rapier")];

/// The engines that this program has, as schemes.
pub fn schemes() -> &'static [&'static Scheme] {
    own::schemes()
}

/// The engine of that key with its defaults, if this program has it.
pub fn stabilizer(key: &str) -> Option<Stabilizer> {
    schemes().iter().copied().find(|scheme| scheme.info().key == key).map(Stabilizer::from)
}

/// The stabilizer of that key: a scheme of the table, or an engine.
pub fn any_stabilizer(key: &str) -> Option<Stabilizer> {
    Stabilizer::by_key(key).or_else(|| stabilizer(key))
}

/// The name of the engine of that key, if it is one that a program can have and this one has not.
pub fn lacking(key: &str) -> Option<&'static str> {
    let of_key = NAMES.iter().find(|(own, _)| *own == key).filter(|_| stabilizer(key).is_none());
    of_key.map(|(_, name)| *name)
}

/// Why there is no engine of that key, if it is one that a program can have and this one has not.
pub fn missing(key: &str) -> Option<String> {
    let name = lacking(key)?;
    Some(format!(
        "{name} is not in this program (expected the program for desktops, built with `--features engines`: it steps scenes by Box2D and Rapier)"
    ))
}

/// Whether another engine makes the steps of a method.
pub fn makes(method: &Method) -> bool {
    is_one(&method.stabilizer)
}

/// Whether a stabilizer is an engine.
pub fn is_one(stabilizer: &Stabilizer) -> bool {
    schemes().iter().any(|scheme| std::ptr::eq(*scheme, stabilizer.scheme()))
}

/// Name, revision and settings of the engine that makes the steps of a method.
pub fn engine(method: &Method) -> Option<Engine> {
    own::engine(method)
}

/// An engine in words: its name and its revision.
pub fn named(engine: &Engine) -> String {
    let name = NAMES.iter().find(|(key, _)| *key == engine.name).map_or(&*engine.name, |(_, name)| name);
    let revision = engine.version.as_ref().map(|version| format!(", revision {version}"));
    format!("{name}{}", revision.unwrap_or_default())
}

/// Refuses a world that the engine of a method cannot have; a method of ours is not asked.
///
/// # Errors
/// What the engine lacks, a sentence each; first that it does.
pub fn check(method: &Method, world: &World, h: f64) -> Result<(), Vec<String>> {
    own::check(method, world, h)
}

/// The scheme at a place; none at that of trajectories.
pub fn at(place: usize) -> Option<&'static Scheme> {
    let engine = || schemes().get(place.checked_sub(TABLE.len() + 1)?);
    TABLE.get(place).or_else(engine).copied()
}

/// The place of the scheme of that key.
pub fn place(key: &str) -> Option<usize> {
    let of = |schemes: &[&'static Scheme]| schemes.iter().position(|scheme| scheme.info().key == key);
    of(TABLE).or_else(|| Some(of(schemes())? + TABLE.len() + 1))
}

/// All schemes with their places: those of the table, then the engines.
pub fn all() -> impl Iterator<Item = (usize, &'static Scheme)> {
    let engines = schemes().iter().enumerate().map(|(place, scheme)| (place + TABLE.len() + 1, *scheme));
    TABLE.iter().copied().enumerate().chain(engines)
}

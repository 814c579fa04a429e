//! Rapier, stepped live.

use crate::peer::{Error, Kind, Peer, Settings};
use driftlab_engine::model::World;

/// Builds a world in Rapier.
///
/// # Errors
/// What it lacks.
pub fn build(_settings: &Settings, _world: &World, _h: f64) -> Result<Box<dyn Peer>, Error> {
    Err(Error::NotBuilt(Kind::Rapier))
}

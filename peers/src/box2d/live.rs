//! Box2D, stepped live.

use crate::peer::{Error, Kind, Peer, Settings};
use driftlab_engine::model::World;

/// Builds a world in Box2D.
///
/// # Errors
/// What it lacks.
pub fn build(_settings: &Settings, _world: &World) -> Result<Box<dyn Peer>, Error> {
    Err(Error::NotBuilt(Kind::Box2d))
}

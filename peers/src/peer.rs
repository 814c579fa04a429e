//! Worlds of ours built in another engine and stepped by it: one trait, [`Peer`], for Box2D and Rapier.
//!
//! A peer has no approximations of its own. What its engine lacks is refused when it is built, one sentence for each thing, with
//! the name of the body or joint. Parameters have the engine's names and defaults; sleeping is always off.
//!
//! ```no_run
//! use driftlab_engine::model::{Body, Shape, World};
//! use driftlab_peers::peer::{Settings, build};
//!
//! let mut world = World::new([0.0, -10.0]);
//! world.add_body(Body::fixed().shape(Shape::rectangle(10.0, 1.0)))?;
//! world.add_body(Body::dynamic().at([0.0, 2.0]).shape(Shape::circle(0.5)))?;
//! let h = 1.0 / 60.0;
//! let mut peer = build(&"box2d,substeps=8".parse::<Settings>()?, &world, h)?;
//! peer.step(&world, h)?;
//! peer.give(&mut world)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::any::Any;
use std::sync::Arc;

use driftlab_engine::model::World;
use driftlab_probe::format::{Engine, Step};

#[cfg(feature = "box2d")]
use crate::box2d::live::build as box2d;
#[cfg(feature = "rapier")]
use crate::rapier::build as rapier;
pub use crate::settings::{Kind, Parameter, Settings, Value};

/// A world of ours built in another engine, and stepped by it.
///
/// Bodies, joints and springs keep their order: a line's numbers are their places in the world. The world has to stay the one
/// that was built, apart from poses, velocities, time, gravity, forces, the hand, and what motors demand; another world is built
/// anew.
pub trait Peer: Send {
    /// Name, revision and settings, as the first line of a recording says them.
    fn engine(&self) -> Engine;

    /// Takes over poses and velocities of all bodies, after something else than a step has changed them. What contacts of moved
    /// bodies remember is forgotten.
    ///
    /// # Errors
    /// Another number of bodies than that of the world that was built, or numbers that are too large for the engine.
    fn take(&mut self, world: &World) -> Result<(), Error>;

    /// Makes one step of `h`, s, from the state that the peer has. Of `world` it reads time, gravity, forces, the hand and what
    /// motors demand: applied and driven forces, force laws, fields and the hand act as constant forces over the step, taken at
    /// its start; a driven motor gets the speed that its profile has at the step's end.
    ///
    /// # Errors
    /// A step that is not positive, a force law that fails, or a state that is not finite behind the step.
    fn step(&mut self, world: &World, h: f64) -> Result<(), Error>;

    /// Writes poses and velocities of all bodies into the world; time and number of steps are the caller's.
    ///
    /// # Errors
    /// A world with other bodies, or a state that is not finite.
    fn give(&self, world: &mut World) -> Result<(), Error>;

    /// What acted in the last step, as a line of a recording: poses and velocities, impulses of joints and springs, contacts,
    /// external impulses and those of the hand; without time, which the caller knows.
    fn line(&self, world: &World) -> Step;

    /// Whether the impulses of [`Peer::line`] are all that acted, or an estimate from the last of several substeps.
    fn impulses(&self) -> driftlab_probe::format::Impulses;

    /// All that the next steps depend on.
    ///
    /// # Errors
    /// The engine could not write it.
    fn snapshot(&self) -> Result<Snapshot, Error>;

    /// Goes back to a state: the steps from there are the same bit by bit.
    ///
    /// # Errors
    /// A snapshot of another world, or one that the engine refuses.
    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Error>;
}

/// Builds a world in another engine, which is then stepped by steps of about `h`, s.
///
/// # Errors
/// Everything in the world that the engine lacks; an engine that this program was built without.
pub fn build(settings: &Settings, world: &World, h: f64) -> Result<Box<dyn Peer>, Error> {
    if !(h > 0.0 && h.is_finite()) {
        return Err(Error::TimeStep(h));
    }
    match settings.kind() {
        Kind::Box2d => box2d(settings, world),
        Kind::Rapier => rapier(settings, world, h),
    }
}

#[cfg(not(feature = "box2d"))]
fn box2d(_: &Settings, _: &World) -> Result<Box<dyn Peer>, Error> {
    Err(Error::NotBuilt(Kind::Box2d))
}

#[cfg(not(feature = "rapier"))]
fn rapier(_: &Settings, _: &World, _: f64) -> Result<Box<dyn Peer>, Error> {
    Err(Error::NotBuilt(Kind::Rapier))
}

/// The state of a peer; a clone shares it.
#[derive(Clone)]
pub struct Snapshot {
    kind: Kind,
    bytes: usize,
    state: Arc<dyn Any + Send + Sync>,
}

impl std::fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Snapshot").field("kind", &self.kind).field("bytes", &self.bytes).finish()
    }
}

impl Snapshot {
    /// A snapshot of a peer, which takes about so many bytes.
    pub fn new(kind: Kind, bytes: usize, state: impl Any + Send + Sync) -> Self {
        Self { kind, bytes, state: Arc::new(state) }
    }

    /// What a peer put into it; none if that was of another type.
    pub fn state<T: 'static>(&self) -> Option<&T> {
        self.state.downcast_ref()
    }

    /// Whose state it is.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// About how much memory it takes, bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

/// Why a peer cannot be built or cannot go on.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Error {
    /// What the engine lacks, a sentence for each thing.
    #[error("{} cannot have this world:\n{}", engine.name(), lacks.join("\n"))]
    Lacks {
        /// The engine.
        engine: Kind,
        /// The sentences.
        lacks: Vec<String>,
    },
    /// The engine is not part of this program.
    #[error("this program was built without {}; the feature `{}` adds it", .0.name(), .0.key())]
    NotBuilt(Kind),
    /// A time step that is not a positive number.
    #[error("the time step is {0} s (expected a number greater than 0)")]
    TimeStep(f64),
    /// A world that is not the one that was built.
    #[error("the world has {found} bodies, {expected} were built: build it anew")]
    OtherWorld {
        /// Number of bodies that were built.
        expected: usize,
        /// Number of bodies in the world.
        found: usize,
    },
    /// A number that is not finite or too large for the engine.
    #[error("{what} is {value}, too large for {}", engine.name())]
    Number {
        /// The engine.
        engine: Kind,
        /// Which number of what.
        what: String,
        /// The number.
        value: f64,
    },
    /// A force law failed, or the world refused a state.
    #[error("{0}")]
    Model(String),
    /// A snapshot of another world or engine, or one that the engine refuses.
    #[error("{} cannot go back to this snapshot: {why}", engine.name())]
    Snapshot {
        /// The engine.
        engine: Kind,
        /// Why.
        why: &'static str,
    },
    /// The engine refused something.
    #[error("{} {what}", engine.name())]
    Engine {
        /// The engine.
        engine: Kind,
        /// What it did, as a sentence's rest.
        what: String,
    },
}

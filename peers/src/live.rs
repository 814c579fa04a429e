//! A world of ours in another engine, whichever that is: which bodies something else has changed, what acted in the last step,
//! and what the world is given of it. What the engine itself does is its [`Own`].

use std::sync::atomic::{AtomicU64, Ordering};

use driftlab_engine::glam::{DVec2, DVec3};
use driftlab_engine::model::{Body, BodyKind, Pose, Rotation, Velocity, World};
use driftlab_engine::step::GivenForces;
use driftlab_probe::format::{self, Impulse};

use crate::peer::{Error, Peer, Settings, Snapshot};

/// Tells worlds apart whose snapshots are not one another's.
static BUILT: AtomicU64 = AtomicU64::new(0);

/// A body as an engine has it.
pub trait Held: Clone + Send + Sync + 'static {
    /// Position of the centre of mass and angle, m, m, rad; the angle is less than half a turn from `angle`.
    fn q(&self, angle: f64) -> DVec3;
    /// m/s, m/s, rad/s.
    fn v(&self) -> DVec3;
}

/// A world that was built in an engine.
pub trait Own: Send + 'static {
    /// The parameter that says how many parts a step has.
    const PARTS: &'static str;
    type Body: Held;
    /// All that its next steps depend on.
    type Image: Send + Sync;

    fn settings(&self) -> &Settings;
    /// Numbers of the bodies, joints and springs that were built.
    fn counts(&self) -> [usize; 3];
    /// All bodies; `angles` are the former ones, rad.
    fn bodies(&self, angles: &[f64]) -> Vec<Self::Body>;
    /// Gives bodies the world's velocities, and its poses to those that are marked as moved.
    ///
    /// # Errors
    /// Numbers that are too large; nothing has changed then.
    fn put(&mut self, world: &World, changed: &[(usize, bool)]) -> Result<(), Error>;
    /// Refuses a state from which the engine cannot go on.
    ///
    /// # Errors
    /// Why.
    fn check(&self, state: &State<Self::Body>, world: &World) -> Result<(), Error>;
    /// Makes a step of `h`, s, under these forces on the bodies, N, N, N m.
    ///
    /// # Errors
    /// Numbers that are too large; no step was made then.
    fn advance(
        &mut self,
        state: &State<Self::Body>,
        world: &World,
        h: f64,
        forces: &[DVec3],
    ) -> Result<(), Error>;
    /// Adds what acted in the last step.
    fn tell(&self, state: &State<Self::Body>, world: &World, step: &mut format::Step);
    /// All that the next steps depend on, and about how many bytes that takes.
    ///
    /// # Errors
    /// The engine could not write it.
    fn image(&self) -> Result<(Self::Image, usize), Error>;
    /// Goes back to it; why not, if the engine refuses.
    fn restore(&mut self, image: &Self::Image) -> Result<(), &'static str>;
}

/// What changes beside the engine's own state.
#[derive(Clone)]
pub struct State<B> {
    /// The bodies before the last step and behind it.
    pub before: Vec<B>,
    pub now: Vec<B>,
    /// Coordinates of the latter, with angles that go on where the engine's jump by a turn.
    pub q: Vec<DVec3>,
    /// What acted in the last step, and its length, s; 0 before the first.
    pub given: GivenForces,
    pub gravity: DVec2,
    pub h: f64,
    /// The world's poses and velocities that the state is known to be.
    known: Vec<(Pose, Velocity)>,
}

struct Live<E: Own> {
    own: E,
    number: u64,
    state: State<E::Body>,
}

struct Saved<E: Own> {
    number: u64,
    image: E::Image,
    state: State<E::Body>,
}

/// A peer of the world that was built in an engine.
pub fn peer<E: Own>(own: E, world: &World) -> Box<dyn Peer> {
    let now = own.bodies(&angles(world));
    let none = vec![DVec3::ZERO; now.len()];
    let state = State {
        before: now.clone(),
        q: follow(&now, &angles(world)),
        now,
        given: GivenForces { external: none.clone(), hand: none },
        gravity: world.gravity(),
        h: 0.0,
        known: known(world),
    };
    Box::new(Live { own, number: BUILT.fetch_add(1, Ordering::Relaxed), state })
}

fn angles(world: &World) -> Vec<f64> {
    world.bodies().iter().map(|body| body.pose.angle).collect()
}

fn follow<B: Held>(bodies: &[B], angles: &[f64]) -> Vec<DVec3> {
    bodies.iter().zip(angles).map(|(body, angle)| body.q(*angle)).collect()
}

fn known(world: &World) -> Vec<(Pose, Velocity)> {
    world.bodies().iter().map(|body| (body.pose, body.velocity)).collect()
}

/// Pose and velocity of a body as the world gets them at the time `end`, s; those of bodies on a path are the path's.
fn told(body: &Body, q: DVec3, v: DVec3, end: f64) -> (Pose, Velocity) {
    match (body.kind(), body.path()) {
        (BodyKind::Fixed, _) => (body.pose, body.velocity),
        (_, Some(path)) => (path.placed(q, end, 0.0).into(), path.velocity(end).into()),
        (_, None) => (q.into(), v.into()),
    }
}

impl<E: Own> Live<E> {
    fn check_parts(&self, world: &World) -> Result<(), Error> {
        let built = self.own.counts();
        let now = [world.bodies().len(), world.joints().len(), world.springs().len()];
        if built == now { Ok(()) } else { Err(Error::OtherWorld { expected: built[0], found: now[0] }) }
    }
}

impl<E: Own> Peer for Live<E> {
    fn engine(&self) -> format::Engine {
        self.own.settings().engine()
    }

    fn take(&mut self, world: &World) -> Result<(), Error> {
        self.check_parts(world)?;
        let known = |(index, body): (usize, &Body)| {
            let (pose, velocity) = self.state.known[index];
            let moved = pose != body.pose;
            (moved || velocity != body.velocity).then_some((index, moved))
        };
        let changed: Vec<_> = world.bodies().iter().enumerate().filter_map(known).collect();
        self.own.put(world, &changed)?;
        let (state, angles) = (&mut self.state, angles(world));
        state.now = self.own.bodies(&angles);
        state.before.clone_from(&state.now);
        state.q = follow(&state.now, &angles);
        (state.known, state.h) = (self::known(world), 0.0);
        Ok(())
    }

    fn step(&mut self, world: &World, h: f64) -> Result<(), Error> {
        if !(h > 0.0 && h.is_finite()) {
            return Err(Error::TimeStep(h));
        }
        self.check_parts(world)?;
        self.own.check(&self.state, world)?;
        let given = GivenForces::of(world, h).map_err(|error| Error::Model(error.to_string()))?;
        let forces: Vec<_> =
            given.external.iter().zip(&given.hand).map(|(external, hand)| *external + *hand).collect();
        self.own.advance(&self.state, world, h, &forces)?;
        let state = &mut self.state;
        let angles: Vec<_> = state.q.iter().map(|q| q.z).collect();
        state.before = std::mem::replace(&mut state.now, self.own.bodies(&angles));
        state.q = follow(&state.now, &angles);
        (state.given, state.gravity, state.h) = (given, world.gravity(), h);
        // What the world will have of this state.
        let bodies = world.bodies().iter().zip(state.q.iter().zip(&state.now));
        state.known = bodies.map(|(body, (q, now))| told(body, *q, now.v(), world.time() + h)).collect();
        self.own.check(state, world)
    }

    fn give(&self, world: &mut World) -> Result<(), Error> {
        self.check_parts(world)?;
        let bodies = world.bodies().iter().zip(world.body_ids().iter().zip(&self.state.known));
        let moving = bodies.filter(|(body, _)| body.kind() != BodyKind::Fixed);
        let states: Vec<_> = moving.map(|(_, (id, (pose, velocity)))| (*id, *pose, *velocity)).collect();
        world.place_bodies(&states).map_err(|error| Error::Model(error.to_string()))
    }

    fn line(&self, world: &World) -> format::Step {
        let State { q, now, given, h, .. } = &self.state;
        let origin = |(index, q): (usize, &DVec3)| {
            let center =
                world.bodies().get(index).map_or(DVec2::ZERO, |body| body.mass_properties().center);
            let [x, y] = (q.truncate() - Rotation::from_angle(q.z).apply(center)).to_array();
            Some([x, y, q.z])
        };
        let v = now.iter().map(|body| Some(body.v().to_array())).collect();
        let q = q.iter().enumerate().map(origin).collect();
        let mut step = format::Step { q, v: Some(v), ..format::Step::default() };
        if *h == 0.0 {
            return step;
        }
        step.h = Some(*h);
        self.own.tell(&self.state, world, &mut step);
        let hands = given.hand.iter().enumerate().filter(|(_, hand)| **hand != DVec3::ZERO);
        step.hand.extend(hands.map(|(index, hand)| Impulse(index, h * hand.x, h * hand.y, h * hand.z)));
        step
    }

    fn impulses(&self) -> format::Impulses {
        let is_one = self.own.settings().value(E::PARTS) == 1.0;
        if is_one { format::Impulses::Whole } else { format::Impulses::Estimated }
    }

    fn snapshot(&self) -> Result<Snapshot, Error> {
        let (image, bytes) = self.own.image()?;
        let saved = Saved::<E> { number: self.number, image, state: self.state.clone() };
        Ok(Snapshot::new(self.own.settings().kind(), bytes, saved))
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Error> {
        let engine = self.own.settings().kind();
        let refused = |why| Error::Snapshot { engine, why };
        let saved = snapshot.state::<Saved<E>>().ok_or(refused("it is another engine's"))?;
        if saved.number != self.number {
            return Err(refused("it is that of a world that was built at another time"));
        }
        self.own.restore(&saved.image).map_err(refused)?;
        self.state.clone_from(&saved.state);
        Ok(())
    }
}

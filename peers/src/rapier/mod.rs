//! A world of ours, stepped by Rapier in double precision.
//!
//! Groups and belts are hooks, as Rapier's documentation has them; while a world has any, contacts are not recycled. A motor that
//! holds a position gets its stiffness and damping before each step from the mass that it moves then.

mod build;
mod held;
mod hooks;
mod line;

use std::f64::consts::TAU;
use std::sync::atomic::{AtomicU64, Ordering};

use driftlab_engine::glam::{DVec2, DVec3};
use driftlab_engine::model::{BodyKind, Frame, Pose, Softness, Velocity, World};
use driftlab_engine::step::GivenForces;
use driftlab_probe::format;
use rapier2d_f64::prelude::{PhysicsPipeline, PhysicsWorld, Real, Vector};

use crate::peer::{Error, Kind, Peer, Settings, Snapshot};
use build::{Built, colliders_of, drive_of, driven_axis, parameters, pose, spring_motor, vector};
use held::held_mass;
use hooks::Hooks;

/// Tells worlds apart whose snapshots are not one another's.
static BUILT: AtomicU64 = AtomicU64::new(0);

/// Builds a world in Rapier.
///
/// # Errors
/// Everything that Rapier lacks.
pub fn build(settings: &Settings, world: &World, h: f64) -> Result<Box<dyn Peer>, Error> {
    let (own, built) = build::build(settings, world, h)?;
    let count = built.bodies.len();
    let none = vec![DVec3::ZERO; count];
    let mut state = State {
        before: Vec::new(),
        now: Vec::new(),
        given: GivenForces { external: none.clone(), hand: none },
        gravity: world.gravity(),
        h: 0.0,
        known: known(world),
    };
    let angles: Vec<_> = world.bodies().iter().map(|body| body.pose.angle).collect();
    state.now = read(&own, &built, &angles);
    state.before.clone_from(&state.now);
    let number = BUILT.fetch_add(1, Ordering::Relaxed);
    Ok(Box::new(Live { settings: settings.clone(), number, own, built, state }))
}

/// A body: pose of its centre of mass with an angle that goes on, and velocity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    pub q: DVec3,
    pub v: DVec3,
}

/// What changes beside Rapier's own state.
#[derive(Clone, Debug)]
struct State {
    before: Vec<Moment>,
    now: Vec<Moment>,
    given: GivenForces,
    gravity: DVec2,
    h: f64,
    /// The world's poses and velocities that the state is known to be.
    known: Vec<(Pose, Velocity)>,
}

struct Live {
    settings: Settings,
    number: u64,
    own: PhysicsWorld,
    built: Built,
    state: State,
}

fn known(world: &World) -> Vec<(Pose, Velocity)> {
    world.bodies().iter().map(|body| (body.pose, body.velocity)).collect()
}

/// All bodies, with angles by less than half a turn from the former ones.
fn read(own: &PhysicsWorld, built: &Built, angles: &[f64]) -> Vec<Moment> {
    let one = |(handle, angle): (&_, &f64)| {
        let Some(body) = own.bodies.get(*handle) else {
            return Moment { q: DVec3::NAN, v: DVec3::NAN };
        };
        let (at, v) = (body.translation(), body.linvel());
        let beyond = body.rotation().angle() - angle;
        let angle = angle + beyond - TAU * (beyond / TAU).round();
        Moment { q: DVec3::new(at.x, at.y, angle), v: DVec3::new(v.x, v.y, body.angvel()) }
    };
    built.bodies.iter().zip(angles).map(one).collect()
}

impl Live {
    fn check_bodies(&self, world: &World) -> Result<(), Error> {
        let (expected, found) = (self.built.bodies.len(), world.bodies().len());
        let others = [
            (self.built.joints.len(), world.joints().len()),
            (self.built.springs.len(), world.springs().len()),
        ];
        if expected != found || others.iter().any(|(built, now)| built != now) {
            return Err(Error::OtherWorld { expected, found });
        }
        Ok(())
    }

    fn check_state(&self, world: &World) -> Result<(), Error> {
        for (index, moment) in self.state.now.iter().enumerate() {
            if !(moment.q.is_finite() && moment.v.is_finite()) {
                let what = format!("a coordinate or velocity of {}", crate::lacks::name(world, index));
                return Err(Error::Number { engine: Kind::Rapier, what, value: f64::NAN });
            }
        }
        let quarantine = self.own.quarantine();
        if quarantine.is_empty() {
            return Ok(());
        }
        let what = "has taken bodies out whose numbers were not finite".to_owned();
        Err(Error::Engine { engine: Kind::Rapier, what })
    }

    /// Velocities of bodies on a path, and what motors demand.
    fn prepare(&mut self, world: &World, h: f64) {
        let end = world.time() + h;
        for (index, body) in world.bodies().iter().enumerate() {
            let (Some(path), Some(own)) = (body.path(), self.own.bodies.get_mut(self.built.bodies[index]))
            else {
                continue;
            };
            let v = path.mean_velocity(self.state.now[index].q, world.time(), h);
            own.set_linvel(vector(v.truncate()), true);
            own.set_angvel(v.z, true);
        }
        for (joint, handle) in world.joints().iter().zip(&self.built.joints) {
            let Some(data) = handle.and_then(|handle| self.own.impulse_joints.get_mut(handle, true)) else {
                continue;
            };
            if let (Some(_), Some(length)) = (&joint.length_profile, joint.rope_length()) {
                let longest = joint.length_profile.as_ref().map_or(length, |own| own.value(end));
                data.data.limits[build::X].max = longest;
            }
            let Some([speed, most]) = drive_of(joint, end) else { continue };
            let motor = &mut data.data.motors[driven_axis(joint)];
            motor.target_vel = speed;
            motor.max_force = most.min(Real::MAX);
            if let (Some(servo), Some(_)) = (joint.servo, joint.acting_motor()) {
                let frames = joint.bodies().map(|index| {
                    let Moment { q, v } = self.state.now[index];
                    Frame::new(q, v)
                });
                let Some(mass) = held_mass(world, joint, frames.each_ref()) else { continue };
                let own = Softness::of(mass, servo.frequency, servo.damping_ratio);
                // A slider's coordinate counts from its own zero, a hinge's frames do already.
                let zero = if driven_axis(joint) == build::ANGLE { 0.0 } else { joint.zero };
                let spring = spring_motor(own, zero + servo.position);
                motor.target_pos = spring.target_pos;
                (motor.stiffness, motor.damping, motor.model) =
                    (spring.stiffness, spring.damping, spring.model);
            }
        }
    }
}

impl Peer for Live {
    fn engine(&self) -> format::Engine {
        self.settings.engine()
    }

    fn take(&mut self, world: &World) -> Result<(), Error> {
        self.check_bodies(world)?;
        for (index, body) in world.bodies().iter().enumerate() {
            let ((pose_known, velocity), handle) = (self.state.known[index], self.built.bodies[index]);
            let (moved, thrown) = (pose_known != body.pose, velocity != body.velocity);
            if !moved && !thrown {
                continue;
            }
            let v = world.velocity_of(index);
            if moved {
                // A collider that comes anew has no contacts.
                for collider in colliders_of(&self.own, handle) {
                    if let Some(collider) = self.own.remove_collider(collider) {
                        self.own.insert_collider(collider, Some(handle));
                    }
                }
            }
            let Some(own) = self.own.bodies.get_mut(handle) else { continue };
            if moved {
                own.set_position(pose(body.pose.position, body.pose.angle), true);
            }
            if body.kind() != BodyKind::Fixed {
                own.set_linvel(vector(v.truncate()), true);
                own.set_angvel(v.z, true);
            }
        }
        let angles: Vec<_> = world.bodies().iter().map(|body| body.pose.angle).collect();
        self.state.now = read(&self.own, &self.built, &angles);
        self.state.before.clone_from(&self.state.now);
        self.state.known = known(world);
        self.state.h = 0.0;
        Ok(())
    }

    fn step(&mut self, world: &World, h: f64) -> Result<(), Error> {
        if !(h > 0.0 && h.is_finite()) {
            return Err(Error::TimeStep(h));
        }
        self.check_bodies(world)?;
        self.check_state(world)?;
        let given = GivenForces::of(world, h).map_err(|error| Error::Model(error.to_string()))?;
        self.own.gravity = vector(world.gravity());
        if self.own.integration_parameters.dt != h {
            self.own.integration_parameters = parameters(&self.settings, h);
        }
        self.prepare(world, h);
        for (index, (external, hand)) in given.external.iter().zip(&given.hand).enumerate() {
            let sum = *external + *hand;
            if !sum.is_finite() {
                let what = format!("the force on {}", crate::lacks::name(world, index));
                return Err(Error::Number { engine: Kind::Rapier, what, value: f64::NAN });
            }
            let Some(body) = self.own.bodies.get_mut(self.built.bodies[index]) else { continue };
            if body.user_force() != Vector::ZERO || body.user_torque() != 0.0 {
                body.reset_forces(true);
                body.reset_torques(true);
            }
            if sum != DVec3::ZERO {
                body.add_force(vector(sum.truncate()), true);
                body.add_torque(sum.z, true);
            }
        }
        if self.built.hooked {
            self.own.step_with_events(&Hooks(&self.built.surfaces), &());
        } else {
            self.own.step();
        }
        let angles: Vec<_> = self.state.now.iter().map(|moment| moment.q.z).collect();
        let state = &mut self.state;
        state.before = std::mem::replace(&mut state.now, read(&self.own, &self.built, &angles));
        (state.given, state.gravity, state.h) = (given, world.gravity(), h);
        let end = world.time() + h;
        state.known = (0..state.now.len()).map(|index| told(state, world, index, end)).collect();
        self.check_state(world)
    }

    fn give(&self, world: &mut World) -> Result<(), Error> {
        self.check_bodies(world)?;
        let states: Vec<_> = (0..self.state.known.len())
            .filter(|index| world.bodies()[*index].kind() != BodyKind::Fixed)
            .map(|index| (world.body_ids()[index], self.state.known[index].0, self.state.known[index].1))
            .collect();
        world.place_bodies(&states).map_err(|error| Error::Model(error.to_string()))
    }

    fn line(&self, world: &World) -> format::Step {
        line::of(self, world)
    }

    fn impulses(&self) -> format::Impulses {
        let is_one = self.settings.value("num_solver_iterations") == 1.0;
        if is_one { format::Impulses::Whole } else { format::Impulses::Estimated }
    }

    fn snapshot(&self) -> Result<Snapshot, Error> {
        let saved = Saved { number: self.number, own: copied(&self.own), state: self.state.clone() };
        let own = &self.own;
        // About what a body, a collider, a pair and a joint take.
        let bytes = 1200 * own.bodies.len()
            + 700 * own.colliders.len()
            + 1500 * own.narrow_phase.contact_pairs().count()
            + 900 * own.impulse_joints.len();
        Ok(Snapshot::new(Kind::Rapier, bytes, saved))
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Error> {
        let refused = |why| Error::Snapshot { engine: Kind::Rapier, why };
        let saved = snapshot.state::<Saved>().ok_or(refused("it is another engine's"))?;
        if saved.number != self.number {
            return Err(refused("it is that of a world that was built at another time"));
        }
        self.own = copied(&saved.own);
        self.state.clone_from(&saved.state);
        Ok(())
    }
}

/// Pose and velocity of a body as the world gets them at the time `end`, s; those of bodies on a path are the path's.
fn told(state: &State, world: &World, index: usize, end: f64) -> (Pose, Velocity) {
    let (body, Moment { q, v }) = (&world.bodies()[index], state.now[index]);
    match (body.kind(), body.path()) {
        (BodyKind::Fixed, _) => (body.pose, body.velocity),
        (_, Some(path)) => (path.placed(q, end, 0.0).into(), path.velocity(end).into()),
        (_, None) => (q.into(), v.into()),
    }
}

struct Saved {
    number: u64,
    own: PhysicsWorld,
    state: State,
}

/// A copy of all that steps depend on; pipelines only have working memory.
fn copied(own: &PhysicsWorld) -> PhysicsWorld {
    PhysicsWorld {
        gravity: own.gravity,
        integration_parameters: own.integration_parameters,
        physics_pipeline: PhysicsPipeline::new(),
        islands: own.islands.clone(),
        broad_phase: own.broad_phase.clone(),
        narrow_phase: own.narrow_phase.clone(),
        bodies: own.bodies.clone(),
        colliders: own.colliders.clone(),
        impulse_joints: own.impulse_joints.clone(),
        multibody_joints: own.multibody_joints.clone(),
        ccd_solver: own.ccd_solver.clone(),
        ..PhysicsWorld::default()
    }
}

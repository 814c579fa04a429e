//! A world of ours, stepped by Rapier in double precision.
//!
//! Groups and belts are hooks, as Rapier's documentation has them; while a world has any, contacts are not recycled. A motor that
//! holds a position gets its stiffness and damping before each step from the mass that it moves then.

mod build;
mod held;
mod hooks;
mod line;

use std::f64::consts::TAU;

use driftlab_engine::glam::DVec3;
use driftlab_engine::model::{BodyKind, Frame, Softness, World};
use driftlab_probe::format::Step;
use rapier2d_f64::prelude::{PhysicsPipeline, PhysicsWorld, Real, Vector};

use crate::live::{self, Held, Own};
use crate::peer::{Error, Kind, Peer, Settings};
use build::{Built, colliders_of, drive_of, driven_axis, parameters, pose, spring_motor, vector};
use held::held_mass;
use hooks::Hooks;

type State = live::State<Moment>;

/// Builds a world in Rapier.
///
/// # Errors
/// Everything that Rapier lacks.
pub fn build(settings: &Settings, world: &World, h: f64) -> Result<Box<dyn Peer>, Error> {
    let (own, built) = build::build(settings, world, h)?;
    Ok(live::peer(Live { settings: settings.clone(), own, built }, world))
}

/// A body: pose of its centre of mass with an angle that goes on, and velocity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    pub q: DVec3,
    pub v: DVec3,
}

impl Held for Moment {
    fn q(&self, _: f64) -> DVec3 {
        self.q
    }

    fn v(&self) -> DVec3 {
        self.v
    }
}

struct Live {
    settings: Settings,
    own: PhysicsWorld,
    built: Built,
}

impl Live {
    /// Velocities of bodies on a path, and what motors demand.
    fn prepare(&mut self, state: &State, world: &World, h: f64) {
        let end = world.time() + h;
        for (index, body) in world.bodies().iter().enumerate() {
            let (Some(path), Some(own)) = (body.path(), self.own.bodies.get_mut(self.built.bodies[index]))
            else {
                continue;
            };
            let v = path.mean_velocity(state.now[index].q, world.time(), h);
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
                    let Moment { q, v } = state.now[index];
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

impl Own for Live {
    const PARTS: &'static str = "num_solver_iterations";
    type Body = Moment;
    type Image = PhysicsWorld;

    fn settings(&self) -> &Settings {
        &self.settings
    }

    fn counts(&self) -> [usize; 3] {
        [self.built.bodies.len(), self.built.joints.len(), self.built.springs.len()]
    }

    fn bodies(&self, angles: &[f64]) -> Vec<Moment> {
        let one = |(handle, angle): (&_, &f64)| {
            let Some(body) = self.own.bodies.get(*handle) else {
                return Moment { q: DVec3::NAN, v: DVec3::NAN };
            };
            let (at, v) = (body.translation(), body.linvel());
            let beyond = body.rotation().angle() - angle;
            let angle = angle + beyond - TAU * (beyond / TAU).round();
            Moment { q: DVec3::new(at.x, at.y, angle), v: DVec3::new(v.x, v.y, body.angvel()) }
        };
        self.built.bodies.iter().zip(angles).map(one).collect()
    }

    fn put(&mut self, world: &World, changed: &[(usize, bool)]) -> Result<(), Error> {
        for (index, moved) in changed {
            let (body, v, handle) =
                (&world.bodies()[*index], world.velocity_of(*index), self.built.bodies[*index]);
            if *moved {
                // A collider that comes anew has no contacts.
                for collider in colliders_of(&self.own, handle) {
                    if let Some(collider) = self.own.remove_collider(collider) {
                        self.own.insert_collider(collider, Some(handle));
                    }
                }
            }
            let Some(own) = self.own.bodies.get_mut(handle) else { continue };
            if *moved {
                own.set_position(pose(body.pose.position, body.pose.angle), true);
            }
            if body.kind() != BodyKind::Fixed {
                own.set_linvel(vector(v.truncate()), true);
                own.set_angvel(v.z, true);
            }
        }
        Ok(())
    }

    fn check(&self, state: &State, world: &World) -> Result<(), Error> {
        for (index, moment) in state.now.iter().enumerate() {
            if !(moment.q.is_finite() && moment.v.is_finite()) {
                let what = format!("a coordinate or velocity of {}", crate::lacks::name(world, index));
                return Err(Error::Number { engine: Kind::Rapier, what, value: f64::NAN });
            }
        }
        if self.own.quarantine().is_empty() {
            return Ok(());
        }
        let what = "has taken bodies out whose numbers were not finite".to_owned();
        Err(Error::Engine { engine: Kind::Rapier, what })
    }

    fn advance(&mut self, state: &State, world: &World, h: f64, forces: &[DVec3]) -> Result<(), Error> {
        self.own.gravity = vector(world.gravity());
        if self.own.integration_parameters.dt != h {
            self.own.integration_parameters = parameters(&self.settings, h);
        }
        self.prepare(state, world, h);
        for (index, sum) in forces.iter().enumerate() {
            if !sum.is_finite() {
                let what = format!("the force on {}", crate::lacks::name(world, index));
                return Err(Error::Number { engine: Kind::Rapier, what, value: f64::NAN });
            }
            let Some(body) = self.own.bodies.get_mut(self.built.bodies[index]) else { continue };
            if body.user_force() != Vector::ZERO || body.user_torque() != 0.0 {
                body.reset_forces(true);
                body.reset_torques(true);
            }
            if *sum != DVec3::ZERO {
                body.add_force(vector(sum.truncate()), true);
                body.add_torque(sum.z, true);
            }
        }
        if self.built.hooked {
            self.own.step_with_events(&Hooks(&self.built.surfaces), &());
        } else {
            self.own.step();
        }
        Ok(())
    }

    fn tell(&self, state: &State, world: &World, step: &mut Step) {
        line::tell(self, state, world, step);
    }

    fn image(&self) -> Result<(PhysicsWorld, usize), Error> {
        let own = &self.own;
        // About what a body, a collider, a pair and a joint take.
        let bytes = 1200 * own.bodies.len()
            + 700 * own.colliders.len()
            + 1500 * own.narrow_phase.contact_pairs().count()
            + 900 * own.impulse_joints.len();
        Ok((copied(own), bytes))
    }

    fn restore(&mut self, image: &PhysicsWorld) -> Result<(), &'static str> {
        self.own = copied(image);
        Ok(())
    }
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

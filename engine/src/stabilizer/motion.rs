//! The bodies' motion in a step: pose q, velocity v, acceleration a, and what moves them apart from constraints.
//!
//! ```text
//! v ← v + h M⁻¹F ,     q ← q + h v
//! ```
//!
//! q, v and a are (x, y, angle) of each body's centre of mass and their rates. F is the weight and the mouse's repulsion.
//! Bodies whose motion is prescribed have M⁻¹ = 0: no force moves them, their path is a function of time.

use super::nonholonomic::Integrals;
use super::span::Span;
use crate::detect::nearest_point;
use crate::math::cross;
use crate::model::{Body, BodyKind, Frame, Motion as Path, Pose, Repulsion, World};
use glam::DVec3;

/// Pose, velocity and acceleration of every body, copied from the world for the step.
#[derive(Debug, Default)]
pub(super) struct Motion {
    pub q: Vec<DVec3>,
    pub v: Vec<DVec3>,
    /// Accelerations, at the acceleration level.
    pub a: Vec<DVec3>,
    /// The diagonal of M⁻¹; zero for bodies that forces do not move.
    pub inverse_mass: Vec<DVec3>,
    /// One for bodies that forces move, zero for the others.
    identity: Vec<DVec3>,
    /// M⁻¹F of the weight and the mouse's repulsion, at the pose at which the step began.
    pub external: Vec<DVec3>,
    /// ∫ e dt of the non-holonomic rows.
    pub integrals: Integrals,
    /// q before a correction that may have to be taken back.
    marked: Vec<DVec3>,
}

/// What measures the length of a position correction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Metric {
    /// dpᵀ M dp: the least kinetic energy [Cline & Pai 2003, eq. 14].
    Mass,
    /// dpᵀ dp [Cline & Pai 2003, eqs. 12 and 13].
    Identity,
}

impl Motion {
    /// Copies pose and velocity of `world`.
    pub fn copy_from(&mut self, world: &World) {
        let bodies = world.bodies();
        self.q.clear();
        self.q.extend(bodies.iter().map(|body| body.pose.coordinates()));
        self.v.clear();
        self.v.extend((0..bodies.len()).map(|index| world.velocity_of(index)));
    }

    /// The motion of `world`, with masses and external forces, for a step or one of its parts.
    pub fn begin(&mut self, world: &World) {
        self.copy_from(world);
        self.inverse_mass.clear();
        self.inverse_mass.extend(world.bodies().iter().map(Body::inverse_mass));
        let one = |w: &DVec3| if w.x > 0.0 { DVec3::ONE } else { DVec3::ZERO };
        self.identity.clear();
        self.identity.extend(self.inverse_mass.iter().map(one));
        self.integrals.begin(world);
        self.gather_external_forces(world);
    }

    fn gather_external_forces(&mut self, world: &World) {
        let gravity = world.gravity.extend(0.0);
        let weight = |w: &DVec3| if w.x > 0.0 { gravity } else { DVec3::ZERO };
        self.external.clear();
        self.external.extend(self.inverse_mass.iter().map(weight));
        let Some(repulsion) = world.repulsion else { return };
        for (index, body) in world.bodies().iter().enumerate() {
            let w = self.inverse_mass[index];
            if w.x > 0.0 {
                let frame = Frame::new(self.q[index], self.v[index]);
                self.external[index] += w * repulsive_force(&repulsion, body, &frame);
            }
        }
    }

    /// v ← v + h M⁻¹F with the external forces alone: what the bodies would do unconstrained.
    pub fn kick(&mut self, h: f64) {
        for ((v, w), a) in self.v.iter_mut().zip(&self.inverse_mass).zip(&self.external) {
            if w.x > 0.0 {
                *v += h * *a;
            }
        }
    }

    /// q ← q + h v; bodies with a prescribed path go to where they have to be at the end of the span.
    pub fn drift(&mut self, span: &Span<'_>) {
        for (q, v) in self.q.iter_mut().zip(&self.v) {
            *q += span.h * *v;
        }
        self.place_prescribed(span, span.h);
    }

    /// a ← M⁻¹F of the external forces; nothing on bodies that forces do not move.
    pub fn accelerate_freely(&mut self) {
        self.a.clone_from(&self.external);
    }

    /// Gives bodies on a prescribed path their acceleration, `elapsed` after the start of the span.
    pub fn prescribe_acceleration(&mut self, span: &Span<'_>, elapsed: f64) {
        for (a, body) in self.a.iter_mut().zip(span.world.bodies()) {
            if let BodyKind::Kinematic(path) = body.kind() {
                *a = path.acceleration(span.time + elapsed).extend(0.0);
            }
        }
    }

    /// v ← v + h a for bodies that forces move.
    pub fn accelerate(&mut self, h: f64) {
        for ((v, a), w) in self.v.iter_mut().zip(&self.a).zip(&self.inverse_mass) {
            if w.x > 0.0 {
                *v += h * *a;
            }
        }
    }

    /// Puts bodies on a prescribed path where they have to be `elapsed` after the start of the span (constant velocities
    /// have been integrated already).
    pub fn place_prescribed(&mut self, span: &Span<'_>, elapsed: f64) {
        for (q, body) in self.q.iter_mut().zip(span.world.bodies()) {
            if let BodyKind::Kinematic(path @ Path::Sine { .. }) = body.kind() {
                let now = q.truncate();
                *q = path.position(now, now, span.time, elapsed).extend(q.z);
            }
        }
    }

    /// Gives bodies on a prescribed path the constant velocity that takes them to where they have to be at the end of the
    /// span, so that a velocity-level step lands on the path: c of the joint rows, averaged over the step.
    pub fn prescribe_mean_velocity(&mut self, span: &Span<'_>) {
        for (index, body) in span.world.bodies().iter().enumerate() {
            if let BodyKind::Kinematic(path) = body.kind() {
                let now = self.q[index].truncate();
                let v = body.velocity;
                let end = path.position(now, v.linear, span.time, span.h);
                self.v[index] = ((end - now) / span.h).extend(v.angular);
            }
        }
    }

    /// Gives bodies on a prescribed path their exact velocity, `elapsed` after the start of the span.
    pub fn prescribe_velocity(&mut self, span: &Span<'_>, elapsed: f64) {
        for (v, body) in self.v.iter_mut().zip(span.world.bodies()) {
            if let BodyKind::Kinematic(path) = body.kind() {
                let linear = path.velocity(body.velocity.linear, span.time + elapsed);
                *v = linear.extend(body.velocity.angular);
            }
        }
    }

    /// q ← q + s dp.
    pub fn shift(&mut self, dp: &[DVec3], s: f64) {
        for (q, dp) in self.q.iter_mut().zip(dp) {
            *q += s * *dp;
        }
    }

    /// Remembers the present pose for [`Motion::return_to_mark`].
    pub fn mark(&mut self) {
        self.marked.clone_from(&self.q);
    }

    /// Goes back to the pose last marked.
    pub fn return_to_mark(&mut self) {
        self.q.clone_from(&self.marked);
    }

    /// W of a correction of positions: the inverse of the metric, by body.
    pub fn weight(&self, metric: Metric) -> &[DVec3] {
        match metric {
            Metric::Mass => &self.inverse_mass,
            Metric::Identity => &self.identity,
        }
    }

    /// Potential energy at the present pose, J.
    pub fn potential_energy(&self, world: &World) -> f64 {
        world.potential_energy_at(|index| self.q[index])
    }

    /// Kinetic energy at the present velocity, J.
    pub fn kinetic_energy(&self) -> f64 {
        let moving = self.v.iter().zip(&self.inverse_mass).filter(|(_, w)| w.x > 0.0);
        moving.map(|(v, w)| 0.5 * (*v * *v / *w).element_sum()).sum()
    }

    /// Potential and kinetic energy, J.
    pub fn energy(&self, world: &World) -> f64 {
        self.potential_energy(world) + self.kinetic_energy()
    }
}

/// Force and torque of the mouse's repulsion on a body (see `model/repulsion.rs`), N and N m.
fn repulsive_force(repulsion: &Repulsion, body: &Body, frame: &Frame) -> DVec3 {
    let pose = Pose { position: frame.position, angle: frame.angle };
    let Some((point, distance)) = nearest_point(body, &pose, repulsion.center) else { return DVec3::ZERO };
    let outside = distance > 0.0;
    let (arm, size) = if outside {
        (point - repulsion.center, 1.0 - distance / repulsion.radius)
    } else {
        (frame.position - repulsion.center, 1.0)
    };
    let push = repulsion.strength * size.max(0.0) * arm.normalize_or_zero();
    let lever = if outside { point - frame.position } else { repulsion.center - frame.position };
    push.extend(cross(lever, push))
}

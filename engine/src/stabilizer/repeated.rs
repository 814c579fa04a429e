//! A step that ends in the state in which it began is the next step as well.
//!
//! ```text
//! S⁺ = F(S, method, h) ,     S⁺ = S to the bit   ⇒   F(S⁺, method, h) = S⁺
//! ```
//!
//! S is the poses and velocities of the bodies, the forces of the joints, the contacts with their impulses. A step depends on nothing else, neither on
//! the time nor on the number of steps, where no body and no constraint is prescribed a motion and no mouse acts. So a step that is recognised
//! need not be made: it has the bits, and the report, that it would have. Whatever is changed in the world, by an edit or another step, gives it
//! another edition or another stamp.

use crate::model::{BodyKind, Edition, Stamp, World};
use crate::report::StepReport;
use crate::stabilizer::Method;

/// What the last step was and led to, where nothing moved at its end.
#[derive(Debug, Default)]
pub(super) struct Repeated {
    last: Option<Circumstances>,
    /// S⁺ of the last step.
    state: Vec<u64>,
    /// Whether the step that is being made began there, as the last one ended.
    continued: bool,
    /// The report of the last step, if that ended where it began.
    report: Option<StepReport>,
    /// Whether the last step was not made.
    pub spared: bool,
}

/// All that a step depends on, S known by its stamp.
#[derive(Debug)]
struct Circumstances {
    edition: Edition,
    written: Stamp,
    gravity: [u64; 2],
    method: Method,
    h: f64,
}

impl Circumstances {
    fn are(&self, world: &World, method: &Method, h: f64) -> bool {
        self.written == world.written()
            && self.h.to_bits() == h.to_bits()
            && self.gravity == world.gravity.to_array().map(f64::to_bits)
            && world.grab.is_none()
            && world.repulsion.is_none()
            && self.edition.is_of(world)
            && self.method == *method
    }
}

impl Repeated {
    /// Before a step: its report, if it is known.
    pub fn begin(&mut self, world: &World, method: &Method, h: f64) -> Option<StepReport> {
        self.continued = self.last.as_ref().is_some_and(|last| last.are(world, method, h));
        let report = self.report.filter(|_| self.continued);
        self.spared = report.is_some();
        report
    }

    /// After a step that has been made, with its report where it has not failed.
    pub fn end(&mut self, world: &World, (method, h): (&Method, f64), report: Option<&StepReport>) {
        self.report = None;
        let rests = report.filter(|report| report.kinetic_energy == 0.0 && depends_on_state_alone(world));
        let Some(report) = rests else { return self.forget() };
        if self.continued && self.state.iter().copied().eq(bits(world)) {
            self.report = Some(*report);
        } else {
            self.state.clear();
            self.state.extend(bits(world));
        }
        let (written, gravity) = (world.written(), world.gravity.to_array().map(f64::to_bits));
        match &mut self.last {
            Some(last) if last.method == *method => {
                (last.written, last.gravity, last.h) = (written, gravity, h);
                last.edition.update(world);
            }
            last => {
                let mut edition = Edition::default();
                edition.update(world);
                *last = Some(Circumstances { edition, written, gravity, method: method.clone(), h });
            }
        }
    }

    /// No step is known.
    pub fn forget(&mut self) {
        (self.last, self.report) = (None, None);
    }
}

/// Whether nothing in `world` follows the time or the mouse.
fn depends_on_state_alone(world: &World) -> bool {
    let moves = |kind: &BodyKind| matches!(kind, BodyKind::Kinematic(_));
    world.grab.is_none()
        && world.repulsion.is_none()
        && world.nonholonomic().is_empty()
        && !world.bodies().iter().any(|body| moves(&body.kind()))
}

/// S, number by number.
fn bits(world: &World) -> impl Iterator<Item = u64> + '_ {
    let bodies = world.bodies().iter().flat_map(|body| {
        let (q, v) = (body.pose.coordinates(), body.velocity.coordinates());
        [q.x, q.y, q.z, v.x, v.y, v.z]
    });
    let forces = world.joints().iter().flat_map(|joint| joint.force);
    let contacts = world.contacts().iter().flat_map(|contact| {
        let (point, normal, [along, across]) = (contact.point, contact.normal, contact.impulse);
        [point.x, point.y, normal.x, normal.y, contact.gap, contact.friction, along, across]
    });
    let ids = world.contacts().iter().flat_map(|contact| {
        let [bodies, pieces, features] = [contact.id.bodies, contact.id.pieces, contact.id.features];
        [bodies, pieces, features].map(|[a, b]| u64::from(a) << 32 | u64::from(b))
    });
    bodies.chain(forces).chain(contacts).map(f64::to_bits).chain(ids)
}
